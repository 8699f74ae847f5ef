"""What terms test where cells are empty, covariates interact or factors lie within."""

from fractions import Fraction
from itertools import product
from operator import mul

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.reporting.model_report import conclusions

# Kutner (1974), as in the examples of SAS' procedure GLM: change of blood pressure.
KUTNER = {
    ("d1", "s1"): [42, 44, 36, 13, 19, 22], ("d1", "s2"): [33, 26, 33, 21],
    ("d1", "s3"): [31, -3, 25, 25, 24], ("d2", "s1"): [28, 23, 34, 42, 13],
    ("d2", "s2"): [34, 33, 31, 36], ("d2", "s3"): [3, 26, 28, 32, 4, 16],
    ("d3", "s1"): [1, 29, 19], ("d3", "s2"): [11, 9, 7, 1, -6],
    ("d3", "s3"): [21, 1, 9, 3], ("d4", "s1"): [24, 9, 22, -2, 15],
    ("d4", "s2"): [27, 12, 12, -5, 16, 15], ("d4", "s3"): [22, 7, 25, 5, 12],
}  # fmt: skip


def kutner(without=()):
    rows = [
        (*cell, float(y)) for cell, ys in KUTNER.items() for y in ys if cell != without
    ]
    return pd.DataFrame(rows, columns=["drug", "disease", "y"])


def statistics(frame, formula, **options):
    table = pc.linear_model(frame, formula, type=3, **options).anova
    return table.set_index("term")[["df1", "df2", "statistic"]]


def test_type_three_of_kutners_table_is_that_of_sas():
    whole = statistics(kutner(), "y ~ drug * disease")
    # SAS/STAT User's Guide, PROC GLM, "Unbalanced ANOVA for Two-Way Design".
    assert whole.loc["drug", "statistic"] == pytest.approx(9.05, abs=0.005)
    assert whole.loc["disease", "statistic"] == pytest.approx(1.88, abs=0.005)
    found = statistics(kutner(("d3", "s1")), "y ~ drug * disease")
    assert found.loc["drug"].tolist() == pytest.approx([3, 44, 9.605], abs=5e-4)
    assert found.loc["disease"].tolist() == pytest.approx([2, 44, 1.203], abs=5e-4)


CORNER = pd.DataFrame(
    {"A": list("aaaabb"), "B": list("xxyyxx"), "y": [1, 2, 2, 3.5, 4, 5.5]}
)


def test_a_table_with_an_empty_corner_has_the_tests_of_its_row_and_column():
    found = statistics(CORNER, "y ~ A * B")
    assert found.loc["A"].tolist() == pytest.approx([1, 3, 11.52], abs=5e-3)
    assert found.loc["B"].tolist() == pytest.approx([1, 3, 1.70], abs=5e-3)
    assert found.loc["A:B", "df1"] == 0


# ---- Goodnight's functions again, by elimination in fractions


def reduced(rows):
    """The reduced echelon form of rows of fractions, without rows of zeros."""
    rows, done = [list(map(Fraction, row)) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(done, len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        rows[done], rows[at] = rows[at], rows[done]
        rows[done] = [x / rows[done][column] for x in rows[done]]
        for i, row in enumerate(rows):
            if i != done and row[column]:
                rows[i] = [
                    x - row[column] * y for x, y in zip(row, rows[done], strict=True)
                ]
        done += 1
    return rows[:done]


def without(rows, zero):
    """Combinations of rows that are 0 in some columns: those are eliminated first."""
    order = [*zero, *(j for j in range(len(rows[0])) if j not in zero)]
    back = np.argsort(order)
    form = reduced([[row[j] for j in order] for row in rows])
    return [[r[j] for j in back] for r in form if not any(r[: len(zero)])]


def exact_type_three(frame, terms, tested):
    """F of one term of a factorial, from the definition of Goodnight (1978)."""
    columns, place = [[1] * len(frame)], [()]
    for term in terms:
        for cell in product(*(sorted(set(frame[name])) for name in term)):
            here = (frame[list(term)] == list(cell)).all(axis=1)
            columns.append(here.astype(int).tolist())
            place.append(term)
    x = [list(row) for row in zip(*columns, strict=True)]
    above = [j for j, t in enumerate(place) if set(tested) < set(t)]
    own = [j for j, t in enumerate(place) if t == tested]
    others = [j for j in range(len(place)) if j not in (*above, *own)]
    functions = without(reduced(sorted({tuple(row) for row in x})), others)
    left, bases = [], orthogonal(without(functions, own))
    for row in functions:
        for base in bases:
            row = beside(row, base)
        left.append(row)
    hypothesis = np.array([[float(v) for v in row] for row in reduced(left)])
    design, y = np.array(x, float), frame["y"].to_numpy()
    inverse = np.linalg.pinv(design.T @ design)
    estimate = hypothesis @ inverse @ design.T @ y
    h = estimate @ np.linalg.solve(hypothesis @ inverse @ hypothesis.T, estimate)
    residual = y - design @ (inverse @ design.T @ y)
    df = len(y) - np.linalg.matrix_rank(design)
    return len(hypothesis), h / len(hypothesis) / (residual @ residual / df)


def orthogonal(rows):
    """An orthogonal basis of rows, in fractions."""
    found = []
    for row in rows:
        for base in found:
            row = beside(row, base)
        if any(row):
            found.append(row)
    return found


def beside(row, base):
    """A row without its part along another."""
    share = sum(map(mul, row, base)) / sum(map(mul, base, base))
    return [a - share * b if b else a for a, b in zip(row, base, strict=True)]


def gappy(seed):
    rng = np.random.default_rng([seed, 20])
    levels = ("ab", "xy", "uv") if seed % 2 else ("abc", "xyz", "u")
    cells = list(product(*levels))
    kept = [cell for cell in cells if rng.random() < 0.75] or cells
    rows = [cell for cell in kept for _ in range(1 + rng.integers(3))]
    frame = pd.DataFrame(rows, columns=["A", "B", "C"])
    return frame.assign(y=rng.normal(size=len(frame)))


@pytest.mark.parametrize("seed", range(20))
def test_random_tables_with_empty_cells_have_goodnights_functions(seed):
    frame = gappy(seed)
    names = [n for n in "ABC" if frame[n].nunique() > 1]
    formula = "y ~ " + (" * ".join(names) if seed % 3 else f"({' + '.join(names)})^2")
    model = pc.linear_model(frame, formula, type=3)
    terms = [tuple(name.split(":")) for name in model.terms]
    table = model.anova.set_index("term")
    for term in terms:
        row = table.loc[":".join(term)]
        if row["df1"]:
            df, f = exact_type_three(frame, terms, term)
            assert row["df1"] == df
            assert_digits(row["statistic"], f, at_least=8)


def test_without_empty_cells_effects_sum_to_zero():
    from pycompare.methods.models import fit

    frame = kutner()
    made = pc.linear_model(frame, "y ~ drug * disease", type=3).fit
    terms = list(made.matrix.columns)
    parts = fit.type_three_of_cells(terms, made.columns, None, 12, made.n)
    for term, part in parts.items():
        own = made.layers[0].parts[term]
        shared = np.linalg.norm(part.factor(own.basis))
        assert_digits(shared, np.sqrt(own.df), at_least=12)


# ---- in words


def slopes_apart():
    rng = np.random.default_rng(0)
    x, alg = rng.normal(100, 5, 30), np.array(["a", "b"] * 15)
    y = 1 + 0.05 * x + (alg == "b") * (1 + 0.02 * (x - 100))
    return pd.DataFrame({"alg": alg, "x": x, "y": y + rng.normal(0, 0.5, 30)})


def test_a_term_at_a_covariate_of_zero_has_no_headline():
    frame = slopes_apart()
    model = pc.linear_model(frame, "y ~ alg * x", type=3)
    low, high = frame["x"].min(), frame["x"].max()
    wanted = f"alg at x = 0; x runs from {low:.4g} to {high:.4g}"
    assert model.tested_at == {"alg": wanted}
    assert any(f"type 3 tests {wanted}" in note for note in model.notes)
    told = conclusions(model, 0.05).splitlines()[0]
    assert f"No conclusion on the test of {wanted}." in told
    assert "effect: alg" not in told and "effect: alg," not in told
    centred = pc.linear_model(frame, "y ~ alg * center(x)", type=3)
    assert not centred.tested_at
    assert "Significant effect: alg (" in conclusions(centred, 0.05)
    assert centred.anova["p_value"][0] < 0.001
    assert not pc.linear_model(frame, "y ~ alg * x").tested_at


def notes(frame, formula, **options):
    return " | ".join(pc.linear_model(frame, formula, **options).notes)


def test_empty_cells_are_named_and_type_three_says_what_it_tests():
    frame = kutner(("d3", "s1"))
    told = notes(frame, "y ~ drug * disease", type=3)
    assert "drug:disease lacks 1 degree of freedom: 1 of 12 cells is empty" in told
    assert "'d3:s1'" in told and "Goodnight" in told and "type=2" in told
    assert "Goodnight" not in notes(frame, "y ~ drug * disease")


def test_factors_within_others_and_confounded_terms_are_named():
    frame = kutner()
    frame["A"] = frame["drug"].map({"d1": "u", "d2": "u", "d3": "v", "d4": "v"})
    assert notes(frame, "y ~ A + drug") == "drug lies within A: write A/drug"
    assert notes(frame, "y ~ A * drug") == "drug lies within A: write A/drug"
    assert notes(frame, "y ~ A/drug + disease") == ""
    frame["same"] = frame["drug"] + "!"
    told = notes(frame, "y ~ drug + same")
    assert told == "drug and same are the same groups: leave one of them out"
    frame["x"] = frame["disease"].map({"s1": 1.5, "s2": 2.0, "s3": 4.0})
    told = notes(frame, "y ~ drug + disease + x")
    assert "x lacks 1 degree of freedom: it is confounded with disease" in told


def test_units_that_are_the_tested_term_are_named():
    rows = [(d, a) for d in "pqr" for a in "xy" for _ in range(2)]
    frame = pd.DataFrame(rows, columns=["drug", "alg"]).assign(y=np.arange(12) % 5)
    told = notes(frame, "y ~ drug + alg", within="drug")
    assert "the term drug is the units drug of within" in told


def test_groups_without_a_constant_are_compared_with_each_other():
    frame = pd.DataFrame({"alg": ["svm"] * 3 + ["tree"] * 3, "y": [0.9, 0.8, 0.7] * 2})
    for formula in ("y ~ 0 + alg", "y ~ alg - 1"):
        model = pc.linear_model(frame, formula)
        row = model.anova.iloc[0]
        assert (row["df1"], row["df2"], row["statistic"]) == (1, 4, 0)
        assert "No significant effect: alg" in conclusions(model, 0.05)
        assert "whether means are equal, not whether they are 0" in model.notes[0]
        pair = model.contrasts("alg").table.iloc[0]
        assert pair["estimate"] == 0 and pair["statistic"] == 0
    through_zero = pc.linear_model(frame.assign(x=[1.0, 2, 3, 4, 5, 6]), "y ~ 0 + x")
    assert not through_zero.fit.read.constant and not through_zero.notes


def test_more_responses_than_degrees_of_freedom_is_the_reason():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(6, 5)), columns=list("vwxyz"))
    frame["g"] = list("aabbcc")
    model = pc.linear_model(frame, "cbind(v, w, x, y, z) ~ g")
    with pytest.raises(pc.DesignError, match="5 responses are more than the 3 degrees"):
        model.manova_of("g")


LATIN = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.1], [0.3, 0.1, 0.2]] * 2)


@pytest.mark.parametrize(
    ("formula", "options"),
    [
        ("y ~ fold + alg", {}),
        ("y ~ 0 + alg", {}),
        ("y ~ alg", {"within": "fold"}),
        ("y ~ alg", {"within": "fold", "method": "reml"}),
    ],
)
def test_what_rounding_makes_is_zero(formula, options):
    rows = [(f"f{i}", "ABC"[j], y) for (i, j), y in np.ndenumerate(LATIN)]
    frame = pd.DataFrame(rows, columns=["fold", "alg", "y"])
    model = pc.linear_model(frame, formula, **options)
    tested = model.anova[model.anova["term"] != "residuals"]
    assert (tested["statistic"] == 0).all()
    assert (tested["partial_eta2"] == 0).all()
    pairs = model.contrasts("alg").table
    assert (pairs["estimate"] == 0).all() and (pairs["statistic"] == 0).all()


def test_equal_algorithms_have_no_standard_error_of_the_folds():
    folds = np.array([0.13, 0.37, 0.41, 0.58, 0.77, 0.9])
    rows = [(f"f{i}", a, y) for i, y in enumerate(folds) for a in "ABC"]
    frame = pd.DataFrame(rows, columns=["fold", "alg", "y"])
    pairs = pc.linear_model(frame, "y ~ alg", within="fold").contrasts("alg").table
    assert (pairs[["estimate", "std_error"]] == 0).all(axis=None)
