"""Faults that the tests of chapter 4's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/engine/steering.py",
        "total += share**2 * ring",
        "total += share * ring",
        "the disk's weights lose their square",
        ("eq:structure_tensor", "eq:gradient_noise"),
    ),
    Mutation(
        "lib/engine/steering.py",
        "s2 + steering.elongation_regularization",
        "s2 + 2 * steering.elongation_regularization",
        "λ′ is doubled below",
        ("eq:steering_matrix", "eq:half_axes"),
    ),
    Mutation(
        "lib/engine/steering.py",
        "a, unit = np.sqrt(matrices[0, 0]), np.sqrt(2 / LOG2E) * h",
        "a, unit = np.sqrt(matrices[0, 0]), np.sqrt(1.3 * 2 / LOG2E) * h",
        "the exponent is 1.3 times too small",
        ("eq:steering_kernel", "eq:kernel_area", "eq:steering_order2"),
    ),
    Mutation(
        "lib/engine/steering.py",
        "log_scale = steering.structure_sensitivity * np.log(",
        "log_scale = steering.structure_sensitivity / 2 * np.log(",
        "α is halved",
        ("eq:compressed_metric", "eq:steering_matrix"),
    ),
    Mutation(
        "lib/engine/window.py",
        "weights[index] *= is_key[key]",
        "weights[index] *= 1",
        "missing pixels are keys, too",
        ("eq:steering_order2",),
    ),
]
