"""Exercises of chapter 3: wrong answers with what the check replies, and unusual right ones."""

WRONG = {
    "exercise-1": [
        ("check_spread(lambda sigma, G: 8 * sigma**4 * np.sum(G**2))", "this is the variance"),
        ("check_spread(lambda sigma, G: sigma**2 * np.sqrt(2 * np.sum(G**2)))", "the noise of both patches"),
        (
            "check_spread(lambda sigma, G: 2 * sigma**2 * np.sqrt(2 / G.size))",
            "expected about|the noise of both",
        ),
    ],
    "exercise-2": [
        (
            "check_soft(lambda image, pixel, h, h_x, patch_radius=3, noise_std=0.0:"
            " nonlocal_means_log_weights(image, pixel, h, patch_radius, noise_std=noise_std))",
            "expected the bilateral filter",
        ),
        (
            "check_soft(lambda image, pixel, h, h_x, patch_radius=3, noise_std=0.0:"
            " np.exp(nonlocal_means_log_weights(image, pixel, h, patch_radius, noise_std=noise_std)))",
            "expected non-local means",
        ),
    ],
    "exercise-3": [
        ("check_patch_radius({5: 3, 10: 2, 25: 1})", "σ = 5: radius 2 is better than 3"),
        ("check_patch_radius({5: 1, 10: 2, 25: 2})", "σ = 25: radius 3 is better than 2"),
    ],
}

RIGHT = {}
