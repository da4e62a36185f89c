"""The figure for the reader's own pictures: its numbers equal `lib`'s, its code runs, bad files change nothing."""

import io
import json
import struct
import subprocess
import zipfile

import numpy as np
import pytest
from PIL import Image

from lib.diffusion import LEVELS, denoise, denoise_weights, noise_levels, sample, walk
from lib.figures import your_pictures_figure
from lib.figures.your_pictures import SHAPES, coloured_blossoms
from lib.heads import keys_for_90_percent
from lib.images import digits
from lib.noise import box_muller_noise
from tests.conftest import ROOT
from tests.gestures import choose, press, run_code, said, saved, settled

EXAMPLES = {"grey": None, "colour": coloured_blossoms(40)}


def example():
    return your_pictures_figure().figure


def array(page, name):
    return np.load(io.BytesIO(saved(page, name)))


def expected(now, pictures):
    """Return the noisy picture, its estimate and the keys, computed by `lib` for a published state."""
    noise = box_muller_noise(now["start"], pictures.shape[1:])
    if now["task"] == "walk":
        denoiser = lambda noisy, noise_std: denoise(noisy, pictures, noise_std, now["patch_radius"])
        levels = noise_levels(now["n_steps"], 10, 0.08)
        _, noisy, estimate = list(walk(levels[0] * noise, levels, denoiser))[now["step"]]
        return noisy, estimate, np.arange(len(pictures))
    noisy = pictures[now["picture"]] + now["noise_std"] * noise
    keys = np.arange(len(pictures))
    if now["task"] == "unknown":
        keys = np.delete(keys, now["picture"])
    return noisy, denoise(noisy, pictures[keys], now["noise_std"], now["patch_radius"]), keys


def assert_equals_lib(page):
    now, pictures = settled(page), array(page, "Pictures (NPY)") / 127.5 - 1
    noisy, estimate, keys = expected(now, pictures)
    np.testing.assert_allclose(array(page, "Result (NPY)"), estimate, atol=1e-9)
    radius, (row, column) = now["patch_radius"], now["pixel"]
    patch = np.s_[:, :]
    if radius is not None:
        patch = np.s_[max(row - radius, 0) : row + radius + 1, max(column - radius, 0) : column + radius + 1]
    weights = denoise_weights(noisy[patch], pictures[keys][:, *patch], now["noise_std"])
    indices, found = np.loadtxt(
        saved(page, "Weights (CSV)").decode().splitlines(), delimiter=",", skiprows=1, usecols=(0, 2), unpack=True
    )
    np.testing.assert_array_equal(indices, keys)
    np.testing.assert_allclose(found, weights, atol=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights[None])
    axes = tuple(range(1, pictures.ndim))
    distances = np.sqrt(((pictures[keys] - estimate) ** 2).mean(axis=axes))
    assert now["nearest"] == keys[distances.argmin()]
    np.testing.assert_allclose(now["distance_to_nearest"], distances.min(), atol=1e-9)
    return estimate, weights, distances


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("task", ["walk", "denoise", "unknown"])
@pytest.mark.parametrize("radius", [None, 2])
def test_numbers_equal_lib_and_code_reproduces_them(kind, task, radius, show, tmp_path):
    settings = {"n_steps": 10, "noise_index": 15, "seed": 5, "picture": 7, "pixel": (2, 9)}
    page = show(your_pictures_figure(EXAMPLES[kind], task, radius, **settings).figure)
    estimate, weights, distances = assert_equals_lib(page)
    (tmp_path / "your_pictures.npy").write_bytes(saved(page, "Pictures (NPY)"))
    page.locator(".lf-take-away code", has_text="estimate").wait_for()
    code = page.locator(".lf-take-away code").inner_text()
    assert len(code.splitlines()) <= 14
    found = run_code(code, tmp_path)
    for name, expected in {"estimate": estimate, "weights": weights, "distances": distances}.items():
        np.testing.assert_allclose(found[name], expected, atol=1e-9)


def test_whole_walk_memorises_and_patches_make_new_picture(show):
    page = show(your_pictures_figure(noise_index=0).figure)
    now = settled(page)
    known = digits()[:40]
    start = LEVELS[0] * box_muller_noise(5, known.shape[1:])
    result = sample(known.astype(float), start=start)
    np.testing.assert_allclose(array(page, "Result (NPY)"), result, atol=1e-6)
    assert now["distance_to_nearest"] < 1e-3 and now["keys_for_90_percent"] == 1
    assert f"the result equals training image {now['nearest']}" in said(page)
    now = choose(page, compare_index=4)
    assert now["distance_to_nearest"] > 0.1 and "a new image" in said(page)
    assert_equals_lib(page)


def png(picture, kind="PNG"):
    file = io.BytesIO()
    Image.fromarray(picture).save(file, kind)
    return file.getvalue()


def drawn(n, side=40):
    """Draw pictures that differ, as files: a bright square on dark ground, in two colours."""
    files = {}
    for k in range(n):
        picture = np.full((side, side, 3), 20, np.uint8)
        picture[k % 20 : k % 20 + 12, (3 * k) % 25 : (3 * k) % 25 + 12] = [200, 40 + k % 200, 90]
        files[f"drawing {k}.png"] = png(picture)
    return files


def zipped(files, method=zipfile.ZIP_DEFLATED):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", method) as target:
        for name, content in files.items():
            target.writestr(name, content)
    return archive.getvalue()


def open_files(page, files):
    payload = [
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        for name, content in files.items()
    ]
    page.locator("input[type=file]").first.set_input_files(payload)


def opened(page, files, n):
    """Open files and return the state with this number of pictures."""
    open_files(page, files)
    page.wait_for_function(
        "n => JSON.parse(document.querySelector('.live-figure').dataset.state).n_pictures === n", arg=n
    )
    return settled(page)


def told(page, words):
    """Wait until the figure's one sentence on a problem contains these words, and return it."""
    page.wait_for_function(
        """words => document.querySelector('.lf-problem').textContent.replace(/\\s/g, ' ').includes(words)""",
        arg=words,
    )
    return page.locator(".lf-problem").text_content()


def test_pictures_are_scaled_to_both_kinds(show):
    page = show(example())
    picture = np.zeros((20, 30, 4), np.uint8)
    picture[:, 15:] = [255, 0, 0, 255]  # the left half is transparent, that is white
    files = drawn(11, side=64) | {"a.png": png(picture)}
    assert opened(page, files, 12)["set"] == "own"
    grey = array(page, "Pictures (NPY)")
    assert grey.shape == (12, 28, 28) and grey.dtype == np.uint8
    np.testing.assert_array_equal(grey[0][:, :14], 255)
    np.testing.assert_array_equal(grey[0][:, 14:], round(0.299 * 255))
    choose(page, kind_index=1)
    colour = array(page, "Pictures (NPY)")
    assert colour.shape == (12, 16, 16, 3)
    np.testing.assert_array_equal(colour[0][:, 8:], np.broadcast_to([255, 0, 0], (16, 8, 3)))
    reference = np.asarray(Image.open(io.BytesIO(files["drawing 3.png"])).resize((16, 16), Image.Resampling.BOX))
    np.testing.assert_allclose(colour[4], reference, atol=1)
    rows = saved(page, "Weights (CSV)").decode().splitlines()
    assert rows[5].startswith("4,drawing 3.png,")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_zip_is_read_without_clutter(method, show):
    page = show(example())
    files = {f"holiday/{name}": content for name, content in drawn(12).items()}
    clutter = {"__MACOSX/holiday/._drawing 1.png": b"x", "holiday/.DS_Store": b"x", "holiday/": b""}
    opened(page, {"drawings.zip": zipped(files | clutter, method)}, 12)
    assert page.locator(".lf-problem").is_hidden()
    assert page.locator("select:visible").first.evaluate("menu => menu.value") == "own"


def test_folder_is_opened(show, tmp_path):
    page = show(example())
    (tmp_path / "drawings" / "more").mkdir(parents=True)
    for k, (name, content) in enumerate(drawn(14).items()):
        (tmp_path / "drawings" / ("more" if k % 2 else ".") / name).write_bytes(content)
    page.locator("input[type=file]").nth(1).set_input_files(tmp_path / "drawings")
    page.wait_for_function("JSON.parse(document.querySelector('.live-figure').dataset.state).n_pictures === 14")


def damaged(archive, place, value):
    """Return an archive in which one number of its end record, or of its first entry, is different."""
    at, kind = place
    start = archive.rfind(b"PK\x05\x06") if at < 0 else archive.find(b"PK\x01\x02")
    changed = bytearray(archive)
    struct.pack_into(kind, changed, start + abs(at), value)
    return bytes(changed)


COUNT, FLAGS, SIZE = (-10, "<H"), (8, "<H"), (24, "<I")
HEIC = b"\0\0\0\x18ftypheic" + bytes(60)
HUGE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000) + bytes(9) + b"\0\0\0\0IEND\0\0\0\0"


def bad_inputs():
    """Yield files, and what the sentence says."""
    few, many = drawn(3), drawn(12)
    archive, one = zipped(many), next(iter(many.values()))
    alone = lambda content, name="a.zip": {name: content}
    yield few, "Expected at least 10 pictures, got 3."
    yield alone(b"", "a.png"), "Expected a file with content, got an empty one."
    yield alone(zipped({})), "Expected pictures in the zip archive, got an empty one."
    yield alone(zipped({"__MACOSX/._a.png": b"x"})), "Expected pictures in the zip archive, got an empty one."
    yield (
        alone(archive[: len(archive) // 2]),
        "Expected a complete zip archive, got one that is truncated or damaged.",
    )
    yield alone(damaged(archive, COUNT, 40)), "Expected a complete zip archive"
    yield alone(damaged(archive, COUNT, 0xFFFF)), "Expected an ordinary zip archive, got a zip64."
    yield alone(damaged(archive, COUNT, 30_000)), "Expected at most 20,000 files in an archive, got 30,000."
    yield alone(damaged(archive, SIZE, 600_000_000)), "Expected at most 500 MB of unpacked pictures"
    yield alone(damaged(zipped(drawn(10)), SIZE, 9)), "got 9. Left out one file: drawing 0.png (damaged)."
    yield alone(damaged(zipped(drawn(10)), FLAGS, 1)), "got 9. Left out one file: drawing 0.png (encrypted)."
    yield alone(zipped({"bomb.png": bytes(51_000_000)})), "got none. Left out one file: bomb.png (more than 50 MB"
    yield alone(zipped({"inner.zip": archive})), "got none. Left out one file: inner.zip (a zip in a zip)."
    yield {f"{k}.heic": HEIC for k in range(5)}, "0.heic (HEIC, which browsers do not read)"
    yield {f"{k}.heic": HEIC for k in range(5)}, "Left out 5 files: 0.heic"
    yield few | {"cut.png": one[:-30]}, "got 3. Left out one file: cut.png (truncated)."
    yield few | {"bad.png": one[:60] + bytes(20) + one[80:]}, "got 3. Left out one file: bad.png (damaged)."
    yield few | {"dot.png": png(np.zeros((1, 1, 3), np.uint8))}, "dot.png (only 1 × 1 pixels)."
    yield few | {"huge.png": HUGE}, "huge.png (3600 megapixels, more than 50)."
    yield few | {"note.txt": b"hello"}, "note.txt (not a picture)."
    yield few | {"icon.svg": b"<svg/>"}, "icon.svg (SVG, which is not made of pixels)."
    yield few | {"paper.pdf": b"%PDF-1.7"}, "paper.pdf (a PDF)."
    yield few | {"<img src=x onerror=alert(1)>": b"hello"}, "<img src=x onerror=alert(1)> (not a picture)."
    yield alone(zipped({"../../../etc/passwd": b"hello"})), "got none. Left out one file: passwd (not a picture)."
    yield {f"{k}.png": one for k in range(12)}, "Expected pictures that differ, got 12 copies of one."


def test_bad_files_are_named_and_change_nothing(show):
    page = show(example())
    before = opened(page, drawn(11), 11)
    for files, words in bad_inputs():
        open_files(page, files)
        sentence = told(page, words)
        assert sentence.endswith(".") and len(sentence) < 260, sentence
        assert settled(page) == before and page.locator(".lf-problem *, .live-figure img").count() == 0, words
    now = opened(page, drawn(10) | {"a.heic": HEIC, "b.txt": b"x"}, 10)
    assert now["set"] == "own"
    assert (
        told(page, "Left out")
        == "Left out 2 files: a.heic (HEIC, which browsers do not read), b.txt (not a picture)."
    )


@pytest.mark.variant
def test_first_2000_pictures_are_used_and_walk_can_be_cancelled(show):
    page = show(example())
    archive = zipped({f"{k}.png": png(np.full((8, 8), k % 251, np.uint8)) for k in range(2050)})
    opened(page, {"many.zip": archive}, 2000)
    told(page, "Expected at most 2,000 pictures, got more: the first 2,000 are used.")
    page.evaluate("model.set('compare_index', 1), model.set('task_index', 2)")
    page.locator(".lf-job:visible button").click()
    page.locator(".lf-sentence", has_text="cancelled").wait_for()
    page.locator(".picture-handle").press("End")  # the page responds meanwhile
    now = settled(page)
    assert now["picture"] == 1999 and not now["is_there"]
    assert page.locator(".sheet").evaluate("sheet => sheet.scrollTop") > 0, "the ringed picture is in sight"


def test_worker_equals_lib(show):
    page = show(example())
    opened(page, {"a.zip": zipped(drawn(60))}, 60)
    choose(page, compare_index=1, task_index=0, kind_index=1)
    assert settled(page)["is_there"]
    page.evaluate("model.set('compare_index', 2), model.set('kind_index', 0)")
    page.wait_for_function("JSON.parse(document.querySelector('.live-figure').dataset.state).patch_radius === 6")
    page.wait_for_selector("[data-pending]", state="detached")
    assert_equals_lib(page)


def test_removed_pictures_are_gone_and_in_url(show):
    page = show(example())
    page.locator(".picture-handle").press("ArrowRight")
    page.locator(".picture-handle").press("Delete")
    now = press(page, "Remove")
    assert now["n_pictures"] == 38 and now["picture"] == 1
    pictures = array(page, "Pictures (NPY)") / 127.5 - 1
    np.testing.assert_allclose(pictures, np.delete(digits()[:40], [1, 2], axis=0), atol=1e-6)
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    address = page.evaluate("location.hash")
    assert "removed:1.2" in address and settled(show(example(), address=address)) == now
    few = ".".join(map(str, range(30)))
    page = show(example(), address=f"#your-pictures=removed:{few}")
    before = settled(page)
    assert before["n_pictures"] == 10
    press(page, "Remove")
    assert told(page, "none was removed") and settled(page) == before


def test_link_to_other_pictures_says_so(show):
    page = show(example(), address="#your-pictures=set:own,start:9")
    assert settled(page)["set"] == "digits" and "made with other pictures" in said(page)


def test_results_and_drawing_are_saved(show):
    page = show(your_pictures_figure(noise_index=0).figure)
    one = Image.open(io.BytesIO(saved(page, "Result (PNG)")))
    assert one.size == (28 * 16, 28 * 16)
    shown = np.asarray(one.convert("L"))[8::16, 8::16]
    np.testing.assert_allclose(shown, np.clip(127.5 * (array(page, "Result (NPY)") + 1), 0, 255), atol=0.51)
    sheet = np.asarray(Image.open(io.BytesIO(saved(page, "12 results (PNG)"))).convert("L"))
    assert sheet.shape == (4 * 232 - 8, 6 * 232 - 8)
    np.testing.assert_array_equal(sheet[4:224:8, 4:224:8], shown)
    np.testing.assert_allclose(sheet[4:224:8], sheet[236:456:8], atol=1)  # each equals its nearest, below it
    svg = saved(page, "Figure (SVG)").decode()
    assert (
        svg.count("<image") == 5 and "best guess" not in svg and "http://" not in svg.replace("http://www.w3", "")
    )
    assert page.locator(".lf-stage svg image").count() == 0


def test_state_has_no_file_name(show):
    page = show(example())
    files = {f"<b>{k}.png": content for k, content in enumerate(drawn(12).values())}
    opened(page, files, 12)
    page.locator(".picture-handle").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".tooltip", has_text="<b>1.png").wait_for()
    assert page.locator(".tooltip b, .sheet b").count() == 0
    assert "<b>" not in json.dumps(settled(page)) and "<b>1" not in page.locator(".lf-sentence").inner_html()


FAILING_WORKER = """
import { answerJobs } from "./lib/figures/parts/job.js";
Object.assign(globalThis, { self: globalThis, postMessage() {} });
process.once("uncaughtException", (error, origin) => console.log(origin, error.message));
answerJobs(() => { throw new Error("lost"); });
self.onmessage({ data: 1 });
"""


def test_worker_error_reaches_page():
    """A page hears of uncaught exceptions in its worker, but not of rejected promises."""
    run = ["node", "--input-type=module", "-e", FAILING_WORKER]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "uncaughtException lost\n"
