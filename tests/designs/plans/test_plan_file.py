"""Plan files: they read back exactly, and name the line of what is wrong."""

import dataclasses
import hashlib
import json
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.metric import OF_BLOCKS
from pycompare.base.parallel import progress
from pycompare.designs.pair_methods import (
    MEANS_ALL_PAIRS,
    PUBLISHED,
    PUBLISHED_CONTROL,
)
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.toml_text import lines, table
from pycompare.reporting.comparison_report import report_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

DIRECTIONS = {"error": "lower", "auc": "higher"}
GOOD = """\
[data]
file = "runs.csv"
algorithm = "model"
block = "fold"
dataset = "data"

[metrics]
error = "lower"
auc = "higher"

[plan]
alpha = 0.01
blocks = "folds"
adjust = [
  "tukey",  # decisive
  "holm",
]
n_train = 216
n_test = 24
"""


def plan_file(text, **options):
    return PlanFile(content=text.encode(), **options)


def runs(n_data=1, n_folds=8, algorithms="abc", seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        (m, f"d{d}", f, rng.random(), rng.random())
        for d in range(n_data)
        for f in range(n_folds)
        for m in algorithms
    ]
    return pd.DataFrame(rows, columns=["model", "data", "fold", "error", "auc"])


@pytest.fixture
def study(tmp_path):
    """A folder with a plan and its data."""
    runs().to_csv(tmp_path / "runs.csv", index=False)
    (tmp_path / "plan.toml").write_text(GOOD)
    return tmp_path


def test_a_plan_file_says_what_the_same_plan_in_python_does(study):
    got = pc.read_plan(study / "plan.toml")
    assert got.plan == pc.Plan(
        alpha=0.01, blocks="folds", adjust=("tukey", "holm"), n_train=216, n_test=24
    )
    assert [(m.name, m.better) for m in got.metrics] == list(DIRECTIONS.items())
    direct = pc.read_scores(
        study / "runs.csv",
        **{"algorithm": "model", "block": "fold", "dataset": "data"},
        metrics=DIRECTIONS,
    )
    assert got.read_scores().sha256 == direct.sha256
    planned, by_hand = pc.compare(got.read_scores(), got), pc.compare(direct, got.plan)
    assert planned.to_dict() == by_hand.to_dict()
    assert planned.plan_file is got and by_hand.plan_file is None


def test_the_report_holds_the_plan_and_its_hash(study):
    text = GOOD + "# <script>alert(1)</script>\n"
    (study / "plan.toml").write_text(text)
    got = pc.read_plan(study / "plan.toml")
    out = pc.report(pc.compare(got.read_scores(), got), study / "out")
    digest = hashlib.sha256((study / "plan.toml").read_bytes()).hexdigest()
    held = json.loads((out / "results.json").read_text())["provenance"]["plan_file"]
    assert held.pop("trail") == []
    assert held == {"name": "plan.toml", "sha256": digest, "text": text}
    page = (out / "report.html").read_text()
    assert digest in page and "# decisive" in page
    assert "&lt;script&gt;" in page and page.count("<script") == 0
    plain = pc.report(pc.compare(got.read_scores(), got.plan), study / "plain")
    assert "no plan file" in (plain / "report.html").read_text()


SHOWN = st.characters(exclude_categories=["Cc", "Cf", "Cs"])
NAMES = st.text(SHOWN, min_size=1).filter(str.strip)
SIZES = st.floats(min_value=1e-3, max_value=1e9) | st.integers(1, 10**9)


@st.composite
def plans(draw):
    """Plans that can be."""
    blocks = draw(st.sampled_from(["by-columns", "datasets", "folds"]))
    control = draw(st.none() | NAMES)
    options = {
        "blocks": blocks,
        "control": control,
        "alpha": draw(st.floats(1e-9, 0.49)),
        "level": draw(st.none() | st.floats(0.01, 0.99)),
        "decimals": draw(st.none() | st.integers(-3, 20)),
        "metrics": tuple(draw(st.lists(NAMES, max_size=3))),
        "p_values": draw(st.sampled_from(["by-size", "approximate", "exact"])),
    }
    methods = MEANS_ALL_PAIRS if blocks == "folds" else PUBLISHED
    methods = PUBLISHED_CONTROL if control is not None else methods
    chosen = st.lists(st.sampled_from(methods), unique=True)
    options["adjust"] = tuple(draw(chosen))
    if blocks != "folds":
        options["average_folds"] = draw(st.booleans())
        options["compares"] = "ranks"
    if blocks != "datasets":
        options["seed"] = draw(st.none() | st.integers(0, 10**30))
        options["together"] = draw(st.sampled_from(["if-possible", "required", "no"]))
        options["margin"] = draw(st.none() | st.floats(1e-300, 1e300))
        if options["margin"] is not None:
            options["hypothesis"] = "equivalence"
        if draw(st.booleans()):
            options |= {"n_train": draw(SIZES), "n_test": draw(SIZES)}
    return pc.Plan(**options)


@given(plans())
def test_random_plans_read_back_exactly(plan):
    again = pc.Plan.from_toml(plan.to_toml())
    assert again == plan
    assert again.to_toml() == plan.to_toml()


@given(
    plans(),
    st.dictionaries(NAMES, st.sampled_from(["higher", "lower"]), min_size=1),
    st.lists(NAMES, min_size=3, max_size=3, unique=True),
)
def test_random_plan_files_read_back_exactly(plan, metrics, columns):
    assume(not set(columns) & set(metrics))
    assume(not {*metrics} & {*OF_BLOCKS, "algorithm", "run"})  # our own columns
    roles = Roles(algorithm=columns[0], block=columns[1], dataset=columns[2])
    plan = dataclasses.replace(plan, metrics=tuple(metrics)[:2])
    text = f"{table('data', roles)}[metrics]\n{lines(metrics)}{plan.to_toml()}"
    first = plan_file(text)
    again = plan_file(first.to_toml())
    assert (again.plan, again.roles) == (first.plan, first.roles) == (plan, roles)
    assert [(m.name, m.better) for m in again.metrics] == list(metrics.items())


WRONG = {
    "alpha = 0.01": [
        ("alpha = 2", "line 12: alpha = 2: give a number between 0 and 1"),
        ("alpha = nan", "line 12: alpha = nan: give a number"),
        ("alpha = '0.1'", 'line 12: alpha = "0.1": give a number'),
        ("alpha = true", "line 12: alpha = true: give a number"),
        ("alpha = 1979-05-27", "line 12: alpha = datetime.date"),
        ("alpha = 0.01\nalpha = 0.02", "line 13: Cannot overwrite a value"),
        ("alpha", "line 12: Expected '=' after a key"),
        (
            "alhpa = 0.1",
            r"line 12: \[plan\] has no key 'alhpa'; did you .* 'alpha'\?$",
        ),
        ("zzz = 0.1", r"line 12: \[plan\] has no key 'zzz'; it has alpha, blocks"),
        ("alpha = 0,01", "line 12: .*TOML.*a decimal point"),
        ("monotone = True", "line 12: .*TOML.*true and false in small letters"),
        ("file = 'x'", r"line 12: \[plan\] has no key 'file'; put it under \[data\]"),
        ("thresholds = [0.5]", "line 12: .* measure the predictions"),
        ("seed = 1.5", "line 12: seed = 1.5: give a whole number"),
        ("average_folds = 1", "line 12: average_folds = 1: give true or false"),
        ("average_folds = true", "lines 12 and 13: average_folds is for several"),
        ("metrics = ['auk']", r"line 12: \[metrics\] has no 'auk'; did you mean 'auc'"),
        ("control = ''", 'line 12: control = "": not filled in'),
        ("control = 'a'", "lines 12 and 14: adjust: made for all pairs.*: tukey;"),
        ("margin = 1\nalpha = 0.6", "lines 12 and 13: alpha = 0.6: a margin needs"),
    ],
    '  "holm",': [
        ('  "hulm",', "line 16: adjust: no adjustment is called 'hulm'"),
        ("  3,", "line 16: adjust: entry 2 is 3, not a name in quotes"),
        ('  "nemenyi"', "lines 13 and 14: adjust: nemenyi compares mean ranks"),
    ],
    'blocks = "folds"': [
        ('blocks = "fold"', "line 13: blocks = \"fold\": .* did you mean 'folds'"),
        ('blocks = "datasets"', 'lines 13 and 14: adjust: .*compares = "means"'),
    ],
    "n_train = 216": [
        ("", "line 19: give both n_train and n_test"),
        ("n_train = -1", "line 18: n_train = -1: give the positive size"),
    ],
    'auc = "higher"': [
        ('auc = ""', 'line 9: auc = "": not filled in; choose one of'),
        ('auc = "up"', 'line 9: auc = "up": choose one of'),
        ('a.uc = "higher"', "line 9: a = .*a name with a dot goes in quotes"),
        ('fold = "higher"', "lines 4 and 9: column 'fold' has two roles"),
        ('block = "higher"', "line 9: a metric cannot be called 'block'"),
    ],
    'algorithm = "model"': [
        ('algorithm = ""', 'line 3: algorithm = "": not filled in'),
        ("", "line 1: a long table needs algorithm"),
        ('algorithm = "fold"', "lines 3 and 4 and 5: column 'fold' has two roles"),
        ('algorithm = "model"\nformat = "wide"', "lines 3 and 4: a wide table's"),
        ('algorithm = "model"\nalgorithms = ["a"]', "line 4: algorithms names"),
        ('algorithm = "model"\nmissing = "model-it"', 'line 4: missing = "model-it"'),
    ],
    "[metrics]": [("[metric]", "line 7: there is no 'metric'; did you mean 'metrics'")],
    "[plan]": [("[[plan]]", r"line 11: plan is a table: write \[plan\]")],
}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [(old, new, message) for old, cases in WRONG.items() for new, message in cases],
)
def test_what_is_wrong_is_named_with_its_line(old, new, message):
    assert GOOD.count(f"{old}\n") == 1
    with pytest.raises(pc.PlanError, match="(?m)plan.toml, " + message):
        plan_file(GOOD.replace(f"{old}\n", f"{new}\n"))


def test_every_problem_is_listed_at_once_in_the_order_of_lines():
    text = GOOD.replace('"model"', '""').replace('"lower"', '"down"')
    text = text.replace("alpha = 0.01", "alhpa = 0.01").replace('"holm"', '"hulm"')
    with pytest.raises(pc.PlanError) as refused:
        plan_file(text, name="my plan.toml")
    lines = refused.value.lines
    places = [re.match(r"my plan.toml, line (\d+): ", line)[1] for line in lines]
    assert places == ["3", "8", "12", "16"]
    assert str(refused.value).startswith("4 problems:\n")
    assert all(line in str(refused.value) for line in lines)


def test_problems_in_python_are_listed_at_once_too():
    with pytest.raises(pc.InputError) as refused:
        pc.Plan(alpha=2, seed=-1, n_train=3, adjust=("none",), blocks="fold")
    told = refused.value.lines
    begin = [line.split(":")[0] for line in told[:3]]
    assert begin == ["alpha=2", "blocks='fold'", "seed=-1"]
    assert len(told) == 5


KEYS = [("data", name) for name in keys_of(Roles)]
KEYS += [("plan", name) for name in keys_of(pc.Plan)]
WILD = """2 -1 0.5 nan -inf true "" "a" "folds" [] ["holm"] [1,'x',[true]] {a=1} '#'
1979-05-27 07:32:00""".split()
VALUES = st.sampled_from([*WILD, "9" * 400])


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8))
def test_any_value_is_taken_or_refused_with_its_line(given):
    head = {"data": 'algorithm = "m"\nblock = "f"\n', "plan": ""}
    text = '[metrics]\ny = "lower"\n'
    for table_name, lines_of in head.items():
        held = {name: v for (table, name), v in given.items() if table == table_name}
        left = [row for row in lines_of.split("\n") if row.split(" ")[0] not in held]
        rows = [*left, *(f"{name} = {v}" for name, v in held.items())]
        text += f"[{table_name}]\n" + "\n".join(rows) + "\n"
    try:
        got = plan_file(text)
    except pc.PlanError as error:
        rows = text.split("\n")
        for line in error.lines:
            place = re.match(r"plan.toml, lines? (\d+[ \d,and]*): (\w+ = )?", line)
            named = [rows[int(n) - 1] for n in re.findall(r"\d+", place[1])]
            assert any(row.startswith(place[2] or "") for row in named)
    else:
        assert plan_file(got.to_toml()).plan == got.plan


@pytest.mark.parametrize(
    "page", ["guide/plans.md", "plan_keys.md", "tutorials/regulated.md"]
)
def test_plans_in_the_pages_are_plans(page, tmp_path):
    text = (Path(__file__).parents[3] / "docs" / page).read_text()
    [text] = re.findall(r"(?s)```toml\n(.*?)```", text)
    (tmp_path / "plan.toml").write_text(text)
    (tmp_path / "folds.csv").write_text(pc.example_path("folds").read_text())
    got = pc.read_plan(tmp_path / "plan.toml")
    assert got.read_scores().blocks == pc.example("folds").blocks
    assert pc.compare(got.read_scores(), got).plan.blocks == "folds"


def test_a_refusal_comes_back_from_another_process():
    with pytest.raises(pc.PlanError) as refused:
        plan_file(GOOD.replace("alpha = 0.01", "alpha = 2\nseed = -1"))
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.in_file) == (str(refused.value), True)


def test_a_misspelled_key_is_not_missed_a_second_time():
    with pytest.raises(pc.PlanError) as refused:
        plan_file(GOOD.replace("n_train =", "n_tran ="))
    [line] = refused.value.lines
    assert "did you mean 'n_train'" in line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "plan.toml: \\[metrics\\] is missing"),
        (b"[plan]\nx = 1 \xff", "line 2: this is not UTF-8"),
        (b"[plan]\nx = " + b"[" * 5000, "lists stand too deeply in lists"),
        (b"[plan]\nseed = " + b"9" * 5000, "4300 digits"),
        (b"[plan]\n\nalpha = [", "line 3: .*this is not TOML"),
    ],
)
def test_what_is_no_plan_at_all_is_refused(content, message):
    with pytest.raises(pc.PlanError, match=message):
        PlanFile(content=content)


def test_a_byte_order_mark_and_line_ends_of_windows_change_nothing():
    content = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    got = PlanFile(content=content)
    assert got.plan == plan_file(GOOD).plan
    assert got.text.encode() == content
    assert got.sha256 == hashlib.sha256(content).hexdigest()


def test_a_plan_alone_may_not_bring_data():
    with pytest.raises(pc.PlanError, match=r"line 1: there is no 'data'"):
        pc.Plan.from_toml(GOOD)


def test_a_plan_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(pc.InputError, match="cannot read"):
        pc.read_plan(tmp_path / "no.toml")


def test_columns_that_are_not_there_are_all_named(study):
    text = GOOD.replace('"model"', '"modle"').replace("auc =", "auk =")
    (study / "plan.toml").write_text(text)
    with pytest.raises(pc.PlanError) as refused:
        pc.read_plan(study / "plan.toml").read_scores()
    one, other = refused.value.lines
    assert "line 3: no column 'modle'; did you mean 'model'" in one
    assert "line 9: no column 'auk'; did you mean 'auc'" in other


def test_advice_about_the_data_is_spelled_as_in_a_plan(study):
    runs().iloc[1:].to_csv(study / "runs.csv", index=False)
    with pytest.raises(
        pc.InputError, match=r'runs.csv: .*\(missing = "drop-block" keeps'
    ):
        pc.read_plan(study / "plan.toml").read_scores()


def test_the_data_are_beside_the_plan_and_only_one_table(study, monkeypatch):
    monkeypatch.chdir("/")
    got = pc.read_plan(study / "plan.toml")
    assert got.read_scores().n_blocks == 8
    assert got.read_scores(study / "runs.csv").n_blocks == 8
    runs(seed=1).to_csv(study / "other.csv", index=False)
    with pytest.raises(pc.PlanError, match=r"line 2: file = 'runs.csv', but .*other"):
        got.read_scores(study / "other.csv")
    bare = plan_file(GOOD.replace('file = "runs.csv"', ""))
    with pytest.raises(pc.PlanError, match="line 1: file is missing"):
        bare.read_scores()
    assert bare.read_scores(study / "other.csv").n_blocks == 8


def test_a_wide_table_is_read_as_planned(tmp_path):
    text = "set,x,a,b\n" + "".join(f"{i},9,{i},{i + 1}\n" for i in range(6))
    (tmp_path / "wide.csv").write_text(text)
    plan = '[data]\nformat = "wide"\nblock = "set"\nalgorithms = ["a", "b"]\n'
    got = plan_file(plan + '[metrics]\nscore = "lower"\n')
    assert got.read_scores(tmp_path / "wide.csv").algorithms == ("a", "b")
    several = plan + '[metrics]\nscore = "lower"\nother = "lower"\n'
    with pytest.raises(pc.PlanError, match="lines 6 and 7: a wide table holds one"):
        plan_file(several)
    with pytest.raises(pc.PlanError, match="line 4: no column 'c'"):
        plan_file(got.to_toml().replace('"b"]', '"c"]')).read_scores(
            tmp_path / "wide.csv"
        )


def scores(**options):
    return pc.Scores.from_frame(
        runs(**options),
        **{"algorithm": "model", "block": "fold", "dataset": "data"},
        metrics=DIRECTIONS,
    )


def test_scores_that_were_read_otherwise_are_refused():
    read = pc.Scores.from_frame(
        runs(),
        **{"algorithm": "model", "block": "fold", "dataset": "data"},
        **{"metrics": {"error": "higher"}, "missing": "drop-block"},
        confirmed=["direction"],
    )
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(
            read, plan_file(GOOD.replace("[metrics]", 'missing="model"\n[metrics]'))
        )
    assert 'read with missing = "drop-block"' in refused.value.lines[0]
    assert "read with {'error': 'higher'}" in refused.value.lines[1]


@pytest.mark.parametrize("n_folds", [2, 3, 8])
def test_the_impossible_is_refused_before_any_computing(n_folds, monkeypatch):
    from pycompare.designs import compare

    def never(*_):
        raise AssertionError("it computed")

    monkeypatch.setattr(compare, "drafter", lambda *_: never)
    text = (
        GOOD.replace('"tukey"', '"dunnett"')
        + 'control = "z"\nmargin = 0.1\nhypothesis = "equivalence"\n'
    )
    text += 'together = "required"\n'
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(scores(n_folds=n_folds), plan_file(text))
    told = "\n".join(refused.value.lines)
    assert "line 20: control 'z' is not an algorithm; there are 'a', 'b', 'c'" in told
    assert "line 21: margin = 0.1: a margin is in its metric's unit" in told
    # 2 folds leave 1 degree of freedom to a pair, fewer than the 2 metrics.
    few = "2 folds of 3 algorithms leave 2 error degrees of freedom (1 for each"
    assert (few in told) == (n_folds == 2)
    assert 'set together = "if-possible"' in told or n_folds > 2


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ({"n_data": 2}, 'blocks = "datasets"', "average_folds = true"),
        ({}, 'blocks = "datasets"', "line 11: .* holds one, 'd0'"),
        ({}, "average_folds = true", "at least two data sets"),
        ({}, 'protocol = "held-out"\ndecimals = 2', None),
        ({}, "decimals = 2", "line 11: decimals.*nothing is tested"),
        ({"algorithms": "ab"}, "decimals = 2", "line 11: decimals"),
    ],
)
def test_plans_that_do_not_fit_the_data_name_the_line(given, options, message):
    text = GOOD.split("[plan]")[0].strip() + f"\n[plan]\n{options}\n"
    if message is None:
        assert pc.compare(scores(**given), plan_file(text)).analyses
        return
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(scores(**given), plan_file(text))


def test_what_the_blocks_refuse_stands_beside_what_the_names_do():
    table = runs().drop(columns="data").rename(columns={"fold": "task"})
    read = pc.Scores.from_frame(
        table, algorithm="model", block="task", metrics={"auc": "higher"}
    )
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(read, pc.Plan(control="z", seed=1, adjust=("dunnett",)))
    told = [line.split()[0] for line in refused.value.lines]
    assert told == ["control", "adjust:", "seed"]


def test_metrics_together_are_required_or_left_out():
    given = scores(n_folds=3)
    sizes = pc.Plan(n_train=90, n_test=10)
    assert pc.compare(given, sizes).together is not None
    required = pc.Plan(blocks="folds", protocol="held-out", together="required")
    assert pc.compare(given, required).together.manova is not None
    left_out = pc.compare(
        given, pc.Plan(blocks="folds", protocol="held-out", together="no")
    )
    assert left_out.together is None
    assert (
        "Metrics are not compared together, as specified." in report_of(left_out).plan()
    )
    with pytest.raises(pc.PlanError, match="at least two metrics"):
        pc.compare(given, dataclasses.replace(required, metrics=("auc",)))
    with pytest.raises(pc.PlanError, match="together is for several metrics on folds"):
        pc.Plan(blocks="datasets", together="no")


def test_each_step_is_told(monkeypatch):
    monkeypatch.setattr(progress, "_EVERY", math.inf)
    told = []
    pc.compare(scores(), pc.Plan(n_train=90, n_test=10), progress=told.append)
    assert told[:2] == ["0 of 2 metrics: error", "1 of 2 metrics: auc"]
    assert told[2:] == ["all metrics together"]


def test_every_key_is_declared_in_full():
    for owner in (Roles, pc.Plan):
        names = {field.name for field in owner.__dataclass_fields__.values()}
        assert names == set(keys_of(owner))
        for key in keys_of(owner).values():
            assert key.about.endswith(".") and key.kind.expected and key.applies_to
            assert key.name in owner.__doc__
