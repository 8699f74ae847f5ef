"""Readers, curves and models: options and a plan file give the same results.json."""

from __future__ import annotations

import html
import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import InputError, PlanError
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.battles_plan import BattlesColumns, BattlesPlan
from pycompare.designs.plans.curves_plan import CurvesColumns, CurvesPlan
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.readers_plan import ReadersDecisions, ReadersPlan
from pycompare.designs.plans.toml_text import lines
from pycompare.designs.plans.trail import read_trail, trail_path
from pycompare.reporting import mrmc_report, planned_report, report
from pycompare.reporting.model_report import fitted_report
from pycompare.results.result import plain

pytestmark = pytest.mark.usefixtures("blank_pictures")

COLUMNS = {
    "modality": "test",
    "reader": "reader",
    "case": "case",
    "rating": "rating",
    "truth": "is_positive",
}
MODEL = pc.RoeMetz(
    separation=(1.2, 1.4, 1.6),
    reader=0.006,
    modality_reader=0.006,
    case=0.3,
    modality_case=0.3,
    reader_case=0.2,
    error=0.2,
)
BY = ("--by", "Ann Lee", "--role", "statistician", "--meaning", "author")


def ratings(n_modalities):
    drawn = MODEL.draw(n_readers=4, n_positive=14, n_negative=16, seed=5)
    frame = drawn.select(drawn.modalities[:n_modalities]).to_frame()
    frame = frame.assign(is_positive=frame["is_positive"].astype(int))
    names = {"M1": "film", "M2": "digital", "M3": "new"}
    return frame.rename(columns={"modality": "test"}).replace({"test": names})


def with_gaps():
    frame = ratings(2)
    return frame[(frame.index % 7 != 3)]


def predictions():
    table = pd.read_csv(pc.example_path("predictions"))
    return table[table["data"] == "g1"]


def runs():
    rng = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "unit": [f"u{i}" for i in range(6) for _ in range(3)],
            "learner": list("abc") * 6,
            "error": rng.normal(size=18).round(3),
            "size": np.repeat([1, 2.5, 4], 6),
            "n": rng.integers(1, 9, 18),
        }
    )


def battles():
    rng = np.random.default_rng(8)
    first, step = rng.integers(0, 4, 300), rng.integers(1, 4, 300)
    names = np.array(list("ABCD"))
    words = np.array(["model_a", "model_b", "tie", "tie (bothbad)"])
    return pd.DataFrame(
        {
            "model_a": names[first],
            "model_b": names[(first + step) % 4],
            "winner": words[rng.integers(0, 4, 300)],
            "judge": rng.integers(0, 30, 300),
            "language": np.array(["en", "de"])[rng.integers(0, 2, 300)],
        }
    )


ROC = {
    "algorithm": "algorithm",
    "block": "fold",
    "case": "case",
    "label": "class",
    "score": "probability",
    "positive": "yes",
}
OF_MIXED = {"figure": "sensitivity", "threshold": 0.5, "mixed": "accuracy"}
PLANS = {
    "readers: two modalities": ("mrmc", lambda: ratings(2), COLUMNS),
    "readers: control and margin": (
        *("mrmc", lambda: ratings(3)),
        COLUMNS
        | {"control": "film", "margin": 0.2, "hypothesis": "equivalence", "alpha": 0.1},
    ),
    "readers: Dorfman, Berbaum, Metz": (
        *("mrmc", lambda: ratings(2)),
        COLUMNS | {"method": "dbm", "df": "1992", "level": 0.9},
    ),
    "readers: partial areas, these readers": (
        *("mrmc", lambda: ratings(3)),
        COLUMNS
        | {"figure": "partial_auc", "fpr_range": (0.0, 0.4), "readers": "fixed"},
    ),
    "readers: mixed model": (
        *("mrmc", lambda: ratings(2)),
        COLUMNS | OF_MIXED | {"link": "probit", "reader_effects": True},
    ),
    "readers: one modality": (
        *("mrmc", lambda: ratings(2)),
        COLUMNS | {"only": "digital", "null": 0.5, "level": 0.9},
    ),
    "readers: a standalone reader": (
        *("mrmc", lambda: ratings(2)),
        COLUMNS
        | {"standalone": "R2", "cases": "fixed", "adjust": "bonferroni", "alpha": 0.1},
    ),
    "readers: a design with gaps": (
        *("mrmc", with_gaps),
        COLUMNS | {"design": "incomplete", "covariance": "unbiased"},
    ),
    "readers: bootstrap": (
        *("mrmc", lambda: ratings(2)),
        COLUMNS | {"covariance": "bootstrap", "seed": 3, "resamples": 50},
    ),
    "curves: over cases": ("curves", predictions, ROC | {"risk_threshold": 0.4}),
    "curves: calibration": (
        *("curves", predictions),
        ROC | {"bins": "equal-mass", "n_bins": 6, "whole_curves": True},
    ),
    "curves: over folds": (
        *("curves", predictions),
        ROC
        | {"n_train": 9, "n_test": 1, "alpha": 0.01, "seed": 2}
        | {"control": "LDA", "margin": 0.1, "hypothesis": "non-inferiority"},
    ),
    "battles: all pairs": ("battles", battles, {"voter": "judge", "elo": True}),
    "battles: groups, half wins": (
        *("battles", battles),
        {"model_1": "model_a", "model_2": "model_b", "winner": "winner"}
        | {"group": "language", "family": "all", "ties": "half", "adjust": "holm"}
        | {"position": "ignore", "unconnected": "largest", "both_bad": "drop"}
        | {"control": "B", "alpha": 0.1, "seed": 4},
    ),
    "model: terms": ("model", runs, {"formula": "error ~ learner", "type": 3}),
    "model: units and comparisons": (
        *("model", runs),
        {"formula": "error ~ learner", "within": "unit", "contrasts": ("learner",)},
    ),
    "model: weights, slopes at a value": (
        *("model", runs),
        {"formula": "error ~ learner * size", "row_weights": "n", "at": {"size": 2.5}}
        | {"means": ("learner",), "slopes": ("size", "size:learner")},
    ),
}
OWNERS = {
    "mrmc": ReadersPlan, "curves": CurvesPlan, "model": ModelPlan,
    "battles": BattlesPlan,
}  # fmt: skip
_OPTIONS = {"label": "--label", "positive": "--positive", "score": "--score"}


def words(command, keys):
    """Return keys of a plan as options."""
    for name, value in keys.items():
        option = keys_of(OWNERS[command])[name].option or f"--{name}"
        if value is True:
            yield option
        elif name == "fpr_range":
            yield from (option, *value)
        elif isinstance(value, dict):
            for one, number in value.items():
                yield from (option, f"{one}={number}")
        elif isinstance(value, tuple):
            for one in value:
                yield from (option, one)
        else:
            yield from (option, value)


def tables(command, keys, file):
    """Return keys as the tables of a plan file."""
    if command == "model":
        return {"data": {"file": file}, "model": keys}
    if command == "battles":
        data = {k: v for k, v in keys.items() if k in keys_of(BattlesColumns)}
        rest = {k: v for k, v in keys.items() if k not in data}
        head = {"file": file, "format": "battles"}
        return {"data": head | data, "plan": rest}
    if command == "curves":
        data = {k: v for k, v in keys.items() if k in keys_of(CurvesColumns)}
        rest = {k: v for k, v in keys.items() if k not in data}
        return {"data": {"file": file} | data, "curves": rest}
    decided = {k: v for k, v in keys.items() if k in keys_of(ReadersDecisions)}
    rest = {k: v for k, v in keys.items() if k not in decided}
    return {"data": {"file": file}, "readers": rest, "plan": decided}


def write_plan(folder, command, table, keys):
    table.to_csv(folder / "data.csv", index=False)
    given = tables(command, keys, "data.csv")
    text = "\n".join(f"[{name}]\n{lines(held)}" for name, held in given.items())
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def results(analysis):
    """Return what results.json holds, without where it comes from."""
    if analysis.model is not None:
        held = fitted_report(analysis.result, analysis.model).to_dict()
    else:
        held = planned_report.contents(analysis).results()
    return json.loads(json.dumps(plain(held)))


@pytest.fixture
def kept(monkeypatch):
    """Keep what would be reported."""
    analyses = []
    monkeypatch.setattr(
        report, "report", lambda found, *_, **__: analyses.append(found)
    )
    return analyses


@pytest.mark.parametrize("name", PLANS)
def test_options_and_a_plan_file_have_the_same_results(name, kept, pycompare, tmp_path):
    command, table, keys = PLANS[name]
    plan = write_plan(tmp_path, command, table(), keys)
    out = ("--out", tmp_path / "out")
    routes = (
        (command, tmp_path / "data.csv", *words(command, keys), *out),
        ("run", plan, *out),
    )
    for route in routes:
        status, _, said = pycompare(*route)
        assert status == 0, said
    by_options, by_file = map(results, kept)
    assert by_options == by_file and len(by_file.get("strength", by_file)) > 1
    assert kept[0].plan_file is None and kept[1].plan_file.name == "plan.toml"
    assert kept[0].source.sha256 == kept[1].source.sha256


def test_verdicts_against_a_margin_are_those_of_the_plan(kept, pycompare, tmp_path):
    """The p-value lies between .025 and .05: the one level, by whatever route."""
    table = ratings(2)
    table.to_csv(tmp_path / "data.csv", index=False)
    read = pc.read_ratings(tmp_path / "data.csv", **COLUMNS)
    low, high = 0.001, 0.5
    for _ in range(12):  # p falls where the margin rises
        margin = (low + high) / 2
        claims = pc.mrmc(
            read, control="digital", margin=margin, hypothesis="non-inferiority"
        ).claims
        [row] = claims[claims["claim"] == "non-inferior"].to_dict("records")
        low, high = (low, margin) if row["p_adjusted"] < 0.04 else (margin, high)
    assert 0.025 < row["p_adjusted"] <= 0.05
    keys = COLUMNS | {"control": "digital", "margin": margin}
    keys |= {"hypothesis": "non-inferiority"}
    plan = write_plan(tmp_path, "mrmc", table, keys)
    routes = (
        ("mrmc", tmp_path / "data.csv", *words("mrmc", keys)),
        ("run", plan),
    )
    for route in routes:
        assert pycompare(*route, "--out", tmp_path / "out")[0] == 0
        found = kept[-1].result.claims
        [row] = found[found["claim"] == "non-inferior"].to_dict("records")
        assert not row["shown"] and row["alpha"] == 0.025
        assert "non-inferior" not in mrmc_report.conclusion(kept[-1].result)


def test_the_hypothesis_of_a_plan_leads_the_conclusion(kept, pycompare, tmp_path):
    keys = {"control": "film", "margin": 0.3, "hypothesis": "non-inferiority"}
    plan = write_plan(tmp_path, "mrmc", ratings(2), COLUMNS | keys)
    status, said, problem = pycompare("run", plan, "--out", tmp_path / "out")
    assert status == 0, problem
    told = said.splitlines()[1]
    assert told.startswith("digital is non-inferior to film (margin 0.3: difference ")
    assert "95% CI" in told and "alpha = 0.025). Supplementary, differences: " in told
    result = kept[0].result
    assert mrmc_report.readers_words(result, 0.05).question == (
        "Is digital non-inferior to film in mean AUC?"
    )
    bare = pc.mrmc(
        result.ratings, control="film", margin=0.3, hypothesis="non-inferiority"
    )
    assert bare.to_dict() == result.to_dict()  # no number depends on it
    small = pc.mrmc(
        result.ratings, control="digital", margin=0.001, hypothesis="non-inferiority"
    )
    assert "Non-inferiority of film to digital is not shown (margin 0.001" in (
        mrmc_report.conclusion(small)
    )
    same = pc.mrmc(result.ratings, margin=0.4, hypothesis="equivalence")
    assert "film and digital are equivalent (margin 0.4" in mrmc_report.conclusion(same)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"hypothesis": "superiority", "margin": 0.1}, "'superiority' has no margin"),
        ({"hypothesis": "equivalence"}, "'equivalence' needs a margin"),
        ({"hypothesis": "non-inferiority", "margin": 0.1}, "name the control"),
        ({"margin": 0.1}, "margin=0.1 needs its hypothesis"),
    ],
)
def test_a_hypothesis_has_what_it_needs(keys, says):
    with pytest.raises(InputError, match=says):
        pc.Plan(blocks="cases", **keys)
    drawn = MODEL.draw(n_readers=2, n_positive=5, n_negative=5, seed=5)
    with pytest.raises(InputError, match=says):
        pc.mrmc(drawn, **keys)


def test_the_earlier_name_of_a_hypothesis_is_named(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text('[plan]\nmargin = 1\nmargin_kind = "equivalence"\n')
    with pytest.raises(PlanError, match="it is called hypothesis"):
        pc.read_plan(path)


@pytest.mark.slow
def test_a_plan_of_readers_is_sealed_blinded_run_and_opened(pycompare, tmp_path):
    keys = COLUMNS | {"control": "film", "blind": True}
    plan = write_plan(tmp_path, "mrmc", ratings(3), keys)
    assert pycompare("plan", plan, "--seal", *BY)[0] == 0
    folders = tmp_path / "blinded", tmp_path / "named"
    status, said, problem = pycompare("run", plan, "--by", "Bo", "--out", folders[0])
    assert status == 0, problem
    told = said + "".join(f.read_text() for f in folders[0].rglob("*.*") if f.is_file())
    for name in ("film", "digital"):
        assert name not in told
    assert "Algorithm 1" in told and "Amendments and deviations" not in told
    assert pc.verify(folders[0], recompute=True, trail=trail_path(plan)).passed
    status, _, problem = pycompare("unblind", folders[0], "--out", folders[1])
    assert status == 2 and "--plan PLAN --by NAME" in problem
    status, _, problem = pycompare(
        *("unblind", folders[0], "--out", folders[1], "--plan", plan, "--by", "Cy")
    )
    assert status == 0, problem
    page = (folders[1] / "report.html").read_text()
    assert "digital" in page and "Trail of the plan file" in page
    assert pc.verify(folders[1], recompute=True, trail=trail_path(plan)).passed
    entries = read_trail(trail_path(plan)).entries
    assert [(e.event, e.by) for e in entries] == [
        ("sealed", "Ann Lee"),
        ("run", "Bo"),
        ("unblinded", "Cy"),
    ]
    held = json.loads((folders[1] / "results.json").read_text())
    named = pc.read_ratings(tmp_path / "data.csv", **COLUMNS)
    again = pc.mrmc(named, control="film")
    assert held["omnibus"]["p_value"] == pytest.approx(again.omnibus.p_value, rel=1e-9)


@pytest.mark.slow
def test_a_plan_of_curves_is_sealed_blinded_run_and_opened(pycompare, tmp_path):
    table = predictions().replace({"algorithm": {"NearestMean": "near"}})
    names = [name for name in table["algorithm"].unique() if len(name) > 1]
    plan = write_plan(tmp_path, "curves", table, ROC | {"blind": True})
    assert pycompare("plan", plan, "--seal", *BY)[0] == 0
    status, said, problem = pycompare("run", plan, "--out", tmp_path / "blinded")
    assert status == 0, problem
    told = said + "".join(
        f.read_text() for f in (tmp_path / "blinded").rglob("*.*") if f.is_file()
    )
    assert not [name for name in names if name in told]
    status, _, problem = pycompare(
        *("unblind", tmp_path / "blinded", "--out", tmp_path / "named"),
        *("--plan", plan, "--by", "Cy"),
    )
    assert status == 0, problem
    page = (tmp_path / "named" / "report.html").read_text()
    assert all(name in page for name in names)
    assert pc.verify(tmp_path / "named", recompute=True).passed


def test_a_changed_plan_of_readers_is_refused(pycompare, tmp_path):
    plan = write_plan(tmp_path, "mrmc", ratings(2), COLUMNS)
    assert pycompare("plan", plan, "--seal", *BY)[0] == 0
    plan.write_text(plan.read_text() + 'margin = 0.1\nhypothesis = "equivalence"\n')
    with pytest.raises(InputError, match="was changed after it was sealed"):
        read_analysis_plan(plan)
    assert pycompare("run", plan, "--out", tmp_path / "out")[0] == 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"metod": "or"}, "[readers] has no key 'metod'; did you mean"),
        ({"method": "rm"}, "method = \"rm\": choose one of 'or', 'dbm'"),
        ({"null": 0.5}, "null tests the mean of one modality"),
        ({"only": "film", "method": "dbm"}, "method is for comparisons"),
        ({"link": "probit"}, "link is for mixed"),
        ({"control": "nobody"}, "nobody"),
    ],
)
def test_a_plan_of_readers_that_cannot_be_is_refused(
    change, says, pycompare, tmp_path, kept
):
    known = {k: v for k, v in change.items() if k != "metod"}
    plan = write_plan(tmp_path, "mrmc", ratings(2), COLUMNS | known)
    if "metod" in change:
        text = plan.read_text().replace("[readers]\n", '[readers]\nmetod = "or"\n')
        plan.write_text(text)
    status, _, problem = pycompare("run", plan, "--out", tmp_path / "out")
    assert status == 2 and says in problem and not kept


def test_who_runs_a_plan_that_was_not_sealed_is_refused(pycompare, tmp_path, kept):
    plan = write_plan(tmp_path, "mrmc", ratings(2), COLUMNS)
    status, _, problem = pycompare("run", plan, "--by", "Bo", "--out", tmp_path / "out")
    assert status == 2 and "--by Bo: nobody sealed plan.toml" in problem


@pytest.mark.parametrize("kind", ["readers", "curves"])
def test_a_starter_plan_waits_to_be_filled_in(kind, tmp_path):
    table = ratings(2) if kind == "readers" else predictions()
    table.to_csv(tmp_path / "data.csv", index=False)
    text = pc.starter_plan(tmp_path / "data.csv", folder=tmp_path, **{kind: True})
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(PlanError, match="not filled in"):
        read_analysis_plan(path)
    filled = COLUMNS | {"positive": "1"} if kind == "readers" else ROC
    for name, value in filled.items():
        for line in text.splitlines():
            if line.startswith(f'{name} = ""'):
                text = text.replace(line, f'{name} = "{value}"')
    path.write_text(text)
    plan = read_analysis_plan(path).plan
    assert all(getattr(plan, k) == v for k, v in filled.items() if f"\n{k} =" in text)
    assert plan.positive == filled["positive"]


STATED = {
    "population": "women <b>40</b> to 74",
    "treatment": "two {views}",
    "intercurrent_events": "reading stopped: last rating",
    "summary_measure": "difference of means",
}
OF_MARGIN = {"margin_reason": "half of & the benefit", "margin_source": "Lee (2020)"}


def submitted(pycompare, plan, folder):
    """Return the words of the statistical report of a plan."""
    status, _, said = pycompare(
        "run", plan, "--out", folder, "--style", "statistical-report"
    )
    assert status == 0, said
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<b>40</b>" not in page
    return html.unescape(page).replace("\xa0", " ")


@pytest.mark.parametrize(
    "name",
    ["readers: control and margin", "curves: over folds", "model: terms", "scores"],
)
def test_a_report_prints_what_a_plan_states_and_what_it_does_not(
    name, pycompare, tmp_path
):
    if name == "scores":
        pc.example().to_frame().to_csv(tmp_path / "data.csv", index=False)
        keys = {"blocks": "datasets", "control": "C4.5", "margin": 0.1}
        keys |= {"hypothesis": "equivalence"}
        data = {"file": "data.csv", "algorithm": "algorithm", "block": "block"}
        held = {"data": data, "metrics": {"accuracy": "higher"}, "plan": keys}
        plan = tmp_path / "plan.toml"
        plan.write_text("\n".join(f"[{n}]\n{lines(t)}" for n, t in held.items()))
    else:
        command, table, keys = PLANS[name]
        plan = write_plan(tmp_path, command, table(), keys)
    without = submitted(pycompare, plan, tmp_path / "without")
    assert without.count("not stated") >= 4
    given = STATED | (OF_MARGIN if "margin" in keys else {})
    plan.write_text(f"{plan.read_text()}\n{lines(given)}")
    told = submitted(pycompare, plan, tmp_path / "told")
    assert all(text in told for text in given.values())
    assert "not stated" not in told


@pytest.mark.parametrize("kind", [pc.Plan, ReadersPlan, CurvesPlan])
def test_what_is_stated_about_no_margin_is_rejected(kind):
    keys = {
        pc.Plan: {},
        ReadersPlan: {"modality": "m", "reader": "r", "case": "c", "rating": "x"},
        CurvesPlan: {"label": "l", "positive": "y", "algorithm": "a", "score": "s"},
    }[kind]
    for name in OF_MARGIN:
        with pytest.raises(pc.PlanError, match=f"{name}='x' is about a margin|{name} "):
            kind(**keys, **{name: "x"})
