"""The ledger of claims: each has rows in the study, and pages print no other."""

from __future__ import annotations

import ast
import dataclasses
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs import pair_methods
from pycompare.designs.pair_methods import MEANS
from pycompare.methods.pairs.mcnemar import McNemarPValue
from pycompare.reporting.comparison_report import report_of
from pycompare.results import guarantees
from pycompare.results.adjust import ADJUSTMENTS
from pycompare.results.guarantees import (
    BASES,
    BLOCKS,
    CONDITIONS,
    ELSEWHERE,
    FOLDS,
    MODEL_OF_FOLDS,
    NO_CLAIM,
    NO_TEST,
    OMNIBUS,
    OUTSIDE,
    RULES,
    SHARPER,
    SHOWN,
    guarantee,
    guarantee_of,
    of_adjustment,
)
from pycompare.sizes.simulation.reader_families import FAMILIES
from tests.methods.multireader.readers import simulated as readers_of
from tests.runs import runs_of, simulated
from tests.syntax import nodes_of
from validation.family_wise.rows import stored
from validation.simulations.parts import RESULTS

ROOT = Path(pc.__file__).parent
STUDY = stored()
ALPHA = 0.05


def scores(n: int = 14, a: int = 4, *, seed: int = 1, **options) -> pc.Scores:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, a)), columns=list("ABCDEFGH")[:a])
    return pc.Scores.from_wide(frame, metric="score", better="lower", **options)


def over_data_sets() -> pc.Scores:
    rng = np.random.default_rng(2)
    rows = [
        {"dataset": f"d{d}", "fold": f"d{d}-{f}", "algorithm": name, "score": value}
        for d in range(8)
        for f in range(4)
        for name, value in zip("ABC", rng.normal(size=3), strict=True)
    ]
    return pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="algorithm",
        block="fold",
        dataset="dataset",
        metrics={"score": "lower"},
    )


# ---- the study ----------------------------------------------------------------------


def test_a_row_is_promised_just_where_the_ledger_promises_it():
    claims = {row["guarantee"]: guarantee(row["guarantee"]) for row in STUDY}
    for row in STUDY:
        promised = claims[row["guarantee"]].promises(row["violates"])
        assert row["promised"] == promised, row
        error = 3 * math.sqrt(ALPHA * (1 - ALPHA) / row["runs"])
        assert row["bound"] == pytest.approx(ALPHA + error, abs=1e-5)


def test_every_promised_error_is_within_the_bound():
    above = [r for r in STUDY if r["promised"] and r["error"] > r["bound"]]
    assert not above


def test_every_claim_has_a_promised_row_and_every_promised_row_is_a_claim():
    assert {row["guarantee"] for row in STUDY if row["promised"]} == SHOWN


def test_a_row_above_the_bound_breaks_a_condition_of_its_claim():
    for row in STUDY:
        if row["error"] > row["bound"]:
            assert not guarantee(row["guarantee"]).promises(row["violates"]), row


@pytest.mark.parametrize(
    "name",
    [
        *(name for name, basis in BASES.items() if not basis.broken),
        *(f"omnibus/{name}" for name in OMNIBUS),
    ],
)
def test_every_part_of_the_ledger_has_a_row_of_its_own(name):
    known = {*SHOWN, *ELSEWHERE}
    name = name.replace("-of-logarithms", "")  # the test of scores, on logarithms
    assert any(key == name or key.startswith(f"{name}/") for key in known), (
        f"results/guarantees.py: no key of {name} in SHOWN or ELSEWHERE; add a Method "
        "to validation/family_wise/methods.py, run python -m validation.family_wise, "
        "and add its keys"
    )


def usual_keys() -> list[str]:
    """Return the keys of the methods that plans without any named method have."""
    ranked = [n for n in pair_methods.CONTROL if n in ADJUSTMENTS]
    made = [
        *(f"ranks/{name}" for name in ("closed-permutation", "max-t", "max-t/control")),
        "ranks/sign-flips/bergmann-hommel",
        "ranks/sign-flips/holm/control",
        *(f"ranks/normal/{name}" for name in pair_methods.PUBLISHED),
        *(f"ranks/normal/{name}/control" for name in ranked),
    ]
    for where in ("folds", "model"):
        for source in ("pooled", "corrected"):
            basis = f"{where}/{source}"
            made += [f"{basis}/{n}" for n in ("tukey", "scheffe")]
            made.append(f"{basis}/dunnett/control")
    for basis in (
        "folds/pooled",
        "model/pooled",
        "model/corrected",
        "folds/corrected-t",
        "means/paired-t",
    ):
        made += [f"{basis}/{n}" for n in ("bergmann-hommel", "holm", "bonferroni")]
        made += [f"{basis}/{n}/control" for n in ("holm", "hommel", "bonferroni")]
    made += ["means/pooled/tukey", "means/pooled/scheffe"]
    made.append("means/pooled/dunnett/control")
    for basis in ("wins/sign", "superiority/sign", "margins/t", "margins/corrected-t"):
        made += [
            f"{basis}/{n}{end}" for n in pair_methods.SIGNS for end in ("", "/control")
        ]
    made += [f"mean-vectors/paired-T2/{n}" for n in pair_methods.ANY_FAMILY]
    made += [f"multireader/t/{n}" for n in pair_methods.FIGURES]
    made += [f"multireader/t/{n}/control" for n in pair_methods.FIGURES_CONTROL]
    made += [f"margins/multireader-t/holm{end}" for end in ("", "/control")]
    return made


@pytest.mark.parametrize("key", usual_keys())
def test_what_pages_print_without_a_named_method_is_claimed(key):
    assert guarantee(key).rows


def test_levels_of_readers_and_cases_are_within_the_bound():
    path = ELSEWHERE["multireader/t/bergmann-hommel"]
    lines = (ROOT.parent / path).read_text(encoding="utf-8").splitlines()
    rows = [[c.strip() for c in x.split("|")[1:-1]] for x in lines if x.startswith("|")]
    name = "pairs, own error, Bergmann-Hommel"
    [head] = [row for row in rows if row[0] == "study" and name in row]
    at = head.index(name)
    whole = [row for row in rows if len(row) == len(head)]
    rates = [float(row[at]) for row in whole if row[at][:2] == "0."]
    rates += [float(row[1]) for row in rows if len(row) == 2 and row[1][:2] == "0."]
    [alike] = [row for row in whole if row[0].startswith("Roe-Metz, 4 modalities")]
    rates.append(float(alike[head.index("pairs, pooled error, Bergmann-Hommel")]))
    assert len(rates) == 8
    runs = int(
        re.search(r"share of (\d+) studies in which a pair", "\n".join(lines))[1]
    )
    assert max(rates) <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def test_errors_with_a_control_and_a_margin_over_readers_are_within_the_bound():
    text = (RESULTS / "reader-families.json").read_text("utf-8")
    found = json.loads(text)
    rates = {row["condition"]: row["estimate"] for row in found["table"]}
    assert set(rates) == set(FAMILIES)
    bound = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / found["trials"])
    promised = {
        name: guarantee(one.guarantee).promises(one.violates)
        for name, one in FAMILIES.items()
    }
    against = {name for name in rates if FAMILIES[name].margin is not None}
    kept = {name for name in rates if promised[name]}
    assert max(rates[name] for name in kept - against) <= bound
    # Above the bound against a margin, so a note beside the claims has the number.
    largest = max(rates[name] for name in kept & against)
    ratings = readers_of(t=3, r=5, n=40)
    for options in ({}, {"pair_tests": "published"}):
        notes = pc.mrmc(ratings, margin=0.1, hypothesis="equivalence", **options).notes
        assert sum(f"up to {largest:.1%} of studies" in note for note in notes) == 1
    assert not any("margin" in note for note in pc.mrmc(ratings).notes)
    shown = {FAMILIES[name].guarantee for name in rates if promised[name]}
    assert all(guarantee(key).rows for key in shown)
    assert {key for key in ELSEWHERE if re.search("multireader.*/holm", key)} <= shown
    # Where its condition does not hold, the pooled error does break the promise.
    assert max(rates[name] for name in rates if not promised[name]) > bound


# ---- the ledger ---------------------------------------------------------------------


def test_every_adjustment_and_method_of_means_has_its_rule():
    assert set(RULES) >= {*ADJUSTMENTS, *MEANS}
    for rule in RULES.values():
        assert set(rule.conditions) <= set(CONDITIONS)
    for basis in BASES.values():
        assert set(basis.conditions) <= set(CONDITIONS)


@pytest.mark.parametrize("seed", range(20))
def test_a_sharper_adjustment_rejects_all_that_the_other_one_rejects(seed):
    p = np.random.default_rng(seed).beta(0.3, 2, size=(6, 6))
    p = np.triu(p, 1) + np.triu(p, 1).T
    upper = np.triu_indices(6, 1)
    made = {
        name: np.asarray(pc.adjust(p, name))[upper]
        for name in {*SHARPER, *(n for names in SHARPER.values() for n in names)}
        if name in ADJUSTMENTS
    }
    for name, names in SHARPER.items():
        for sharper in names:
            if name in made:
                assert (made[sharper] <= made[name] * (1 + 1e-12)).all()


@pytest.mark.parametrize("seed", range(3))
def test_tukey_rejects_all_that_scheffe_rejects(seed):
    table = scores(a=5, seed=seed)
    tukey, scheffe = (f(table).table["p_adjusted"] for f in (pc.tukey, pc.scheffe))
    assert (tukey <= scheffe * (1 + 1e-9)).all()


def test_a_claim_without_a_row_is_not_printed():
    found = guarantee("ranks/normal/BY")
    assert not found.rows and not found.claimed
    assert "not claimed" in found.text
    assert found.brief(ALPHA) == "no error rate is claimed"
    assert "no error rate is claimed" in found.stated(ALPHA)


def test_a_row_about_a_sharper_adjustment_shows_the_claim():
    assert guarantee("ranks/normal/shaffer").rows == ("ranks/normal/bergmann-hommel",)
    assert not guarantee("ranks/normal/hochberg").rows


def test_logical_methods_have_no_claim_where_hypotheses_are_not_transitive():
    for name in ("shaffer", "shaffer-dynamic", "bergmann-hommel", "hochberg-rom"):
        found = guarantee(f"wins/sign/{name}")
        assert found.error == "none" and not found.promises([]) and not found.claimed
        assert guarantee(f"ranks/sign-flips/{name}").promises(["complete-null"])


def test_mean_rank_z_is_promised_only_where_no_algorithm_differs():
    found = guarantee("ranks/normal/bergmann-hommel")
    assert found.promises([]) and not found.promises(["complete-null"])
    told = "family-wise alpha = 0.05 if no algorithm differs from another"
    assert found.brief(ALPHA) == told


def test_conditions_are_clauses_that_are_told_once():
    text = guarantee("means/pooled/tukey").text
    assert text == (
        "family-wise error of equal means, exact if blocks are independent, "
        "differences are normal and all differences have one variance"
    )
    flips = guarantee("ranks/sign-flips/holm")
    assert flips.whole == (
        "family-wise error of exchangeable algorithms, exact if blocks are independent"
    )


def test_adjustments_of_unknown_p_values_state_their_conditions():
    for name, chosen in ADJUSTMENTS.items():
        assert chosen.controls == of_adjustment(name).whole
        assert CONDITIONS["valid-p-values"] in chosen.controls
    assert "transitive" in ADJUSTMENTS["bergmann-hommel"].controls
    assert "transitive" not in ADJUSTMENTS["holm"].controls


@pytest.mark.parametrize("name", [n for n in BASES if not n.startswith("multireader")])
def test_bases_are_those_of_results(name):
    assert re.fullmatch(r"[a-zA-Z0-9-]+/[a-zA-Z0-9-]+", name)
    assert guarantee(name if BASES[name].joint else f"{name}/holm").key


def test_results_name_a_basis_of_the_ledger():
    table = scores()
    right = dataclasses.replace(table, values=(table.values > 0) * 1.0)
    one = {"algorithms": ("A", "B")}
    for found in (
        pc.rank_pairs(table),
        pc.rank_pairs(table, p_value="sign-flips"),
        pc.rank_pairs(table, method="aligned"),
        pc.rank_pairs(table, method="quade"),
        pc.nemenyi(table),
        pc.superiority(table),
        pc.tukey(table),
        pc.pairwise_t(table),
        pc.paired_t_pairs(table),
        pc.signed_rank_pairs(table),
        pc.clustered_signed_rank_pairs(
            dataclasses.replace(table, clusters=table.blocks)
        ),
        pc.corrected_pairs(table, n_train=9, n_test=1),
        pc.equivalence_pairs(table, margin=1.0),
        pc.matched_shares(right, margin=0.5),
        pc.signed_rank_margins(table, margin=0.5),
        pc.share_pairs(right),
        pc.crossed_pairs(runs_of(simulated(b=8))),
        pc.bounded_means(right, margin=0.5, range=(0, 1)),
        pc.max_t(table, flips=99),
        pc.max_t(table, on="ranks", control="A", flips=99),
        pc.sign_grid([[0, 3], [2, 0]], 9),
    ):
        for units in (BLOCKS, FOLDS):
            assert guarantee_of(found, units).hypotheses.name
    for test in (
        pc.equivalence(table, margin=1.0, **one),
        pc.equivalence(table, margin=1.0, n_train=9, n_test=1, **one),
        pc.paired_t(table, **one),
        pc.wilcoxon(table, **one),
        pc.sign_test(table, **one),
        *(pc.mcnemar([9, 2], p_value=form) for form in get_args(McNemarPValue)),
    ):
        assert test.basis in BASES
        assert guarantee(test.basis).claimed


# ---- the pages ----------------------------------------------------------------------

PLANS = {
    "ranks": (scores(), pc.Plan(blocks="datasets")),
    "ranks, control": (scores(), pc.Plan(blocks="datasets", control="A")),
    "folds": (scores(), pc.Plan(blocks="folds", protocol="held-out")),
    "folds, control": (
        scores(),
        pc.Plan(blocks="folds", protocol="held-out", control="A"),
    ),
    "corrected": (scores(), pc.Plan(blocks="folds", n_train=90, n_test=10)),
    "two": (scores(a=2), pc.Plan(blocks="folds", protocol="held-out")),
    "margins": (
        scores(),
        pc.Plan(
            blocks="folds", protocol="held-out", margin=0.5, hypothesis="equivalence"
        ),
    ),
    "data sets": (over_data_sets(), pc.Plan()),
    "data sets, wins": (over_data_sets(), pc.Plan(compares="wins")),
    "data sets, means": (over_data_sets(), pc.Plan(compares="means")),
    "data sets, model": (over_data_sets(), pc.Plan(compares="model")),
}


@pytest.fixture(scope="module", params=PLANS)
def told(request):
    table, plan = PLANS[request.param]
    return report_of(pc.compare(table, plan).only)


ENDS = ("; on the data set", ", within these blocks", " (a check)")


def test_the_methods_of_a_page_have_the_error_rates_of_the_ledger(told):
    claims = claims_of()
    for _, text, _ in told.methods():
        for end in ENDS:
            text = text.removesuffix(end)
        assert text in claims, text


def claims_of() -> set[str]:
    """Return every text that the ledger has for a table of methods."""
    found = {NO_CLAIM, NO_TEST, OUTSIDE}
    for name, basis in BASES.items():
        joint = basis.joint or name.startswith("two/")
        keys = [name] if joint else []
        keys += [f"{name}/{rule}" for rule in RULES]
        keys += [f"{key}/control" for key in keys]
        for key in keys:
            found |= texts_of(key)
    return found.union(*(texts_of(f"omnibus/{name}") for name in OMNIBUS))


def texts_of(key: str) -> set[str]:
    """Return what a page may print of a key."""
    claim = guarantee(key)
    both = (claim, claim.of(FOLDS))
    broken = [one.where(["independent-folds"]) for one in both]
    return {one.text for one in (*both, *broken)}


def test_pages_say_the_error_rate_once_in_the_plan(told):
    assert sum("Error rate: " in text for text in told.plan()) <= 1
    assert not any("valid raw p-values" in text for text in told.plan())


@pytest.mark.parametrize(
    ("protocol", "sizes"),
    [
        ("cross-validation", {"n_folds": 7}),
        ("resampling", {"n_train": 90, "n_test": 10}),
        ("held-out", {}),
    ],
)
def test_folds_that_share_training_data_have_no_claim_of_independent_ones(
    protocol, sizes
):
    plan = pc.Plan(blocks="folds", protocol=protocol, adjust=("tukey",), **sizes)
    comparison = pc.compare(scores(), plan).only
    page = report_of(comparison)
    text = " ".join([*page.plan(), *page.sentences(comparison.analyses[0])])
    assert "not controlled" in text and "folds share training data" in text
    assert "family-wise alpha" not in text


PHRASES = re.compile(
    r"controls? the|family-wise|false discovery|valid raw|simultaneous(ly)? valid"
)


def test_no_page_writes_about_error_rates_by_itself():
    found = []
    for path in (ROOT / "reporting").rglob("*.py"):
        docs = {
            id(node.body[0].value)
            for node in nodes_of(path)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        found += [
            (path.name, node.value)
            for node in nodes_of(path)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs
            and PHRASES.search(node.value)
        ]
    assert not found


PROMISES = re.compile(r"controls? the (same )?(family-wise|false)")


@pytest.mark.parametrize("name", pc.__all__)
def test_docstrings_leave_error_rates_to_the_ledger(name):
    assert not PROMISES.search(" ".join((getattr(pc, name).__doc__ or "").split()))


@pytest.mark.parametrize("name", ["max_t", "closed_permutation", "rank_pairs"])
def test_docstrings_of_new_methods_name_their_key_and_page(name):
    text = getattr(pc, name).__doc__
    assert "FAMILY_WISE.md" in text and "pycompare.results.guarantees" in text
    keys = {k.rstrip(".") for k in re.findall(r"``([a-z-]+/[a-z-]+)``", text)}
    assert keys <= set(BASES)


def test_tests_of_all_algorithms_have_a_key_of_the_ledger():
    table = scores()
    sizes = {"n_train": 9, "n_test": 1}
    vectors = pc.Scores.from_frame(
        pd.DataFrame(
            {
                "fold": np.repeat([f"f{i}" for i in range(9)], 3),
                "algorithm": list("ABC") * 9,
                "x": np.random.default_rng(1).normal(size=27),
                "y": np.random.default_rng(2).normal(size=27),
            }
        ),
        algorithm="algorithm",
        block="fold",
        metrics={"x": "lower", "y": "lower"},
    )
    for test in (
        pc.friedman(table),
        pc.aligned_ranks(table),
        pc.quade(table),
        pc.skillings_mack(table),
        pc.anova(table),
        pc.dataset_interaction(over_data_sets()),
        pc.dataset_interaction(over_data_sets(), **sizes),
        pc.manova(vectors),
        pc.permutation_manova(vectors, permutations=99, seed=1),
    ):
        assert guarantee(test.basis).hypotheses.name
    corrected = pc.dataset_interaction(over_data_sets(), **sizes)
    assert corrected.basis == "omnibus/interaction-corrected"
    assert not guarantee("omnibus/anova").promises(["independent-blocks"])


def test_a_guarantee_is_what_its_parts_say():
    found = guarantees.guarantee_under(
        "x/y", BASES["means/paired-t"], RULES["BH"]
    )  # a false discovery rate of paired t tests
    assert found.error == "false discovery rate"
    assert found.conditions == ("independent-blocks", "normal", "positive-dependence")


# ---- what each adjustment keeps -----------------------------------------------------

FAMILY, DISCOVERY = "family-wise", "false discovery rate"
KEPT = {
    "none": ("comparisonwise", ()),
    **dict.fromkeys(("bonferroni", "holm"), (FAMILY, ())),
    **dict.fromkeys(("sidak", "holland"), (FAMILY, ("normal-statistics",))),
    **dict.fromkeys(("hochberg", "hommel"), (FAMILY, ("positive-dependence",))),
    "finner": (FAMILY, ("complete-null", "independent-tests")),
    **dict.fromkeys(("rom", "li"), (FAMILY, ("independent-tests",))),
    "BH": (DISCOVERY, ("positive-dependence",)),
    "BY": (DISCOVERY, ()),
    "nemenyi": (FAMILY, ("complete-null",)),
    **dict.fromkeys(
        ("shaffer", "shaffer-dynamic", "bergmann-hommel"), (FAMILY, ("transitive",))
    ),
    "hochberg-rom": (FAMILY, ("transitive", "positive-dependence")),
    **dict.fromkeys(("tukey", "scheffe", "dunnett", "dunnett-step-down"), (FAMILY, ())),
    "games-howell": (FAMILY, ("complete-null",)),
}


def test_each_adjustment_keeps_its_error_rate_under_its_conditions():
    assert {name: (r.error, r.conditions) for name, r in RULES.items()} == KEPT
    for _, conditions in KEPT.values():
        assert set(conditions) <= set(CONDITIONS)


@pytest.mark.parametrize(
    ("basis", "adjust", "control", "units", "key"),
    [
        ("ranks/normal", "holm", None, BLOCKS, "ranks/normal/holm"),
        ("ranks/normal", "holm", "A", BLOCKS, "ranks/normal/holm/control"),
        ("means/pooled", "holm", None, BLOCKS, "means/pooled/holm"),
        ("means/pooled", "holm", None, FOLDS, "folds/pooled/holm"),
        ("means/pooled", "holm", None, MODEL_OF_FOLDS, "model/pooled/holm"),
        ("means/corrected", "holm", "A", BLOCKS, "folds/corrected/holm/control"),
        ("two/wilcoxon", "none", "A", BLOCKS, "two/wilcoxon"),
        ("two/wilcoxon", "holm", "A", BLOCKS, "two/wilcoxon/holm/control"),
    ],
)
def test_a_comparison_has_the_guarantee_of_its_basis_adjustment_and_control(
    basis, adjust, control, units, key
):
    found = SimpleNamespace(
        basis=basis, adjust=adjust, control=control, clustered=False, fixed=()
    )
    assert guarantee_of(found, units).key == key


def test_a_broken_condition_is_said_with_its_reason():
    claim = guarantee("ranks/normal/holm").of(FOLDS).where(("independent-folds",))
    for text in (claim.stated(0.05), claim.brief(0.05)):
        assert text.startswith("family-wise error not controlled")
        assert claim.reasons and claim.reasons in text


def test_a_false_discovery_rate_is_stated_as_one():
    found = replace(guarantee("ranks/normal/BH"), rows=("a row of the study",))
    assert found.stated(0.1).startswith("false discovery rate at most 0.1, for large")
    assert found.brief(0.1).startswith(
        "false discovery rate 0.1 if no algorithm differs"
    )
    assert found.about == "false discovery rate of equal mean ranks"


def test_flips_of_whole_clusters_need_independent_clusters_only():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(24, 3)), columns=list("ABC"))
    plain = pc.Scores.from_wide(frame, metric="score", better="lower")
    grouped = dataclasses.replace(
        plain, clusters=tuple(f"c{i // 2}" for i in range(24))
    )
    alone, whole = (guarantee_of(pc.max_t(s, seed=1)) for s in (plain, grouped))
    assert "independent-blocks" in alone.conditions
    assert "clusters of cases are independent" in whole.how
    assert "independent-blocks" not in whole.conditions
    assert whole.claimed and whole.rows == alone.rows
