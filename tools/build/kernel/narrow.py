"""Lay out each plot a second time for phones: as wide as the page, with text of the same size and stacked panels.

On a phone, the wide plot would have text 5 pixels high or would scroll sideways. Matplotlib draws a figure for one
width, and its layout engines never move a panel to a different row. Here the panels get rows of their own, and
constrained layout makes room for their text.

`plots` calls this where a chapter is executed for the site.
"""

from io import StringIO

from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

WIDTH = 3.5  # inches: 336 pixels, which fit into the 341 of a page of 375
POINTS = 9  # 12 pixels
GAP = 0.06  # inches
SMALLEST_PANEL = 0.6  # inches, of a panel


def draw_narrow(figure):
    """Return the SVG of a drawn figure with its panels laid out again. This modifies the figure."""
    drawn = [artist for ax in figure.axes for artist in ax.get_children()]
    bars = [artist.colorbar for artist in drawn if getattr(artist, "colorbar", None)]
    panels = [ax for ax in figure.axes if ax.get_subplotspec() and ax not in [bar.ax for bar in bars]]
    sizes = {ax: ax.bbox.size / figure.dpi for ax in panels}
    for text in figure.findobj(Text):
        text.set_fontsize(POINTS)
    for ax in figure.axes:
        ax.tick_params(labelsize=POINTS)
    for legend in list(figure.legends):
        box = legend.get_window_extent()
        side = "upper" if box.y0 + box.y1 > figure.bbox.height else "lower"
        arrange(legend, figure, WIDTH, loc=f"outside {side} center")
    for ax in panels:
        lift_legend(ax)
    blocks = in_blocks(panels, sizes)
    for ax in panels:
        state_title(ax)
    grid = place(figure, blocks, sizes)
    for bar in bars:
        lay_flat(bar, blocks[-1])
    figure.set_layout_engine("constrained", w_pad=GAP / 2, h_pad=GAP / 2, wspace=0, hspace=0)
    settle(figure, grid, blocks, sizes)
    figure.savefig(drawing := StringIO(), format="svg", facecolor=figure.get_facecolor())
    return drawing.getvalue()


def is_picture(ax):
    return bool(ax.images) or not ax.axison or ax.get_aspect() != "auto"


def titles(ax):
    """Return the centre and left titles of axes, which Matplotlib stores as private attributes."""
    words = {place: ax.get_title(place) for place in ("center", "left")}
    return [ax.set_title(text, loc=place, fontsize=POINTS) for place, text in words.items() if text]


def state_title(ax):
    """Replace a title by text, because constrained layout ignores the width of a title."""
    for title in titles(ax):
        at, align = title.get_position()[0], title.get_horizontalalignment()
        look = {"ha": align, "va": "bottom", "color": title.get_color(), "fontsize": POINTS}
        ax.annotate(title.get_text(), (at, 1), (0, 4), "axes fraction", "offset points", **look)
        title.set_text("")


def lay_flat(bar, panels):
    """Replace a vertical colour bar by a horizontal one below these panels."""
    label, figure = bar.ax.get_ylabel(), bar.ax.figure
    bar.ax.remove()
    look = {"location": "bottom", "aspect": 24, "shrink": 0.7, "pad": 0.02}
    ticks = {"ticks": bar.locator, "format": bar.formatter}
    flat = figure.colorbar(bar.mappable, ax=panels, extend=bar.extend, **ticks, **look)
    flat.set_label(label, fontsize=POINTS)
    flat.ax.tick_params(labelsize=POINTS)


def lift_legend(ax):
    """Move a legend inside the axes above them: in narrow axes it would cover data."""
    legend = ax.get_legend()
    if not legend or not ax.bbox.overlaps(legend.get_window_extent()):
        return
    if is_picture(ax):
        return arrange(legend, ax.figure, WIDTH, loc="outside upper center")
    title = max([text.get_window_extent().height for text in titles(ax)], default=0) / ax.figure.dpi
    above = ax.transAxes + ScaledTranslation(0, title, ax.figure.dpi_scale_trans)
    arrange(legend, ax, WIDTH - 0.7, loc="lower left", bbox_to_anchor=(0, 1), bbox_transform=above)


def arrange(old, parent, width, **place):
    """Replace a legend by one with as many columns as fit."""
    handles, texts, title = old.legend_handles, [text.get_text() for text in old.get_texts()], old.get_title()
    old.remove()
    look = {"fontsize": POINTS, "title_fontsize": POINTS, "title": title.get_text(), "columnspacing": 1}
    for n_columns in range(len(texts), 0, -1):
        new = parent.legend(handles, texts, ncols=n_columns, **look, **place)
        if n_columns == 1 or new.get_window_extent().width <= width * new.get_figure(root=True).dpi:
            break
        new.remove()


# ---- Which panels are side by side -----------------------------------------------------------------------------


def in_blocks(panels, sizes):
    """Split a grid between columns into blocks that fit the width. A block keeps the rows of its columns."""
    columns = columns_of(panels)
    blocks, room = [], 0
    for column in columns:
        needed = max(least_width(ax, sizes[ax][0]) for ax in column)
        if not blocks or needed > room or is_picture(column[0]) != is_picture(blocks[-1][-1][0]):
            blocks, room = [*blocks, []], WIDTH - GAP
        blocks[-1].append(column)
        room -= needed + GAP
    if len({is_picture(ax) for ax in panels}) == 1:  # 2 + 2 instead of 3 + 1
        size = -(-len(columns) // len(blocks))
        blocks = [columns[i : i + size] for i in range(0, len(columns), size)]
    for block in blocks[1:]:
        for ax in block[0]:
            label_again(ax, panels)
    return [[ax for column in block for ax in column] for block in blocks]


def columns_of(panels):
    """Return the panels of each column, from left to right. Columns that a panel spans belong together."""
    columns, end = [], 0
    for ax in sorted(panels, key=lambda ax: ax.get_subplotspec().colspan.start):
        span = ax.get_subplotspec().colspan
        if span.start >= end:
            columns.append([])
        columns[-1].append(ax)
        end = max(end, span.stop)
    return columns


def least_width(ax, width):
    """Return the room for the labels on both sides, and for the axes and the text above and below them."""
    tight, dpi = ax.get_tightbbox(for_layout_only=True) or ax.bbox, ax.figure.dpi
    words = max(text.get_window_extent().width for text in [*titles(ax), ax.xaxis.label])
    kept = 0.4 * width + 0.16 if is_picture(ax) else 0.8 * width
    shared = ax.get_shared_x_axes(), ax.get_shared_y_axes()
    if all(len(axes.get_siblings(ax)) > 1 for axes in shared):  # panels that readers compare
        kept = 0
    return (tight.width - ax.bbox.width) / dpi + max(SMALLEST_PANEL, words / dpi, kept)


def label_again(ax, panels):
    """Give a panel that now begins a row the label and the ticks that the panel to its left had."""
    own = ax.get_subplotspec()
    for other in panels:
        spec = other.get_subplotspec()
        alike = spec.rowspan == own.rowspan and is_picture(other) == is_picture(ax)
        if alike and spec.colspan.stop <= own.colspan.start and not ax.get_ylabel():
            ax.set_ylabel(other.get_ylabel(), fontsize=POINTS)
            if ax.get_shared_y_axes().joined(ax, other):
                ax.tick_params(labelleft=other.yaxis.get_tick_params().get("labelleft", True))


# ---- Positions -------------------------------------------------------------------------------------------------


def place(figure, blocks, sizes):
    """Stack blocks. Images in the last one are as large as those above."""
    grid = figure.add_gridspec(len(blocks), 1)
    widest = max(len(columns_of(block)) for block in blocks)
    for cell, block in zip(grid, blocks, strict=True):
        down, across = ranks(block, "rowspan"), ranks(block, "colspan")
        n_rows, n_columns = (max(span.stop for span in spans.values()) for spans in (down, across))
        more = max(widest - n_columns, 0) if all(map(is_picture, block)) else 0
        inner = cell.subgridspec(n_rows, n_columns + more)
        for ax in block:
            ax.set_subplotspec(inner[down[ax], across[ax]])
        widths = shares(block, "colspan", {ax: sizes[ax][0] for ax in block}, max)
        inner.set_width_ratios([*widths, *more * [max(widths)]])
    return grid


def ranks(panels, side):
    """Return the rows or columns that each of these panels occupies, ignoring unoccupied ones."""
    spans = {ax: getattr(ax.get_subplotspec(), side) for ax in panels}
    starts = sorted({span.start for span in spans.values()})
    return {
        ax: slice(starts.index(span.start), sum(at < span.stop for at in starts)) for ax, span in spans.items()
    }


def shares(panels, side, sizes, choose):
    """Return the largest or smallest size in each row or column, splitting a panel over several equally."""
    spans = {ax: getattr(ax.get_subplotspec(), side) for ax in panels}
    n = max(span.stop for span in spans.values())
    return [choose(sizes[ax] / len(span) for ax, span in spans.items() if i in span) for i in range(n)]


def settle(figure, grid, blocks, sizes):
    """Fit each row's height to its panels by iteration: room for labels depends on sizes, and vice versa."""
    heights = [6.0] * len(blocks)  # of each block in inches: the initial guess is too large
    for _ in range(3):
        figure.set_size_inches(WIDTH, sum(heights))
        grid.set_height_ratios(heights)
        figure.draw_without_rendering()
        for number, block in enumerate(blocks):
            cells = {ax: ax.get_position(original=True).size * figure.get_size_inches() for ax in block}
            wanted = shares(block, "rowspan", {ax: height(ax, sizes[ax], cells[ax][0]) for ax in block}, max)
            found = shares(block, "rowspan", {ax: cells[ax][1] for ax in block}, min)
            block[0].get_subplotspec().get_gridspec().set_height_ratios(wanted)
            heights[number] += sum(wanted) - sum(found)
    figure.set_size_inches(WIDTH, sum(heights))
    grid.set_height_ratios(heights)


def height(ax, size, width):
    if is_picture(ax):
        return min(width, 1.5 * size[0]) * size[1] / size[0]
    return min(size[1], 0.8 * width)
