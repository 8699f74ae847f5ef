"""What can be estimated of a design, and over which levels means are averaged."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden
from validation.random_models import random_model

FOLDS = pd.DataFrame(
    [
        ("iris", "irisf0", "k0", "svm", 0.90),
        ("iris", "irisf0", "k0", "tree", 0.80),
        ("iris", "irisf1", "k1", "svm", 0.92),
        ("iris", "irisf1", "k1", "tree", 0.85),
        ("iris", "irisf2", "k2", "svm", 0.91),
        ("iris", "irisf2", "k2", "tree", 0.83),
        ("wine", "winef0", "k0", "svm", 0.70),
        ("wine", "winef0", "k0", "tree", 0.65),
        ("wine", "winef1", "k1", "svm", 0.72),
        ("wine", "winef1", "k1", "tree", 0.61),
    ],
    columns=["data", "fold", "k", "alg", "y"],
)


@pytest.mark.parametrize("formula", ["y ~ alg + data/fold", "y ~ alg + data/k"])
def test_folds_are_averaged_within_data_sets(formula):
    means = pc.linear_model(FOLDS, formula).emmeans("alg")
    pairs = means.contrasts()
    # By hand: folds averaged in each data set, then data sets; t of 5 pairs.
    iris, wine = FOLDS["y"][:6].mean(), FOLDS["y"][6:].mean()
    difference = FOLDS["y"][::2].to_numpy() - FOLDS["y"][1::2].to_numpy()
    half = np.array([0.5, -0.5]) * difference.mean()
    assert_digits(means.table["estimate"], (iris + wine) / 2 + half, at_least=12)
    error = difference.std(ddof=1) / np.sqrt(5)
    row = pairs.table.iloc[0]
    assert_digits(row["estimate"], difference.mean(), at_least=12)
    assert_digits(row["std_error"], error, at_least=11)
    assert row["df"] == 4 and row["p_value"] == pytest.approx(0.00155, abs=5e-6)
    assert not means.notes and not pairs.notes


@pytest.mark.parametrize("formula", ["y ~ alg + data:fold", "y ~ alg + data:k"])
def test_a_difference_is_estimable_where_no_mean_is(formula):
    means = pc.linear_model(FOLDS, formula).emmeans("alg")
    assert means.table["estimate"].isna().all() and "not estimable" in means.notes[0]
    pairs = means.contrasts()
    assert_digits(pairs.table["estimate"], [0.082], at_least=12)
    assert pairs.table["df"].tolist() == [4] and not pairs.notes


def test_folds_have_means_with_their_data_sets():
    model = pc.linear_model(FOLDS, "y ~ alg + data/k")
    means = model.emmeans("k")
    assert means.factors == ("data", "k") and len(means.table) == 5
    by = model.contrasts("k", by="data").table
    assert by["data"].tolist() == ["iris"] * 3 + ["wine"]
    assert by["contrast"].tolist() == ["k0 - k1", "k0 - k2", "k1 - k2", "k0 - k1"]
    with pytest.raises(pc.InputError, match="leave a factor to compare"):
        model.contrasts("k", by="k")


def test_differences_of_differences_are_of_cells_that_there_are():
    model = pc.linear_model(FOLDS, "y ~ alg * data + data:k")
    found = model.contrasts(("alg", "k"), "interaction", by="data").table
    assert len(found) == 4 and set(found["data"]) == {"iris", "wine"}
    named = pc.linear_model(FOLDS, "y ~ alg + data/fold")
    with pytest.raises(pc.InputError, match="no two levels of one factor come with"):
        named.contrasts("fold", "interaction")


def test_the_report_shows_factors_within_others(tmp_path):
    model = pc.linear_model(FOLDS, "y ~ alg + data/fold")
    page = (pc.report(model, tmp_path / "r") / "report.html").read_text()
    assert "svm - tree" in page and "Means by data:fold" in page


DESIGNS = golden("nested_means")["designs"]


def numbers(values):
    return np.atleast_1d(np.array(values, float))


@pytest.mark.parametrize("design", DESIGNS, ids=lambda one: one["formula"])
def test_means_and_differences_are_those_of_emmeans(design):
    model = pc.linear_model(pd.DataFrame(design["data"]), design["formula"])
    for name, wanted in design["means"].items():
        slopes = name == "slopes"
        means = model.slopes("x", "alg") if slopes else model.emmeans(name)
        levels = pd.DataFrame(wanted["levels"])[list(means.factors)]
        # emmeans' order of the rows, and so of the pairs.
        own, there = means.table.reset_index(), levels.reset_index()
        rows = own.merge(there, on=list(means.factors))
        place = rows.set_index("index_y")["index_x"].sort_index().to_numpy()
        assert len(place) == len(levels) == len(means.table)
        pairs = means.contrasts().table
        order = list(combinations(range(len(place)), 2))
        where = [order.index(tuple(sorted(place[list(ij)]))) for ij in order]
        turned = np.array([1 if place[i] < place[j] else -1 for i, j in order])
        for column, key in (("estimate", "estimate"), ("std_error", "std_error")):
            ours = means.table[column].to_numpy()[place]
            assert np.allclose(ours, numbers(wanted[key]), rtol=1e-9, equal_nan=True)
        ours = pairs["estimate"].to_numpy()[where] * turned
        there = numbers(wanted["differences"])
        assert np.allclose(ours, there, rtol=1e-8, atol=1e-10, equal_nan=True)
        ours = pairs["std_error"].to_numpy()[where]
        there = numbers(wanted["difference_errors"])
        assert np.allclose(ours, there, rtol=1e-8, equal_nan=True)


def dummies(frame, formula, columns):
    """Columns of 0 and 1 for each cell of each term, as whole numbers."""
    terms = pc.linear_model(columns, formula).fit.read.terms
    found = [] if "0 +" in formula else [np.ones(len(frame), int)]
    for term in terms:
        names = [factor.column for factor in term]
        groups = [n for n in names if n != "x"]
        x = np.rint(frame["x"] * 100).astype(int) if "x" in names else 1
        for cell in product(*(sorted(set(columns[n])) for n in groups)):
            here = np.ones(len(frame), int)
            for name, level in zip(groups, cell, strict=True):
                here = here * (frame[name] == level).to_numpy()
            found.append(here * x)
    return np.column_stack(found)


def rank(matrix):
    """The rank of a matrix of whole numbers, modulo a large prime."""
    prime, rows, found = 2_147_483_629, matrix.astype(object) % 2_147_483_629, 0
    for column in range(rows.shape[1]):
        at = next((i for i in range(found, len(rows)) if rows[i, column]), None)
        if at is None:
            continue
        rows[[found, at]] = rows[[at, found]]
        rows[found] = rows[found] * pow(int(rows[found, column]), -1, prime) % prime
        for i in range(found + 1, len(rows)):
            if rows[i, column]:
                rows[i] = (rows[i] - rows[i, column] * rows[found]) % prime
        found += 1
    return found


CROSSED = [
    seed
    for seed in range(60)
    if "/" not in random_model(seed)[1] and "fold" not in random_model(seed)[1]
]


@pytest.mark.parametrize("seed", CROSSED[:20])
def test_a_contrast_is_nan_exactly_where_its_row_is_not_in_the_row_space(seed):
    frame, formula = random_model(seed)
    model = pc.linear_model(frame, formula)
    names = [n for n in ("alg", "data", "prep") if n in model.fit.grid.factors]
    assert not model.fit.grid.nests
    levels = {name: sorted(set(frame[name])) for name in names}
    grid = pd.DataFrame(list(product(*levels.values())), columns=names)
    grid["x"] = 10
    design, cells = (dummies(one, formula, frame) for one in (frame, grid))
    full = rank(design)
    means = model.emmeans(names[:2])
    rows = [
        cells[(grid[names[:2]] == list(label)).all(axis=1).to_numpy()].sum(axis=0)
        for label in means.table[names[:2]].itertuples(index=False)
    ]

    def estimable(row):
        return rank(np.vstack([design, row])) == full

    assert means.table["estimate"].notna().tolist() == [estimable(r) for r in rows]
    wanted = [estimable(a - b) for a, b in combinations(rows, 2)]
    assert means.contrasts().table["estimate"].notna().tolist() == wanted
    weights = {"mine": [Fraction(1), *[0] * (len(rows) - 2), Fraction(-1)]}
    mine = means.contrasts(weights).table["estimate"].notna().tolist()
    assert mine == [estimable(rows[0] - rows[-1])]
