"""Options that plans declare: a valid value gives the same results on each way in.

The ways are the command line, a plan file, and Python.
"""

import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.apps import comparison
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import NameList, NumberBy, RangeBy, keys_of
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.toml_text import lines
from pycompare.reporting import planned_report, report
from tests.command_line import ROOT
from tests.judged import drawn

pytestmark = pytest.mark.usefixtures("blank_pictures")

MADE = ROOT / "tests" / "data" / "readers" / "made"


def long_table(blocks=6, datasets=("d",), algorithms="ABC", seed=1):
    """Scores of algorithms on blocks of data sets: two metrics, and counts."""
    rng = np.random.default_rng(seed)
    rows = [
        {
            "data": data,
            "block": f"{data}{block}",
            "domain": "xy"[block % 2],
            "algorithm": name,
            "score": round(float(rng.normal(i, 0.7)), 3),
            "fp": int(rng.integers(3, 20)),
            "fn": int(rng.integers(3, 20)),
        }
        for data in datasets
        for block in range(blocks)
        for i, name in enumerate(algorithms)
    ]
    return pd.DataFrame(rows)


def wide_table():
    values = np.random.default_rng(2).normal([0, 0.5, 1], size=(9, 3)).round(3)
    frame = pd.DataFrame(values, columns=list("ABC"))
    frame.insert(0, "block", [f"b{i}" for i in range(9)])
    return frame


def board():
    return wide_table().set_index("block").T.rename_axis("model").reset_index()


def cases():
    table = long_table(24)
    clusters = table["block"].str.extract(r"(\d+)")[0].astype(int) // 3
    right = (table["score"] > 1).astype(int)
    return table.assign(score=right, text="t" + clusters.astype(str))


def judged():
    table = long_table(24)
    right = table["score"] > 1
    true = table["block"].str[-1].astype(int) % 3
    return table.assign(
        true=true, said=np.where(right, true, 9), verdict=np.where(right, "pass", "x")
    )


TABLES = {
    "folds": lambda: long_table(8),
    "repeated": lambda: long_table(20, algorithms="AB"),
    "several": lambda: long_table(4, ("d0", "d1", "d2")),
    "gaps": lambda: long_table(8).drop(index=4),
    "positive": lambda: long_table(8).assign(score=np.arange(1.0, 25.0) ** 1.3),
    "wide": wide_table,
    "board": board,
    "summary": lambda: long_table(8).replace({"block": {"d7": "mean"}}),
    "coded": lambda: long_table(8).assign(score=[*[-99] * 3, *np.arange(21) ** 2]),
    "spread": lambda: long_table(8).assign(score=[f"{s * s} ± 0.1" for s in range(24)]),
    "stacked": lambda: long_table(8).melt(
        ["algorithm", "block"], ["fp", "fn"], "what", "v"
    ),
    "cases": cases,
    "judged": judged,
    "labelled": lambda: pd.DataFrame(drawn(strata=2)),
    "prompts": lambda: pd.concat([cases().assign(run=f"r{s}") for s in range(3)]),
    "runs": lambda: pd.concat([long_table(seed=s).assign(run=f"r{s}") for s in (1, 2)]),
    "tidy": lambda: pd.DataFrame(
        {
            "unit": [f"u{i}" for i in range(6) for _ in range(3)],
            "learner": list("abc") * 6,
            "error": np.random.default_rng(4).normal(size=18).round(3),
            "size": np.repeat([1, 2.5, 4], 6),
            "weight": [1, 2, 4] * 6,
        }
    ),
}
LONG = {"algorithm": "algorithm", "block": "block"}
OF_DATA = {**LONG, "dataset": "data"}
GROUPED = {**LONG, "group": "domain"}
FOLDS, DATASETS = {"blocks": "folds"}, {"blocks": "datasets"}
RANKS = {**DATASETS, "compares": "ranks"}
CASES, SEVERAL = {"blocks": "cases"}, {"blocks": "folds-of-datasets"}
RANKED = {**CASES, "ranking": "rank-then-aggregate"}
COUNTS = {"fp": "lower", "fn": "lower"}
SCORE, RIGHT = {"score": "higher"}, {"accuracy": "higher"}
MARGIN = {**DATASETS, "margin": 1, "hypothesis": "equivalence"}
PROMPTS = {**LONG, "replicate": "run"}
RUNS = {**CASES, "replicates": "average"}
LABELLED = {"algorithm": "model", "block": "item"}
HUMAN = {"human": "higher"}
AVERAGED = {**DATASETS, "replicates": "average"}
ONE_SCALE = {"run_aggregates": "normalised", "reference_low": -9, "reference_high": 99}
BAYES = {"bayes": "signed-rank", "rope": 0.1}
ROWS = {
    # key of [plan]: table, roles, metrics, other keys, value
    "alpha": ("folds", LONG, SCORE, DATASETS, 0.01),
    "blocks": ("folds", LONG, SCORE, {}, "datasets"),
    "compares": ("several", OF_DATA, SCORE, SEVERAL, "means"),
    "bayes": ("folds", LONG, SCORE, {**DATASETS, "rope": 0.1}, "sign"),
    "rope": ("folds", LONG, COUNTS, {**DATASETS, "bayes": "sign"}, {"fp": 2, "fn": 0}),
    "prior": ("folds", LONG, SCORE, {**DATASETS, **BAYES}, 2.0),
    "draws": ("folds", LONG, SCORE, {**DATASETS, **BAYES}, 500),
    "decide_at": ("folds", LONG, SCORE, {**DATASETS, **BAYES}, 0.9),
    "replicates": ("runs", {**LONG, "replicate": "run"}, SCORE, FOLDS, "keep"),
    "run_aggregates": ("runs", PROMPTS, SCORE, AVERAGED, "as-measured"),
    "reference_low": ("runs", PROMPTS, SCORE, {**AVERAGED, **ONE_SCALE}, -5.5),
    "reference_high": ("runs", PROMPTS, SCORE, {**AVERAGED, **ONE_SCALE}, 70.0),
    "gamma": (
        "runs",
        PROMPTS,
        SCORE,
        {**AVERAGED, "run_aggregates": "as-measured"},
        1.5,
    ),
    "runs": ("prompts", PROMPTS, SCORE, RUNS, "samples"),
    "runs_scope": ("prompts", PROMPTS, SCORE, {**RUNS, "runs": "prompts"}, "fixed"),
    "ranking": ("cases", LONG, SCORE, CASES, "rank-then-aggregate"),
    "aggregate": ("cases", LONG, SCORE, RANKED, 0.25),
    "tied_ranks": ("cases", LONG, SCORE, RANKED, "min"),
    "labels": ("labelled", {**LABELLED, "judge": "judge"}, HUMAN, CASES, "random"),
    "items_scope": ("prompts", PROMPTS, SCORE, {**RUNS, "runs": "samples"}, "fixed"),
    "answers": ("cases", LONG, SCORE, CASES, "deterministic"),
    "gate": ("folds", LONG, SCORE, RANKS, "omnibus"),
    "omnibus": ("folds", LONG, SCORE, RANKS, "quade"),
    "control": ("folds", LONG, SCORE, DATASETS, "B"),
    "family": ("folds", LONG, COUNTS, DATASETS, "all"),
    "groups": ("folds", GROUPED, SCORE, {"family": "all"}, "each-and-all"),
    "weights": (
        "cases",
        GROUPED,
        SCORE,
        {**CASES, "family": "metric"},
        {"x": 3, "y": 0.5},
    ),
    "adjust": ("folds", LONG, SCORE, DATASETS, ("holm", "bonferroni")),
    "assumes": ("folds", LONG, SCORE, DATASETS, "symmetry"),
    "scale": ("positive", LONG, SCORE, DATASETS, "ratio"),
    "average_folds": ("several", OF_DATA, SCORE, {}, True),
    "protocol": ("folds", LONG, SCORE, FOLDS, "resampling"),
    "n_train": ("folds", LONG, SCORE, {**FOLDS, "n_test": 10}, 90),
    "n_test": ("folds", LONG, SCORE, {**FOLDS, "n_train": 90}, 10.5),
    "n_folds": ("repeated", LONG, SCORE, {**FOLDS, "protocol": "cross-validation"}, 10),
    "margin": (
        "folds",
        LONG,
        COUNTS,
        {**DATASETS, "hypothesis": "equivalence"},
        {"fp": 2, "fn": 1.5},
    ),
    "hypothesis": (
        "folds",
        LONG,
        SCORE,
        {**MARGIN, "control": "A"},
        "non-inferiority",
    ),
    "margin_alpha": ("folds", LONG, SCORE, MARGIN, 0.025),
    "range": ("folds", LONG, SCORE, {**MARGIN, **CASES}, {"score": (-9, 9.5)}),
    "together": ("folds", LONG, COUNTS, FOLDS, "no"),
    "cost_ratio": ("several", OF_DATA, COUNTS, SEVERAL, 2),
    "loss": ("several", OF_DATA, COUNTS, SEVERAL, ((0, 2), (1, 0))),
    "monotone": (
        "folds",
        LONG,
        SCORE,
        {**RANKS, "adjust": ("bergmann-hommel",)},
        True,
    ),
    "p_values": ("folds", LONG, SCORE, RANKS, "approximate"),
    "overlap": ("repeated", LONG, SCORE, {**FOLDS, "n_train": 90, "n_test": 10}, 1),
    "std_error": ("folds", LONG, SCORE, RANKS, "textbook"),
    "decimals": ("folds", LONG, SCORE, DATASETS, 0),
    "level": ("folds", LONG, SCORE, RANKS, 0.9),
    "blind": ("folds", LONG, SCORE, DATASETS, True),
    "seed": ("folds", LONG, COUNTS, {**FOLDS, "protocol": "held-out"}, 3),
}
LM_EVAL = {"format": "results"}
ROLE_ROWS = {
    # key of [data]: table, other roles, metrics, keys of [plan], value
    "format": ("wide", {"block": "block"}, SCORE, DATASETS, "wide"),
    "algorithm": ("folds", {"block": "block"}, SCORE, DATASETS, "algorithm"),
    "block": ("folds", {"algorithm": "algorithm"}, SCORE, DATASETS, "block"),
    "dataset": ("several", LONG, SCORE, SEVERAL, "data"),
    "replicate": ("runs", LONG, SCORE, {**FOLDS, "replicates": "average"}, "run"),
    "group": ("folds", LONG, SCORE, {"family": "metric"}, "domain"),
    "cluster": ("cases", LONG, SCORE, CASES, "text"),
    "judge": ("labelled", LABELLED, HUMAN, {**CASES, "labels": "random"}, "judge"),
    "stratum": (
        *("labelled", {**LABELLED, "judge": "judge"}, HUMAN),
        *({**CASES, "labels": "strata"}, "verdict"),
    ),
    "algorithms": ("wide", {"block": "block", "format": "wide"}, SCORE, {}, ("C", "A")),
    "missing": ("gaps", LONG, SCORE, DATASETS, "drop-block"),
    "sep": ("folds", LONG, SCORE, DATASETS, ";"),
    "decimal": ("folds", {**LONG, "sep": ";"}, SCORE, DATASETS, ","),
    "percent": ("folds", LONG, SCORE, DATASETS, ("score",)),
    "sheet": ("folds", LONG, SCORE, DATASETS, "two"),
    "worst": ("gaps", {**LONG, "missing": "worst"}, SCORE, DATASETS, -9),
    "transpose": ("board", {"block": "model", "format": "wide"}, SCORE, {}, True),
    "na": ("coded", {**LONG, "missing": "drop-block"}, SCORE, DATASETS, ("-99",)),
    "number": ("runs", LONG, SCORE, {**FOLDS, "replicates": "average"}, "replicate"),
    "metric_column": ("stacked", {**LONG, "value": "v"}, COUNTS, DATASETS, "what"),
    "value": ("stacked", {**LONG, "metric_column": "what"}, COUNTS, DATASETS, "v"),
    "truth": ("judged", {**LONG, "value": "said"}, RIGHT, {}, "true"),
    "one_is": ("judged", LONG, {"verdict": "higher"}, CASES, "pass"),
    "header": ("folds", LONG, SCORE, DATASETS, "2"),
    "spread": ("spread", LONG, SCORE, DATASETS, "ignored"),
    "leave_out": ("summary", LONG, SCORE, DATASETS, ("block=mean",)),
    "confirmed": ("summary", LONG, SCORE, DATASETS, ("summary-row:mean",)),
    "results_format": (
        *(MADE / "lm-eval", {**LM_EVAL, "filter": "strict"}),
        *({"exact_match": "higher"}, {}, "lm-eval"),
    ),
    "filter": (MADE / "lm-eval", LM_EVAL, {"exact_match": "higher"}, {}, "strict"),
}
FORMULA = {"formula": "error ~ learner"}
COVARIATE = {"formula": "error ~ learner * size"}
MODEL_ROWS = {
    # key of [model]: other keys, value
    "formula": ({}, "error ~ learner"),
    "within": (FORMULA, "unit"),
    "type": (FORMULA, 3),
    "method": ({**FORMULA, "within": "unit"}, "reml"),
    "df": ({**FORMULA, "within": "unit", "method": "reml"}, "satterthwaite"),
    "row_weights": (FORMULA, "weight"),
    "missing": (FORMULA, "drop-row"),
    "slopes": (COVARIATE, ("size",)),
    "at": ({**COVARIATE, "means": ("learner",)}, {"size": 2.5}),
    "means": (FORMULA, ("learner",)),
    "contrasts": (FORMULA, ("learner",)),
    "adjust": ({**FORMULA, "contrasts": ("learner",)}, "tukey"),
    "level": ({**FORMULA, "means": ("learner",)}, 0.9),
    "alpha": (FORMULA, 0.01),
    "permutations": (FORMULA, 19),
    "seed": ({**FORMULA, "permutations": 19}, 3),
}


def test_every_declared_option_has_a_row():
    for owner, rows in ((pc.Plan, ROWS), (Roles, ROLE_ROWS), (ModelPlan, MODEL_ROWS)):
        declared = {k.name for k in keys_of(owner).values() if "--" in k.option}
        # --generalise is for predictions, which ``compare`` reads with --plan only.
        assert declared - {"generalise"} == set(rows), owner


def written(name, roles, folder):
    """Return the file of a table, written in the folder as its roles say."""
    if not isinstance(name, str):
        return name
    table = TABLES[name]()
    if "sheet" in roles:
        path = folder / "table.xlsx"
        with pd.ExcelWriter(path) as book:
            table.assign(score=0.0).to_excel(book, sheet_name="one", index=False)
            table.to_excel(book, sheet_name=roles["sheet"], index=False)
        return path
    form = {name: roles[name] for name in ("sep", "decimal") if name in roles}
    text = table.to_csv(index=False, **form)
    title = "A title\n" if "header" in roles else ""
    (folder / "table.csv").write_text(title + text, encoding="utf-8")
    return folder / "table.csv"


def words(owner, values):
    """Return values as options of the command line."""
    for name, value in values.items():
        key = keys_of(owner)[name]
        if name == "format":
            yield from ("--wide",) if value == "wide" else ()
        elif value is True:
            yield key.option
        elif isinstance(key.kind, NumberBy) and isinstance(value, dict):
            for one, number in value.items():
                yield from (key.option, f"{one}={number}")
        elif isinstance(key.kind, RangeBy):
            for one, (low, high) in value.items():
                yield from (key.option, f"{one}={low},{high}")
        elif isinstance(key.kind, NameList):
            for one in value:
                yield from (key.option, one)
        elif name == "loss":
            yield from (key.option, *map(str, np.ravel(value)))
        else:
            yield from (key.option, str(value))


@pytest.fixture
def asked(monkeypatch):
    """Keep what commands would compare or fit, and do neither."""
    kept = []

    def keep(data, plan, **_):
        kept.append((data, getattr(plan, "plan", plan)))
        return SimpleNamespace(summary=str)

    def keep_model(plan, path, form):
        kept.append((path.read_bytes(), plan))
        return SimpleNamespace(n=0)

    monkeypatch.setattr(comparison, "compare", keep)
    monkeypatch.setattr(report, "report", lambda *_, **__: None)
    monkeypatch.setattr(ModelPlan, "fitted", keep_model)
    monkeypatch.setattr(planned_report, "conclusion", lambda *_: "")
    return kept


def ask_twice(asked, command, pycompare, folder, **tables):
    """Run a command with options, then a plan file that says the same."""
    plan = folder / "plan.toml"
    plan.write_text("".join(f"[{k}]\n{lines(v)}" for k, v in tables.items()))
    for arguments in (command, ("run", plan)):
        status, _, said = pycompare(*arguments, "--out", folder / "out")
        assert status == 0, said
    return asked


@pytest.mark.parametrize(
    ("owner", "name"),
    [*((pc.Plan, name) for name in ROWS), *((Roles, name) for name in ROLE_ROWS)],
)
def test_the_three_ways_into_a_comparison_agree(
    owner, name, asked, pycompare, tmp_path
):
    table, roles, metrics, keys, value = (ROWS if owner is pc.Plan else ROLE_ROWS)[name]
    roles, keys = dict(roles), dict(keys)
    (keys if owner is pc.Plan else roles)[name] = value
    path = written(table, roles, tmp_path)
    named = [w for pair in metrics.items() for w in ("--metric", ":".join(pair))]
    command = ("compare", path, *words(Roles, roles), *words(pc.Plan, keys), *named)
    data = {"file": str(path), **roles}
    by_options, by_file = ask_twice(
        *(asked, command, pycompare, tmp_path), data=data, metrics=metrics, plan=keys
    )
    [(metric, better), *_] = metrics.items()
    how = {k: v for k, v in roles.items() if k != "format"}
    if "filter" in roles:
        scores = pc.read_results(path, "lm-eval", metric=metric, filter="strict")
    elif "format" in roles:
        scores = pc.read_scores(path, wide=True, metric=metric, better=better, **how)
    else:
        scores = pc.read_scores(path, metrics=metrics, **roles)
    wanted = pc.Plan(**keys)
    assert scores.sha256 == by_options[0].sha256 == by_file[0].sha256
    # 2 and 2.0 are equal, and results.json would hold the one or the other.
    settled = [repr(p.settled(scores)) for p in (wanted, by_options[1], by_file[1])]
    assert len(set(settled)) == 1


def test_of_five_times_ten_folds_ten_are_one_repetition(pycompare, tmp_path):
    rng = np.random.default_rng(7)
    base = 0.8 + rng.normal(0, 0.02, 50)
    frame = pd.DataFrame({"A": base + rng.normal(0.011, 0.03, 50), "B": base})
    names = [f"Repeat{r}Fold{f:02d}" for r in range(1, 6) for f in range(1, 11)]
    frame.insert(0, "fold", names)
    frame.to_csv(tmp_path / "runs.csv", index=False)
    command = (
        *("compare", tmp_path / "runs.csv", "--wide", "--metric", "acc:higher"),
        *("--blocks", "folds", "--protocol", "cross-validation"),
    )
    status, _, said = pycompare(*command, "--out", tmp_path / "all")
    assert status == 2 and said.count("\n") == 1
    assert "50 folds" in said and "by --n-folds (of five times" in said
    status, _, said = pycompare(*command, "--n-folds", "ten", "--out", tmp_path / "x")
    assert status == 2 and "--n-folds 'ten': give a number" in said
    sizes = ("--train", 9, "--test", 1)
    for more, out in ((("--n-folds", 10), "ten"), (sizes, "sizes")):
        assert pycompare(*command, *more, "--out", tmp_path / out)[0] == 0
        [found] = json.loads((tmp_path / out / "results.json").read_text())["analyses"]
        difference = frame["A"] - frame["B"]
        error = difference.std(ddof=1) * np.sqrt(1 / 50 + 2.25 / 9)
        t = difference.mean() / error
        assert found["t"]["statistic"] == pytest.approx(t, rel=1e-12)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(("folds", "fits"), [(10, True), (11, False), (50, False)])
def test_over_ten_folds_of_a_cross_validation_are_no_single_repetition(
    several, folds, fits
):
    table = long_table(folds, ("d0-", "d1-") if several else ("d0-",))
    scores = pc.Scores.from_frame(table, **OF_DATA, metrics=SCORE)
    plan = pc.Plan(protocol="cross-validation")
    if fits:
        assert plan.settled(scores).n_folds == folds
    else:
        with pytest.raises(pc.PlanError, match=f"has {folds} folds.*one repetition"):
            plan.settled(scores)
    pc.Plan(protocol="cross-validation", n_train=9, n_test=1).settled(scores)
    one_run = pc.Plan(protocol="cross-validation", n_folds=folds)
    if fits:
        one_run.settled(scores)
    else:
        with pytest.raises(
            pc.PlanError, match=f"single run of {folds} folds.*up to 10"
        ):
            one_run.settled(scores)
    dataclasses.replace(one_run, overlap=1).settled(scores)
    pc.Plan(protocol="resampling").settled(scores)


@pytest.mark.parametrize("name", MODEL_ROWS)
def test_the_three_ways_into_a_model_agree(name, asked, pycompare, tmp_path):
    others, value = MODEL_ROWS[name]
    keys = {**others, name: value}
    path = written("tidy", {}, tmp_path)
    command = ("model", path, *words(ModelPlan, keys))
    by_options, by_file = ask_twice(
        *(asked, command, pycompare, tmp_path), data={"file": str(path)}, model=keys
    )
    assert by_options[0] == by_file[0]
    plans = [repr(p) for p in (ModelPlan(**keys), by_options[1], by_file[1])]
    assert len(set(plans)) == 1
