"""Pictures for print: their width, their letters, their files."""

import re

import pandas as pd
import pytest
from matplotlib.text import Text

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting import style
from tests.plotting.looking import boxes
from tests.predictions import predictions, rows

COLUMN = 3.4
READABLE = 6.0


def drawn(width):
    """Pictures of examples, each as wide as a column of a journal."""
    options = {"width": width, "footnote": False}
    ranks, folds = pc.nemenyi(pc.example()), pc.example("folds")
    anova = pc.anova(folds, metric="error")
    cases = predictions(folds=4, algorithms=[("logistic regression", 1), ("LDA", 0.5)])
    named_cases = predictions(
        frame=rows(folds=1, algorithms=[("logistic regression", 1), ("LDA", 0.5)]),
        case="case",
    )
    pair = {"algorithms": ("QDA", "9-NN"), "metric": "error"}
    areas = {"LDA": [pc.mean_curve(cases, algorithm="LDA").area]}
    return {
        "critical_difference": plotting.critical_difference(ranks, **options),
        "p_matrix": plotting.p_matrix(ranks, **options),
        "mean_ranks": plotting.mean_ranks(ranks, **options),
        "pair_graph": plotting.pair_graph(ranks, **options),
        "dominance": plotting.dominance(ranks, **options),
        "distributions": plotting.distributions(folds, metric="error", **options),
        "residuals": plotting.residuals(anova, **options),
        "normal_quantiles": plotting.normal_quantiles(anova, **options),
        "paired_histograms": plotting.paired_histograms(folds, **pair, **options),
        "ellipses": plotting.ellipses(folds, **options),
        "canonical_variates": plotting.canonical_variates(pc.manova(folds), **options),
        "auc_intervals": plotting.auc_intervals(areas, **options),
        "roc_curves": plotting.roc_curves(cases, **options),
        "pr_curves": plotting.pr_curves(cases, **options),
        "cost_curves": plotting.cost_curves(cases, **options),
        "curve_differences": plotting.curve_differences(
            pc.compare_curves(named_cases, whole_curves=True).analyses[0].whole_curves,
            **options,
        ),
    }


@pytest.fixture(scope="module")
def column():
    return drawn(COLUMN)


def test_pictures_are_as_wide_as_asked(column):
    widths = {n: float(ax.figure.get_size_inches()[0]) for n, ax in column.items()}
    assert widths == pytest.approx(dict.fromkeys(column, COLUMN))


def test_letters_stay_readable_and_inside(column):
    for name, ax in column.items():
        shown = [t for t in ax.figure.findobj(Text) if t.get_text()]
        assert min(t.get_fontsize() for t in shown) >= READABLE, name
        for text, (left, _, right, _) in boxes(ax, 100).items():
            assert left >= -1 and right <= 100 * COLUMN + 1, (name, text)


def test_a_footnote_is_drawn_unless_it_is_left_out():
    ranks = pc.nemenyi(pc.example())
    without = plotting.mean_ranks(ranks, footnote=False).figure
    both = plotting.mean_ranks(ranks).figure
    assert without.get_size_inches()[1] < both.get_size_inches()[1]


@pytest.mark.parametrize("width", [0.5, 1e9, float("nan"), -3])
def test_impossible_widths_are_refused(width):
    with pytest.raises(InputError, match="width="):
        plotting.mean_ranks(pc.nemenyi(pc.example()), width=width)


def test_a_width_is_of_a_new_figure():
    ax = style.new_figure(300, 200).add_axes((0, 0, 1, 1))
    with pytest.raises(InputError, match="leave ax out"):
        plotting.mean_ranks(pc.nemenyi(pc.example()), width=3.4, ax=ax)


def test_pictures_are_written_by_their_ending(tmp_path, column):
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG", "pgf": b"% Made by"}
    for kind, start in starts.items():
        path = plotting.save(column["p_matrix"], tmp_path / f"p.{kind}")
        assert path.read_bytes().startswith(start)
    with pytest.raises(InputError, match=r"\.pgf"):
        plotting.save(column["p_matrix"], tmp_path / "p.bmp")


def test_labels_are_no_code_in_pgf(tmp_path):
    scores = pc.example().select(algorithms=["C4.5", "1-NN", "CN2"])
    names = [r"\input{/etc/passwd}", r"\write18{id}", "$x$ % & _ # ~ ^ { }"]
    wide = {n: scores.values[:, j, 0] for j, n in enumerate(names)}
    hostile = pc.Scores.from_wide(pd.DataFrame(wide), metric="m", better="higher")
    ax = plotting.critical_difference(pc.nemenyi(hostile))
    text = plotting.save(ax, tmp_path / "x.pgf").read_text()
    commands = set(re.findall(r"\\[A-Za-z@]+", text))
    assert all(
        re.match(r"\\(pgf|definecolor|begin|end|make|usepackage)", c) for c in commands
    )
    assert "passwd" not in text and "write" not in text
    assert text.count("{") == text.count("}")


def test_a_document_lays_a_picture_out_anew_for_a_width():
    from pycompare.reporting.document import Figure

    ranks = pc.nemenyi(pc.example())
    figure = Figure("ranks", lambda: plotting.critical_difference(ranks), "C.", "Alt.")
    assert figure.width <= 5.3
    pdf = figure.pdf(COLUMN)
    assert b"/MediaBox [ 0 0 244.8" in pdf
    assert pdf == figure.pdf(COLUMN)
