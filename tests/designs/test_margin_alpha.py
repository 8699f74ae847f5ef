"""The error rate of tests against a margin, and pairs that differ within it."""

import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.content import margin_report
from tests.conftest import wide

pytestmark = pytest.mark.usefixtures("blank_pictures")

NON_INFERIOR = {"hypothesis": "non-inferiority", "control": "A1"}


def scores(a=3, n=12, shift=0.0, seed=4, better="higher"):
    values = 0.05 * np.random.default_rng(seed).normal(size=(n, a))
    return wide(values + shift * np.arange(a), better)


def found_of(scores, **options):
    [analysis] = pc.compare(
        scores,
        pc.Plan(
            **{"hypothesis": "equivalence", **options},
            **{"blocks": "folds", "protocol": "held-out"},
        ),
    ).analyses
    return analysis.within_margin or analysis.equivalence


@pytest.mark.parametrize("a", [2, 3])
@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, 0.05),
        (NON_INFERIOR, 0.025),
        ({"alpha": 0.1}, 0.1),
        ({"alpha": 0.1, **NON_INFERIOR}, 0.05),
        ({"margin_alpha": 0.01}, 0.01),
        ({"margin_alpha": 0.05, **NON_INFERIOR}, 0.05),
        ({"alpha": 0.7, "margin_alpha": 0.2}, 0.2),
    ],
)
def test_the_error_rate_of_a_margin(a, options, wanted):
    options = {"hypothesis": "equivalence", **options}
    found = found_of(scores(a), margin=0.1, **options)
    assert found.alpha == pytest.approx(wanted)
    kind = options["hypothesis"]
    if a == 2:
        level = 1 - 2 * wanted if kind == "equivalence" else 1 - wanted
        assert found.level == pytest.approx(level)
    comparison = pc.compare(
        scores(a),
        pc.Plan(
            blocks="folds",
            protocol="held-out",
            margin=0.1,
            **options,
        ),
    )
    assert comparison.plan.margin_alpha == pytest.approx(wanted)
    told, _ = margin_report.plan_sentences(comparison.only)
    assert f"alpha = {comparison.plan.margin_alpha} (margin_alpha, " in told
    assert ("as specified" in told) == ("margin_alpha" in options)
    assert ("ICH E9" in told) == (
        kind == "non-inferiority" and "margin_alpha" not in options
    )


def test_the_functions_have_the_same_defaults():
    two, three = scores(2), scores(3)
    assert pc.equivalence(two, margin=0.1).alpha == 0.05
    assert pc.equivalence(two, margin=0.1, kind="non-inferiority").alpha == 0.025
    assert pc.equivalence_pairs(three, margin=0.1).alpha == 0.05
    non = {"kind": "non-inferiority", "control": "A1"}
    assert pc.equivalence_pairs(three, margin=0.1, **non).alpha == 0.025
    assert pc.equivalence_pairs(three, margin=0.1, alpha=0.05, **non).alpha == 0.05


def test_a_one_sided_interval_is_a_side_of_the_two_sided_one():
    two = scores(2, seed=9)
    one_sided = pc.equivalence(two, margin=0.1, kind="non-inferiority")
    two_sided = pc.paired_t(two, level=0.95)
    assert one_sided.conf_low == pytest.approx(two_sided.conf_low, rel=1e-13)


def test_the_error_rate_decides_what_is_shown():
    values = np.column_stack([np.zeros(9), np.linspace(-1, 1, 9) - 0.25])
    for alpha in (0.025, 0.05, 0.1, 0.2):
        found = found_of(wide(values, "lower"), margin=0.75, margin_alpha=alpha)
        assert found.shown == (found.p_value <= alpha)
        told = pc.compare(
            wide(values, "lower"),
            pc.Plan(
                blocks="folds",
                protocol="held-out",
                margin=0.75,
                hypothesis="equivalence",
                margin_alpha=alpha,
            ),
        ).summary()
        shown = "is shown" if found.shown else "is not shown"
        assert f"Equivalence of A2 and A1 {shown} within" in told
        assert f"one-sided alpha = {alpha};" in told
    assert found.p_value > 0.025  # both sides of the error rate were seen


@pytest.mark.parametrize("value", [0, 0.5, 1.0, "a"])
def test_error_rates_that_cannot_be(value):
    with pytest.raises(pc.PlanError, match="margin_alpha"):
        pc.Plan(margin=0.1, hypothesis="equivalence", margin_alpha=value)


def test_an_error_rate_needs_a_margin():
    with pytest.raises(pc.PlanError, match=r"margin_alpha=0\.05 needs a margin"):
        pc.Plan(margin_alpha=0.05)


def test_a_plan_file_and_the_command_line_have_the_key(pycompare, tmp_path):
    plan = pc.Plan(
        blocks="folds",
        protocol="held-out",
        margin=0.1,
        hypothesis="equivalence",
        margin_alpha=0.03,
    )
    assert pc.Plan.from_toml(plan.to_toml()) == plan
    table = tmp_path / "scores.csv"
    lines = ["fold,a,b"] + [f"{i},{i + 0.1 * (i % 3)},{i}" for i in range(8)]
    table.write_text("\n".join(lines))
    out = tmp_path / "out"
    status, _, said = pycompare(
        *("compare", table, "--wide", "--metric", "error:lower", "--blocks", "folds"),
        *("--margin", "1", "--hypothesis", "equivalence", "--margin-alpha", "0.03"),
        *("--protocol", "held-out", "--out", out),
    )
    assert status == 0, said
    held = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert held["plan"]["margin_alpha"] == 0.03
    page = (out / "report.html").read_text(encoding="utf-8").replace("\xa0", " ")
    assert "alpha = 0.03 (margin_alpha, as specified)" in page
    assert "ne-sided alpha = 0.03" in page


@pytest.mark.parametrize("a", [2, 3])
def test_different_and_equivalent_at_once_is_said(a):
    def told(margin, shift):
        comparison = pc.compare(
            scores(a, n=40, shift=shift),
            pc.Plan(
                blocks="folds",
                protocol="held-out",
                margin=margin,
                hypothesis="equivalence",
            ),
        )
        return comparison.summary()

    both = "Both significantly different and equivalent: "
    assert both in told(0.3, 0.05)
    line = next(t for t in told(0.3, 0.05).split("\n") if t.startswith(both))
    pairs = "A2 – A1" if a == 2 else "A3 – A1, A2 – A1 and A3 – A2"
    assert line.startswith(f"{both}{pairs}.")
    assert both not in told(0.3, 0.0)  # equivalent, not different
    assert both not in told(0.01, 0.5)  # different, not equivalent


@pytest.mark.parametrize("a", [2, 3])
@pytest.mark.parametrize(("shift", "said"), [(-0.05, True), (0.05, False)])
def test_worse_and_non_inferior_at_once_is_said_of_the_worse_alone(a, shift, said):
    plan = pc.Plan(
        blocks="folds",
        protocol="held-out",
        margin=0.3,
        **NON_INFERIOR,
    )
    told = pc.compare(scores(a, n=40, shift=shift), plan).summary()
    both = "Both significantly different and non-inferior: A1 – A"
    assert (both in told) == said
    assert "non-inferior to" in told or "Non-inferiority" in told
