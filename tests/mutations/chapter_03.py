"""Faults that the tests of chapter 3's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/filters/nonlocal_means.py",
        "return -np.maximum(distance - noise, 0)",
        "return -np.maximum(distance - noise / 2, 0)",
        "the floor is σ² and not 2σ²",
        ("eq:nlm_forgiving", "eq:own_weight"),
    ),
    Mutation(
        "lib/filters/nonlocal_means.py",
        "squares = (patches - patches[:, search_radius, search_radius, None, None]) ** 2",
        "squares = np.abs(patches - patches[:, search_radius, search_radius, None, None])",
        "differences are not squared",
        ("eq:nlm_distance", "eq:nlm_weights", "eq:range_only"),
    ),
    Mutation(
        "lib/engine/filters.py",
        "unit = in_base_two(h) / peak",
        "unit = h / peak",
        "powers of 2 stand for powers of e",
        ("eq:nlm_weights", "eq:error_parts"),
    ),
    Mutation(
        "lib/filters/patches.py",
        "return np.outer(taps, taps)",
        "return np.outer(taps, taps) / taps.max()",
        "the patch's weights do not sum to 1",
        ("eq:nlm_distance", "eq:nlm_noise_floor"),
    ),
    Mutation(
        "lib/filters/patches.py",
        "softmax(-2 * (offsets",
        "softmax(-1 * (offsets",
        "the patch's weights fall half as fast",
        ("eq:nlm_noise_left",),
    ),
]
