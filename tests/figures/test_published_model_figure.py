"""The published model's figure: it opens a file, equals lib on any text, and survives failures."""

import base64
import os
import threading

import numpy as np
import pytest

from lib.figures import published_model_figure
from lib.figures.published_model import COPYING, KERNEL_LABELS, SENTENCE, SHOWN, TWICE, answers, example, questions
from lib.published_model import head_patterns, load, name_patterns
from tests import gguf
from tests.conftest import faults
from tests.figures.contract import DRAWN
from tests.figures.opened_model import IS_OPEN, PART, assert_equals_lib
from tests.gestures import choose, has_focus, press, said, settled, state
from tests.published_model import FILE, TEXTS, needs_the_file
from tools.build.figure_page import figure_page
from tools.build.published_model import FOLDER, split
from tools.build.serve import make_server
from tools.train import store_published_answers as tool


def example_figure():
    return published_model_figure().figure


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    path.write_bytes(gguf.tiny_model())
    return path


@pytest.fixture(scope="module")
def model(path):
    return load(path)


@pytest.fixture
def site(path, tmp_path):
    """The URL of a page with the figure, beside a small model in parts."""
    split(path, tmp_path / FOLDER, PART)
    (tmp_path / "index.html").write_text(figure_page(example_figure()), "utf8")
    with make_server(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


def open_file(page, path):
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_function(IS_OPEN)
    return settled(page)


@pytest.fixture
def opened(show, path):
    """A page whose figure has opened the small model."""
    page = show(example_figure())
    open_file(page, path)
    return page


def write(page, text):
    """Write a text and return the state for it."""
    page.get_by_label("Your text").fill(text)
    page.wait_for_function(
        "text => JSON.parse(document.querySelector('.live-figure').dataset.state).text === text", arg=text
    )
    return settled(page)


# ---- Before the model is open ----------------------------------------------------------------------------------


def test_stored_example_is_shown_before_opening(show):
    page = show(example_figure())
    now, stored = settled(page), example()
    assert now["is_example"] and "".join(now["words"]) == SENTENCE
    packed = stored["weights"][18 * 9 + 6][-len(now["words"]) :] / 100
    np.testing.assert_allclose(now["weights"], packed, atol=1e-6)
    assert page.get_by_role("button", name="Open SmolLM2 (98 MB)").is_visible()
    assert "about 200 MB of memory" in page.get_by_role("button", name="Open SmolLM2").get_attribute("title")
    other = choose(page, block=16, head=0)
    np.testing.assert_allclose(other["weights"], stored["weights"][16 * 9][-len(now["words"]) :] / 100, atol=1e-6)
    assert other["loss"] == pytest.approx(np.mean(stored["losses"]), abs=1e-4)


def stored_answer(now):
    """Return the stored answer to a setting, which the head matters to only if its kernel is swapped."""
    names = ["text", "kernel", "scope"] + ["block", "head"] * (now["kernel"] != "dot product")
    return next(each for each in answers() if all(each["setting"][name] == now[name] for name in names))


def shares(packed, *shape):
    return np.frombuffer(base64.b64decode(packed), np.uint8).reshape(shape) / 255


def test_each_button_is_answered_without_the_model(show):
    figure = example_figure()
    page = show(figure)
    for name, setting in questions().items():
        page.get_by_role("button", name=name, exact=True).click()
        now = settled(page)
        assert {key: now[key] for key in setting} == setting and set(setting) <= set(figure.settings)
        answer, n = stored_answer(now), len(now["words"])
        assert now["is_example"] and now["needs"] == "" and page.locator(".notice").is_hidden()
        assert (now["tokens"], now["words"], now["names"]) == (answer["tokens"], answer["words"], answer["names"])
        row = shares(answer["last"], 270, n)[now["block"] * 9 + now["head"]]
        np.testing.assert_allclose(now["weights"], row, atol=0.008)
        assert [list(each.values()) for each in now["next"]] == answer["next"][-1]
        assert now["loss"] == pytest.approx(np.mean(answer["losses"]), abs=1e-5)
        assert now["loss_trained"] == pytest.approx(np.mean(answer["losses_trained"]), abs=1e-5)
        assert page.evaluate(DRAWN) == []


def test_button_of_the_shown_experiment_is_pressed(show):
    page = show(example_figure())
    pressed = page.locator(".questions [aria-pressed=true]")
    style = "(one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).fontWeight]"
    styles = {}
    for name in list(questions())[:4]:
        page.get_by_role("button", name=name, exact=True).click()
        assert pressed.all_inner_texts() == [name]
        for each in page.locator(".questions button").all():
            styles.setdefault(each.get_attribute("aria-pressed"), set()).add(str(each.evaluate(style)))
    assert [len(styles[is_pressed]) for is_pressed in ("true", "false")] == [1, 1]
    assert styles["true"] != styles["false"]
    page.locator(".tools select").first.select_option("gaussian")
    assert pressed.count() == 0


def test_first_button_removes_the_copying_heads(show):
    page = show(example_figure())
    page.locator(".questions button").first.click()
    now = settled(page)
    first = now["next"][0]
    assert (first["word"], round(first["trained"], 2), round(first["probability"], 2)) == (" Qu", 0.93, 0.56)
    assert "Now the kernel “uniform” in six copying heads." in said(page)
    assert now["names"].count("induction") < example()["names"].count("induction")


RECORD = """window.seen = [];
  const numbers = document.querySelector(".next");
  new MutationObserver(() => seen.push(numbers.querySelector(".number").textContent))
    .observe(numbers, { subtree: true, childList: true, characterData: true, attributes: true });"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_bars_animate_unless_motion_is_reduced(motion, show):
    page = show(example_figure())
    page.emulate_media(reduced_motion=motion)
    page.evaluate(RECORD)
    page.locator(".questions button").first.click()
    page.wait_for_function("() => seen.at(-1)?.endsWith('56 %')")
    assert ("93 → 93" in page.evaluate("seen[0]")) == (motion == "no-preference")


def notice(page, words):
    """Assert that the notice says these words, and that neither picture nor state belongs to something else."""
    assert words in said(page, ".notice p")
    now = state(page)
    assert now["needs"] and page.locator(".arcs path").count() == 0 and page.locator(".next text").count() == 0
    assert (now["loss"], now["loss_trained"], now["next"], now["names"]) == (-1, -1, [], [])
    assert "as trained" not in page.locator(".loss").text_content()
    assert words in said(page)
    return now


def test_what_is_not_stored_asks_for_the_model(show):
    page = show(example_figure())
    dismiss = page.get_by_role("button", name="Not now")
    before = press(page, "German")
    write(page, "A text of my own")
    assert notice(page, "Your text needs the model")["words"] == []
    dismiss.click()
    assert state(page) == before and page.get_by_label("Your text").input_value() == before["text"]
    page.locator(".tools select").first.focus()
    page.locator(".tools select").first.select_option("gaussian")
    now = notice(page, "The answer for this kernel is not stored")
    assert now["words"] == before["words"]
    dismiss.press("Enter")
    assert has_focus(page, ".tools select")
    page.locator(".words text").nth(3).click(modifiers=["Shift"])
    notice(page, "The answer for this kernel is not stored")
    dismiss.click()
    assert state(page) == before


def test_link_to_what_is_not_stored_asks_for_the_model(show):
    page = show(example_figure(), address="#published-model=kernel:gaussian")
    page.locator(".notice").wait_for()
    notice(page, "The answer for this kernel is not stored")
    page.get_by_role("button", name="Not now").click()
    assert (state(page)["kernel"], state(page)["needs"]) == ("dot product", "")


def test_row_that_is_not_stored_asks_for_the_model(show):
    page = show(example_figure())
    press(page, "code")
    page.locator(".query-handle").press("ArrowLeft")
    own = state(page)
    assert own["needs"] == "" and own["query"] == len(own["words"]) - 2
    page.locator(".head-handle").press("ArrowLeft")
    now = state(page)
    assert now["needs"] == "row" and not any(now["weights"]) and now["names"] == own["names"]
    assert "The weights of this head for this token are not stored" in said(page, ".notice p")
    page.get_by_role("button", name="Not now").click()
    assert state(page) == own
    page.locator(".query-handle").press("End")
    page.locator(".head-handle").press("ArrowLeft")
    assert state(page)["needs"] == ""


def test_continuing_asks_for_the_model(show, path, model):
    page = show(example_figure())
    page.get_by_role("button", name="Continue the text").click()
    assert said(page, ".notice p") == "To continue the text, open the model."
    page.get_by_role("button", name="Not now").click()
    assert page.locator(".notice").is_hidden() and state(page)["needs"] == ""
    page.locator(".next-word").first.click()
    assert state(page)["text"] == SENTENCE + " Qu" and page.locator(".notice").is_visible()
    assert_equals_lib(open_file(page, path), model)
    assert page.locator(".notice").is_hidden()


def test_notice_opens_the_model(site, page, model):
    page.goto(site)
    page.get_by_label("Your text").fill("In the well")
    page.get_by_role("button", name="Download it (98 MB)").click()
    page.wait_for_function(IS_OPEN)
    now = settled(page)
    assert now["text"] == "In the well" and page.locator(".notice").is_hidden()
    assert_equals_lib(now, model)


def test_stored_answers_are_consistent():
    assert [list(head) for head in COPYING] == tool.strongest_heads()
    for answer in answers():
        words, tokens, names = (answer[name] for name in ("words", "tokens", "names"))
        n, setting = len(words), answer["setting"]
        last = shares(answer["last"], 270, n)
        np.testing.assert_allclose(last.sum(axis=1), 1, atol=n / 2 / 255)
        own = np.zeros((n, n))
        own[np.tril_indices(n)] = shares(answer["own"], -1)
        np.testing.assert_allclose(own.sum(axis=1), 1, atol=n / 2 / 255)
        at = setting["block"] * 9 + setting["head"]
        np.testing.assert_array_equal(own[-1], last[at])
        assert name_patterns(head_patterns(own, tokens)) == names[at] and len(names) == 270
        for losses, which in (answer["losses"], 1), (answer["losses_trained"], 2):
            for row, word, loss in zip(answer["next"], words[1:], losses, strict=False):
                for each in row:
                    if each[0] == word and each[which] > 0.01:
                        assert -np.log(each[which]) == pytest.approx(loss, abs=0.01)


@pytest.mark.long
@needs_the_file
def test_stored_answers_equal_lib():
    model = load(FILE)
    for answer in answers():
        found = tool.answer(model, answer["setting"])
        for name in ("setting", "tokens", "words", "names"):
            assert found[name] == answer[name], name
        for name in ("losses", "losses_trained"):
            np.testing.assert_allclose(found[name], answer[name], atol=1e-3)
        for name in ("last", "own"):
            np.testing.assert_allclose(shares(found[name], -1), shares(answer[name], -1), atol=1.01 / 255)
        assert [[each[0] for each in row] for row in found["next"]] == [
            [each[0] for each in row] for row in answer["next"]
        ]
        for row, expected in zip(found["next"], answer["next"], strict=True):
            np.testing.assert_allclose([e[1:] for e in row], [e[1:] for e in expected], atol=1e-3)


# ---- Equality with lib -----------------------------------------------------------------------------------------


def test_five_texts_equal_lib(opened, model):
    for text in TEXTS.values():
        assert_equals_lib(write(opened, text), model)
        assert opened.evaluate(DRAWN) == [], text


@pytest.mark.parametrize("scope", [0, 1, 2])
def test_kernels_equal_lib(scope, opened, model):
    write(opened, TEXTS["code"])
    for kernel in range(1, len(KERNEL_LABELS)):
        now = choose(opened, kernel_index=kernel, scope_index=scope, hidden=[1, 2], block=1, head=2, query=9)
        assert_equals_lib(now, model)
        assert now["loss"] != now["loss_trained"] and "as trained" in opened.locator(".loss").text_content()
        assert opened.evaluate(DRAWN) == []


@pytest.mark.long
@needs_the_file
def test_browser_runs_published_file_like_lib(show):
    page, model = show(example_figure()), load(FILE)
    assert_equals_lib(open_file(page, FILE), model)
    for name, setting in questions().items():
        page.get_by_role("button", name=name, exact=True).click()
        now = settled(page)
        assert {key: now[key] for key in setting} == setting
        assert_equals_lib(now, model)


# ---- Text ------------------------------------------------------------------------------------------------------


def test_typing_at_the_end_and_elsewhere_equals_lib(opened, model):
    for text in ("In the", "In the well", "In the well, the frog", "On the well", "", "well"):
        now = write(opened, text)
        if text:
            assert_equals_lib(now, model)
        else:
            assert said(opened) == "There is no word yet. Write a sentence."


def test_long_text_uses_its_last_tokens(opened, model):
    now = write(opened, "the frog in " * 833)
    assert now["dropped"] > 0 and len(now["words"]) == SHOWN
    assert f"these are its last {SHOWN} tokens" in said(opened)
    assert_equals_lib(now, model)
    assert opened.locator("textarea").get_attribute("maxlength") == "10000"


def test_text_is_continued_until_interaction(opened, model):
    write(opened, "In the well")
    opened.get_by_role("button", name="Continue the text").click()
    opened.wait_for_function("() => document.querySelector('textarea').value.length > 14")
    opened.keyboard.press("Escape")
    now = settled(opened)
    assert now["text"].startswith("In the well") and len(now["text"]) > 14
    assert opened.get_by_role("button", name="Continue the text").is_visible()
    word = now["next"][0]["word"]
    assert_equals_lib(now, model)
    if "\ufffd" not in word:
        opened.locator(".next-word").first.click()
        assert settled(opened)["text"] == now["text"] + word


def test_nothing_continues_an_empty_text(opened):
    write(opened, "")
    opened.get_by_role("button", name="Continue the text").click()
    opened.get_by_role("button", name="Continue the text").wait_for()
    assert settled(opened)["text"] == ""


def test_words_are_masked_by_click_and_keyboard(opened, model):
    write(opened, "In the well lived a frog")
    chips = opened.locator(".chips rect")
    opened.locator(".words text").nth(2).click(modifiers=["Shift"])
    now = settled(opened)
    assert (now["kernel"], now["hidden"], now["weights"][2]) == ("mask", [2], 0)
    assert_equals_lib(now, model)
    assert chips.nth(2).get_attribute("class") == "hidden" and "masked in this head" in said(opened)
    opened.locator(".look-handle").press("Home")
    opened.locator(".look-handle").press("Enter")
    assert settled(opened)["hidden"] == [0, 2]
    opened.locator(".look-handle").press(" ")
    assert settled(opened)["hidden"] == [2]


def test_long_text_is_not_in_url(opened):
    write(opened, "In the well")
    opened.wait_for_function("() => location.hash.includes('text:In%20the%20well')")
    write(opened, "frog " * 61)
    opened.wait_for_function("() => !location.hash.includes('text')")


def test_head_handle_moves_within_a_smaller_model(opened, model):
    now = settled(opened)
    assert (now["shape"], now["block"], now["head"]) == ([3, 3], 2, 2)
    opened.locator(".head-handle").press("ArrowLeft")
    assert_equals_lib(settled(opened), model)
    opened.locator(".head-handle").press("ArrowUp")
    now = settled(opened)
    assert (now["block"], now["head"]) == (1, 1)


def test_open_figure_is_accessible(opened):
    write(opened, TWICE)
    choose(opened, kernel_index=2)
    for width in (744, 375):
        opened.set_viewport_size({"width": width, "height": 800})
        assert faults(opened) == []
        assert opened.evaluate("document.documentElement.scrollWidth") == width


def test_controls_are_above_the_stage_on_a_wide_page(show):
    page = show(example_figure())
    page.set_viewport_size({"width": 1366, "height": 641})
    page.add_style_tag(content="body > main { max-width: 1160px; container-type: inline-size; }")
    box = lambda selector: page.locator(selector).bounding_box()
    stage, sentence = box(".lf-stage"), box(".lf-sentence")
    assert sentence["x"] >= stage["x"] + stage["width"], "the page is wide"
    for selector in (".questions", ".writing", ".opener"):
        assert box(selector)["y"] + box(selector)["height"] <= stage["y"]


# ---- Files and connections -------------------------------------------------------------------------------------

NOTE = ".opener .note"


def note(page, words):
    page.locator(NOTE, has_text=words).wait_for()
    assert state(page)["is_example"], "the example is still there"


@pytest.mark.parametrize(
    "data, words",
    [
        (gguf.tiny_model()[:9000], "This GGUF file ends too early, after 9000 bytes."),
        (b"PK\3\4" + bytes(900), "Expected a GGUF file, got a different kind of file."),
        (gguf.tiny_model(architecture="gpt2"), "Expected a model with general.architecture “llama”, got “gpt2”."),
        (b"", "Expected a GGUF file, got a different kind of file."),
    ],
)
def test_file_of_other_format_is_reported_in_one_sentence(data, words, show, tmp_path):
    page = show(example_figure())
    (tmp_path / "foreign.gguf").write_bytes(data)
    page.locator("input[type=file]").set_input_files(tmp_path / "foreign.gguf")
    note(page, words)
    assert page.locator(NOTE).inner_text() == words
    assert page.get_by_role("button", name="Open SmolLM2 (98 MB)").is_visible()


def test_features_of_other_dimension_are_reported_in_one_sentence(show, monkeypatch, tmp_path):
    monkeypatch.setattr(gguf, "WIDTH", 96)
    path = tmp_path / "narrow.gguf"
    path.write_bytes(gguf.tiny_model())
    page = show(example_figure())
    before = open_file(page, path)
    choose(page, kernel_index=5)
    page.locator(NOTE, has_text="The random features are for heads of dimension 64; here it is 32.").wait_for()
    assert state(page)["weights"] == before["weights"]
    assert_equals_lib(choose(page, kernel_index=3), load(path))


def test_model_is_downloaded_stored_and_deleted(site, page, model):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url) if "/published_model/" in request.url else None)
    page.goto(site)
    page.wait_for_selector("[data-state]")
    assert fetched == [], "nothing is loaded before the click"
    page.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    page.wait_for_function(IS_OPEN)
    assert_equals_lib(settled(page), model)
    n_parts = sum("tiny.gguf" in url for url in fetched)
    assert n_parts > 3
    page.reload()
    page.get_by_role("button", name="Open SmolLM2 (stored in this browser)").click()
    page.wait_for_function(IS_OPEN)
    assert_equals_lib(settled(page), model)
    assert sum("tiny.gguf" in url for url in fetched) == n_parts, "the parts come from the browser"
    page.get_by_role("button", name="Delete the stored copy").click()
    page.get_by_role("button", name="Delete the stored copy").wait_for(state="hidden")
    assert page.evaluate("caches.keys()") == []
    assert_equals_lib(write(page, "the frog"), model)


def test_download_is_cancelled(site, unwatched):
    page = unwatched
    page.route("**/tiny.gguf.2", lambda route: None)  # the request stays unanswered
    page.goto(site)
    page.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    page.wait_for_function("() => document.querySelector('progress').value > 0.1")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Open SmolLM2").wait_for()
    assert state(page)["is_example"] and page.locator("progress").is_hidden()


def test_lost_connection_keeps_parts(site, unwatched, model):
    page = unwatched
    page.route("**/tiny.gguf.2", lambda route: route.abort())
    page.goto(site)
    page.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    note(page, "The connection was lost. Try again: the parts that arrived are stored.")
    page.unroute("**/tiny.gguf.2")
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.get_by_role("button", name="Open SmolLM2 (98 MB, partly stored)").click()
    page.wait_for_function(IS_OPEN)
    assert_equals_lib(settled(page), model)
    assert not any(url.endswith(("tiny.gguf.0", "tiny.gguf.1")) for url in fetched)


def test_missing_model_says_how_to_get_it(site, unwatched, tmp_path):
    for part in (tmp_path / FOLDER).iterdir():
        part.unlink()
    unwatched.goto(site)
    unwatched.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    note(unwatched, "“make published-model” adds it, or open a GGUF file from disk")


def test_parts_of_another_file_are_rejected(site, unwatched, tmp_path):
    part = tmp_path / FOLDER / "tiny.gguf.1"
    part.write_bytes(part.read_bytes()[:-5])
    unwatched.goto(site)
    unwatched.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    note(unwatched, "The model ended too early. Try again.")
    part.write_bytes(part.read_bytes() + bytes(10))
    os.utime(part, (2e9, 2e9))  # otherwise a change within a second may be answered from the HTTP cache
    unwatched.get_by_role("button", name="Open SmolLM2").click()
    note(unwatched, "The model's parts are not those that were listed.")


UNSTORED = "This browser did not store the whole file: your next visit downloads the rest again."


@pytest.mark.parametrize(
    "script, label",
    [
        ("caches.open = () => Promise.reject(new DOMException('no', 'SecurityError'))", "98 MB"),
        (
            """const { put } = Cache.prototype;
            Cache.prototype.put = function (url, answer) {
              if (!String(url).endsWith("gguf.2")) return put.call(this, url, answer);
              return Promise.reject(new DOMException("full", "QuotaExceededError"));
            }""",
            "98 MB, partly stored",
        ),
    ],
)
def test_model_opens_without_storage(script, label, site, unwatched, model):
    page = unwatched
    page.add_init_script(script)
    page.goto(site)
    page.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    page.wait_for_function(IS_OPEN)
    assert_equals_lib(settled(page), model)
    page.locator(NOTE, has_text=UNSTORED).wait_for()
    page.reload()
    page.get_by_role("button", name=f"Open SmolLM2 ({label})", exact=True).wait_for()


def test_lost_connection_is_reported_without_storage(site, unwatched):
    page = unwatched
    page.add_init_script("caches.open = () => Promise.reject(new DOMException('no', 'SecurityError'))")
    page.route("**/tiny.gguf.2", lambda route: route.abort())
    page.goto(site)
    page.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    note(page, "The connection was lost. Try again.")


def test_two_tabs_share_the_stored_file(site, page, model):
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(site)
        tab.wait_for_selector("[data-state]")
    page.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    page.wait_for_function(IS_OPEN)
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    other.get_by_role("button", name="Open SmolLM2 (stored in this browser)").click()
    other.wait_for_function(IS_OPEN)
    page.get_by_role("button", name="Delete the stored copy").click()
    page.get_by_role("button", name="Delete the stored copy").wait_for(state="hidden")
    for tab in (page, other):
        assert_equals_lib(write(tab, "the frog"), model)
    other.close()


def test_too_little_memory_for_the_file_is_reported(site, unwatched):
    unwatched.add_init_script("""const Bytes = Uint8Array;
      Uint8Array = function (size) { if (size > 1e5) throw new RangeError("full"); return new Bytes(size); }""")
    unwatched.goto(site)
    unwatched.get_by_role("button", name="Open SmolLM2 (98 MB)").click()
    note(unwatched, "There is too little memory in this browser to open the model.")


def test_too_little_memory_for_a_text_is_reported(show, path, model):
    figure = example_figure()
    figure.worker_code = f"""const size = {SHOWN * gguf.WIDTH};
      self.Float32Array = new Proxy(Float32Array, {{
        construct(own, [first, ...more]) {{
          if (first === size) throw new RangeError("full");
          return new own(first, ...more);
        }},
      }});
      {figure.worker_code}"""
    page = show(figure)
    before = open_file(page, path)
    page.get_by_label("Your text").fill("the frog in " * 833)
    page.locator(NOTE, has_text="There is too little memory in this browser for this model and text.").wait_for()
    assert state(page)["weights"] == before["weights"]
    assert_equals_lib(write(page, "the frog"), model)


def test_dead_worker_is_replaced(show, path, page, model):
    page.add_init_script("""const Own = Worker;
      Worker = function (...a) { return (window.newest = new Own(...a)); };""")
    show(example_figure())
    open_file(page, path)
    page.evaluate("newest.dispatchEvent(new ErrorEvent('error', { cancelable: true }))")
    note(page, "The model stopped. Open it again.")
    assert_equals_lib(open_file(page, path), model)
