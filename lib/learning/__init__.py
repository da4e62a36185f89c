"""Learning a similarity: W_q, W_k and the bandwidth by gradient descent.

A kernel method uses a fixed metric, whereas attention learns one. The gradients are short and derived by hand:
`score_gradient` backpropagates through average and softmax, `projection_gradients` and `bandwidth_gradient` from
there to the projections and to h. The optimiser is plain gradient descent with momentum.

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
