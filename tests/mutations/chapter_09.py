"""Faults that the tests of chapter 9's equations must notice."""

from tests.mutations import Mutation

DIFFUSION = "lib/diffusion.py"

MUTATIONS = [
    Mutation(
        DIFFUSION,
        "-_squared_distances(noisy, pictures) / (2 * noise_std**2)",
        "-_squared_distances(noisy, pictures) / noise_std**2",
        "h² is σ² and not 2σ²",
        ("eq:denoise_weights", "eq:denoise", "eq:noisy_density", "eq:tweedie", "eq:least_squares"),
    ),
    Mutation(
        DIFFUSION,
        "/ noise_std / noise_std",
        "/ noise_std",
        "the step is divided by σ and not by σ²",
        ("eq:noisy_density", "eq:tweedie"),
    ),
    Mutation(
        DIFFUSION,
        "next_level / level * (noisy - denoised)",
        "(next_level / level) ** 2 * (noisy - denoised)",
        "variances stand for standard deviations in the walk",
        ("eq:walk",),
    ),
    Mutation(
        DIFFUSION,
        "@ columns) / (2 * noise_std**2)",
        "@ columns) / noise_std**2",
        "h² is σ² and not 2σ² for patches",
        ("eq:patch_denoise",),
    ),
    Mutation(
        DIFFUSION,
        "<= radius for n in",
        "< radius for n in",
        "the patch is smaller by a pixel on each side",
        ("eq:patch_denoise",),
    ),
]
