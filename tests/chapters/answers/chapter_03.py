"""Exercises of chapter 3: wrong answers with the check's reply, and unusual correct ones."""


def spread(formula):
    return f"check_spread(lambda sigma, G: {formula})"


SOFT = """
def answer(image, pixel, h, h_x, patch_radius=3, noise_std=0.0):
    steps = np.arange(-10, 11)
    far = (steps[:, None] ** 2 + steps**2) / h_x**2
    raw = nonlocal_means_log_weights(image, pixel, h, patch_radius)
    alike = nonlocal_means_log_weights(image, pixel, h, patch_radius, noise_std=noise_std)
    return {}


check_soft(answer)
"""
SOLVED = SOFT.format("alike - far")
INSIDE = "image[pixel[0] - 13 : pixel[0] + 14, pixel[1] - 13 : pixel[1] + 14].reshape(27, 27)"
WRAPPED = "np.pad(image, 13, 'wrap'), np.add(pixel, 13)"

PICTURE = """
row, column = np.mgrid[:64, :64]
mine = 0.3 + 0.4 * (row // 4 % 2)
mine[30:34, 40:44] = [[1, 0, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0], [1, 1, 0, 1]]
radii = {{5: 1, 10: 2, 25: 3}}
check_patch_radius({})
"""

WRONG = {
    "exercise-1": [
        (spread("8 * sigma**4 * np.sum(G**2)"), "this is the variance"),
        (spread("sigma**2 * np.sqrt(2 * np.sum(G**2))"), "the noise of both patches"),
        (spread("2 * sigma**2 * np.sqrt(2 / G.size)"), "holds for a uniform G only"),
        (spread("0.2 * sigma * np.sqrt(2 * np.sum(G**2))"), "when σ doubles"),
        (spread("2 * sigma**2"), "this is the mean"),
        (spread("np.sqrt(2 * np.sum(G**2))"), "relative to 2σ²"),
        (spread("2 * sigma**2 * np.sqrt(np.sum(G**2))"), "variance 2v²"),
        (spread("2 * sigma**2 * np.sqrt(2 * np.sum(G))"), "weights are missing"),
        (spread("3 * sigma**2 * np.sum(G**2)"), "your formula gives"),
        (spread("2.008 * sigma**2 * np.sqrt(2 * np.sum(G**2))"), "a formula gives it exactly"),
    ],
    "exercise-2": [
        (SOFT.format("alike"), "the position term is missing"),
        (SOFT.format("-far"), "the patch term is missing"),
        (SOFT.format("raw - far"), "noise_std is not used"),
        (SOFT.format("np.minimum(raw - far + 2 * (noise_std / h) ** 2, 0)"), "the patch distance alone"),
        (SOFT.format("np.minimum(raw + (noise_std / h) ** 2, 0) - far"), "the floor is 2σ²"),
        (SOFT.format("np.minimum(raw + 2 * noise_std**2, 0) - far"), "before you divide by h²"),
        (SOFT.format("np.exp(alike - far)"), "these are weights"),
        (SOFT.format("alike - far / 2"), "without a 2"),
        (SOFT.format("alike - far * h_x"), "by h_x², not by h_x"),
        (SOFT.format("alike - (abs(steps[:, None]) + abs(steps)) ** 2 / h_x**2"), "rows² \\+ columns²"),
        (SOFT.format("(alike - far).ravel()"), r"expected one log-weight per pixel.*\(441,\)"),
        (SOFT.format("np.full((21, 21), np.nan)"), "NaN"),
        (SOLVED.replace("image, pixel, h, p", f"{WRAPPED}, h, p"), "near the border: mirror"),
        (SOLVED.replace("    steps", f"    {INSIDE}\n    steps"), "Near the border, mirror the image"),
        (SOLVED.replace("patch_radius=3", "patch_radius=2"), "the defaults are"),
        (SOLVED.replace("patch_radius", "radius"), "keep the names of the arguments"),
        (SOFT.format("np.where(alike - far < -27, -1e9, alike - far)"), "small weights are cut off"),
    ],
    "exercise-3": [
        (PICTURE.format("{5: 3, 10: 2, 25: 1}, mine, (20, 12), (32, 41)"), "= 5: another radius is better than 3"),
        (PICTURE.format("{5: 1.5, 10: 2, 25: 3}, mine, (20, 12), (32, 41)"), "a whole number from 0 to 4"),
        (PICTURE.format("radii, 255 * mine, (20, 12), (32, 41)"), "divide by 255"),
        (PICTURE.format("radii, np.dstack([mine] * 3), (20, 12), (32, 41)"), "average the colours"),
        (PICTURE.format("radii, mine[:20], (10, 12), (12, 41)"), "at least 32 × 32"),
        (PICTURE.format("radii, mine, (32, 41), (20, 12)"), "the two pixels are exchanged"),
        (PICTURE.format("radii, mine, (20, 12), (10, 12)"), "alone: gives itself .* expected more than 50 %"),
        (PICTURE.format("radii, mine, (32, 41), (32, 41)"), "among_many: gives itself .* expected less than 5 %"),
        (PICTURE.format("radii, mine, (20, 12), (70, 12)"), r"inside \(64, 64\)"),
        (PICTURE.format("radii, mine, 20, (32, 41)"), r"among_many: expected two numbers \(row, column\)"),
        (PICTURE.format("{5: 1, 10: 2, 25: 3, 'mine': 3}, mine, (20, 12), (32, 41)"), "the keys 5, 10 and 25"),
        (PICTURE.format("radii, [[0.1, 0.2], [0.3]], (20, 12), (32, 41)"), "an array of numbers"),
        (PICTURE.format("radii, np.rot90(photo), (27, 20), (49, 104)"), "not one of the course's"),
    ],
}

RIGHT = {
    "exercise-1": [
        spread("[float(np.sqrt(sum(8 * sigma**4 * g**2 for g in G.ravel())))]"),
        spread("2 * sigma**2 * np.sqrt(2 * np.multiply(G, G, out=G).sum())"),  # modifies its argument
    ],
    "exercise-2": [
        SOFT.format("(5 + alike - far).tolist()").replace("return", "image[:] = 0  # overwritten\n    return"),
        SOFT.format("(alike - far).astype(np.float32)"),
    ],
    "exercise-3": [
        PICTURE.format("radii, mine.tolist(), [20, 12], np.array([32, 41])"),
        PICTURE.format("dict(zip(np.array([25, 10, 5]), np.array([3, 2, 1]))), mine.T, (12, 20), (41, 32)"),
    ],
}
