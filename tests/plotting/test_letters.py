"""The SVG that lays out each kind of text once is Matplotlib's, made as short."""

from __future__ import annotations

import io

import pytest
from matplotlib.figure import Figure

from pycompare.plotting import style
from pycompare.plotting.svg import compact

TEXTS = {
    "numbers": (
        "0.123",
        "4567890",
        "\N{MINUS SIGN}12.3",
        "1e-17",
        "p < 0.001",
        "11/17",
    ),
    "words": ("C4.5 against NaiveBayes", "office, affine 1", "AVATAR 1-NN", "  9  "),
    "scripts": (
        "\u03c7\u00b2(4) = 39.9",
        "\u05d0\u05d1 12 \u05d2 34",
        "\u0627 12",
        "e\u0301 1",
    ),
    "marks": ("$x_1$ & <b> 2%", "two\nlines of 31", "\u6df1\u5c64 3"),
}


def figure_of(texts: tuple[str, ...], **options: object) -> Figure:
    figure = style.new_figure(300, 200)
    ax = figure.add_axes((0.2, 0.2, 0.7, 0.7))
    for i, text in enumerate(texts):
        for size, weight in ((7.5, "normal"), (9, "bold")):
            place = 0.1 * size - 0.5, i / len(texts)
            ax.text(*place, text, size=size, weight=weight, ha="center", **options)
    return figure


def of_matplotlib(figure: Figure) -> str:
    file = io.StringIO()
    with style.context(), style.quiet_glyphs():
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("family", ["DejaVu Sans", "DejaVu Serif"])
def test_texts_are_those_of_matplotlib(kind: str, family: str) -> None:
    with style.context():
        made = figure_of(TEXTS[kind], family=family)
    assert style.to_svg(made) == compact(of_matplotlib(made))


def test_texts_of_users_are_those_of_matplotlib() -> None:
    made = figure_of(("a 12", "34"), rotation=30, va="top", parse_math=True)
    made.axes[0].text(0, 0, "$x^{12}$ and 3", fontfeatures=("-kern",))
    made.axes[0].plot([0, 1], [0, 1], rasterized=True)
    assert style.to_svg(made) == compact(of_matplotlib(made))
    assert made.canvas.figure is made


def test_a_figure_that_is_laid_out_while_it_is_saved_is_written() -> None:
    # Matplotlib then asks for a renderer by saving to a file of bytes.
    with style.context():
        made = Figure(figsize=(3, 2), layout="constrained")
        made.subplots().set_title("0.25")
        assert "0.25" in style.to_svg(made)
