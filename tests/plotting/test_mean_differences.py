from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from tests.designs.test_cases import scores as cases
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
    texts,
)

MINUS = "\N{MINUS SIGN}"


def rows(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def drawn(ax) -> dict[str, tuple[str, float, float, float]]:
    """Verdict, estimate and ends of each pair, read off the picture."""
    found = {}
    for verdict, dots in lines(ax, "dots-").items():
        (ends,) = (
            bars.get_segments()
            for bars in ax.collections
            if bars.get_gid() == f"intervals-{verdict}"
        )
        for (x, y), end in zip(dots.get_xydata(), ends, strict=True):
            assert np.all(end[:, 1] == y)
            found[rows(ax)[int(y)]] = (verdict, x, *end[:, 0])
    return found


@pytest.mark.parametrize("a", [2, 5, 12, 20])
def test_no_label_collides_or_leaves_the_figure(a):
    ax = plotting.mean_differences(pc.tukey(random_scores(20, a, names=long_names(a))))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(6, 4)).subplots()
    assert plotting.mean_differences(pc.tukey(random_scores(9, 3)), ax=ax) is ax


@pytest.mark.parametrize("alpha", [0.05, 0.3])
@pytest.mark.parametrize("method", ["tukey", "scheffe", "dunnett", "pairwise_t"])
def test_lines_dots_and_verdicts_are_those_of_the_table(method, alpha):
    scores = random_scores(15, 6, shift=1.5)
    options = {"control": "A2"} if method == "dunnett" else {}
    result = getattr(pc, method)(scores, **options)
    got = drawn(plotting.mean_differences(result, alpha=alpha))
    assert len(got) == len(result.table)
    verdicts = result.rejected(alpha)
    for i, row in result.table.iterrows():
        verdict, *numbers = got[f"{row['algorithm_1']} {MINUS} {row['algorithm_2']}"]
        assert (verdict == "significant") == verdicts[i]
        wanted = [row["estimate"], row["conf_low"], row["conf_high"]]
        assert numbers == pytest.approx(wanted)
    assert {v[0] for v in got.values()} == {"significant", "not-significant"}


def test_verdicts_differ_in_colour_and_marker():
    dots = lines(plotting.mean_differences(pc.tukey(random_scores(15, 6))), "dots-")
    yes, no = dots["significant"], dots["not-significant"]
    assert yes.get_color() != no.get_color()
    assert yes.get_markerfacecolor() == yes.get_color()
    assert no.get_markerfacecolor() == "white"


def test_the_greatest_difference_is_on_top_and_zero_is_marked():
    result = pc.tukey(random_scores(15, 6))
    ax = plotting.mean_differences(result)
    table = result.table.sort_values("estimate", ascending=False)
    assert rows(ax) == [
        f"{one} {MINUS} {other}"
        for one, other in zip(table["algorithm_1"], table["algorithm_2"], strict=True)
    ]
    (zero,) = lines(ax, "zero").values()
    assert list(zero.get_xdata()) == [0.0, 0.0]


@pytest.mark.parametrize(("better", "side"), [("higher", "> 0"), ("lower", "< 0")])
def test_the_axis_names_unit_adjustment_and_direction(better, side):
    plain = random_scores(15, 3)
    scores = pc.Scores(
        plain.values * 1e-9,
        plain.blocks,
        plain.algorithms,
        (pc.Metric("t $s$", better),),
    )
    label = plotting.mean_differences(pc.pairwise_t(scores)).get_xlabel()
    assert label.startswith("mean difference in t $s$ (\N{MULTIPLICATION SIGN} 1e-")
    assert label.endswith(f"{side}: first is better")


def test_the_caption_counts_and_tells_method_and_family():
    result = pc.tukey(random_scores(15, 6))
    text = caption(plotting.mean_differences(result))
    assert f"({int(result.rejected(0.05).sum())} of 15 pairs)" in text
    assert "simultaneous 95% (Tukey) intervals" in text
    assert "all 15 pairs of 6 algorithms" in text
    assert "disagree" not in text


def test_intervals_of_another_level_are_said_to_disagree():
    result = pc.tukey(random_scores(15, 6))
    covers = (result.table["conf_low"] <= 0) & (result.table["conf_high"] >= 0)
    count = int((covers & result.rejected(0.5)).sum())
    assert count > 0
    text = caption(plotting.mean_differences(result, alpha=0.5))
    assert f"disagree in {count} of 15 pairs" in text


def test_pairs_that_cannot_be_tested_are_crosses():
    plain = random_scores(5, 3)
    equal = pc.Scores(
        np.full_like(plain.values, 0.7), plain.blocks, plain.algorithms, plain.metrics
    )
    ax = plotting.mean_differences(pc.tukey(equal))
    assert set(lines(ax, "dots-")) == {"not-tested"}
    assert "3 of 3 comparisons could not be tested." in caption(ax)
    assert collisions(ax) == []


def test_without_residual_variance_there_are_dots_and_no_lines():
    plain = random_scores(4, 3)
    values = np.broadcast_to([[[1.0], [2.0], [2.0]]], plain.shape)
    exact = pc.Scores(values, plain.blocks, plain.algorithms, plain.metrics)
    ax = plotting.mean_differences(pc.tukey(exact))
    assert set(lines(ax, "dots-")) == {"not-significant", "not-tested"}
    assert "1 of 3 comparisons could not be tested." in caption(ax)
    assert "No intervals: the residual variance is zero." in caption(ax)
    assert "disagree" not in caption(ax)


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e300])
def test_scores_of_any_size_are_drawn(unit):
    plain = random_scores(9, 3)
    scores = pc.Scores(
        plain.values * unit, plain.blocks, plain.algorithms, plain.metrics
    )
    ax = plotting.mean_differences(pc.tukey(scores))
    assert collisions(ax) == []
    assert cut_off(ax) == []
    assert texts(ax, "caption")


def test_other_results_and_endless_lists_are_refused():
    with pytest.raises(InputError, match="NemenyiResult arrived"):
        plotting.mean_differences(pc.nemenyi(random_scores(9, 3)))
    with pytest.raises(InputError, match="528 pairs are more than the 500"):
        plotting.mean_differences(pc.scheffe(random_scores(4, 33)))


@pytest.mark.parametrize("cluster", [None, "text"])
def test_differences_over_cases_are_drawn_too(cluster):
    compare = pc.mcnemar_pairs if cluster is None else pc.cluster_pairs
    result = compare(cases(("A", "D"), cluster=cluster))
    [(name, (_, *numbers))] = drawn(plotting.mean_differences(result)).items()
    assert name == (f"A {MINUS} D" if cluster else "A against D")
    wanted = result.table.loc[0, ["estimate", "conf_low", "conf_high"]]
    assert numbers == pytest.approx(list(wanted))
