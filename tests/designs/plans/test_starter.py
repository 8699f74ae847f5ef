"""The starter plan: every key is in it, nothing is guessed, names are data."""

import re
import tomllib

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.designs.plans.analysis_plan import TableFile
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.starter import CALLED, about
from tests.command_line import command
from validation.checks.models import designed

ODD = ["a\nb", 'q"uote', "= 1", "# c", "[x]", "é 名前", "\u202e", "a.b", "\\u0041"]


def refused_lines(text):
    with pytest.raises(pc.PlanError) as refused:
        PlanFile(content=text.encode())
    return [int(re.search(r"line (\d+)", line)[1]) for line in refused.value.lines]


def test_it_is_refused_until_every_direction_and_role_is_filled_in():
    text = pc.starter_plan(pc.example_path("folds"))
    empty = re.compile(r'(\w+) = ""')
    rows = enumerate(text.split("\n"), start=1)
    found = [(i, got[1]) for i, line in rows if (got := empty.match(line))]
    assert [name for _, name in found] == ["algorithm", "block", "error", "auc"]
    assert refused_lines(text) == [line for line, _ in found]


def test_filled_in_it_is_a_plan():
    text = pc.starter_plan(pc.example_path("folds"))
    text = re.sub(r'(?m)^(\w+) = ""  # proposed: (.*)$', r"\1 = \2", text)
    text = re.sub(r"(?m)^# (dataset = .*)  # proposed$", r"\1", text)
    text = text.replace('error = ""', 'error = "lower"')
    text = text.replace('auc = ""', 'auc = "higher"')
    got = PlanFile(content=text.encode())
    assert got.plan == pc.Plan()
    comparison = pc.compare(got.read_scores(), got)
    assert comparison.to_dict() == pc.compare(pc.example("folds")).to_dict()


def test_every_key_is_in_it_with_its_explanation():
    text = pc.starter_plan(pc.example_path(), wide=True)
    flat = " ".join(text.replace("\n# ", " ").split())
    for owner in (Roles, pc.Plan):
        for key in keys_of(owner).values():
            assert re.search(rf"(?m)^(# )?{key.name} =", text), key.name
            assert key.about in flat


def test_the_plan_of_a_model_has_every_key_and_waits_for_its_formula(tmp_path):
    path = tmp_path / "runs.csv"
    designed(1).rename(columns={"data": "data set"}).to_csv(path, index=False)
    text = pc.starter_plan(path, model=True, folder=tmp_path)
    flat = " ".join(text.replace("\n# ", " ").split())
    for owner in (TableFile, ModelPlan):
        for key in keys_of(owner).values():
            assert re.search(rf"(?m)^(# )?{key.name} =", text), key.name
            assert key.about in flat
    (tmp_path / "plan.toml").write_text(text)
    line = text.split("\n").index('formula = ""') + 1
    with pytest.raises(pc.PlanError, match=f"line {line}"):
        read_analysis_plan(tmp_path / "plan.toml")
    text = text.replace('formula = ""', 'formula = "error ~ learner"')
    text = text.replace('# within = "`data set`/fold"  # proposed',
                        'within = "`data set`/fold"')  # fmt: skip
    (tmp_path / "plan.toml").write_text(text)
    found = read_analysis_plan(tmp_path / "plan.toml")
    assert found.model == ModelPlan(formula="error ~ learner", within="`data set`/fold")
    terms = found.fitted().anova
    assert terms.loc[terms["term"] == "learner", "p_value"].notna().all()


@pytest.mark.parametrize("other", ["wide", "predictions"])
def test_a_plan_of_a_model_is_of_nothing_else(other):
    with pytest.raises(pc.InputError, match=f"leave {other}=True out"):
        pc.starter_plan(pc.example_path("folds"), model=True, **{other: True})


@pytest.mark.parametrize("other", ["predictions", "curves", "battles", "wide"])
def test_kinds_that_exclude_each_other_are_named_as_options(other):
    status, _, said = command(
        "plan", pc.example_path("folds"), "--readers", f"--{other}"
    )
    assert status == 2 and re.search(rf"--(readers|{other}).* out|--{other} out", said)
    assert "=True" not in said


def test_no_explanation_says_the_same_twice():
    for owner in (pc.Plan, Roles, ModelPlan):
        for key in keys_of(owner).values():
            told = re.sub(r"\W+", " ", about(key)).casefold()
            words = told.split()
            runs = [tuple(words[i : i + 6]) for i in range(len(words) - 5)]
            assert len(runs) == len(set(runs)), told
            assert not re.search(r"\b(\w+) \1\b", about(key)), about(key)


def test_defaults_that_are_uncommented_change_nothing():
    text = pc.starter_plan(pc.example_path(), wide=True)
    text = re.sub(r'(?m)^# (\w+ = (?!"").+)$', r"\1", text)
    text = text.replace('score = ""', 'score = "higher"')
    got = PlanFile(content=text.encode())
    assert "average_folds = false" in text and "\nalpha = 0.05" in text
    assert got.plan == pc.Plan()


def test_columns_are_listed_by_type_and_number_of_values_not_by_score(
    tmp_path,
):
    path = tmp_path / "x.csv"
    path.write_text("model,when,y,z\na,,0.125,7\nb,x,0.75,\n")
    text = pc.starter_plan(path, folder=tmp_path)
    assert '#   "model": labels, 2 different' in text
    assert '#   "when": neither numbers nor labels' in text
    assert '#   "y": numbers, 2 different\n' in text
    assert '#   "z": numbers, 1 different, 1 missing' in text
    assert "0.125" not in text and "0.75" not in text
    assert tomllib.loads(text)["data"]["file"] == "x.csv"


@pytest.mark.parametrize(
    ("columns", "proposed"),
    [
        ("model,fold,y", {"algorithm": "model", "block": "fold"}),
        ("Model,dataset,y", {"algorithm": "Model", "block": "dataset"}),
        ("model,method,fold", {"block": "fold"}),
        ("m,d,y", {}),
    ],
)
def test_roles_are_proposed_only_where_one_name_says_so(columns, proposed, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(f"{columns}\na,b,0.5\nb,c,0.25\n")
    text = pc.starter_plan(path)
    found = dict(re.findall(r'(?m)^(\w+) = ""  # proposed: "(\w+)"$', text))
    assert found == proposed
    held = tomllib.loads(text)
    assert held["data"]["algorithm"] == held["data"]["block"] == ""
    assert set(held["metrics"].values()) <= {""}


OF_A_ROLE = re.compile(r"(?i)(?:name|label|id)[_ \-.]*$|^(?:params?|tags|config)\.")
"""Words around that of a role, without which a column is called."""
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf"]), max_size=8)


@settings(max_examples=50)
@given(st.lists(NAMES | st.sampled_from(ODD), max_size=6, unique_by=str.strip))
def test_any_column_names_read_back(tmp_path_factory, names):
    path = tmp_path_factory.mktemp("starter") / "x = [1] # é.csv"
    names = [name.strip() for name in names if name.strip() not in ("first", "last")]
    assume(not any(map(OF_A_ROLE.search, names)))  # see the test of roles above
    names = ["first", *names, "last"]
    pd.DataFrame([[0.5] * len(names)], columns=names).to_csv(path, index=False)
    held = tomllib.loads(pc.starter_plan(path, folder=path.parent))
    assert held["data"]["file"] == path.name
    assert set(held) == {"data", "metrics", "plan"} and held["plan"] == {}
    roles = {word for words in CALLED.values() for word in words}
    scores = [name for name in names if name.casefold() not in roles]
    assert list(held["metrics"]) == scores


@pytest.mark.parametrize(
    ("text", "message"), [("", "empty"), ("a,b\n", "no rows"), ("a,a\n1,2\n", "differ")]
)
def test_what_is_no_table_is_refused_with_its_name(text, message, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(pc.InputError, match=f"x.csv: .*{message}"):
        pc.starter_plan(path)


def test_a_key_says_once_for_which_comparisons_it_is():
    text = pc.starter_plan(pc.example_path(), wide=True)
    flat = " ".join(text.replace("\n# ", " ").split())
    # The correction and the protocol are for both kinds of folds.
    assert flat.count(" For folds, of one data set or of several. ") == 6
    # The seed is for random permutations over data sets too.
    random = "independent data sets with random permutations"
    assert flat.count(f" For folds, of one data set or of several; {random}. ") == 1
    assert flat.count(" For predictions. ") == 4
    assert flat.count(" For predictions at several thresholds. ") == 3
    assert "For for" not in flat
