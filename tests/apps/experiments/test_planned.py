"""``pycompare experiment``: the same folds as ``pc.experiment``, or one clear line."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import pycompare as pc
from tests.apps.experiments.small import features

LEARNERS = 'learners = { NB = "sklearn.naive_bayes:GaussianNB", mine = "own:Mine" }'
TABLE = f"""
[experiment]
data = "mail.csv"
target = "class"
positive = "yes"
protocol = "stratified-folds"
folds = 3
seed = 4
{LEARNERS}
"""
OWN = """
from sklearn.tree import DecisionTreeClassifier
class Mine(DecisionTreeClassifier):
    pass
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    x, y = features()
    table = pd.DataFrame(x, columns=list("abc"))
    table["class"] = y
    table.to_csv(tmp_path / "mail.csv", index=False)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "plan.toml").write_text(TABLE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_command_gives_the_folds_of_the_function(pycompare, folder):
    from own import Mine  # beside the plan

    status, text, said = pycompare(
        "experiment", folder / "plan.toml", "--out", folder / "out", "--workers", 2
    )
    assert status == 0, said
    assert "120 scores" in text and "pycompare measure" in text
    x, y = features()
    pc.experiment(
        {"mail": pc.DataSet.of(x, y, positive="yes")},
        {"NB": GaussianNB(), "mine": Mine()},
        protocol=pc.StratifiedFolds(3),
        folder=folder / "wanted",
        seed=4,
        progress=False,
    )
    wanted = sorted((folder / "wanted").rglob("*.parquet"))
    for path in wanted:
        same = folder / "out" / path.relative_to(folder / "wanted")
        assert same.read_bytes() == path.read_bytes()
    assert len(wanted) == 3


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("[experiment]", "[other]", "has no table [experiment]"),
        ("seed = 4", "", "'seed' missing"),
        ("seed = 4", "sed = 4", "there is no key 'sed'"),
        ('"stratified-folds"', '"folds"', "choose one of 'held-out'"),
        ('"stratified-folds"', '"five-by-two"\nrepeats = 3', "FiveByTwo has 2 folds"),
        ("folds = 3", "repeats = 3", "has no repeats"),
        ('"class"', '"klass"', "mail.csv has no column 'klass'"),
        ('"mail.csv"', '"none.csv"', "none.csv"),
        ('"own:Mine"', '"own"', 'write "module:Class"'),
        ('"own:Mine"', '"own:Yours"', "cannot be made: AttributeError"),
        (LEARNERS, "learners = 3", "give names with texts"),
        ("seed", "= seed", "is no TOML"),
    ],
)
def test_what_is_wrong_in_the_table_is_one_line(
    pycompare, folder, before, after, words
):
    (folder / "plan.toml").write_text(TABLE.replace(before, after, 1))
    status, _, said = pycompare(
        "experiment", folder / "plan.toml", "--out", folder / "out"
    )
    assert status == 2 and words in said, said
    assert said.count("\n") == 1 and not (folder / "out").exists()
