"""Cells hold the numbers of their tables, and no label collides."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.formatting.numbers import number
from pycompare.plotting import style
from pycompare.plotting.p_matrix import p_text
from tests.plotting.looking import collisions, cut_off, long_names, random_scores


def written(ax, stem: str) -> dict[str, str]:
    """Texts by what follows the stem in their id."""
    return {
        text.get_gid().removeprefix(f"{stem}-"): text.get_text()
        for text in ax.texts
        if (text.get_gid() or "").startswith(f"{stem}-")
    }


def names_of(ax, stem: str) -> list[str]:
    return list(written(ax, stem).values())


def centres(ax, gid: str) -> set[tuple[int, int]]:
    """Row and column of each square."""
    [found] = [c for c in ax.collections if c.get_gid() == gid]
    middles = [path.vertices[:4].mean(axis=0) for path in found.get_paths()]
    return {(int(np.rint(y)), int(np.rint(x))) for x, y in middles}


def table(seed: int, better: str = "higher", a: int = 5) -> pc.Scores:
    """Scores with ties."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(np.linspace(0, 1.5, a), size=(25, a)), 1)
    frame = {f"A{j}": x[:, j] for j in rng.permutation(a)}
    return pc.Scores.from_wide(frame, metric="m", better=better, algorithms=list(frame))


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(4))
def test_comparison_matrix_shows_what_was_decided(seed, better):
    scores = table(seed, better)
    pairs = pc.rank_pairs(scores, adjust="holm")
    ax = plotting.comparison_matrix(pairs, scores, alpha=0.1)
    names, texts = names_of(ax, "row"), written(ax, "cell")
    assert names == list(pairs.positions.sort_values(kind="stable").index)
    assert names == names_of(ax, "column")
    framed = centres(ax, "frames") if (pairs.table["p_adjusted"] <= 0.1).any() else {}
    frame = dict(zip(scores.algorithms, scores.column("m").T, strict=True))
    sign = 1 if better == "higher" else -1
    assert len(texts) == 3 * 20
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            if i == j:
                continue
            gap = sign * (frame[one] - frame[other])
            mean = frame[one].mean() - frame[other].mean()
            p = pairs.matrix().loc[one, other]
            assert texts[f"{i + 1}-{j + 1}-1"] == number(mean, 3)
            counts = (gap > 0).sum(), (gap == 0).sum(), (gap < 0).sum()
            assert texts[f"{i + 1}-{j + 1}-2"] == " / ".join(map(str, counts))
            assert texts[f"{i + 1}-{j + 1}-3"] == f"p = {p_text(p, 0.1)}"
            assert ((i, j) in framed) == (p <= 0.1)


@pytest.mark.parametrize("simultaneous", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_win_probabilities_are_those_of_the_table(seed, simultaneous):
    found = pc.superiority(table(seed), simultaneous=simultaneous)
    ax = plotting.win_probabilities(found)
    names, texts = names_of(ax, "row"), written(ax, "cell")
    framed = centres(ax, "frames")
    for row in found.table.itertuples():
        i, j = names.index(row.algorithm_1), names.index(row.algorithm_2)
        one, other = f"{i + 1}-{j + 1}", f"{j + 1}-{i + 1}"
        low, high = row.conf_low, row.conf_high
        assert texts[f"{one}-1"] == f"{row.estimate:.2f}"
        assert texts[f"{one}-2"] == f"{low:.2f} to {high:.2f}"
        assert texts[f"{other}-1"] == f"{1 - row.estimate:.2f}"
        assert texts[f"{other}-2"] == f"{1 - high:.2f} to {1 - low:.2f}"
        decided = not low <= 0.5 <= high
        assert ((i, j) in framed) == ((j, i) in framed) == decided
    assert len(texts) == 2 * 20
    assert ("simultaneous" in " ".join(names_of(ax, "caption"))) == simultaneous


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_heat_map_frames_the_best_of_each_row(better):
    scores = table(5, better)
    ax = plotting.heat_map(scores)
    names, texts = names_of(ax, "column"), written(ax, "cell")
    x = scores.column("m")[:, [scores.algorithms.index(name) for name in names]]
    best = x.max(axis=1) if better == "higher" else x.min(axis=1)
    expected = {(i, j) for i, j in np.argwhere(x == best[:, None]).tolist()}
    assert centres(ax, "frames") == expected
    for i, j in np.ndindex(*x.shape):
        assert texts[f"{i + 1}-{j + 1}-1"] == number(x[i, j], 3)
    assert names_of(ax, "row") == list(scores.blocks)
    mean_ranks = pc.friedman(scores).mean_ranks
    assert list(mean_ranks[names]) == sorted(mean_ranks)
    # The better a rank within the row, the darker its cell.
    [filled] = [c for c in ax.collections if c.get_gid() == "cells"]
    greys = filled.get_facecolor()[:, 0].reshape(x.shape)
    for row, grey in zip(x if better == "lower" else -x, greys, strict=True):
        assert (np.argsort(row, kind="stable") == np.argsort(grey, kind="stable")).all()


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_lines_of_the_bump_chart_are_the_ranks(better):
    scores = table(6, better)
    ax = plotting.bump_chart(scores)
    values = scores.column("m") if better == "lower" else -scores.column("m")
    lines = {line.get_gid(): line for line in ax.lines}
    for i, name in enumerate(scores.algorithms):
        expected = (values < values[:, [i]]).sum(axis=1) + (
            (values == values[:, [i]]).sum(axis=1) + 1
        ) / 2
        line = lines[f"ranks-{i + 1}"]
        assert line.get_ydata() == pytest.approx(expected)
        assert line.get_xdata() == pytest.approx(np.arange(25))
        assert written(ax, "algorithm")[str(i + 1)] == name
        assert lines[f"lead-{i + 1}"].get_ydata()[1] == pytest.approx(expected[0])
    assert names_of(ax, "block") == list(scores.blocks)


def drawn(scores: pc.Scores, **options):
    """All four pictures."""
    pairs = pc.rank_pairs(scores, adjust="holm")
    found = pc.superiority(scores, simultaneous=True)
    return {
        "comparison_matrix": plotting.comparison_matrix(pairs, scores, **options),
        "win_probabilities": plotting.win_probabilities(found, **options),
        "heat_map": plotting.heat_map(scores, **options),
        "bump_chart": plotting.bump_chart(scores, **options),
    }


@pytest.mark.parametrize(("a", "width"), [(2, None), (6, 4.0), (20, None), (20, 4.0)])
def test_no_label_collides_or_leaves_the_figure(a, width):
    scores = random_scores(12, a, names=long_names(a))
    for name, ax in drawn(scores, width=width).items():
        assert collisions(ax) == [], name
        assert cut_off(ax) == [], name


def test_cells_without_room_for_text_have_none():
    scores = random_scores(9, 60)
    ax = plotting.heat_map(scores, width=4.0)
    assert written(ax, "cell") == {} and len(centres(ax, "cells")) == 9 * 60


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 3)).subplots()
    assert plotting.heat_map(random_scores(4, 3), ax=ax) is ax


def test_what_cannot_be_drawn_is_refused():
    scores = table(1)
    pairs = pc.rank_pairs(scores, adjust="holm")
    with pytest.raises(pc.InputError, match="one comparison"):
        plotting.comparison_matrix(pairs, random_scores(25, 5, names=list("abcde")))
    control = pc.rank_pairs(scores, adjust="holm", control="A1")
    with pytest.raises(pc.InputError, match="comparison matrices need all pairs"):
        plotting.comparison_matrix(control, scores)
    with pytest.raises(pc.InputError, match="without a control"):
        plotting.win_probabilities(pc.superiority(scores, control="A1"))
    with pytest.raises(pc.InputError, match="31 blocks and room for 30"):
        plotting.bump_chart(random_scores(31, 3))


def test_names_are_short_labels_of_all_names():
    names = long_names(8)
    ax = plotting.heat_map(random_scores(5, 8, names=names))
    assert set(names_of(ax, "column")) == set(style.short_labels(names))
