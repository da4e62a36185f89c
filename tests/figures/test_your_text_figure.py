"""The figure for the reader's own text: its numbers equal `lib`'s, its code runs, bad input changes nothing."""

import csv
import io
import json
from xml.etree import ElementTree

import numpy as np
import pytest

from lib.figures import your_text_figure
from lib.figures.your_text import EXAMPLES, SHADES
from lib.language_model import load
from lib.weights import softmax
from tests.gestures import PASTE, after_keys, change, choose, middle, open_file, press, saved, settled, state

TALE, SONNET, GERMAN = EXAMPLES.values()
MODEL = load()
CONTEXT = MODEL.context
MIXED = "שלום 😀 Peter's “wolf”\tand\n\n<b>x</b>"


def example():
    return your_text_figure().figure


def window_of(token):
    """Return where the first of the half-overlapping windows starts that contains a token."""
    return next(start for start in range(0, token + 1, CONTEXT // 2) if token < start + CONTEXT)


def losses_of(tokens):
    """Compute each token's loss one by one, in the window of the token before it."""
    starts = {window_of(i) for i in range(len(tokens))}
    read = {start: softmax(MODEL.run(tokens[start : start + CONTEXT]).logits) for start in starts}
    before = [(i, window_of(i)) for i in range(len(tokens) - 1)]
    return np.array([np.nan, *(-np.log(read[start][i - start, tokens[i + 1]]) for i, start in before)])


def rows(content):
    return list(csv.reader(io.StringIO(content.decode())))[1:]


def numbers(column):
    return [float(number or "nan") for number in column]


@pytest.mark.parametrize("text", [TALE, GERMAN, MIXED, "a"], ids=["tale", "German", "mixed", "one token"])
def test_weights_losses_and_next_tokens_equal_lib(text, show):
    page = show(example())
    now = choose(page, text=text, query=None)
    tokens = MODEL.encode(text)
    run = MODEL.run(tokens)
    probabilities, query = softmax(run.logits), len(tokens) - 1
    assert (now["n_tokens"], now["query"]) == (len(tokens), query)
    np.testing.assert_allclose(
        [one["probability"] for one in now["next"]], np.sort(probabilities[-1])[:-7:-1], atol=1e-7
    )
    likeliest = np.argsort(-probabilities[-1], kind="stable")[:6]
    assert [one["word"] for one in now["next"]] == [MODEL.decode([token]) for token in likeliest]
    pairs = np.tril_indices(len(tokens))
    for block, head in np.ndindex(run.weights.shape[:2]):
        now = choose(page, block=block, head=head)
        np.testing.assert_allclose(now["weights"], run.weights[block, head, query], atol=1e-7)
        if block != head:
            continue  # Chromium saves ten files in a row
        queries, words, keys, _, weights = zip(*rows(saved(page, "Weights (CSV)")), strict=True)
        np.testing.assert_array_equal([numbers(queries), numbers(keys)], pairs)
        np.testing.assert_allclose(numbers(weights), run.weights[block, head][pairs], atol=1e-12)
        assert words[-1] == MODEL.decode(tokens[-1:])
    if len(tokens) > 1:
        np.testing.assert_allclose(now["loss"], MODEL.loss(tokens), rtol=1e-7)
        losses = numbers(list(zip(*rows(saved(page, "Losses (CSV)")), strict=True))[2])
        np.testing.assert_allclose(losses, losses_of(tokens), rtol=1e-9, atol=1e-12)


@pytest.mark.variant
def test_long_text_is_read_in_windows_and_equals_lib(show):
    page = show(example())
    text = SONNET + "\n" + SONNET[:200]
    tokens = MODEL.encode(text)
    assert window_of(len(tokens) - 1) == CONTEXT // 2
    for query in (len(tokens) - 1, 255, 256, 100):
        now, start = choose(page, text=text, query=query), window_of(query)
        run = MODEL.run(tokens[start : start + CONTEXT])
        assert (now["start"], now["query"]) == (start, query)
        np.testing.assert_allclose(now["weights"], run.weights[1, 0, query - start], atol=1e-7)
        np.testing.assert_allclose(now["estimate"], softmax(run.logits)[query - start].max(), atol=1e-7)
        queries, _, keys, _, weights = zip(*rows(saved(page, "Weights (CSV)")), strict=True)
        pairs = (np.array([numbers(queries), numbers(keys)]) - start).astype(int)
        np.testing.assert_allclose(numbers(weights), run.weights[1, 0][*pairs], atol=1e-12)
        assert f"sees tokens {start} to {query}" in page.locator(".about").inner_text()
    losses = numbers(list(zip(*rows(saved(page, "Losses (CSV)")), strict=True))[2])
    np.testing.assert_allclose(losses, losses_of(tokens), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(now["loss"], np.nanmean(losses), rtol=1e-7)


def read(page, text):
    """Wait until the figure shows a text, and return its state."""
    has_text = "text => JSON.parse(document.querySelector('.live-figure').dataset.state).text === text"
    page.wait_for_function(has_text, arg=text)
    return settled(page)


def code_of(page):
    page.locator(".lf-take-away").evaluate("fold => { fold.open = true; }")
    page.locator(".lf-take-away code", has_text="losses").wait_for()
    return page.locator(".lf-take-away code").inner_text()


@pytest.mark.parametrize("text", [TALE, MIXED, SONNET], ids=["tale", "mixed", "windows"])
def test_code_reproduces_the_page(text, show, tmp_path, monkeypatch, capsys):
    page = show(example())
    now = choose(page, text=text, query=9)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "your_text.txt").write_bytes(saved(page, "Text (TXT)"))
    losses = numbers(list(zip(*rows(saved(page, "Losses (CSV)")), strict=True))[2])
    settings = [(block, head, shade) for block in range(4) for head in range(4) for shade in range(len(SHADES))]
    for block, head, shade in settings if text == TALE else settings[::11]:
        now, code, found = choose(page, block=block, head=head, shade_index=shade), code_of(page), {}
        assert len(code.splitlines()) <= 20
        exec(compile(code, "code", "exec"), found)
        np.testing.assert_allclose(found["weights"][found["query"]], now["weights"], atol=1e-7)
        np.testing.assert_allclose(found["losses"], losses, rtol=1e-9, atol=1e-12)
        printed = [line.rsplit(" ", 1) for line in capsys.readouterr().out.splitlines()[:6]]
        assert [word for word, _ in printed] == [repr(one["word"]) for one in now["next"]]
        np.testing.assert_allclose(
            [float(p) for _, p in printed], [one["probability"] for one in now["next"]], atol=1e-7
        )


REJECTED = {  # name and content of a file, and what the figure says
    "empty.txt": (b"", "got an empty one"),
    "blank.txt": (b" \n\t \r\n  ", "got only blank space"),
    "mark.txt": (b"\xef\xbb\xbf", "got nothing"),
    "report.txt": (b"%PDF-1.7\n%\xe2\xe3", "got a PDF"),
    "picture.txt": (b"\x89PNG\r\n\x1a\n\0\0", "got a PNG image"),
    "photo.txt": (b"\xff\xd8\xff\xe0\0\x10JFIF", "got a JPEG image"),
    "moving.md": (b"GIF89a\x01\0", "got a GIF image"),
    "letter.txt": (b"PK\x03\x04\x14\0", "got a Word document or a zip archive"),
    "old.txt": (b"\xd0\xcf\x11\xe0\xa1\xb1", "got an old Word document"),
    "rich.txt": (b"{\\rtf1\\ansi Hello}", "got an RTF document"),
    "packed.txt": (b"\x1f\x8b\x08\0", "got a gzip archive"),
    "nul.txt": (b"The King\0 said", "got a binary file"),
    "binary.txt": (bytes(range(1, 256)) * 4, "got a binary file"),
    "escape.txt": (b"The \x1b[31mKing", "got a binary file"),
    "long.txt": (b"The King. " * 10_000, "at most 10,000 bytes, about three pages, got 100,000"),
    "word.txt": (b"a" * 50_000, "got 50,000"),
    "emoji.txt": ("😀".encode() * 2_501, "got 10,004"),
    "torn.txt": (b"\xff\xfeT\0h\0e", "Expected text in UTF-16LE"),
    "huge.txt": (b"a" * 4_000_001, "Expected at most 4"),
}


def test_bad_files_are_named_and_change_nothing(show):
    page = show(example())
    open_file(page, "good.txt", b"The King said")
    before, problem = read(page, "The King said"), page.locator(".lf-problem")
    drawn = page.locator(".canvas").inner_html()
    for name, (content, words) in REJECTED.items():
        open_file(page, name, content)
        problem.get_by_text(words).wait_for()
        assert ". " not in problem.inner_text(), "one sentence"
        assert settled(page) == before and page.locator(".canvas").inner_html() == drawn, name
        assert page.locator("textarea").input_value() == "The King said"
    open_file(page, "good.txt", b"The Queen said")
    problem.wait_for(state="hidden")
    read(page, "The Queen said")


def test_typed_text_waits_for_valid_input(show):
    page = show(example())
    field, problem = page.get_by_label("Your text"), page.locator(".lf-problem")
    field.fill("One day")
    before = read(page, "One day")
    field.fill("   ")
    problem.get_by_text("got only blank space").wait_for()
    assert settled(page) == before and field.input_value() == "   ", "what is typed stays"
    field.fill("a" * 10_001)
    problem.get_by_text("got 10,001").wait_for()
    assert settled(page) == before
    field.fill("One day the")
    problem.wait_for(state="hidden")
    read(page, "One day the")


FILES = [  # the content of a file, its text if it is not UTF-8, and what the figure says
    ("Der süße Brei".encode("utf-16"), "Der süße Brei", "read as UTF-16LE"),
    ("Der süße Topf".encode("utf-16-le"), "Der süße Topf", "read as UTF-16LE"),
    ("Das süße Kind".encode("utf-16-be"), "Das süße Kind", "read as UTF-16BE"),
    ("Die süße Frau".encode("cp1252"), "Die süße Frau", "read as Windows-1252"),
    ("Der süße Brei".encode("utf-8-sig"), "Der süße Brei", "“my.txt”: 13 characters"),
    (b"one\r\ntwo\rthree", "one\ntwo\nthree", "13 characters"),
    (
        "مرحبا بالعالم 👩‍👩‍👧".encode(),
        "مرحبا بالعالم 👩‍👩‍👧",
        "are bytes of characters that are not in the model's vocabulary",
    ),
    (b"<script>throw 1</script><img src=x onerror=alert(1)> &amp;", None, "58 characters"),
    (b"=1+1,\"quoted\" 'text' \\n %s {x} $x$ `", None, "36 characters"),
]


def test_encodings_are_named_and_markup_is_text(show):
    page = show(example())
    for content, text, words in FILES:
        open_file(page, "my.txt", content)
        page.locator(".about", has_text=words).wait_for()
        now = read(page, text or content.decode())
        assert now["text"] == page.locator("textarea").input_value()
        assert now["n_tokens"] == len(MODEL.encode(now["text"]))
        assert page.locator(".live-figure :is(script, img)").count() == 0
        assert MODEL.decode([MODEL.encode(now["text"])[-1]]) == rows(saved(page, "Losses (CSV)"))[-1][1]
    assert saved(page, "Text (TXT)").decode() == now["text"]


def test_text_is_pasted_and_dropped(show):
    page = show(example())
    for way, text in (("paste", "A wolf, <b>who"), ("drop", "A King who")):
        page.evaluate(PASTE, [text, way])
        assert read(page, text)["n_tokens"] == len(MODEL.encode(text))


def test_url_restores_short_text_and_says_so(show):
    figure, short = example(), "A wolf: 50% & <b>,\n“ü” #x"
    page = show(figure)
    left = choose(page, text=short, block=2, query=3)
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    address = page.evaluate("location.hash")
    page.locator(".lf-take-away summary").click()
    page.locator(".lf-note", has_text="holds the settings and the text").wait_for()
    choose(page, text=SONNET, query=260)
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    page.locator(".lf-note", has_text="holds the settings only").wait_for()
    assert "tempests" not in page.evaluate("location.hash") and "block:2" in page.evaluate("location.hash")
    assert settled(show(figure, address=address)) == left
    for text in ("%00", "%20%20", "a" * 301):
        assert settled(show(figure, address=f"#your-text=block:2,text:{text}"))["text"] == TALE


def test_tokens_and_heads_are_selected_by_pointer_and_keys(show):
    page = show(example())
    n = settled(page)["n_tokens"]
    page.locator(".words text").nth(4).click()
    assert settled(page)["query"] == 4
    now = after_keys(page, ".query-handle", "ArrowRight", "Home", "ArrowDown", "End")
    assert (
        [one["query"] for one in now][::2] == [5, now[2]["query"]]
        and now[1]["query"] == 0
        and now[3]["query"] == n - 1
    )
    assert 5 < now[2]["query"] < n - 1, "a line down"
    page.locator(".grounds rect").nth(11).click()
    assert (settled(page)["block"], settled(page)["head"]) == ("2", "3")
    page.locator("select").nth(1).select_option("3,1")
    assert (settled(page)["block"], settled(page)["head"]) == ("3", "1")
    box = page.locator(".bars").bounding_box()
    page.mouse.click(box["x"] + 3, box["y"] + box["height"] - 3)
    assert settled(page)["query"] <= 2
    page.locator(".look-handle").focus()
    page.keyboard.press("Home")
    assert "weight" in page.locator(".look-handle").get_attribute("aria-valuetext")
    change(page, shade_index=1)
    assert "no loss" in page.locator(".look-handle").get_attribute("aria-valuetext")


def test_lines_follow_the_query_in_a_long_text(show):
    page = show(example())
    choose(page, text=SONNET, query=None)
    assert page.locator("svg .beyond").text_content().endswith("lines 11–14 of 14")
    choose(page, query=0)
    assert page.locator("svg .beyond").text_content().endswith("lines 1–4 of 14")
    x, y = middle(page, ".query-handle")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 200, y + 80)
    page.mouse.up()
    assert 10 < settled(page)["query"] < 80 and page.locator("svg .beyond").text_content().endswith(
        "lines 1–4 of 14"
    )


def test_long_computation_shows_progress_and_can_be_cancelled(show):
    page = show(example())
    page.evaluate("text => model.set('text', text)", SONNET * 16)
    bar = page.locator(".lf-job:visible", has_text="all windows")
    bar.wait_for()
    page.locator(".query-handle").press("ArrowLeft")  # the page responds meanwhile
    assert state(page)["query"] == len(MODEL.encode(SONNET * 16)) - 2
    page.wait_for_function("[...document.querySelectorAll('.lf-job progress')].some((bar) => bar.value > 0)")
    bar.get_by_role("button", name="Cancel").click()
    now = settled(page)
    assert (
        "loss" not in now and now["estimate"] > 0 and page.locator("svg .loss-note").text_content() == "cancelled"
    )
    saves = page.locator(".lf-take-away")
    saves.locator("summary").click()
    saves.get_by_role("button", name="Losses (CSV)").click()
    page.locator(".lf-problem", has_text="has not read the whole text").wait_for()
    press(page, "Reset")
    assert settled(page)["text"] == TALE and "loss" in settled(page)


def test_typographic_marks_become_plain_on_demand(show):
    page = show(example())
    button = page.get_by_role("button", name="Use plain quotes and dashes")
    assert button.is_hidden()
    page.get_by_label("Your text").fill("“It’s late – go…” ‘No’")
    page.locator(".about", has_text="bytes of characters").wait_for()
    button.click()
    page.locator(".about", has_text="24 characters").wait_for()
    assert settled(page)["text"] == "\"It's late - go...\" 'No'"
    assert "bytes of characters" not in page.locator(".about").inner_text() and button.is_hidden()


def test_missing_model_is_reported_and_view_stays(show):
    figure = example()
    figure.model_lazy = {"lazy": "abc", "script": "data:text/javascript,0"}
    page = show(figure)
    before = settled(page)
    page.evaluate("() => { model.set('text', 'A wolf'); }")
    page.locator(".lf-problem", has_text="could not be loaded").wait_for()
    assert settled(page) == before
    page.locator(".lf-take-away summary").click()
    page.get_by_role("button", name="Weights (CSV)").click()
    page.locator(".lf-problem", has_text="has not read").wait_for()


def test_picture_is_standalone(show):
    page = show(your_text_figure("A <b> & “ü”").figure)
    drawing = ElementTree.fromstring(saved(page, "Figure (SVG)"))
    texts = [element.text for element in drawing.iter() if element.tag.endswith("text")]
    assert "<" in texts and any("Loss in nats" in (text or "") for text in texts)
    assert all("fill:" in element.get("style", "") for element in drawing.iter() if element.tag.endswith("text"))
    assert not any("class" in element.attrib for element in drawing.iter()), "which a style sheet would need"
    assert saved(page, "Figure (PNG)")[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"text": " \n"}, "text: expected"),
        ({"text": "a " * 300}, "text: expected 1 to 256 tokens .* got"),
        ({"text": 3}, "text: expected a str"),
        ({"query": 99}, "query: expected"),
        ({"head": 4}, "head: expected"),
        ({"shade": "colour"}, "shade: expected"),
    ],
)
def test_invalid_arguments_are_named(arguments, words):
    with pytest.raises((ValueError, TypeError), match=words):
        your_text_figure(**arguments)


def test_first_view_matches_the_language_model(show):
    figure = your_text_figure("The King and his daughter", 2).figure
    page = show(figure)
    before = settled(page)
    page.locator(".query-handle").focus()  # loads the model
    page.wait_for_selector("[data-pending]", state="detached")
    assert settled(page) == before
    assert json.loads(json.dumps(figure.first["words"])) == ["The", " King", " and", " his", " daughter"]
