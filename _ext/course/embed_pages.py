"""A page of its own for each live figure, `embed/<address>.html`, for a frame in a different page.

It has no widget runtime: `embed/embed.js` draws the controls. The page loads this script, the figure's code and
its data from files that the course's pages share. `_static/embed/<address>.js` describes the figure. Any host may
show the page in a frame (`site_headers`). A figure's menu saves the same page as one file (`embed/whole_page.js`).
"""

import json
import re
import shutil
from html import escape
from pathlib import Path

from _ext.course.private_api.anywidget import figure_of
from _ext.course.private_api.myst_nb import widget_state
from _ext.course.widget_assets import Parts
from tools.build.addresses import pages_address
from tools.build.page_files import write_whole

PAGE = (Path(__file__).parent / "embed" / "page.html").read_text("utf8")
RUNTIME = "figures/embed.js"
RECORDER = "figures/contract_lazy_worker.js"  # a saved page contains it
KINDS = {"FloatSliderModel": "number", "SelectionSliderModel": "stops", "DropdownModel": "menu"}
FIGURE_TRAITS = re.compile("_(esm|css|anywidget_id)|[^_].*")  # the traits that the figure or its page needs


def reference(text):
    """Return the ID in a reference to a widget."""
    return text.removeprefix("IPY_MODEL_")


def panels(widgets):
    """Yield the ID of each figure in a page's widget state, and the states of the widgets below it."""
    states = {key: widget["state"] | {"kind": widget["model_name"]} for key, widget in widgets.items()}
    for state in states.values():
        children = [reference(each) for each in state.get("children", [])]
        if children and figure_of(states[children[0]]):
            yield children[0], [states[each] for each in children[1:]]


def traits(widgets, figure):
    """Return the figure's trait that each of its sliders and menus is linked to, by the widget's ID."""
    links = [widget["state"] for widget in widgets.values() if widget["model_name"] == "LinkModel"]
    ends = [(each["source"], each["target"]) for each in links]
    return {reference(to[0]): trait for (source, trait), to in ends if reference(source) == figure}


def control(widget, trait):
    """Return what the page needs to draw a slider, a menu or the box that shows further settings."""
    state = widget["state"]
    common = {"label": state["description"], "classes": state["_dom_classes"]}
    if trait is None:
        return common | {"kind": "unfold"}
    common |= {"kind": KINDS[widget["model_name"]], "trait": trait}
    if common["kind"] == "number":
        decimals = int(re.fullmatch(r"\.(\d+)f", state["readout_format"])[1])
        return common | {name: state[name] for name in ("min", "max", "step")} | {"decimals": decimals}
    return common | {"names": state["_options_labels"]}


def figures_of(widgets):
    """Yield the state, the controls and the caption of each figure of a page."""
    for key, below in panels(widgets):
        linked = traits(widgets, key)
        inside = [reference(each) for state in below for each in state.get("children", [])]
        controls = [control(widgets[each], linked.get(each)) for each in inside]
        caption = "".join(state["value"] for state in below if state["kind"] == "HTMLModel")
        state = {name: value for name, value in widgets[key]["state"].items() if FIGURE_TRAITS.fullmatch(name)}
        yield {"state": state, "controls": controls, "caption": caption}


def write_figure(static, entry):
    """Write the page of a figure, and the script that describes it."""
    parts = Parts(static, "../_static/")
    address = entry["state"]["address"]
    state = parts.moved(entry["state"])
    lazy = [value["script"].removeprefix("../_static/") for value in state.values() if is_lazy(value)]
    text = json.dumps(entry | {"state": state, "scripts": [*parts.names, *lazy, RECORDER]}, ensure_ascii=False)
    own = f"embed/{address}.js"
    write_whole(static / own, f'(window.figureParts ??= {{}})["embed/{address}"] = {text};\n'.encode())
    names = [parts.versioned(RUNTIME), *parts.names, parts.versioned(own)]
    fills = {
        "title": escape(state["question"]),
        "scripts": "\n".join(f'<script src="../_static/{name}"></script>' for name in names),
        "page": f'data-page="embed/{address}" ',
        "address": address,
        "root": "../",
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda found: fills[found[1]], PAGE)
    write_whole(static.parent / "embed" / f"{address}.html", page.encode())


def is_lazy(value):
    return isinstance(value, dict) and "lazy" in value


def write_pages(app, exception):
    """Write the pages of all figures."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for folder in (static / "embed", static.parent / "embed"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    site = pages_address(app.config.html_theme_options["repository_url"], app.config.html_baseurl)
    for pagename in sorted(app.env.found_docs):
        for entry in figures_of(widget_state(app.env, pagename)["state"]):
            write_figure(static, entry | {"home": f"../{pagename}.html", "site": site})
