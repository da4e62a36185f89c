"""The figure for the reader's own points: its numbers equal `lib`'s, its code runs, bad files change nothing."""

import io
import itertools
import json
import math
import re
import subprocess
import zipfile

import numpy as np
import pytest

from lib import data
from lib.attention import attention, attention_weights, encoding_frequencies
from lib.figures import your_points_figure
from lib.figures.your_points import METHODS
from lib.regression import (
    choose_bandwidth,
    corrected_aic,
    leave_one_out_error,
    leave_one_out_estimates,
    local_linear,
    nadaraya_watson,
    nadaraya_watson_weights,
)
from tests.conftest import ROOT
from tests.gestures import PASTE, choose, open_file, press, run_code, saved, settled, touching

PARAMETERS = {"gaussian": 7.0, "boxcar": 5.5, "triangular": 6.25, "epanechnikov": 9.5, "constant": None}
PARAMETERS |= {"local-linear": 8.0, "nearest": 9, "attention": 1.5}
PARAMETERS_APART = ("nearest", "attention", "constant")  # whose parameter is not a bandwidth
YEARS, FLOW = data.nile()


def example():
    return your_points_figure().figure


def encoded(points, keys):
    """Encode positions as documented: the range of the keys becomes 0 to 49."""
    angles = 49 * (points - keys[0]) / (keys[-1] - keys[0])
    angles = angles[:, None] * encoding_frequencies(16, base=100)
    return np.hstack([np.sin(angles), np.cos(angles)])


def neighbour_weights(queries, keys, m):
    distances = np.abs(queries[:, None] - keys)
    near = distances <= np.sort(distances, axis=1)[:, [m - 1]] * (1 + 1e-9)
    return near / near.sum(axis=1, keepdims=True)


def estimates_of_lib(method, parameter, queries, keys, values):
    if method == "local-linear":
        return local_linear(queries, keys, values, parameter)
    if method == "attention":
        return attention(encoded(queries, keys), encoded(keys, keys), values[:, None], temperature=parameter)[:, 0]
    if method == "nearest":
        return neighbour_weights(queries, keys, parameter) @ values
    return nadaraya_watson(queries, keys, values, parameter or 1.0, method)


def weights_of_lib(method, parameter, queries, keys):
    """The weights of the values, also of a local line: what it makes of the unit vectors."""
    if method == "local-linear":
        return local_linear(queries, keys, np.eye(len(keys)), parameter)
    if method == "attention":
        return attention_weights(encoded(queries, keys), encoded(keys, keys), temperature=parameter)
    if method == "nearest":
        return neighbour_weights(queries, keys, parameter)
    return nadaraya_watson_weights(queries, keys, parameter or 1.0, method)


def table(text):
    return np.genfromtxt(text.decode().splitlines(), delimiter=",", skip_header=1, unpack=True)


@pytest.mark.parametrize("method", METHODS)
def test_numbers_equal_lib_and_code_reproduces_them(method, show, tmp_path):
    parameter = PARAMETERS[method]
    page = show(your_points_figure(method=method, parameter=parameter, query=1903.4).figure)
    now = settled(page)
    queries = np.linspace(1871, 1970, 201)
    (estimate,) = estimates_of_lib(method, parameter, np.array([now["query"]]), YEARS, FLOW)
    np.testing.assert_allclose(now["estimate"], estimate, rtol=1e-9)
    drawn, low, high, *slopes = table(saved(page, "Curve (CSV)"))[1:]
    np.testing.assert_allclose(drawn, estimates_of_lib(method, parameter, queries, YEARS, FLOW), rtol=1e-9)
    noise = np.sqrt(np.mean(np.diff(FLOW) ** 2) / 2)
    norms = np.sqrt(np.sum(weights_of_lib(method, parameter, queries, YEARS) ** 2, axis=1))
    np.testing.assert_allclose(high - low, 2 * 1.96 * noise * norms, rtol=1e-9)
    assert len(slopes) == (method == "local-linear")
    if slopes:
        of_lib = local_linear([*queries, 1903.4], YEARS, FLOW, parameter, return_slopes=True)[1][:, 0]
        np.testing.assert_allclose([*slopes[0], now["slope"]], of_lib, rtol=1e-9, atol=1e-12)
        said = page.locator(".lf-sentence").inner_text().replace("−", "-")
        assert f", slope {float(f'{of_lib[-1]:.4g}')} per unit of the key" in said
    keys, values, fitted, residuals = table(saved(page, "Points (CSV)"))
    np.testing.assert_array_equal([keys, values], [YEARS, FLOW])
    np.testing.assert_allclose(fitted, estimates_of_lib(method, parameter, YEARS, YEARS, FLOW), rtol=1e-9)
    np.testing.assert_allclose(residuals, FLOW - fitted, rtol=1e-9, atol=1e-9)
    assert_code_reproduces_the_page(method, page, tmp_path)


def assert_code_reproduces_the_page(method, page, tmp_path):
    (tmp_path / "your_points.csv").write_bytes(saved(page, "Points (CSV)"))
    page.locator(".lf-take-away code", has_text="estimates").wait_for()
    code = page.locator(".lf-take-away code").inner_text()
    assert len(code.splitlines()) <= 21
    curve = table(saved(page, "Curve (CSV)"))
    columns = ["queries", "estimates", "band", *(["slopes"] if method == "local-linear" else [])]
    found = run_code(code, tmp_path)
    queries, estimates, band, *slopes = (found[column] for column in columns)
    now = settled(page)
    np.testing.assert_allclose(
        [queries[-1], estimates[-1], band[-1]], [now["query"], now["estimate"], now["half"]]
    )
    np.testing.assert_allclose([queries[:-1], estimates[:-1]], curve[:2], rtol=1e-9)
    np.testing.assert_allclose(2 * band[:-1], curve[3] - curve[2], rtol=1e-9)
    for slope in slopes:
        np.testing.assert_allclose([*slope], [*curve[4], now["slope"]], rtol=1e-9, atol=1e-12)


CODE_IN_NODE = """
import { estimateAt, fitKeys } from "./lib/figures/methods/regression.js";
import { codeFor } from "./lib/figures/your_points/code.js";
import { queriesOver } from "./lib/figures/your_points/fit.js";
import { readFileSync } from "node:fs";
const found = JSON.parse(readFileSync(0, "utf8")).map(({ keys, values, method, h }) => {
  const data = { keys: Float64Array.from(keys), values: Float64Array.from(values) };
  const setting = { method, by: "hand", robust: "no" };
  const estimates = Array.from(queriesOver(data.keys), (query) => estimateAt(query, data, method, h).estimate);
  const code = codeFor({ setting, parameter: h, query: keys[0], points: {} });
  return { estimates, left: [...fitKeys(data, method, h).left], code };
});
console.log(JSON.stringify(found));
"""


def cases_at_the_edge():
    """Keys on a grid, and bandwidths with which queries or other keys are at distance h, up to rounding."""
    rng = np.random.default_rng(1)
    for step in (1, 0.1, 0.3, 1 / 3) * 8:
        keys = np.unique(rng.integers(0, 40, 12)) * step + rng.choice([0, 0.1, 1871])
        for method in ("boxcar", "triangular", "epanechnikov"):
            for h in (np.ptp(keys) * rng.integers(1, 60) / 200, keys[1] - keys[0]):
                values = rng.normal(size=len(keys))
                yield {"keys": keys.tolist(), "values": values.tolist(), "method": method, "h": h}


@pytest.mark.filterwarnings("ignore:invalid value")  # the code divides by zero where no key has weight
def test_page_code_and_lib_agree_at_distance_h():
    cases = list(cases_at_the_edge())
    done = subprocess.run(
        ["node", "--input-type=module", "-e", CODE_IN_NODE],
        input=json.dumps(cases),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for case, found in zip(cases, json.loads(done.stdout), strict=True):
        keys, values = np.array(case["keys"]), np.array(case["values"])
        code = [line for line in found["code"].splitlines() if not line.startswith(("keys, values", "print"))]
        names = {"keys": keys, "values": values}
        exec("\n".join(code), names)
        queries, *given = np.linspace(keys[0], keys[-1], 201), values, case["h"], case["method"]
        of_lib = nadaraya_watson(queries, keys, *given)
        of_page, left = (np.array(found[name], float) for name in ("estimates", "left"))
        np.testing.assert_allclose(of_page, of_lib, rtol=1e-9, atol=1e-9, err_msg=f"{case}")
        np.testing.assert_allclose(names["estimates"][:-1], of_lib, rtol=1e-9, atol=1e-9, err_msg=f"{case}")
        np.testing.assert_allclose(left, leave_one_out_estimates(keys, *given), rtol=1e-9, atol=1e-9)


def test_estimator_code_reproduces_the_page(show, tmp_path, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    page = show(your_points_figure(method="gaussian", parameter=8.0, query=1903.4).figure)
    for method in ("boxcar", "local-linear", "constant", "attention"):
        page.evaluate(f"model.set('method_index', {list(METHODS).index(method)}); model.save_changes()")
        (tmp_path / "your_points.csv").write_bytes(saved(page, "Points (CSV)"))
        forms = page.locator(".lf-forms button:visible")
        assert forms.all_inner_texts() == ["NumPy", "scikit-learn"][: 1 if method == "attention" else 2]
        if method != "attention":
            forms.last.click()
            found = {}
            exec(page.locator(".lf-take-away code").inner_text(), found)
            drawn = table(saved(page, "Curve (CSV)"))[1]
            np.testing.assert_allclose(found["estimates"][:-1], drawn, rtol=1e-9, err_msg=method)
            np.testing.assert_allclose(found["estimates"][-1], settled(page)["estimate"], rtol=1e-9)


@pytest.mark.parametrize("method, order", [("gaussian", 0), ("epanechnikov", 0), ("local-linear", 1)])
def test_bandwidth_is_chosen_as_in_lib(method, order, show):
    page = show(your_points_figure(method=method).figure)
    page.locator(".parameter input").wait_for()
    candidates = page.evaluate("""() => [...Array(61).keys()].map((i) => {
      const slider = document.querySelector(".parameter input");
      slider.value = String(i);
      slider.dispatchEvent(new Event("input"));
      return model.get("bandwidth");
    })""")
    assert candidates[0] == 0.495 and candidates[-1] == 198
    kernel = "gaussian" if order else method
    now = choose(page, by_index=0)
    assert now["bandwidth"] == choose_bandwidth(YEARS, FLOW, candidates, kernel, order=order)
    if not order:
        now = choose(page, by_index=1)
        assert now["bandwidth"] == choose_bandwidth(YEARS, FLOW, candidates, kernel, "corrected_aic")


IN_NODE = """
import { fitKeys, estimateAt, leaveOneOutError, correctedAic } from "./lib/figures/methods/regression.js";
import { readFileSync } from "node:fs";
const { keys, values, cases } = JSON.parse(readFileSync(0, "utf8"));
const data = { keys: Float64Array.from(keys), values: Float64Array.from(values) };
const found = cases.map(([method, parameter]) => {
  const fit = fitKeys(data, method, parameter);
  const some = keys.filter((_, i) => i % 97 === 0);
  const curve = some.map((key) => estimateAt(key, data, method, parameter).estimate);
  return { fitted: [...fit.fitted], left: [...fit.left], curve, error: leaveOneOutError(data, fit),
    aic: correctedAic(data, fit) };
});
console.log(JSON.stringify(found));
"""


WIDTHS = (0.05, 0.4, 6.0)
LONG = pytest.mark.long


@pytest.mark.parametrize(
    "n, decimals, tolerance, widths",
    [(2000, 3, 1e-9, WIDTHS), pytest.param(4000, 3, 1e-6, (0.4,), marks=LONG), (2000, 0, 1e-9, WIDTHS)],
)
def test_results_of_many_points_match_lib(n, decimals, tolerance, widths):
    """Below and above the number of points from which sums replace pairs; also with eleven distinct keys."""
    rng = np.random.default_rng(4)
    keys = np.sort(np.round(rng.uniform(-3, 7, n), decimals))
    values = np.sin(2 * keys) + rng.normal(size=n) + 50
    cases = [(method, h) for method in METHODS if method not in PARAMETERS_APART for h in widths]
    cases += [("nearest", 1), ("nearest", 80), ("attention", 0.3), ("attention", 4.0), ("constant", 1.0)]
    text = json.dumps({"keys": keys.tolist(), "values": values.tolist(), "cases": cases})
    done = subprocess.run(
        ["node", "--input-type=module", "-e", IN_NODE], input=text, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for (method, parameter), found in zip(cases, json.loads(done.stdout), strict=True):
        fitted = estimates_of_lib(method, parameter, keys, keys, values)
        np.testing.assert_allclose(found["fitted"], fitted, rtol=tolerance, err_msg=f"{method} {parameter}")
        np.testing.assert_allclose(found["curve"], fitted[::97], rtol=1e-9, err_msg=f"{method} {parameter}")
        if method in ("nearest", "attention"):
            continue
        order = int(method == "local-linear")
        kernel = "gaussian" if order else method
        left = leave_one_out_estimates(keys, values, parameter, kernel, order=order)
        np.testing.assert_allclose(
            np.array(found["left"], float), left, rtol=tolerance, err_msg=f"{method} {parameter}"
        )
        if not np.isnan(left).any():
            error = leave_one_out_error(keys, values, parameter, kernel, order=order)
            np.testing.assert_allclose(found["error"], error, rtol=tolerance)
        if not order:
            np.testing.assert_allclose(
                found["aic"], corrected_aic(keys, values, parameter, kernel), rtol=tolerance
            )


DROP_LARGE = """() => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(33e6)], "large.csv"));
  document.querySelector(".lf-stage").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


def test_bad_files_are_named_and_change_nothing(show):
    page = show(example())
    open_file(page, "lab.csv", b"t;u\n0,5;1\n1,5;3\n2,5;2\n3,5;5\n")
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('\"n_keys\":4')")
    before, problem = settled(page), page.locator(".lf-problem")
    assert before["keys"] == [0.5, 1.5, 2.5, 3.5] and problem.is_hidden()
    for name, content, sentence in [
        ("empty.csv", b"", "Expected a file with content, got an empty one."),
        ("a.csv", b"%PDF-1.4 1,2", "Expected a table as text (CSV), got a PDF."),
        ("b.csv", b"a,<b>x</b>\n1,2\n2,3\n3,4\n4,<img src=x>\n", "got 3 of 4: “<img src=x>” in row 5"),
        ("c.csv", b"1,2\n", "Expected at least 4 rows with two numbers, got 1."),
        ("d.csv", b"1,1\n" * 250_000, "Expected at most 100,000 rows, got 250,001."),
    ]:
        open_file(page, name, content)
        page.wait_for_function(
            "words => document.querySelector('.lf-problem').textContent.replace(/\\s/g, ' ').includes(words)",
            arg=sentence,
        )
        assert settled(page) == before and page.locator(".lf-problem *, .live-figure img").count() == 0
    page.evaluate(DROP_LARGE)
    page.wait_for_function("document.querySelector('.lf-problem').textContent.includes('got 33')")
    assert settled(page) == before
    page.evaluate(PASTE, ["5,1\n6,2\n7,4\n8,3", "paste"])
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[5,6,7,8]')")
    assert problem.is_hidden()
    page.evaluate(PASTE, ["1,1\n2,2\n3,4\n4,3", "drop"])
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[1,2,3,4]')")


def test_columns_are_chosen_and_names_are_text(show):
    page = show(example())
    open_file(
        page,
        "<b>.csv",
        b"<i>day</i>,a,word,b\n2024-01-01,5,x,1\n2024-01-02,6,y,2\n2024-01-03,7,z,4\n2024-01-05,5,w,8\n",
    )
    page.locator("select:has(option:text-is('b'))").first.wait_for()
    assert settled(page)["keys"][0] == 19723 and "2024-01-02" in page.locator(".lf-sentence").inner_text()
    menus = page.locator(".lf-input label:visible", has_text="y").locator("select")
    menus.filter(has=page.locator("option:text-is('b')")).last.select_option(label="b")
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[1,2,4,8]')")
    assert page.locator("svg .title.key").text_content() == "<i>day</i>"
    assert page.locator(".live-figure i, .lf-input b").count() == 0


def test_report_of_file_names_dropped_rows_and_changes_format(show):
    page = show(example())
    open_file(
        page,
        "a.csv",
        b"day;word;y\n01/02/2024;a;1,5\n02/02/2024;b;2\n03/02/2024;c;x\n04/02/2024;d;3\n05/02/2024;e;4\n",
    )
    line = page.locator(".lf-account summary")
    line.wait_for()
    assert line.inner_text() == (
        "semicolon, decimal comma, day/month/year (could be month first), 4 of 5 rows; "
        "dropped: “x” in row 4 of “y”; left out: “word” (“a” in row 2)."
    )
    assert settled(page)["keys"] == [19754, 19755, 19757, 19758]
    line.click()
    page.locator(".lf-account label", has_text="1/2/2024").locator("select").select_option("mdy")
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('19724')")
    assert settled(page)["values"] == [1.5, 2, 3, 4]


def choose_reading(page, name, value):
    page.locator(".lf-account label", has_text=name).locator("select").select_option(value)


def test_inputs_are_above_the_stage_and_account_is_under_it(show):
    page = show(example())
    page.add_style_tag(content="main { max-width: 1100px; container-type: inline-size }")
    open_file(page, "lab.csv", b"t;u\n0,5;1\n1,5;3\n2,5;2\n3,5;5\n")
    page.locator(".lf-account").wait_for()
    parts = page.locator(".live-figure > :is(.lf-bar, .lf-stage, .lf-account, .lf-input)")
    found = sorted(
        (box["y"], box["y"] + box["height"], box["x"], part.get_attribute("class"))
        for part in parts.all()
        for box in [part.bounding_box()]
    )
    assert [names.split()[-1] for *_, names in found] == [
        "lf-bar",
        "lf-input",
        "lf-input",
        "lf-stage",
        "lf-account",
    ]
    assert all(one[1] <= other[0] and one[2] == other[2] for one, other in itertools.pairwise(found))


def test_rejected_table_keeps_menus_that_correct_it(show):
    page = show(example())
    before = settled(page)
    open_file(page, "a.csv", b"id;t\n7;1,5\n7;2,5\n7;3,5\n7;4,5\n")
    page.locator(".lf-problem", has_text="Expected different numbers in “id”").wait_for()
    line = page.locator(".lf-account summary")
    assert line.inner_text() == "Not drawn, but can be read differently: semicolon, decimal comma, 4 rows."
    assert settled(page) == before and page.locator(".lf-account select:visible").count() == 4
    menus = page.locator(".your-points-figure > .lf-input label:visible select")
    assert menus.first.evaluate("menu => menu.selectedOptions[0].textContent") == "not drawn: a.csv"
    choose_reading(page, "delimiter", ",")  # a reading without any column of numbers can be corrected, too
    page.locator(".lf-problem", has_text="Expected a number or a date").wait_for()
    choose_reading(page, "delimiter", ";")
    page.locator(".lf-problem", has_text="in “id”").wait_for()
    menus.nth(1).select_option(label="t")
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[1.5,2.5,3.5,4.5]')")
    assert page.locator(".lf-problem").is_hidden() and line.inner_text().endswith("4 of 4 rows.")


def test_choosing_example_replaces_rejected_table(show):
    page = show(example())
    before = settled(page)
    open_file(page, "a.csv", b"x,y\n1,one\n2,two\n3,three\n4,four\n")
    page.locator(".lf-account:visible").wait_for()
    page.locator("select:has(option:text-is('example: nile'))").select_option("nile")
    page.locator(".lf-account").wait_for(state="hidden")
    assert page.locator(".lf-problem").is_hidden() and settled(page) == before
    assert page.locator("option", has_text="not drawn").count() == 0


def workbook(sheets):
    """Return a workbook (.xlsx) with these sheets of numbers below the names x and y."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relation = f'<Relationship Id="r{{}}" Type="{office}/{{}}" Target="{{}}"/>'.format
    rows = {
        name: "<row><c t='str'><v>x</v></c><c t='str'><v>y</v></c></row>"
        + "".join(f"<row><c><v>{x}</v></c><c><v>{y}</v></c></row>" for x, y in pairs)
        for name, pairs in sheets.items()
    }
    listed = "".join(f'<sheet name="{name}" r:id="r{i}"/>' for i, name in enumerate(sheets))
    targets = (relation(i, "worksheet", f"sheet{i}.xml") for i in range(len(sheets)))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("_rels/.rels", f"<R>{relation(0, 'officeDocument', 'workbook.xml')}</R>")
        target.writestr("workbook.xml", f"<workbook>{listed}</workbook>")
        target.writestr("_rels/workbook.xml.rels", f"<R>{''.join(targets)}</R>")
        for i, content in enumerate(rows.values()):
            target.writestr(f"sheet{i}.xml", f"<worksheet><sheetData>{content}</sheetData></worksheet>")
    return file.getvalue()


def test_workbook_opens_and_offers_its_sheets(show):
    pairs = [(0.5, 1), (1.5, 3), (2.5, 2), (3.5, 5)]
    content = workbook({"One": pairs, "Two": [(x, 10 * y) for x, y in pairs], "Bare": [(1, 1)]})
    page = show(example())
    open_file(page, "a.xlsx", content)
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[1,3,2,5]')")
    assert page.locator(".lf-account summary").inner_text() == "sheet “One”, 4 of 4 rows."
    sheet = page.locator(".lf-input label:visible", has_text="sheet").locator("select")
    sheet.select_option(label="Two")
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[10,30,20,50]')")
    sheet.select_option(label="Bare")
    page.locator(".lf-problem", has_text="Expected at least 4 rows with two numbers, got 1.").wait_for()
    sheet.select_option(label="One")
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[1,3,2,5]')")
    open_file(page, "a.xlsx", content[:200])
    page.locator(".lf-problem", has_text="got one that is truncated or damaged.").wait_for()
    assert settled(page)["values"] == [1, 3, 2, 5]


def test_table_opened_twice_keeps_its_menus(show):
    page = show(example())
    for _ in range(2):
        open_file(page, "a.csv", b"t,u,w\n1,5,1\n2,6,3\n3,4,2\n4,9,9\n")
        page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('[5,6,4,9]')")
        menus = page.locator(".your-points-figure .lf-input label:visible select")
        chosen = [menus.nth(i).evaluate("menu => menu.selectedOptions[0].textContent") for i in range(3)]
        assert chosen == ["your data: a.csv", "t", "u"]


def test_short_edited_points_are_in_url(show):
    figure = your_points_figure([0.0, 1.0, 2.0, 4.0, 5.0], [1.0, 3.0, 2.0, 5.0, 4.0]).figure
    page = show(figure)
    press(page, "Add a point")
    now = settled(page)
    assert now["n_keys"] == 6 and now["query"] in now["keys"]
    page.locator(".point-handle").press("End")
    page.locator(".point-handle").press("Delete")
    left = settled(page)
    assert left["keys"][-1] == 4 and left["n_keys"] == 5
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    address = page.evaluate("location.hash")
    assert settled(show(figure, address=address)) == left
    page.locator(".lf-take-away summary").click()
    page.locator(".lf-note", has_text="holds the settings and the points").wait_for()


OUTLIERS = np.where(np.arange(100) % 23 == 7, FLOW + 4000, FLOW)  # four outliers


def robust_shares(method, parameter, keys, values):
    """How much each point counts after three fits, by the definition, and the function that fits with them."""
    shares = np.ones_like(values)

    def fitted(queries):
        return shared_weights(method, parameter, queries, keys, shares) @ values

    for _ in range(3):
        residuals = np.abs(values - fitted(keys))
        shares = np.exp(-np.minimum((residuals / (4.43 * np.median(residuals))) ** 2, 30))
    return shares, fitted


def shared_weights(method, parameter, queries, keys, shares):
    if method == "local-linear":
        weights = nadaraya_watson_weights(queries, keys, parameter) * shares
        weights /= weights.sum(axis=1, keepdims=True)
        mean = weights @ keys
        off = keys - mean[:, None]
        return weights * (1 + ((queries - mean) / np.sum(weights * off**2, axis=1))[:, None] * off)
    weights = weights_of_lib(method, parameter, queries, keys) * shares
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("method", METHODS)
def test_robust_fit_equals_its_definition(method, show, tmp_path):
    parameter = PARAMETERS[method]
    page = show(your_points_figure(YEARS, OUTLIERS, method, parameter, query=1903.4, robust=True).figure)
    now = settled(page)
    shares, fitted = robust_shares(method, parameter, YEARS, OUTLIERS)
    queries = np.append(np.linspace(1871, 1970, 201), 1903.4)
    np.testing.assert_allclose(now["estimate"], fitted(queries)[-1], rtol=1e-9)
    content = saved(page, "Points (CSV)")
    np.testing.assert_allclose(table(content)[2], fitted(YEARS), rtol=1e-9)
    np.testing.assert_allclose(table(content)[4], shares, rtol=1e-7, atol=1e-13)
    assert now["doubted"] == np.sum(shares < 0.5) >= 4
    noise = np.median(np.abs(np.diff(OUTLIERS))) / 0.6745 / np.sqrt(2)
    weights = shared_weights(method, parameter, queries, YEARS, shares)
    halves = 1.96 * noise * np.linalg.norm(weights, axis=1)
    np.testing.assert_allclose(now["half"], halves[-1], rtol=1e-9)
    (tmp_path / "your_points.csv").write_bytes(content)
    code = page.locator(".lf-take-away code").inner_text()
    found = run_code(code, tmp_path)
    for column, expected in {"queries": queries, "estimates": fitted(queries), "band": halves}.items():
        np.testing.assert_allclose(found[column], expected, rtol=1e-9)


def test_robust_fit_withstands_outliers(show, tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    page = show(your_points_figure(YEARS, OUTLIERS, "gaussian", 7.0, query=1900.0).figure)
    clean = nadaraya_watson([1900.0], YEARS, FLOW, 7.0)[0]
    assert settled(page)["estimate"] > clean + 200
    page.get_by_label("robust").check()
    now = settled(page)
    assert abs(now["estimate"] - clean) < 20 and now["doubted"] >= 4
    assert (
        f"robust ({now['doubted']} of 100 points count less than half)"
        in page.locator(".lf-sentence").inner_text()
    )
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    assert "robust:yes" in page.evaluate("location.hash")
    page.get_by_label("compare").check()
    others = settled(page)["others"]
    for method in ("gaussian", "local-linear"):
        page.evaluate(f"model.set('method_index', {list(METHODS).index(method)}); model.save_changes()")
        page.wait_for_selector("[data-pending]", state="detached")
        (tmp_path / "your_points.csv").write_bytes(saved(page, "Points (CSV)"))
        page.locator(".lf-forms button:visible").last.click()
        found = {}
        exec(page.locator(".lf-take-away code").inner_text(), found)
        content = saved(page, "Curve (CSV)")
        np.testing.assert_allclose(found["estimates"][:-1], table(content)[1], rtol=1e-9, err_msg=method)
        column = content.decode().splitlines()[0].split(",").index("nearest")
        _, fitted = robust_shares("nearest", others["nearest"], YEARS, OUTLIERS)
        np.testing.assert_allclose(table(content)[column], fitted(np.linspace(1871, 1970, 201)), rtol=1e-9)


ROBUST_IN_NODE = """
import { fitKeys } from "./lib/figures/methods/regression.js";
import { fittedAt, withShares } from "./lib/figures/methods/robust.js";
import { readFileSync } from "node:fs";
const { keys, values, cases } = JSON.parse(readFileSync(0, "utf8"));
const data = { keys: Float64Array.from(keys), values: Float64Array.from(values) };
const fit = ([method, parameter]) => fittedAt(withShares(data, method, parameter), method, parameter);
const found = cases.map((each) => [...fit(each)]);
console.log(JSON.stringify(found));
"""


@pytest.mark.parametrize("n, decimals", [pytest.param(4000, 3, marks=LONG), (2000, 0)])
def test_robust_fit_of_many_points_equals_its_definition(n, decimals):
    rng = np.random.default_rng(4)
    keys = np.sort(np.round(rng.uniform(-3, 7, n), decimals))
    values = np.sin(2 * keys) + rng.normal(size=n) + 50 + 1000 * (rng.uniform(size=n) < 0.05)
    cases = [("gaussian", 0.4), ("epanechnikov", 0.4), ("local-linear", 0.6), ("nearest", 80), ("attention", 4.0)]
    text = json.dumps({"keys": keys.tolist(), "values": values.tolist(), "cases": cases})
    done = subprocess.run(
        ["node", "--input-type=module", "-e", ROBUST_IN_NODE],
        **{"input": text, "cwd": ROOT, "capture_output": True, "text": True},
    )
    assert done.returncode == 0, done.stderr
    for (method, parameter), found in zip(cases, json.loads(done.stdout), strict=True):
        _, fitted = robust_shares(method, parameter, keys, values)
        np.testing.assert_allclose(found, fitted(keys), rtol=1e-6, err_msg=f"{method} {parameter}")


REACH_IN_NODE = """
import { errorsBeyond } from "./lib/figures/methods/reach.js";
import { readFileSync } from "node:fs";
const { keys, values, cases } = JSON.parse(readFileSync(0, "utf8"));
const data = { keys: Float64Array.from(keys), values: Float64Array.from(values) };
const errors = cases.map(([method, parameters]) => errorsBeyond(data, method, parameters, 0.3));
console.log(JSON.stringify(errors));
"""


def test_leave_neighbours_out_error_equals_its_definition():
    rng = np.random.default_rng(6)
    keys = np.sort(np.round(rng.uniform(0, 5, 80), 1))  # some are equal, some exactly 0.3 apart
    values = np.sin(keys) + rng.normal(size=80)
    cases = [(method, [0.4, 1.5]) for method in METHODS if method not in PARAMETERS_APART]
    cases += [("nearest", [1, 9]), ("attention", [0.3, 4.0])]
    text = json.dumps({"keys": keys.tolist(), "values": values.tolist(), "cases": cases})
    done = subprocess.run(
        ["node", "--input-type=module", "-e", REACH_IN_NODE],
        **{"input": text, "cwd": ROOT, "capture_output": True, "text": True},
    )
    assert done.returncode == 0, done.stderr
    for (method, parameters), found in zip(cases, json.loads(done.stdout), strict=True):
        expected = [error_beyond(method, parameter, keys, values, 0.3) for parameter in parameters]
        np.testing.assert_allclose(np.array(found, float), expected, rtol=1e-9, err_msg=method)


def error_beyond(method, parameter, keys, values, reach):
    squares = []
    for key, value in zip(keys, values, strict=True):
        far = np.abs(keys - key) > reach + 1e-9
        if method == "attention":
            codes, query = encoded(keys, keys), encoded(np.array([key]), keys)
            (estimate,) = attention(query, codes[far], values[far, None], temperature=parameter)[:, 0]
        else:
            (estimate,) = estimates_of_lib(method, parameter, np.array([key]), keys[far], values[far])
        squares.append((value - estimate) ** 2)
    return np.mean(squares)


@pytest.mark.variant
def test_leaving_neighbours_out_widens_the_bandwidth_of_the_nile(show):
    page = show(example())
    assert settled(page)["bandwidth"] < 3 and page.get_by_label("reach").is_hidden()
    page.locator("select:has(option[value='leave-neighbours-out'])").select_option("leave-neighbours-out")
    now = settled(page)
    assert now["reach"] == 1 and 14 < now["bandwidth"] < 18, "as in chapter 1"
    assert "chosen by leave-neighbours-out (reach 1)" in page.locator(".lf-sentence").inner_text()
    assert page.locator(".low-title").text_content() == "error without the neighbours"
    page.get_by_label("reach").fill("4")
    page.get_by_label("reach").press("Enter")
    page.get_by_label("compare").check()
    now = settled(page)
    candidates = np.unique([float(f"{h:.3g}") for h in np.geomspace(99 / 200, 198, 61)])
    for method in ("gaussian", "epanechnikov"):
        with np.errstate(invalid="ignore"):
            errors = [error_beyond(method, h, YEARS, FLOW, 4) for h in candidates]
        assert now["others"][method] == candidates[np.nanargmin(errors)], method
    assert now["bandwidth"] == now["others"]["gaussian"]
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    address = page.evaluate("location.hash")
    assert "reach:4" in address and settled(show(example(), address=address)) == now


def test_compared_curves_equal_lib(show):
    page = show(your_points_figure(compare=True).figure)
    queries = np.linspace(1871, 1970, 201)
    for by, criterion in ((0, "leave_one_out"), (1, "corrected_aic")):
        now = choose(page, by_index=by)
        assert list(now["others"]) == list(METHODS)
        content = saved(page, "Curve (CSV)")
        names = content.decode().splitlines()[0].split(",")[4:]
        assert names == [method for method in METHODS if method != "gaussian"]
        for method, drawn in zip(names, table(content)[4:], strict=True):
            parameter = now["others"][method]
            np.testing.assert_allclose(drawn, estimates_of_lib(method, parameter, queries, YEARS, FLOW), rtol=1e-9)
        chosen = page.evaluate("""() => [...Array(61).keys()].map((i) => {
          const slider = document.querySelector(".parameter input");
          slider.value = String(i);
          slider.dispatchEvent(new Event("input"));
          return model.get("bandwidth");
        })""")
        assert now["others"]["triangular"] == choose_bandwidth(YEARS, FLOW, chosen, "triangular", criterion)


def test_label_of_a_compared_curve_chooses_its_method(show):
    page = show(example())
    assert page.locator(".others path").count() == 0
    page.get_by_label("compare").check()
    before = settled(page)
    label = page.locator(".other-name", has_text="Local linear")
    box = label.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 8)
    assert page.locator(".tooltip").inner_text() == f"Local linear, h = {before['others']['local-linear']}"
    page.mouse.down()
    page.mouse.up()
    now = settled(page)
    assert (now["method"], now["others"]) == ("local-linear", before["others"])
    assert page.locator(".other-name").all_text_contents()[0] == "Constant"
    assert "Gaussian" in page.locator(".others").text_content() and label.count() == 0
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    assert "compare:yes" in page.evaluate("location.hash")
    assert touching(page, ".other-name") == []
    page.get_by_label("compare").uncheck()
    assert page.locator(".others g").count() == 0


def test_estimates_at_typed_keys_equal_lib(show):
    page = show(your_points_figure(parameter=7.0).figure)
    page.locator(".lf-take-away summary").click()
    field, said = page.get_by_label("estimate at"), page.locator(".predictions output")
    field.fill("1903.4, 1950; soon 1990")
    keys = np.array([1903.4, 1950.0, 1990.0])
    found = nadaraya_watson(keys, YEARS, FLOW, 7.0)
    spread = np.linalg.norm(nadaraya_watson_weights(keys, YEARS, 7.0), axis=1)
    halves = 1.96 * np.sqrt(np.mean(np.diff(FLOW) ** 2) / 2) * spread
    parts = said.inner_text().split("; ")
    assert parts[2] == "“soon” is no key" and parts[3].endswith(", outside the keys")
    for part, key, estimate, half in zip([*parts[:2], parts[3]], keys, found, halves, strict=True):
        numbers = re.fullmatch(r"([\d.]+): ([\d.]+) ± ([\d.]+).*", part).groups()
        np.testing.assert_allclose(np.array(numbers, float), [key, estimate, half], atol=0.051)
    before = said.inner_text()
    choose(page, bandwidth=20.0)
    assert said.inner_text() != before, "they follow the bandwidth"
    choose(page, method_index=list(METHODS).index("local-linear"), bandwidth=7.0)
    slopes = re.findall(r", slope ([−\d.]+) per unit of the key", said.inner_text())
    of_lib = local_linear(keys, YEARS, FLOW, 7.0, return_slopes=True)[1][:, 0]
    np.testing.assert_allclose([float(slope.replace("−", "-")) for slope in slopes], of_lib, rtol=1e-3)


def test_page_states_parameter_in_conventions_of_other_programs(show):
    page = show(your_points_figure(parameter=7.0).figure)
    page.locator(".lf-take-away summary").click()
    note = page.locator(".lf-take-away .lf-note")
    note.get_by_text("The same in other programs").wait_for()
    assert (
        "statsmodels: bw = 4.94975; R, npreg: bws = 4.94975; R, ksmooth: bandwidth = 13.3542" in note.inner_text()
    )
    assert "pandas: std = 4.94975" in note.inner_text(), "keys are a year apart"
    choose(page, method_index=list(METHODS).index("triangular"))
    assert "other programs" not in note.inner_text()


def test_conversion_factors_match_the_converter():
    text = (ROOT / "_ext/course/assets/converter.js").read_text("utf8")
    known = re.findall(r'\["([^"]+)", ([^,]+), 1\]', text)
    factors = {name: eval(value, {"ROOT2": 2**0.5, "Math": math}) for name, value in known}  # noqa: S307
    script = (
        'import { FACTORS } from "./lib/figures/your_points/elsewhere.js"; console.log(JSON.stringify(FACTORS));'
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    for method, name, theirs in [
        ("gaussian", "statsmodels: bw", "statsmodels: bw"),
        ("gaussian", "R, npreg: bws", "R, npreg, gaussian: bws"),
        ("gaussian", "R, ksmooth: bandwidth", "R, ksmooth, normal: bandwidth"),
        ("gaussian", "pandas: std", "pandas: std"),
        ("boxcar", "R, ksmooth with box: bandwidth", "R, ksmooth, box: bandwidth (our boxcar)"),
        ("boxcar", "scikit-learn: radius", "scikit-learn, neighbours: radius (our boxcar)"),
        ("epanechnikov", "R, npreg with epanechnikov: bws", "R, npreg, epanechnikov: bws"),
    ]:
        np.testing.assert_allclose(found[method][name], factors[theirs], rtol=1e-15)


def test_link_keeps_names_and_dates_of_columns(show):
    page = show(example())
    rows = b"2024-01-01,2024-02-01\n2024-01-02,2024-02-03\n2024-01-03,2024-02-02\n2024-01-05,2024-02-05\n"
    open_file(page, "a.csv", b"sown|here,harvested \xc3\xa4\n" + rows)
    page.wait_for_function("document.querySelector('.live-figure').dataset.state.includes('\"n_keys\":4')")
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    sentence = page.locator(".lf-sentence").inner_text()
    again = show(example(), address=page.evaluate("location.hash"))
    assert again.locator("svg .title.key").text_content() == "sown/here"
    assert "harvested ä" in again.locator("svg .legend").text_content()
    assert again.locator(".lf-sentence").inner_text() == sentence and "2024-02-0" in sentence


def test_question_changes_with_the_example(show):
    page = show(example())
    asked = page.locator(".lf-question")
    assert asked.inner_text() == "When did the Nile fall?"
    open_file(page, "a.csv", b"x,y\n1,2\n2,3\n3,5\n4,4\n")
    page.locator(".lf-question", has_text="Which bandwidth finds your curve?").wait_for()
    page.locator("select:has(option:text-is('example: nile'))").select_option("nile")
    page.locator(".lf-question", has_text="When did the Nile fall?").wait_for()
    assert page.get_by_role("group", name="When did the Nile fall?").count() == 1
    show(your_points_figure(question="How high is it?").figure)
    assert asked.inner_text() == "How high is it?"


def test_worker_computes_many_points_and_can_be_cancelled(show):
    rng = np.random.default_rng(2)
    keys = np.sort(rng.uniform(0, 10, 20_000))
    values = np.sin(keys) + rng.normal(size=keys.size)
    lines = "\n".join(f"{key!r},{value!r}" for key, value in zip(keys.tolist(), values.tolist(), strict=True))
    page = show(example())
    open_file(page, "many.csv", lines.encode())
    page.locator(".lf-job:visible").first.wait_for()
    page.locator(".lf-job:visible button").first.click()
    page.locator(".query-handle").press("ArrowRight")  # the page responds meanwhile
    page.wait_for_selector("[data-pending]", state="detached")
    assert not settled(page)["has_scores"]
    now = choose(page, by_index=2, bandwidth=0.5)
    np.testing.assert_allclose(
        now["estimate"], nadaraya_watson([now["query"]], keys, values, now["bandwidth"]), rtol=1e-9
    )
    page.wait_for_selector("[data-pending]", state="detached")
    assert now["n_keys"] == 20_000 and "keys" not in now
    _, _, fitted, _ = table(saved(page, "Points (CSV)"))
    np.testing.assert_allclose(fitted, nadaraya_watson(keys, keys, values, now["bandwidth"]), rtol=1e-6)
