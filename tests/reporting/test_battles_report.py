"""Reports, the command and plans of battles."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import InputError, PlanError
from pycompare.designs.battles_beside import battles_beside
from pycompare.designs.plans.battles_plan import BattlesPlan
from pycompare.reporting.analyses import battles as page
from pycompare.reporting.battles_report import conclusion
from pycompare.reporting.document import plain
from pycompare.reporting.evidence.cross_check import cross_check
from tests.command_line import command
from tests.reporting.evidence.reports import HOSTILE
from tests.reporting.whole_pages import fought


def answer(**options):
    result = pc.battles(fought(), **options)
    return plain(page.answer(result, page.outcome(result)))


def votes(folder, *, battles=None, **columns):
    """Write battles as LMArena does."""
    frame = (battles or fought()).to_frame()
    frame["winner"] = frame["winner"].map(
        {"first": "model_a", "second": "model_b", "tie": "tie"}
    )
    names = {"model_1": "model_a", "model_2": "model_b", "voter": "judge"}
    path = folder / "votes.csv"
    frame.rename(columns=names).assign(**columns).to_csv(path, index=False)
    return path


def test_the_answer_names_who_is_stronger_and_who_may_be_as_strong():
    assert answer() == (
        "m4 is significantly stronger than m2, m1 and m0. m3 may be as strong. m4 wins "
        "60% of decided battles against m3 (interval 50% to 69%, adj. p = 0.060)."
    )
    assert answer(control="m2").startswith(
        "m4 and m3 are significantly stronger than m2; m2 is significantly stronger "
        "than m0. m1 may be as strong as m2."
    )
    assert answer(alpha=1e-9).startswith(
        "No pair of the five models differs significantly in strength. m4 has the "
        "highest strength."
    )


def test_two_models_have_one_interval_at_the_level_of_the_test():
    two = (
        fought().to_frame().query("model_1 in ('m0', 'm4') and model_2 in ('m0', 'm4')")
    )
    names = {"model_1": "model_1", "model_2": "model_2", "winner": "winner"}
    result = pc.battles(pc.Battles.from_frame(two, voter="voter", **names))
    told = plain(page.answer(result, page.outcome(result)))
    assert told.startswith("m4 is significantly stronger than m0. m4 wins ")
    assert "95% CI" in told and ", p " in told and "adj." not in told
    [row] = result.table.to_dict("records")
    assert row["conf_low"] == row["joint_low"]


def test_few_voters_have_no_test_and_no_ranks(tmp_path):
    result = pc.battles(fought(voters=6))
    assert conclusion(result).startswith(
        "No difference in strength can be tested: 6 voters cannot show how voters "
        "differ."
    )
    folder = pc.report(result, tmp_path / "out", formats=["text"])
    text = (folder / "report.txt").read_text()
    assert "set of ranks" not in text and "Family-wise" not in text
    assert not (folder / "tables" / "rank_sets.csv").exists()


def test_a_limit_is_open_if_no_battle_bounds_the_difference():
    table = pc.battles(fought(never="m4")).table
    of_m4 = (table["algorithm_1"] == "m4") | (table["algorithm_2"] == "m4")
    infinite = np.isinf(table["conf_low"]) | np.isinf(table["conf_high"])
    assert (infinite == of_m4).all()
    told = pc.battles(fought(never="m4"), elo=True).strengths.iloc[0]
    assert told["algorithm"] == "m4" and np.isinf(told["elo_high"])
    assert np.isfinite(told["elo_low"])


def test_the_error_of_a_model_that_never_lost_is_that_of_the_information():
    """Its battles end as expected, so that their spread shows no error."""
    result = pc.battles(fought(never="m4"))
    errors = result.table.set_index(["algorithm_1", "algorithm_2"])["std_error"]
    of_m4 = [e for pair, e in errors.items() if "m4" in pair]
    others = [e for pair, e in errors.items() if "m4" not in pair]
    assert min(of_m4) > 3 * max(others)


def test_strengths_hold_together_and_elo_is_400_by_ln_10():
    result = pc.battles(fought(), elo=True)
    strengths = result.strengths
    half = (strengths["conf_high"] - strengths["conf_low"]) / 2
    assert ((half / strengths["std_error"]) > 2.2).all()  # not 1.96 each
    assert np.allclose(strengths["elo"] * np.log(10) / 400, strengths["strength"])
    assert "elo" not in pc.battles(fought()).strengths


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "bergmann-hommel"])
def test_other_adjustments_are_those_of_pc_adjust(adjust):
    result = pc.battles(fought(), adjust=adjust)
    p = result.matrix("p_value").to_numpy()
    wanted = pc.adjust(p, adjust)[np.triu_indices(5, 1)]
    table = result.table
    assert np.allclose(table["p_adjusted"], wanted)
    outside = (table["conf_low"] > 0) | (table["conf_high"] < 0)
    assert (outside == (table["p_adjusted"] <= 0.05)).all()


def test_each_group_has_a_ranking_of_its_own():
    grouped = pc.battles(fought(group="language"))
    for name in ("en", "de"):
        own = pc.battles(fought(group="language").of_group(name))
        pd.testing.assert_frame_equal(grouped.groups[name].table, own.table)
    assert list(grouped.table["group"].unique()) == list(grouped.groups)


def test_a_family_of_all_groups_is_larger():
    each = pc.battles(fought(group="language")).table["p_adjusted"]
    together = pc.battles(fought(group="language"), family="all")
    assert (together.table["p_adjusted"] >= each).all()
    assert "2 groups" in together.groups["en"].family
    holm = pc.battles(fought(group="language"), family="all", adjust="holm").table
    assert np.allclose(holm["p_adjusted"], pc.adjust(holm["p_value"], "holm"))


def test_a_group_that_cannot_be_ranked_is_named(tmp_path):
    frame = fought(group="language").to_frame()
    apart = np.flatnonzero(frame["group"] == "de")
    for place, row in enumerate(apart):
        frame.loc[row, ["model_1", "model_2"]] = list(("xy", "uv")[place % 2])
    names = {name: name for name in ("model_1", "model_2", "winner", "voter", "group")}
    result = pc.battles(pc.Battles.from_frame(frame, **names))
    assert list(result.groups) == ["en"] and "never met" in result.not_ranked["de"]
    assert "de: not ranked: the battles form 2 groups" in conclusion(result)
    folder = pc.report(result, tmp_path / "out", formats=["text"])
    assert "De is not ranked" in (folder / "report.txt").read_text()


def test_analyses_beside_differ_in_what_they_assume():
    beside = {other.name: other for other in battles_beside(pc.battles(fought()))}
    assert list(beside) == [
        "votes independent",
        "order ignored",
        "ties half",
        "ties dropped",
    ]
    assert [other.same_quantity for other in beside.values()] == [True] * 2 + [
        False
    ] * 2
    assert beside["votes independent"].result.voters == 600
    assert np.isnan(beside["order ignored"].result.order_effect)
    half = pc.battles(fought(), ties="half", position="ignore")
    names = [other.name for other in battles_beside(half)]
    assert names == ["votes independent", "Davidson's ties", "ties dropped"]


BAD = {
    "family without groups": ({"family": "all"}, "group"),
    "all pairs with a control": (
        {"adjust": "bergmann-hommel", "control": "m0"},
        "logic of all pairs",
    ),
    "adjust": ({"adjust": "BH"}, "adjust"),
    "elo": ({"elo": 1}, "elo"),
    "family": ({"family": "each"}, "family"),
}


@pytest.mark.parametrize("name", BAD)
def test_arguments_that_do_not_go_together_are_rejected(name):
    options, words = BAD[name]
    with pytest.raises(InputError, match=words):
        pc.battles(fought(), **options)


# ---- the command


def test_the_command_prints_strengths_and_writes_a_report(tmp_path):
    path = votes(tmp_path)
    status, printed, _ = command("battles", path)
    assert status == 0 and printed.startswith("m4 is significantly stronger than m2")
    assert "Strengths\n" in printed and "win_share" in printed
    status, printed, told = command("battles", path, "--elo", "--out", tmp_path / "out")
    assert status == 0, told
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["strength"]["strengths"][0]["elo_low"] > 0
    assert results["strength"]["rank_sets"] is not None
    assert pc.verify(tmp_path / "out", recompute=True).passed


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_the_command_reads_files_of_arenas(tmp_path, ending):
    frame = pd.read_csv(votes(tmp_path))
    path = tmp_path / f"votes.{ending}"
    if ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=True)
    assert command("battles", path)[1] == command("battles", tmp_path / "votes.csv")[1]


def test_json_and_r_are_printed(tmp_path):
    path = votes(tmp_path)
    status, printed, _ = command("battles", path, "--json")
    assert status == 0 and json.loads(printed)["voters"] == 30
    status, printed, _ = command("battles", path, "--r")
    assert status == 0 and "battles_reference(" in printed
    status, _, told = command("battles", path, "--r", "--json")
    assert status == 2 and "--json" in told


WRONG = {
    "one column of three": (("--model-1", "model_a"), "--model-2"),
    "unknown column": (("--voter", "jugde"), "judge"),
    "no order": (("--position", "sideways"), "estimate"),
    "family": (("--family", "all"), "--group"),
    "control": (("--control", "m9"), "m9"),
    "overwrite": (("--overwrite",), "--out"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options_are_named(tmp_path, name):
    options, words = WRONG[name]
    status, printed, told = command("battles", votes(tmp_path), *options)
    assert status == 2 and words in told and not printed


def test_an_unknown_outcome_is_named_with_its_row_and_count(tmp_path):
    path = votes(tmp_path)
    path.write_text(path.read_text().replace(",tie,", ",hm,"))
    status, _, told = command("battles", path)
    assert status == 2 and "'hm'" in told and "rows have such outcomes" in told


# ---- plans

PLAN = """
[data]
file = "votes.csv"
format = "battles"
voter = "judge"
[plan]
ties = "davidson"
position = "estimate"
unconnected = "error"
"""


def test_a_plan_is_sealed_run_and_verified(tmp_path):
    votes(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    status, _, told = command("plan", plan, "--seal", "--by", "Ann")
    assert status == 0, told
    status, printed, told = command(
        "run", plan, "--by", "Bo", "--out", tmp_path / "out"
    )
    assert status == 0, told
    assert printed.startswith("m4 is significantly stronger than m2, m1 and m0.")
    text = (tmp_path / "out" / "report.html").read_text()
    assert "Trail of the plan file" in text and "plan file" in text
    trail = tmp_path / "plan.toml.trail.jsonl"
    assert pc.verify(tmp_path / "out", recompute=True, trail=trail).passed
    shutil.rmtree(tmp_path / "out")
    plan.write_text(PLAN.replace("davidson", "half"))
    status, _, told = command("run", plan, "--out", tmp_path / "out")
    assert status == 2 and "seal" in told and not (tmp_path / "out").exists()


def test_a_starter_plan_proposes_the_columns_of_arenas(tmp_path):
    text = pc.starter_plan(votes(tmp_path), battles=True)
    assert 'format = "battles"' in text
    assert 'model_1 = ""  # proposed: "model_a"' in text
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(PlanError, match="not filled in"):
        pc.run_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"ties": "coin"}, "ties"), ({"model_1": "a"}, "model_2"),
        ({"adjust": "bergmann-hommel", "control": "A"}, "all pairs"),
        ({"family": "all"}, "group"), ({"alpha": 2}, "alpha"),
    ],
    ids=str,
)  # fmt: skip
def test_plans_that_cannot_be_are_rejected(keys, words):
    with pytest.raises(PlanError, match=words):
        BattlesPlan(**keys)


def test_models_are_called_anything(tmp_path):
    """Names stand in R code, which is no template."""
    names = {f"m{k}": name for k, name in enumerate([*HOSTILE[3:], "{}", "{0}"])}
    frame = fought().to_frame()
    for column in ("model_1", "model_2"):
        frame[column] = frame[column].map(names)
    roles = {"model_1": "model_1", "model_2": "model_2", "winner": "winner"}
    called = pc.Battles.from_frame(frame, voter="voter", **roles)
    folder = pc.report(pc.battles(called, adjust="holm"), tmp_path / "out")
    assert pc.verify(folder, recompute=True).passed
    if shutil.which("Rscript"):
        assert cross_check(folder).passed
