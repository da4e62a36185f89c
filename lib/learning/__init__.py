"""Learning what counts as alike: W_q and W_k by gradient descent, and the bandwidth the same way.

A kernel method is given its metric; attention finds one. The gradients are written out by hand and short:
`score_gradient` goes back through average and softmax, `projection_gradients` and `bandwidth_gradient` from there
to the maps and to h. Descent is the plainest that works, with momentum.

The tasks of chapter 6: imitate a smoother, average over a period, recall a value by its key.
"""

from lib import former_names
from lib.learning.descent import Training, descend, train_projections
from lib.learning.gradients import bandwidth_gradient, projection_gradients, score_gradient
from lib.learning.tasks import Task, imitation_task, oracle_bandwidth, periodic_task, recall_task

__all__ = [
    "Task",
    "Training",
    "bandwidth_gradient",
    "descend",
    "imitation_task",
    "oracle_bandwidth",
    "periodic_task",
    "projection_gradients",
    "recall_task",
    "score_gradient",
    "train_projections",
]

__getattr__ = former_names.of(__name__)
