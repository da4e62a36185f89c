"""Labels of curves: their positions and their colours."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from lib.plotting import label_lines, mark_query, plot_curve


@pytest.fixture
def ax():
    yield plt.figure().subplots()
    plt.close()


@pytest.mark.parametrize("offset", [5, -5])
def test_label_is_beside_its_line(ax, offset):
    x = np.linspace(-1, 1, 41)
    curves = [plot_curve(ax, x, bend * x**2, f"{bend}", color=color) for bend, color in ((1, "red"), (-2, "blue"))]
    plot_curve(ax, x, 0 * x, label="_none")
    for at in (-0.6, 0.6, [0.5, -0.5]):
        for text, curve in zip(label_lines(ax, at, offset), curves, strict=True):
            box, points = text.get_window_extent(), ax.transData.transform(curve.get_xydata())
            nearest = box.y0 if offset > 0 else box.y1
            assert (np.sign(nearest - np.interp([box.x0, box.x1], *points.T)) == np.sign(offset)).all()
            assert text.get_color() == curve.get_color()


def test_label_stands_at_last_finite_point_of_line(ax):
    plot_curve(ax, [0, 1, 2], [1, 3, np.nan], "gap")
    mark_query(ax, 1.5)
    gap, query = label_lines(ax, offset=-4)
    assert gap.xy == (1, 3) and gap.get_ha() == query.get_ha() == "right"
    box = query.get_window_extent()
    assert box.y1 < ax.bbox.y1 and box.x1 < ax.transData.transform((1.5, 0))[0]
