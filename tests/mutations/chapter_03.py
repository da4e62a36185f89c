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
        "lib/filters/nonlocal_means.py",
        "unit = in_base_two(h) * taps.sum().item() * math.sqrt(len(planes))",
        "unit = h * taps.sum().item() * math.sqrt(len(planes))",
        "powers of 2 stand for powers of e",
        ("eq:nlm_weights", "eq:error_parts"),
    ),
    Mutation(
        "lib/filters/patches.py",
        "return np.outer(taps, taps) / taps.sum() ** 2",
        "return np.outer(taps, taps) / taps.sum()",
        "the patch's weights do not sum to 1",
        ("eq:nlm_distance", "eq:nlm_noise_floor"),
    ),
    Mutation(
        "lib/filters/patches.py",
        "np.exp(-2 * (offsets",
        "np.exp(-1 * (offsets",
        "the patch's weights fall half as fast",
        ("eq:nlm_noise_left",),
    ),
]
