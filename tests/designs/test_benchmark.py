"""A benchmark of groups of cases: the plan's answer, and others beside it."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.designs.benchmark import Benchmark
from pycompare.designs.benchmark_answers import with_benchmark
from pycompare.reporting.comparison_report import ComparisonReport

pytestmark = pytest.mark.usefixtures("blank_pictures")

RNG = np.random.default_rng(39)
SIZES = RNG.integers(4, 12, 24)
GROUPS = np.repeat([f"g{i:02d}" for i in range(24)], SIZES)
OWN = np.repeat(RNG.normal(0, 0.5, (24, 3)), SIZES, axis=0)
RIGHT = (
    RNG.normal(size=(len(GROUPS), 1)) + RNG.normal(OWN + np.array([0.5, 0.2, 0.0]), 1)
    > 0
).astype(int)
ITEMS = pd.DataFrame(RIGHT, columns=list("ABC")).assign(
    group=GROUPS, item=[f"i{j}" for j in range(len(GROUPS))]
)


def scores(names: str = "ABC", frame: pd.DataFrame = ITEMS, **options) -> pc.Scores:
    how = {"block": "item", "group": "group", "algorithms": list(names)} | options
    return pc.Scores.from_wide(frame, metric="accuracy", better="higher", **how)


def compared(data: pc.Scores, **options) -> pc.Comparison:
    return pc.compare(data, pc.Plan(blocks="cases", groups="all", **options))


def benchmark_of(comparison: pc.Comparison) -> Benchmark:
    found = comparison.parts[0].analyses[0].benchmark
    assert isinstance(found, Benchmark)
    return found


def by_name(comparison: pc.Comparison) -> dict:
    return {answer.name: answer for answer in benchmark_of(comparison).answers}


@pytest.fixture(scope="module")
def three() -> pc.Comparison:
    return compared(scores())


# ---- which answer is the primary one -------------------------------------------------


@pytest.mark.parametrize(
    ("options", "columns", "names"),
    [
        ({}, {}, ["Cases independent", "Equal weights", "Groups as clusters"]),
        (
            {"weights": "equal"},
            {},
            ["Equal weights", "Cases independent", "Groups as clusters"],
        ),
        (
            {},
            {"cluster": "group"},
            ["Groups as clusters", "Cases independent", "Equal weights"],
        ),
    ],
)
def test_the_plan_states_the_primary_answer(options, columns, names):
    comparison = compared(scores(**columns), **options)
    answers = benchmark_of(comparison).answers
    assert [answer.name for answer in answers] == names
    assert [a.role for a in answers] == ["primary", "supplementary", "supplementary"]
    assert answers[0].pairs is comparison.analyses[0].decisive
    assert comparison.plan.family == "metric" and len(comparison.parts) == 1


def test_the_primary_analysis_is_that_without_groups(three):
    alone = pc.compare(scores(group=None), pc.Plan(blocks="cases"))
    for own, wanted in zip(
        three.analyses[0].pairs, alone.analyses[0].pairs, strict=True
    ):
        assert own.table.equals(wanted.table)
    assert three.analyses[0].omnibus.p_value == alone.analyses[0].omnibus.p_value
    assert three.only.estimands == alone.only.estimands


def test_each_answer_names_quantity_and_population(three):
    told = {a.name: (a.quantity, a.population) for a in benchmark_of(three).answers}
    assert told == {
        "Cases independent": ("mean over all cases", "cases like these"),
        "Equal weights": (
            "mean over groups, each with the same weight",
            "cases like these of these 24 groups",
        ),
        "Groups as clusters": ("mean over all cases", "groups like these"),
    }


# ---- numbers, by brute force ---------------------------------------------------------


def test_supplementary_answers_are_their_formulas():
    graded = ITEMS.assign(A=ITEMS["A"] * 0.9 + RNG.random(len(ITEMS)) / 10)
    found = by_name(compared(scores("AB", graded)))
    d = pd.Series(graded["A"] - graded["B"]).groupby(GROUPS, sort=False)

    own = found["Equal weights"].pairs.table.iloc[0]
    v = d.var() / d.size() / len(SIZES) ** 2
    df = v.sum() ** 2 / (v**2 / (d.size() - 1)).sum()
    t = d.mean().mean() / np.sqrt(v.sum())
    assert abs(own["estimate"]) == pytest.approx(abs(d.mean().mean()))
    assert own["std_error"] == pytest.approx(np.sqrt(v.sum()))
    assert own["p_value"] == pytest.approx(2 * stats.t.sf(abs(t), df))

    own = found["Groups as clusters"].pairs.table.iloc[0]
    n, mean = len(ITEMS), (graded["A"] - graded["B"]).mean()
    residual = d.sum() - d.size() * mean
    error = np.sqrt((residual**2 / (1 - d.size() / n)).sum()) / n
    assert abs(own["estimate"]) == pytest.approx(abs(mean))
    assert own["std_error"] == pytest.approx(error)

    own = found["Cases independent"].pairs.table.iloc[0]
    wanted = stats.ttest_rel(graded["A"], graded["B"])
    assert own["p_value"] == pytest.approx(wanted.pvalue)


def test_the_table_of_groups_has_means_and_no_tests(three):
    means = benchmark_of(three).means.table.set_index(["group", "algorithm"])
    wanted = ITEMS.groupby("group")[list("ABC")].agg(["mean", "size"])
    for group in wanted.index:
        for name in "ABC":
            own = means.loc[(group, name)]
            assert own["estimate"] == pytest.approx(wanted.loc[group, (name, "mean")])
            assert own["cases"] == wanted.loc[group, (name, "size")]
    assert not {"p_value", "p_adjusted"} & set(means.columns)


def test_supplementary_pairs_are_adjusted_over_themselves():
    comparison = compared(scores(), gate="omnibus")
    for answer in benchmark_of(comparison).others:
        table = answer.pairs.table
        own = pc.adjust(table["p_value"], "holm")
        assert table["p_adjusted"].tolist() == pytest.approx(own.tolist())
        assert answer.pairs.gate is None


def test_control_and_flips_hold_for_every_answer():
    by_control = benchmark_of(compared(scores(), control="B"))
    for answer in by_control.answers:
        assert set(answer.pairs.table["algorithm_2"]) == {"B"}
    by_flips = benchmark_of(compared(scores(), adjust=("max-t",)))
    assert {answer.pairs.adjust for answer in by_flips.answers} == {"max-t"}


# ---- why an answer is missing --------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "name", "reason"),
    [
        (ITEMS.assign(group="one"), "Equal weights", "there is one group"),
        (ITEMS.assign(group="one"), "Groups as clusters", "there is one group"),
        (
            ITEMS.assign(group=np.arange(len(ITEMS)) % 4),
            "Groups as clusters",
            "4 groups are too few for a sample of groups; it takes 5",
        ),
        (
            ITEMS.assign(group=["single", *GROUPS[1:]]),
            "Equal weights",
            "group 'single' has one case",
        ),
    ],
)
def test_an_answer_that_cannot_be_computed_says_why(frame, name, reason, tmp_path):
    comparison = compared(scores(frame=frame))
    answer = by_name(comparison)[name]
    assert answer.pairs is None and reason in answer.reason
    assert reason in comparison.summary()
    pc.report(comparison, tmp_path / "out", formats=("html", "md"))
    assert reason in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    table = pd.read_csv(tmp_path / "out" / "tables" / "benchmark.csv")
    assert reason in table.set_index("answer").loc[name, "test"]


def test_new_prompts_and_new_groups_have_no_test():
    runs = [
        ITEMS.melt(["item", "group"], var_name="model", value_name="accuracy").assign(
            run=run
        )
        for run in range(3)
    ]
    data = pc.Scores.from_frame(
        pd.concat(runs),
        algorithm="model", block="item", group="group", replicate="run",
        metrics={"accuracy": "higher"},
    )  # fmt: skip
    options = {"runs": "prompts", "runs_scope": "sampled", "replicates": "average"}
    found = by_name(compared(data, **options))
    assert found["Cases independent"].population == "cases and prompts like these"
    assert "new prompts" in found["Equal weights"].reason
    assert "new prompts" in found["Groups as clusters"].reason


# ---- plans ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({}, {}, r"24 groups: set groups='all' \(one benchmark"),
        ({}, {"blocks": "datasets", "groups": "all"}, "for cases of one benchmark"),
        ({"group": None}, {"groups": "all"}, "data sets or cases in groups"),
        (
            {"cluster": "group"},
            {"groups": "all", "weights": "equal"},
            "groups are the clusters, a sample",
        ),
        (
            {},
            {"groups": "all", "weights": "equal", "p_values": "exact"},
            "weighted means have t tests",
        ),
        ({}, {"groups": "all", "family": "all"}, "leave it out"),
    ],
)
def test_a_plan_that_cannot_be_says_so(columns, options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(scores(**columns), pc.Plan(**({"blocks": "cases"} | options)))


def test_groups_that_are_compared_separately_follow_the_benchmark():
    few = ITEMS.assign(group=np.where(np.arange(len(ITEMS)) % 2, "odd", "even"))
    plan = pc.Plan(blocks="cases", groups="each-and-all", family="metric")
    comparison = pc.compare(scores(frame=few), plan)
    assert [part.group for part in comparison.parts] == [None, "odd", "even"] or [
        part.group for part in comparison.parts
    ] == [None, "even", "odd"]
    assert comparison.part("odd").analyses[0].benchmark is None
    assert len(benchmark_of(comparison).answers) == 3


# ---- wherever results are ------------------------------------------------------------


def test_the_command_line_answers_for_the_benchmark_first(pycompare, tmp_path):
    ITEMS.to_csv(tmp_path / "items.csv", index=False)
    words = [
        "compare", tmp_path / "items.csv", "--wide", "--metric", "accuracy:higher",
        "--block", "item", "--group", "group", "--blocks", "cases", "--algorithms", "A",
        "--algorithms", "C", "--groups", "all", "--out", tmp_path / "out",
        "--format", "html,md",
    ]  # fmt: skip
    status, out, err = pycompare(*words)
    assert status == 0, err
    assert "Equal weights (supplementary; cases like these of these 24 groups)" in out
    assert "Groups as clusters (supplementary; groups like these): difference" in out
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert page.index("Cases independent (primary)") < page.index("How firm is this")
    assert "No group is tested" in page and "24 groups" in page.splitlines()[0]
    tables = tmp_path / "out" / "tables"
    assert len(pd.read_csv(tables / "benchmark.csv")) == 3
    assert len(pd.read_csv(tables / "group_means.csv")) == 48
    held = json.loads((tmp_path / "out" / "results.json").read_text())
    [analysis] = held["analyses"]
    assert analysis["benchmark"]["answers"][0]["role"] == "primary"
    program = (tmp_path / "out" / "reproduce.R").read_text(encoding="utf-8")
    assert "group_means_reference" in program and "weighted_pairs_reference" in program
    other = [*words[: words.index("--out")], "--weights", "equal", "--out"]
    status, _, err = pycompare(*other, tmp_path / "equal")
    assert status == 0, err
    status, out, _ = pycompare("diff", tmp_path / "out", tmp_path / "equal")
    assert "weights" in out and "equal" in out


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")
def test_r_computes_every_answer_and_the_groups_again(three, tmp_path):
    pc.report(three, tmp_path / "out")
    told = subprocess.run(
        ["Rscript", "reproduce.R"],
        cwd=tmp_path / "out", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "not computed by the R functions" not in told.stdout
    agree = [line for line in told.stdout.splitlines() if "agree to 10 digits" in line]
    n, of = agree[0].split()[0], agree[0].split()[2]
    assert n == of and int(n) > 240


def test_the_scope_is_that_of_the_primary_answer():
    by_groups = ComparisonReport(compared(scores(cluster="group"))).scope()
    assert "on new groups of cases like these 24" in " ".join(by_groups)


# ---- error rates under the sampling model of each answer -----------------------------


def rejection_rates(draw, n_tables: int, seed: int) -> dict[str, float]:
    """Return how often each answer rejects at 0.05, over tables of two algorithms."""
    rng = np.random.default_rng(seed)
    base = compared(scores("AB"))
    analysis, plan = base.analyses[0], base.plan
    counts: dict[str, int] = {}
    for _ in range(n_tables):
        values, groups = draw(rng)
        data = pc.Scores(
            values=values[:, :, None].astype(float),
            blocks=[f"i{j}" for j in range(len(groups))],
            algorithms=["A", "B"],
            metrics=[pc.Metric("accuracy", "higher")],
            groups=groups.tolist(),
        )
        pairs = pc.share_pairs(dataclasses.replace(data, groups=None), alpha=0.05)
        own = dataclasses.replace(
            analysis, pairs=(pairs,), compared={"cases": (pairs,)}
        )
        made = with_benchmark(own, data, plan).benchmark
        for answer in made.answers:
            rejected = float(answer.pairs.table["p_value"].iloc[0]) <= 0.05
            counts[answer.name] = counts.get(answer.name, 0) + rejected
    return {name: count / n_tables for name, count in counts.items()}


def right(rng, skill):
    """Draw right and wrong answers of two algorithms with these chances."""
    return rng.random(skill.shape) < skill


@pytest.mark.slow
def test_each_answer_keeps_its_level_under_its_own_sampling():
    k, n_tables = 24, 60
    labels = np.array([f"g{i:02d}" for i in range(k)], object)

    def of_cases(rng):
        groups = labels[np.sort(rng.integers(0, k, 300))]
        return right(rng, np.full((300, 2), 0.6)), groups

    # Large groups favour A, small ones B: the mean over groups is equal, that over
    # cases is not.
    sizes = np.where(np.arange(k) % 2, 20, 6)
    lead = np.where(np.arange(k) % 2, 0.2, -0.2)

    def of_these_groups(rng):
        skill = np.repeat(np.column_stack([0.6 + lead / 2, 0.6 - lead / 2]), sizes, 0)
        return right(rng, skill), np.repeat(labels, sizes)

    def of_groups(rng):
        own = rng.normal(0, 0.15, k)
        skill = np.repeat(np.column_stack([0.6 + own, 0.6 - own]), 12, axis=0)
        return right(rng, np.clip(skill, 0.02, 0.98)), np.repeat(labels, 12)

    limit = 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_tables)
    rates = rejection_rates(of_cases, n_tables, 1)
    assert rates["Cases independent"] <= limit
    rates = rejection_rates(of_these_groups, n_tables, 2)
    assert rates["Equal weights"] <= limit < rates["Cases independent"]
    rates = rejection_rates(of_groups, n_tables, 3)
    assert rates["Groups as clusters"] <= limit < rates["Cases independent"]


def test_answers_that_never_vary_have_no_test_of_these_items(tmp_path):
    """Graded answers of models that answer alike whenever they are asked."""
    rows = [
        {"m": m, "i": f"q{i}", "r": run, "acc": 0.1 * (i % 3) + 0.5 * (m == "A")}
        for i in range(30)
        for m in "ABC"
        for run in range(2)
    ]
    scores = pc.Scores.from_frame(
        rows, algorithm="m", block="i", replicate="r", metrics={"acc": "higher"}
    )
    plan = pc.Plan(
        blocks="cases", replicates="keep", runs="samples", items_scope="fixed"
    )
    compared = pc.compare(scores, plan)
    assert "No difference can be tested." in compared.summary()
    assert "the same answer to a case in every run" in compared.summary()
    pc.report(compared, tmp_path / "out")
    sampled = pc.compare(scores, dataclasses.replace(plan, items_scope="sampled"))
    assert "difference 0.50, not tested." in sampled.summary()
    assert "[–, –]" not in sampled.summary()
