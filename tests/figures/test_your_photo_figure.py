"""The figure for the reader's own photograph: it equals `lib`, its code runs, bad files change nothing."""

import io
import json
import re
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from lib import filters
from lib.attention import attention
from lib.figures import your_photo_figure
from lib.heads import keys_for_90_percent
from lib.images import cat_face, estimate_noise_std
from lib.noise import box_muller_noise
from lib.patch_attention import MIDDLE, N_FEATURES, trained_maps, window_tokens
from lib.random_features import centre_keys, dense_exponential_frequencies, feature_average, positive_features
from lib.years import METHODS, bandwidth, estimated_noise_std, grey, noisy, photograph_maps, random_frequencies
from tests.figures.contract import small_photo
from tests.gestures import SET, choose, drag, press, run_code, saved, settled, state
from tests.pictures import as_bytes, pixels_of

RNG = np.random.default_rng(5)
SMALL = as_bytes(noisy(cat_face())[30:62, 40:78]).astype(np.uint8)
TINY = SMALL[:20, :22]  # hardly wider than a window, because the code of 2020 takes long
LARGE = np.tile(as_bytes(noisy(cat_face())).astype(np.uint8), (2, 2, 1))[:300, :420]
YEARS = list(METHODS)


def example():
    return small_photo().figure


def file_of(pixels, kind="PNG", **options):
    stream = io.BytesIO()
    (pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)).save(stream, kind, **options)
    return stream.getvalue()


def give(page, name, content):
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def open_picture(page, pixels, name="mine.png", **options):
    """Open a picture and wait until it is shown and cleaned."""
    give(page, name, file_of(pixels, **options))
    page.locator(".picture-note", has_text=name).wait_for()
    remove_noise(page)
    return settled(page)


def remove_noise(page):
    """Remove the noise that a photograph without noise gets."""
    if page.locator(".noise-bar:visible").count():
        press(page, "Remove it")


def problem(page):
    page.locator(".lf-problem:visible").wait_for()
    return page.locator(".lf-problem").inner_text().replace("\u00a0", " ")


def decoded(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def head_of_lib(image, year, temperature):
    """A function (rows, columns, values) → averages with the weights of the trained head, or its estimate."""
    tokens_of = window_tokens(grey(image))
    if year == 2017:
        query_map, key_map = (each.astype(float) for each in trained_maps())
        average = lambda tokens, values: attention(
            tokens[:, [MIDDLE]] @ query_map.T, tokens @ key_map.T, values, temperature
        )
    else:
        query_map, key_map, moment = photograph_maps()
        scale = np.sqrt(temperature / np.sqrt(N_FEATURES))
        spread, log_weights = dense_exponential_frequencies(random_frequencies(), np.diag(moment / scale**2))

        def average(tokens, values):
            queries = positive_features(tokens[:, [MIDDLE]] @ query_map.T / scale, spread) * np.exp(log_weights)
            keys = positive_features(centre_keys(tokens @ key_map.T / scale), spread)
            return feature_average(queries, keys, values)

    return lambda row, column, values: average(tokens_of(np.array([row]), np.array([column]))[0], values)[0, 0]


def weights_of_lib(image, now):
    year, h, pixel = now["year"], now["bandwidth"], now["query"]
    kernel = METHODS[year].kernel
    match year:
        case 1964:
            return filters.bilateral_weights(image, pixel, h, 1e100, 7)
        case 1998:
            return filters.bilateral_weights(image, pixel, kernel["bandwidth_space"], h, 7)
        case 2005:
            return filters.nonlocal_means_weights(image, pixel, h, 3, 7, noise_std=now["noise_std"])
        case 2007:
            return filters.lark_weights(image, pixel, h, 7)
    return head_of_lib(image, year, h)(*pixel, np.eye(225)[None]).reshape(15, 15)


def window(image, pixel):
    padded = np.pad(image, ((7, 7), (7, 7), (0, 0)), mode="reflect")
    return padded[pixel[0] : pixel[0] + 15, pixel[1] : pixel[1] + 15].reshape(-1, 3)


def assert_equals_lib(image, now):
    expected = weights_of_lib(image, now)
    estimate = expected.ravel() @ window(image, now["query"])
    np.testing.assert_allclose(now["estimate"], estimate, rtol=0, atol=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(expected.reshape(1, -1))


@pytest.mark.parametrize("year", [*YEARS[:-1], pytest.param(YEARS[-1], marks=pytest.mark.long)])
def test_code_and_weights_reproduce_the_cleaned_picture(year, show, tmp_path):
    page = show(small_photo(year=year).figure)
    now = open_picture(page, TINY)
    assert_equals_lib(TINY / 255, now)
    before, cleaned = saved(page, "Photograph before"), saved(page, "Cleaned photograph")
    np.testing.assert_array_equal(decoded(before), TINY)
    (tmp_path / "your_photo.png").write_bytes(before)
    page.locator(".lf-take-away code", has_text="cleaned").wait_for()
    code = page.locator(".lf-take-away code").inner_text()
    assert len(code.splitlines()) <= 32
    weights = run_code(code, tmp_path)["weights"]
    np.testing.assert_array_equal(decoded((tmp_path / "your_photo_cleaned.png").read_bytes()), decoded(cleaned))
    np.testing.assert_allclose(weights, weights_of_lib(TINY / 255, now), atol=1e-9)
    table = np.genfromtxt(saved(page, "Weights").decode().splitlines(), delimiter=",", skip_header=1)
    np.testing.assert_array_equal(table[:, :2], np.indices((15, 15)).reshape(2, -1).T - 7)
    np.testing.assert_allclose(table[:, 2], weights.ravel(), atol=1e-9)
    np.testing.assert_array_equal(table[:, 3:], window(TINY / 255, now["query"]))
    choose(page, line=0)
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), decoded(cleaned))
    height, width = TINY.shape[:2]
    for pixel, strength in [((0, 0), 1.0), ((height - 1, width - 1), 0.6), ((3, width // 2), 2.0)]:
        now = json.loads(page.evaluate(SET, {"query": list(pixel), "strength": strength}))
        assert (now["query"], now["year"]) == (list(pixel), year)
        assert now["bandwidth"] == bandwidth(year, now["noise_std"], strength)
        assert_equals_lib(TINY / 255, now)


def test_noise_is_estimated_as_by_lib(show):
    page = show(your_photo_figure().figure)
    shown = as_bytes(noisy(cat_face()))
    np.testing.assert_allclose(settled(page)["noise_std"], estimate_noise_std(shown / 255), rtol=1e-12)
    assert abs(255 * settled(page)["noise_std"] - 28) < 1.5, "the noise of the example"
    for pixels in (
        SMALL[:17, :19],
        RNG.integers(0, 256, (23, 16, 3), np.uint8),
        np.full((16, 16, 3), 9, np.uint8),
    ):
        now = open_picture(page, pixels, name=f"of {len(pixels)}.png")
        np.testing.assert_allclose(now["noise_std"], estimate_noise_std(pixels / 255), rtol=1e-12)
    assert now["bandwidth"] == bandwidth(2005, 1 / 255), "a picture without noise: one level"


def test_large_picture_noise_is_estimated_at_centre():
    image = RNG.normal(size=(1301, 1100))
    image[:138], image[1162:], image[:, :38], image[:, 1062:] = 0, 0, 0, 0
    np.testing.assert_allclose(estimated_noise_std(image), 1, atol=0.01)


def test_tiles_show_all_methods_around_the_query(show):
    page = show(your_photo_figure(pixel=(100, 120)).figure)
    pixels = as_bytes(noisy(cat_face())) / 255
    top, left, margin = 100 - 15, 120 - 18, 14
    around = pixels[top - margin : top + 30 + margin, left - margin : left + 36 + margin]
    tiles = page.locator("canvas.tile")
    for k, year in enumerate(YEARS[:4]):
        h, std = bandwidth(year, settled(page)["noise_std"]), settled(page)["noise_std"]
        cleaned = {
            1964: lambda h=h: filters.bilateral(around, h, 1e100, 7),
            1998: lambda h=h: filters.bilateral(around, 2.2, h, 7),
            2005: lambda h=h, std=std: filters.nonlocal_means(around, h, 3, 7, noise_std=std),
            2007: lambda h=h: filters.lark(around, h, 7),
        }[year]()
        expected = as_bytes(cleaned[margin:-margin, margin:-margin])
        data = tiles.nth(k).evaluate("c => [...c.getContext('2d').getImageData(0, 0, 36, 30).data]")
        np.testing.assert_array_equal(np.array(data).reshape(30, 36, 4)[..., :3], expected)
    page.get_by_role("button", name="1998, Bilateral filter").click()
    assert settled(page)["year"] == 1998
    pressed = page.locator(".tile-button[aria-pressed=true]")
    assert pressed.count() == 1 and pressed.get_attribute("aria-label") == "1998, Bilateral filter"


@pytest.mark.variant
def test_large_picture_has_close_up_and_is_cleaned_in_tiles(show):
    page = show(small_photo(year=1998).figure)
    now = open_picture(page, LARGE)
    assert now["query"] == [150, 210] and now["shown"] == [45, 85, 210, 250] and now["view"] == "close-up"
    cleaned = as_bytes(filters.bilateral(LARGE / 255, 2.2, now["bandwidth"], 7))
    choose(page, line=0)
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), cleaned[45:255, 85:335])
    page.locator(".lf-take-away summary").click()
    page.get_by_role("button", name="Cleaned photograph (PNG)").click()
    assert "press “Clean the whole photograph”" in problem(page)
    page.locator(".query-handle").press("Home")
    assert settled(page)["query"] == [150, 0] and settled(page)["shown"][:2] == [45, 0]
    page.get_by_role("button", name=re.compile("Clean the whole photograph")).click()
    page.get_by_role("button", name=re.compile("Clean the whole photograph")).wait_for(state="hidden")
    assert state(page)["view"] == "whole picture" and state(page)["shown"] == [0, 0, 300, 420]
    np.testing.assert_array_equal(decoded(saved(page, "Cleaned photograph")), cleaned)
    drag(page, ".query-handle", 60, 40)
    assert settled(page)["query"] != [150, 0]
    press(page, "Close-up")
    row, column = settled(page)["query"]
    top, left, height, width = settled(page)["shown"]
    assert top <= row < top + height == top + 210 and left <= column < left + width == left + 250
    assert_equals_lib(LARGE / 255, settled(page))


@pytest.mark.variant
def test_whole_picture_can_be_cancelled(show):
    page = show(small_photo(year=2017).figure)
    open_picture(page, np.tile(LARGE, (2, 3, 1)))
    page.get_by_role("button", name=re.compile("Clean the whole photograph")).click()
    page.locator(".lf-job:visible", has_text="whole").get_by_role("button", name="Cancel").click()
    page.locator(".lf-job:visible").wait_for(state="hidden")
    page.locator(".query-handle").press("ArrowRight")  # the page responds meanwhile
    assert settled(page)["query"] == [300, 631]
    assert page.get_by_role("button", name=re.compile("Clean the whole photograph")).is_visible()


def test_noise_is_added_only_on_demand(show):
    page = show(example())
    open_picture(page, SMALL)
    assert settled(page)["added_noise"] == 0
    np.testing.assert_array_equal(decoded(saved(page, "Photograph before")), SMALL)
    page.locator("select:visible").select_option("25")
    now = settled(page)
    noise = np.moveaxis(box_muller_noise(2, (3, *SMALL.shape[:2])), 0, -1)
    expected = np.clip(np.floor(SMALL + 25 * noise + 0.5), 0, 255)
    np.testing.assert_array_equal(decoded(saved(page, "Photograph before")), expected)
    np.testing.assert_allclose(now["noise_std"], estimate_noise_std(expected / 255))
    assert_equals_lib(expected / 255, now)
    assert open_picture(page, SMALL, name="again.png")["added_noise"] == 0


def test_noiseless_photograph_gets_noise_and_psnr(show):
    page = show(example())
    clean = as_bytes(cat_face())[30:62, 40:78].astype(np.uint8)
    give(page, "clean.png", file_of(clean))
    bar = page.locator(".noise-bar")
    bar.wait_for()
    page.wait_for_function("document.querySelectorAll('.tile-years .psnr')[5]?.textContent.includes('dB')")
    now = settled(page)
    assert now["added_noise"] == 25 and "noise of σ = 25 was added" in bar.inner_text()
    before = decoded(saved(page, "Photograph before"))
    rows, columns = slice(1, 31), slice(1, 37)  # around the middle
    error = np.mean((before[rows, columns].astype(float) - clean[rows, columns]) ** 2)
    np.testing.assert_allclose(now["psnr"][0], 10 * np.log10(255**2 / error))
    assert len(now["psnr"]) == 7 and max(now["psnr"]) > now["psnr"][0] + 3
    both = decoded(saved(page, "Before and after"))
    assert both.shape == (32, 76, 3)
    np.testing.assert_array_equal(both[:, :38], before)
    press(page, "Remove it")
    assert settled(page)["added_noise"] == 0 and bar.is_hidden() and "psnr" not in settled(page)


def test_noise_bar_is_above_the_photograph_beside_the_sentence(show):
    page = show(example())
    page.add_style_tag(content="main { max-width: 1100px; container-type: inline-size }")
    give(page, "clean.png", file_of(as_bytes(cat_face())[30:62, 40:78].astype(np.uint8)))
    page.locator(".noise-bar").wait_for()
    boxes = {
        name: page.locator(f".{name}").first.bounding_box() for name in ("noise-bar", "lf-stage", "lf-sentence")
    }
    bar, stage, sentence = boxes.values()
    assert sentence["x"] > stage["x"] + stage["width"] and abs(bar["x"] - stage["x"]) < 1
    assert bar["y"] < bar["y"] + bar["height"] <= stage["y"] and bar["width"] <= stage["width"] + 1


def truncated(content, share=0.5):
    return content[: int(len(content) * share)]


def png_header(width, height):
    """A PNG that declares this size and contains no pixels."""
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0" + bytes(4)
    return header + bytes(12) + b"IEND\xaeB`\x82"


NAMED = "Expected a photograph as JPEG, PNG, WebP, AVIF, GIF or BMP, got "
CLEAR = Image.new("RGBA", (40, 40), (9, 9, 9, 0))
BAD = {
    "empty.jpg": (b"", "Expected a file with content, got an empty one."),
    "thesis.jpg": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", f"{NAMED}a PDF."),
    "half.png": (truncated(file_of(SMALL)), "Expected a whole PNG file, got one that is cut off or damaged."),
    "head.png": (file_of(SMALL)[:20], "Expected a whole PNG file"),
    "half.jpg": (truncated(file_of(SMALL, "JPEG"), 0.2), "Expected a whole JPEG file"),
    "noise.jpg": (b"\xff\xd8\xff\xe0" + bytes(100), "Expected a whole JPEG file"),
    "half.gif": (b"GIF89a\1\0", "Expected a whole GIF file"),
    "half.webp": (truncated(file_of(SMALL, "WEBP"), 0.3), "Expected a whole WebP file"),
    "phone.heic": (
        b"\0\0\0\x18ftypheic" + bytes(80),
        f"{NAMED}HEIC, which cannot be read here: export",
    ),
    "film.mp4": (b"\0\0\0\x18ftypmp42" + bytes(80), f"{NAMED}a video."),
    "scan.tif": (file_of(SMALL, "TIFF"), f"{NAMED}TIFF or a raw photograph."),
    "drawing.svg": (b'<?xml version="1.0"?>\n<svg xmlns="x"><script/></svg>', f"{NAMED}SVG, which has no pixels."),
    "plain.svg": (b'<svg xmlns="x"/>', f"{NAMED}SVG, which has no pixels."),
    "poem.png": ("Füllest wieder Busch und Tal".encode(), f"{NAMED}text."),
    "archive.png": (b"PK\x03\x04" + bytes(60), f"{NAMED}a zip file."),
    "other.bin": (bytes(range(256)), f"{NAMED}a file of an unknown kind."),
    "dot.png": (file_of(SMALL[:1, :1]), "Expected a photograph of at least 16 × 16 pixels, got 1 × 1."),
    "narrow.png": (file_of(np.tile(SMALL[:, :3], (40, 1, 1))), "at least 16 × 16 pixels, got 3 × 1280."),
    "clear.png": (file_of(CLEAR), "got one that is fully transparent."),
    "bomb.png": (
        png_header(60_000, 60_000),
        "and 32767 pixels of a side, got 3600 megapixels, ",
    ),
    "wide.png": (png_header(90_000, 20), "got 1.8 megapixels, 90000 × 20."),
    "damaged.png": (png_header(40, 40), "Expected a whole PNG file, got one that is cut off or damaged."),
}


def test_bad_files_are_named_and_change_nothing(show):
    page = show(example())
    before = open_picture(page, SMALL, name="<b>good</b>.png")
    shown = pixels_of(page, "canvas.photo")
    for name, (content, sentence) in BAD.items():
        give(page, name, content)
        page.wait_for_function(
            "words => document.querySelector('.lf-problem').textContent.replace(/\\u00a0/g, ' ').includes(words)",
            arg=sentence,
        )
        assert settled(page) == before, name
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), shown)
    assert page.locator(".live-figure :is(.lf-note, .lf-problem) *").count() == 0, "names are text"
    assert page.locator(".picture-note").inner_text().startswith("<b>good</b>.png")
    open_picture(page, SMALL, name="good again.png")
    assert page.locator(".lf-problem").is_hidden()


def cmyk():
    return file_of(Image.fromarray(SMALL).convert("CMYK"), "JPEG")


def animation(kind="GIF", **options):
    frames = [Image.fromarray(np.full((20, 30, 3), level, np.uint8)) for level in (200, 20, 90)]
    return file_of(frames[0], kind, save_all=True, append_images=frames[1:], **options)


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def sixteen_bits(pixels, gamma=None):
    """A PNG of 16 bits whose rows use all five filters of the specification."""
    height, width, channels = pixels.shape
    rows = pixels.astype(">u2").view(np.uint8).reshape(height, -1).astype(int)
    step = 2 * channels
    left = np.pad(rows, ((0, 0), (step, 0)))[:, : rows.shape[1]]
    above = np.pad(rows, ((1, 0), (0, 0)))[:height]
    corner = np.pad(rows, ((1, 0), (step, 0)))[:height, : rows.shape[1]]
    near = np.stack([left, above, corner])
    nearest = np.argmin(np.abs(left + above - corner - near), axis=0)
    paeth = np.take_along_axis(near, nearest[None], 0)[0]
    guesses = np.stack([np.zeros_like(rows), left, above, (left + above) // 2, paeth])
    filters = np.arange(height) % 5
    packed = (rows - guesses[filters, np.arange(height)]) % 256
    data = zlib.compress(np.hstack([filters[:, None], packed]).astype(np.uint8).tobytes())
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    head = struct.pack(">IIBBBBB", width, height, 16, kind, 0, 0, 0)
    more = chunk(b"gAMA", struct.pack(">I", gamma)) if gamma else b""
    parts = [chunk(b"IHDR", head), more, chunk(b"IDAT", data[:50]), chunk(b"IDAT", data[50:]), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_images_of_sixteen_bits_are_rounded(channels, show):
    page = show(small_photo(line=100).figure)
    pixels = np.random.default_rng(channels).integers(0, 65536, (20, 24, channels))
    if channels == 4:
        pixels[..., 3] = 65535
    give(page, "deep.png", sixteen_bits(pixels))
    page.locator(".picture-note", has_text="16 bits are rounded to 8").wait_for()
    settled(page)
    expected = np.broadcast_to(np.rint(pixels[..., :3] / 257), (20, 24, 3))
    assert (expected != pixels[..., :3] // 256).any(), "rounding differs from cutting"
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), expected)


def test_image_of_sixteen_bits_with_gamma_is_reduced(show):
    page = show(small_photo(line=100).figure)
    give(page, "deep.png", sixteen_bits(np.full((20, 24, 1), 1000), gamma=45455))
    page.locator(".picture-note", has_text="16 bits are reduced to 8").wait_for()


def test_duration_is_stated_before_a_method_starts(show):
    page = show(example())
    open_picture(page, LARGE)
    titles = [button.get_attribute("title") for button in page.locator(".tile-button").all()]
    assert all(re.fullmatch(r"The whole photograph: (at most )?about \d+\s(s|min)", title) for title in titles)
    start = page.get_by_role("button", name="Clean the whole photograph")
    assert re.search(r"\(about \d+\s(s|min)\)", start.inner_text())
    assert sum("at most" in title for title in titles) == 5, "the chosen one is known from the close-up"


def see_through():
    pixels = np.zeros((30, 30, 4), np.uint8)
    pixels[:, 15:] = (10, 20, 30, 255)
    return file_of(pixels)


MOVING = "the first frame of an animation"
UNUSUAL = {  # by name: a file, its size, the words beside it, and its first pixel
    "printed.jpg": (cmyk, (32, 38), "four printing colours (CMYK)", None),
    "once.gif": (animation, (20, 30), MOVING, [200, 200, 200]),
    "endless.gif": (lambda: animation(duration=100, loop=0), (20, 30), MOVING, [200, 200, 200]),
    "moving.png": (lambda: animation("PNG"), (20, 30), MOVING, [200, 200, 200]),
    "moving.webp": (lambda: animation("WEBP", lossless=True), (20, 30), MOVING, [200, 200, 200]),
    "glass.png": (see_through, (30, 30), "transparent parts are white", [255, 255, 255]),
    "still.webp": (lambda: file_of(SMALL, "WEBP", lossless=True), (32, 38), "", list(map(int, SMALL[0, 0]))),
    "still.bmp": (lambda: file_of(SMALL, "BMP"), (32, 38), "", list(map(int, SMALL[0, 0]))),
    "grey.png": (lambda: file_of(Image.fromarray(SMALL).convert("L")), (32, 38), "", None),
}  # fmt: skip


@pytest.mark.variant
def test_unusual_pictures_are_opened_and_described(show):
    page = show(small_photo(line=100).figure)
    for name, (make, size, note, corner) in UNUSUAL.items():
        give(page, name, make())
        page.locator(".picture-note", has_text=name).filter(has_text=note).wait_for()
        remove_noise(page)
        now = settled(page)
        assert (now["height"], now["width"]) == size, name
        if corner:
            assert pixels_of(page, "canvas.photo")[0, 0].tolist() == corner, name


@pytest.mark.variant
def test_exif_rotation_is_honoured(show):
    page = show(small_photo(line=100).figure)
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, :20] = 255
    exif = Image.Exif()
    exif[0x0112] = 6  # turned: the left half is up
    give(page, "turned.jpg", file_of(pixels, "JPEG", exif=exif, quality=95))
    page.locator(".picture-note", has_text="20\u00a0×\u00a040").wait_for()
    remove_noise(page)
    assert (settled(page)["height"], settled(page)["width"]) == (40, 20)
    shown = pixels_of(page, "canvas.photo")
    assert shown[2].min() > 240 and shown[-3].max() < 15


@pytest.mark.variant
def test_more_than_twelve_megapixels_are_offered_scaled(show):
    page = show(your_photo_figure().figure)
    before = settled(page)
    give(page, "huge.png", file_of(Image.new("L", (5000, 2600), 77), compress_level=1))
    assert "Expected at most 12 megapixels, got 13 megapixels. It can be opened scaled down." in problem(page)
    assert settled(page) == before
    page.get_by_role("button", name="Open it scaled to 4803 × 2497".replace(" × ", "\u00a0×\u00a0")).click()
    page.locator(".picture-note", has_text="scaled from 5000").wait_for()
    now = settled(page)
    assert (now["width"], now["height"]) == (4803, 2497) and page.locator(".lf-problem").is_hidden()
    assert page.get_by_role("button", name="Open it scaled").count() == 0
    press(page, "Example")
    assert settled(page)["height"] == 210


DROP = """([bytes, kind]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], `${kind}.png`, { type: "image/png" }));
  const event = kind === "paste" ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true })
    : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.querySelector(".lf-stage").dispatchEvent(event);
}"""


def test_pictures_are_dropped_and_pasted(show):
    page = show(example())
    for kind in ("drop", "paste"):
        page.evaluate(DROP, [list(file_of(SMALL)), kind])
        page.locator(".picture-note", has_text=f"{kind}.png").wait_for()
        assert settled(page)["height"] == 32


@pytest.mark.variant
def test_link_restores_settings_on_any_picture(show):
    page = show(example())
    open_picture(page, LARGE)
    choose(page, year_index=1, strength=2.0, line=70, query=[280, 400])
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    address = page.evaluate("location.hash")
    again = settled(show(your_photo_figure().figure, address=address))
    assert (again["year"], again["strength"], again["line"]) == (1998, 2, 70)
    assert again["query"] == [209, 249], "inside the example"
    page.locator(".lf-take-away summary").click()
    page.locator(".lf-note", has_text="holds the settings, not the photograph").wait_for()


def test_figure_is_saved_with_its_photograph(show):
    page = show(example())
    svg = saved(page, "Figure (SVG)").decode()
    assert svg.count("<image") == 7 and "data:image/png" in svg and "script" not in svg
    assert decoded(saved(page, "Figure (PNG)")).std() > 30
    assert json.loads(page.locator(".live-figure").get_attribute("data-state"))["year"] == 2005
