"""Open and run a notebook in the browser edition, and move its first slider."""

from playwright.sync_api import expect

TIMEOUT = 1800 * 1000  # milliseconds, for a whole chapter on a busy machine
EVERY_CELL_RAN = r"""() => {
  const prompts = [...document.querySelectorAll(".jp-CodeCell .jp-InputArea-prompt")];
  return prompts.length > 0 && prompts.every((prompt) => /\[\d+\]/.test(prompt.textContent));
}"""
NOTHING_RUNS = """() => [...document.querySelectorAll(".jp-CodeCell .jp-InputArea-prompt")]
  .every((prompt) => !prompt.textContent.includes("*"))"""
COMPLAINTS = """() => [...document.querySelectorAll(".jp-OutputArea-output")]
  .filter((output) => /error|stderr/.test(output.dataset.mimeType)).map((output) => output.textContent)"""


def open_in_browser(page, site, name):
    page.goto(f"{site}/lite/notebooks/index.html?path=chapters/{name}.ipynb")
    status = page.locator("#course-bar [role=status]")
    status.get_by_text("Python is starting").wait_for(timeout=TIMEOUT)
    page.locator("#course-bar [data-python=ready]").wait_for(timeout=TIMEOUT)


def run_all(page):
    page.locator(".lm-MenuBar").get_by_text("Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_function(EVERY_CELL_RAN, timeout=TIMEOUT)


def move_a_slider(page):
    """Move the first slider of the first figure that is not a sketch; return the states before and after."""
    sketch, slider = page.locator('[data-figure="prediction"]'), page.locator("[role='slider']")
    panel = page.locator(".live-panel").filter(has_not=sketch).filter(has=slider).first
    panel.scroll_into_view_if_needed()  # figures below the viewport are drawn only when they come near it
    figure = panel.locator(".live-figure[data-state]").first
    before = figure.get_attribute("data-state")
    panel.locator("[role='slider']:visible").first.press("ArrowLeft")
    expect(figure).not_to_have_attribute("data-state", before)
    return before, figure.get_attribute("data-state")


def run_until_a_slider(page):
    """Run the cells in order, as a student would, until the first figure with a slider appears."""
    page.locator(".jp-Cell").first.click()
    slider = page.locator(".live-panel .noUi-handle")
    for _ in range(page.locator(".jp-Cell").count()):
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(NOTHING_RUNS, timeout=TIMEOUT)
        if slider.count():
            break
