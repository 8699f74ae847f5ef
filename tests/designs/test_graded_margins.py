"""Margins of graded cases: the bounded test where the range is declared, else t."""

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.content import margin_report
from tests.conftest import wide

pytestmark = pytest.mark.usefixtures("blank_pictures")

RANGE = {"range": (0.0, 1.0)}


def grades(n=160, a=3, seed=4):
    """Grades 0, 0.5 or 1 of algorithms that seldom differ."""
    rng = np.random.default_rng(seed)
    grade = rng.integers(0, 3, size=(n, 1)) / 2
    return np.where(rng.random((n, a)) < 0.06, rng.integers(0, 3, (n, a)) / 2, grade)


def named(values, name, better="higher"):
    return dataclasses.replace(wide(values), metrics=(pc.Metric(name, better),))


def margin_of(scores, **keys):
    plan = pc.Plan(
        **{"blocks": "cases", "margin": 0.1, "hypothesis": "equivalence", **keys}
    )
    [made] = pc.compare(scores, plan).analyses
    return made


@pytest.mark.parametrize("a", [2, 3])
@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
def test_a_declared_range_has_the_bounded_test(a, kind):
    control = "A1" if kind == "non-inferiority" else None
    scores = wide(grades(a=a))
    made = margin_of(scores, control=control, hypothesis=kind, **RANGE).within_margin
    # The first of two algorithms on a page is the better one.
    pair = scores.select(algorithms=[*made.algorithms]) if a == 2 else scores
    alone = pc.bounded_means(pair, margin=0.1, kind=kind, control=control, **RANGE)
    assert made.to_dict() == alone.to_dict()
    assert alone.table["shown"].any()
    assert np.array_equal(
        alone.table["shown"], alone.table["p_adjusted"] <= alone.alpha
    )


@pytest.mark.parametrize(
    ("name", "scale", "limits"),
    [
        ("accuracy", 1, (0, 1)),
        ("F1", 100, (0, 100)),
        ("kappa", 1, (-1, 1)),
        ("accuracy", 1.5, None),  # scores that the range does not hold
        ("log_loss", 1, None),  # no upper end
        ("stars", 1, None),
    ],
)
def test_a_known_metric_has_its_range(name, scale, limits):
    made = margin_of(named(scale * grades(), name), margin=0.1 * scale).within_margin
    if limits is None:
        assert made.basis == "margins/t"
    else:
        assert (made.lowest, made.highest) == limits


def test_without_a_range_the_sentence_carries_the_largest_error_of_t():
    [line, *_] = margin_report.sentences(margin_of(wide(grades())))
    assert "up to 0.36" in line and "declared range" in line


def test_the_first_sentence_says_what_equal_answers_cannot_show():
    made = margin_of(wide(np.repeat(grades(25, 1), 2, axis=1)), **RANGE)
    [line, *_] = margin_report.sentences(made)
    least = int(np.ceil(np.log(0.05) / np.log1p(-0.1)))
    assert line.startswith("If two algorithms answer all 25 independent units alike")
    assert f"that takes {least} units" in line
    for n in (least - 1, least):
        values = np.repeat(grades(n, 1), 2, axis=1)
        [shown] = margin_of(wide(values), **RANGE).within_margin.table["shown"]
        assert shown == (n >= least)


def test_clusters_of_one_size_have_the_bounded_test():
    scores = dataclasses.replace(
        wide(grades()), clusters=tuple(f"t{i // 2}" for i in range(160))
    )
    made = margin_of(scores, **RANGE).within_margin
    assert made.n_clusters == 80
    assert made.to_dict() == pc.bounded_means(scores, margin=0.1, **RANGE).to_dict()


CLUSTERED = dataclasses.replace(wide(grades()), clusters=("a",) * 3 + ("b",) * 157)
TWO = pc.Scores(
    values=np.stack([grades(), grades(seed=5)], axis=2),
    blocks=tuple(map(str, range(160))),
    algorithms=("A", "B", "C"),
    metrics=(pc.Metric("style", "higher"), pc.Metric("tone", "higher")),
)


@pytest.mark.parametrize(
    ("scores", "keys", "words"),
    [
        (wide(grades()), {"range": (0, 0.5)}, "outside of it"),
        (
            wide(grades()),
            {"margin": None, "hypothesis": None, "range": (0, 0.5)},
            "outside of it",
        ),
        (wide(grades()), {"margin": 1.5, **RANGE}, "margin below it"),
        (wide(grades()), {"range": (1, 0)}, "lowest and the highest"),
        (wide(grades()), {"range": {}}, "table is empty"),
        (wide(grades()), {"range": {"score": (0,)}}, "'score' has"),
        (wide(grades()), {"range": {"skore": (0, 1)}}, "there is no metric 'skore'"),
        (TWO, {"margin": {"style": 0.1, "tone": 0.1}, **RANGE}, "give each its own"),
        (CLUSTERED, {}, "declare the lowest and the highest"),
        (CLUSTERED, RANGE, "clusters have 3 to 157 cases"),
    ],
)
def test_ranges_that_cannot_be_are_refused(scores, keys, words):
    with pytest.raises(pc.PyCompareError, match=words):
        margin_of(scores, **keys)


def test_each_metric_has_its_own_range():
    made = pc.compare(
        TWO,
        pc.Plan(
            blocks="cases",
            margin={"style": 0.1, "tone": 0.1},
            hypothesis="equivalence",
            range={"style": (0, 2), "tone": (-1, 1)},
        ),
    )
    ends = [(a.within_margin.lowest, a.within_margin.highest) for a in made.analyses]
    assert ends == [(0, 2), (-1, 1)]
    text = made.plan.to_toml()
    assert "range = { style = [0.0, 2.0], tone = [-1.0, 1.0] }" in text
    assert pc.Plan.from_toml(text).range == made.plan.range


def test_a_plan_prints_what_equal_graded_answers_need():
    from tests.designs.test_reach import CASES, lines_of, plan_of, reach_of

    plan = plan_of(
        CASES, "margin = 0.1", 'hypothesis = "equivalence"', "range = [0, 2]"
    )
    [_, graded] = reach_of(plan, 20, 2)
    [margin] = graded.margins
    assert margin.fewest == int(np.ceil(np.log(0.05) / np.log1p(-0.05)))
    assert any("cannot show the margin 0.1" in line for line in lines_of([graded]))
