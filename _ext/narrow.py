"""Each plot a second time, for a phone: as wide as its page, its words no smaller, panels beneath each other.

Without it who reads on a phone would see words of 5 pixels, or scroll each plot sideways. Matplotlib draws a
figure for one width, and its layout engines move no panel to another row.

`plots` has it done where a chapter is executed for the site.
"""

from dataclasses import dataclass
from io import StringIO

from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

WIDTH = 3.5  # inches: 336 pixels, and a page of 375 has room for 341
POINTS = 9  # 12 pixels
GAP = 0.06  # inches
SMALLEST = 0.6  # inches, of a panel
KEPT = {"picture": (0.4, 0.16), "plot": (0.8, 0)}  # a share of its width and some inches, at least


@dataclass
class Panel:
    """Axes and the place, in rows and columns, and size, in inches, that they had in the wide drawing."""

    ax: Axes
    rows: range
    columns: range
    width: float
    height: float

    @property
    def kind(self):
        return "picture" if self.ax.images or not self.ax.axison or self.ax.get_aspect() != "auto" else "plot"

    @property
    def is_one_of_many(self):
        """Whether it shares both axes with others: they are seen as one."""
        axes = self.ax.get_shared_x_axes(), self.ax.get_shared_y_axes()
        return all(len(shared.get_siblings(self.ax)) > 1 for shared in axes)

    def around(self):
        """The inches that labels need to the left, right, top and bottom of the axes."""
        box, dpi = self.ax.bbox, self.ax.figure.dpi
        tight = self.ax.get_tightbbox() or box
        sides = (box.x0 - tight.x0, tight.x1 - box.x1, tight.y1 - box.y1, box.y0 - tight.y0)
        return [max(side / dpi, 0) for side in sides]

    def least_width(self):
        """Room for the labels at both sides, and for the axes and the words above and below them."""
        left, right, _, _ = self.around()
        words = (self.ax.title, self.ax._left_title, self.ax.xaxis.label)
        longest = max(text.get_window_extent().width for text in words) / self.ax.figure.dpi
        share, more = KEPT[self.kind]
        kept = 0 if self.is_one_of_many else share * self.width + more
        return left + right + max(SMALLEST, longest, kept)


def draw_narrow(figure):
    """Return the SVG of a figure that was drawn, with its panels laid out again. This changes the figure."""
    figure.set_layout_engine("none")
    panels = [panel_of(ax) for ax in figure.axes if ax.get_subplotspec()]
    bars = [lay_flat(ax._colorbar) for ax in figure.axes if hasattr(ax, "_colorbar")]
    for text in figure.findobj(Text):
        text.set_fontsize(POINTS)
    for ax in figure.axes:
        ax.tick_params(labelsize=POINTS)
    for legend in list(figure.legends):
        box = legend.get_window_extent()
        is_above = box.y0 + box.y1 > figure.bbox.height
        arrange(legend, figure, WIDTH, loc="upper center" if is_above else "lower center")
    for panel in panels:
        lift_legend(panel)
    blocks = in_blocks(panels, WIDTH - GAP)
    for _ in range(3):  # ticks depend on sizes, and sizes on the labels of ticks
        place(figure, blocks, bars)
    figure.savefig(drawing := StringIO(), format="svg", facecolor=figure.get_facecolor())
    return drawing.getvalue()


def panel_of(ax):
    spec, size = ax.get_subplotspec(), ax.bbox.size / ax.figure.dpi
    return Panel(ax, spec.rowspan, spec.colspan, *size)


def lay_flat(bar):
    """Replace an upright colour bar by a flat one."""
    figure, upright = bar.ax.figure, bar.ax
    ticks = zip(upright.get_yticks(), [label.get_text() for label in upright.get_yticklabels()], strict=True)
    ticks = {at: label for at, label in ticks if bar.vmin <= at <= bar.vmax}
    label, axes = upright.get_ylabel(), figure.add_axes((0, 0, 1, 1))
    upright.remove()
    flat = figure.colorbar(bar.mappable, cax=axes, orientation="horizontal", extend=bar.extend, label=label)
    flat.set_ticks(list(ticks), labels=ticks.values())
    return axes


def lift_legend(panel):
    """Move a legend that lies in the axes above them: in narrow ones it would cover data."""
    ax, legend = panel.ax, panel.ax.get_legend()
    if not legend or not ax.bbox.overlaps(legend.get_window_extent()):
        return
    if panel.kind == "picture":
        return arrange(legend, ax.figure, WIDTH, loc="upper center")
    title = max(text.get_window_extent().height for text in (ax.title, ax._left_title)) / ax.figure.dpi
    above = ax.transAxes + ScaledTranslation(0, title, ax.figure.dpi_scale_trans)
    arrange(legend, ax, WIDTH - 0.7, loc="lower left", bbox_to_anchor=(0, 1), bbox_transform=above)


def arrange(old, parent, width, **place):
    """Replace a legend by one of as many columns as there is room for."""
    handles, texts, title = old.legend_handles, [text.get_text() for text in old.get_texts()], old.get_title()
    old.remove()
    look = {"fontsize": POINTS, "title_fontsize": POINTS, "title": title.get_text(), "columnspacing": 1}
    for n_columns in range(len(texts), 0, -1):
        new = parent.legend(handles, texts, ncols=n_columns, **look, **place)
        if n_columns == 1 or new.get_window_extent().width <= width * new.get_figure(root=True).dpi:
            break
        new.remove()


# ---- Which panels stand side by side ---------------------------------------------------------------------------


def in_blocks(panels, width):
    """Cut a grid between columns into blocks of at most this width. A block keeps the rows of its columns."""
    columns = columns_of(panels)
    blocks, room = [], 0
    for column in columns:
        needed = max(panel.least_width() for panel in column)
        if not blocks or needed > room or column[0].kind != blocks[-1][-1][0].kind:
            blocks, room = [*blocks, []], width
        blocks[-1].append(column)
        room -= needed + GAP
    if len({panel.kind for panel in panels}) == 1:  # 2 + 2 instead of 3 + 1
        size = -(-len(columns) // len(blocks))
        blocks = [columns[i : i + size] for i in range(0, len(columns), size)]
    for block in blocks[1:]:
        for panel in block[0]:
            label_again(panel, panels)
    return blocks


def columns_of(panels):
    """The panels of each column, from left to right. Columns that a panel spans belong together."""
    columns = []
    for panel in sorted(panels, key=lambda panel: panel.columns.start):
        if columns and panel.columns.start < max(other.columns.stop for other in columns[-1]):
            columns[-1].append(panel)
        else:
            columns.append([panel])
    return columns


def label_again(panel, panels):
    """Give a panel that now begins a row the label and the ticks that one to its left had for the row."""
    for other in panels:
        alike = other.rows == panel.rows and other.kind == panel.kind
        if alike and other.columns.stop <= panel.columns.start and not panel.ax.get_ylabel():
            panel.ax.set_ylabel(other.ax.get_ylabel(), fontsize=POINTS)
            if panel.ax.get_shared_y_axes().joined(panel.ax, other.ax):
                panel.ax.tick_params(labelleft=other.ax.yaxis.get_tick_params().get("labelleft", True))


# ---- Where they stand ------------------------------------------------------------------------------------------


def place(figure, blocks, bars):
    """Put blocks beneath each other, legends of the whole figure above or below them, colour bars last."""
    dpi, places, top = figure.dpi, {}, GAP / 2
    legends = {legend: legend.get_window_extent() for legend in figure.legends}
    above = [legend for legend, box in legends.items() if box.y0 + box.y1 > figure.bbox.height]
    below = [legend for legend in legends if legend not in above]
    for artist in above:
        top = put(artist, top, legends[artist].height / dpi, places)
    widest = max(len(block) for block in blocks)
    for block in blocks:
        top = place_block(block, widest, top, places)
    for bar in bars:
        labels = (bar.bbox.y0 - bar.get_tightbbox().y0) / dpi
        places[bar] = (WIDTH * 0.2, top + GAP, WIDTH * 0.6, 0.1)
        top += 0.1 + labels + 2 * GAP
    for artist in below:
        top = put(artist, top, legends[artist].height / dpi, places)
    settle(figure, places, top + GAP / 2)


def put(artist, top, height, places):
    places[artist] = (WIDTH / 2, top + height / 2)
    return top + height


def place_block(block, widest, top, places):
    """Note where a block's panels stand, in inches from the left and from the top; return where the block ends."""
    panels = [panel for column in block for panel in column]
    around = {panel.ax: panel.around() for panel in panels}
    across, down = spans(panels, "columns"), spans(panels, "rows")

    before, after = margins(across, {ax: sides[:2] for ax, sides in around.items()})
    room = WIDTH - GAP - sum(before) - sum(after) - GAP * (len(before) - 1)
    old = largest(across, {panel.ax: panel.width for panel in panels})
    if all(panel.kind == "picture" for panel in panels):  # the last ones are as large as those above
        room = min(room * len(before) / max(len(before), widest), 1.5 * sum(old))
    x, right = edges(GAP / 2, before, [room * width / sum(old) for width in old], after)
    widths = {ax: right[span[-1]] - x[span[0]] for ax, span in across.items()}

    before, after = margins(down, {ax: sides[2:] for ax, sides in around.items()})
    heights = largest(down, {panel.ax: height_for(panel, widths[panel.ax]) for panel in panels})
    y, bottom = edges(top, before, heights, after)
    for ax, span in down.items():
        places[ax] = (x[across[ax][0]], y[span[0]], widths[ax], bottom[span[-1]] - y[span[0]])
    return bottom[-1] + after[-1] + GAP


def spans(panels, side):
    """The rows or columns of a block, counted from 0, that each of its panels takes."""
    starts = sorted({getattr(panel, side).start for panel in panels})
    return {panel.ax: [i for i, at in enumerate(starts) if at in getattr(panel, side)] for panel in panels}


def margins(spans, needs):
    """What the labels need before and after each row or column: the most that one of its panels needs."""
    n = max(span[-1] for span in spans.values()) + 1
    before = [max((needs[ax][0] for ax in spans if spans[ax][0] == i), default=0) for i in range(n)]
    after = [max((needs[ax][1] for ax in spans if spans[ax][-1] == i), default=0) for i in range(n)]
    return before, after


def largest(spans, sizes):
    """The largest size in each row or column, a panel over several counted in equal parts."""
    n = max(span[-1] for span in spans.values()) + 1
    return [max(sizes[ax] / len(span) for ax, span in spans.items() if i in span) for i in range(n)]


def edges(start, before, sizes, after):
    """Where each row or column begins and ends."""
    begins, ends = [], []
    for space, size, behind in zip(before, sizes, after, strict=True):
        begins.append(start + space)
        ends.append(begins[-1] + size)
        start = ends[-1] + behind + GAP
    return begins, ends


def height_for(panel, width):
    return width * panel.height / panel.width if panel.kind == "picture" else min(panel.height, 0.8 * width)


def settle(figure, places, height):
    """Make the figure this high, and move everything to its place."""
    figure.set_size_inches(WIDTH, height)
    for artist, (x, y, *size) in places.items():
        if size:
            artist.set_position((x / WIDTH, 1 - (y + size[1]) / height, size[0] / WIDTH, size[1] / height))
        else:
            artist.set_loc("center")
            artist.set_bbox_to_anchor((x / WIDTH, 1 - y / height))
