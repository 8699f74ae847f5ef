"""What is really drawn: boxes of letters, lines by name."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from matplotlib.text import Text

import pycompare as pc
from pycompare.plotting import style

LONG = (
    "gradient boosting with early stopping, depth {}, learning rate 0.1",
    "SVM_rbf $\\gamma_{{{}}}$ \\frac{{1}}{{2}} 100%",
    "kNN {}",
    "<script>alert({})</script> & 'quotes' \"too\"",
    "W" * 40 + "{}" + "W" * 40,
    "random forest of 500 trees number {} " + "and so on " * 30,
)


def long_names(count: int) -> list[str]:
    return [LONG[i % len(LONG)].format(i) for i in range(count)]


def random_scores(n: int, a: int, *, names=None, seed=0, shift=2.0) -> pc.Scores:
    """Scores whose means rise with the algorithm's number; lower is better."""
    values = np.random.default_rng(seed).normal(size=(n, a)) + np.linspace(0, shift, a)
    return pc.Scores(
        values[:, :, np.newaxis],
        tuple(str(i + 1) for i in range(n)),
        tuple(names or [f"A{j + 1}" for j in range(a)]),
        (pc.Metric("error", "lower"),),
    )


def shown_texts(ax: Axes) -> list[Text]:
    """All texts that the axes draw, tick labels, axis labels, inner axes included."""
    ax.figure.draw_without_rendering()
    return texts_as_drawn(ax)


def texts_as_drawn(ax: Axes) -> list[Text]:
    """The same of a figure that has been drawn once, inner axes included."""
    texts = list(ax.texts)
    if ax.axison:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            texts += [
                tick.label1
                for tick in axis.get_major_ticks()
                if low <= tick.get_loc() <= high and tick.label1.get_visible()
            ]
            texts.append(axis.label)
    for inner in ax.child_axes:
        texts += texts_as_drawn(inner)
    return [text for text in texts if text.get_text()]


def boxes(ax: Axes, dpi: float) -> dict[str, np.ndarray]:
    """Ends (left, bottom, right, top) of each text in pixels, by number and text."""
    ax.figure.set_dpi(dpi)
    with style.context(), style.quiet_glyphs():
        renderer = FigureCanvasAgg(ax.figure).get_renderer()
        return {
            f"{i} {text.get_text()}": text.get_window_extent(renderer).extents
            for i, text in enumerate(shown_texts(ax))
        }


def collisions(ax: Axes, dpi: float = 100) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes overlap by more than a pixel each way."""
    found = boxes(ax, dpi)
    names, ends = list(found), np.array(list(found.values()))
    low = np.maximum(ends[:, None, :2], ends[None, :, :2])
    high = np.minimum(ends[:, None, 2:], ends[None, :, 2:])
    pairs = np.argwhere(np.triu(np.all(high - low > 1, axis=2), 1))
    return [(names[i], names[j]) for i, j in pairs]


def cut_off(ax: Axes, dpi: float = 100) -> list[str]:
    """Texts that reach beyond the figure."""
    width, height = ax.figure.get_size_inches() * dpi
    return [
        text
        for text, (left, bottom, right, top) in boxes(ax, dpi).items()
        if left < 0 or bottom < 0 or right > width or top > height
    ]


def two_metrics(
    n: int, a: int, *, names=None, seed=0, units=(1.0, 1.0), offsets=(0.0, 0.0)
) -> pc.Scores:
    """Two correlated metrics whose means rise with the algorithm's number."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, a, 2)) @ [[1.0, 0.5], [0.0, 0.8]]
    z += rng.normal(size=(n, 1, 1)) + np.linspace(0, 4, a)[:, None]
    return pc.Scores(
        z * units + offsets,
        tuple(f"f{i}" for i in range(n)),
        tuple(names or [f"A{j + 1}" for j in range(a)]),
        (pc.Metric("tpr $x$", "higher"), pc.Metric("<fpr>", "lower")),
    )


def lines(ax: Axes, prefix: str) -> dict[str, Line2D]:
    """Lines by the rest of their name."""
    return {
        line.get_gid().removeprefix(prefix): line
        for line in ax.lines
        if (line.get_gid() or "").startswith(prefix)
    }


def texts(ax: Axes, prefix: str) -> list[str]:
    """Texts whose name begins with the prefix, in the order of drawing."""
    return [t.get_text() for t in ax.texts if (t.get_gid() or "").startswith(prefix)]


def caption(ax: Axes) -> str:
    return " ".join(" ".join(texts(ax, "caption")).split())
