"""Interrupted commands resume, and their reports have the same bytes."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.parallel import draws, unfinished
from pycompare.base.parallel.unfinished import Unfinished, keeping
from pycompare.data.write import write_scores
from pycompare.designs import planned_analysis
from pycompare.kernels import largest_normal
from tests.apps.test_clusters import AT_ONCE, TWO, bootstrapped, permuted
from tests.methods.multireader.readers import simulated as of_readers
from tests.methods.over_datasets.many_folds import folds_of


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Have few draws in blocks, and work in a folder of the test's own."""
    monkeypatch.setattr(draws, "LEAST", 0)
    for place, numbers in AT_ONCE.items():
        monkeypatch.setattr(*place, numbers)
    monkeypatch.chdir(tmp_path)


class Ended(Exception):
    pass


def ending(monkeypatch, after: int, error: type[BaseException]) -> list[int]:
    """End the work with an error when so many parts are kept; return their list."""
    keep, kept = Unfinished.keep, []

    def keep_and_end(self, key, result):
        keep(self, key, result)
        kept.append(key)
        if len(kept) == after:
            raise error

    monkeypatch.setattr(Unfinished, "keep", keep_and_end)
    return kept


@pytest.mark.parametrize("job", [permuted, bootstrapped])
def test_draws_resume_with_the_same_bits_and_no_block_is_done_twice(
    job, tmp_path, monkeypatch
):
    with monkeypatch.context() as patch, keeping(tmp_path / "whole"):
        blocks = ending(patch, -1, Ended)
        wanted = job(tmp_path, workers=1)
    assert wanted == job(tmp_path, workers=1)  # nothing is kept
    done, found = 0, None
    for end in itertools.count(2):
        with monkeypatch.context() as patch:
            kept = ending(patch, end, Ended)
            try:
                with keeping(tmp_path / "kept"):
                    found = job(tmp_path, workers=1)
            except Ended:
                assert len(list((tmp_path / "kept").glob("*/*.done"))) == done + end
        done += len(kept)
        if found is not None:
            break
    assert found == wanted and done == len(blocks) and end > 3
    assert not (tmp_path / "kept").exists()


@pytest.mark.slow
def test_draws_that_two_processes_began_are_finished_by_one(tmp_path, monkeypatch):
    with monkeypatch.context() as patch, keeping(tmp_path / "kept"):
        blocks = ending(patch, -1, Ended)
        wanted = bootstrapped(tmp_path, workers=1)
    with monkeypatch.context() as patch, pytest.raises(Ended):
        ending(patch, 5, Ended)
        with keeping(tmp_path / "kept"):
            bootstrapped(tmp_path, workers=2)
    left = ending(monkeypatch, -1, Ended)
    with keeping(tmp_path / "kept"):
        assert bootstrapped(tmp_path, workers=1) == wanted
    assert len(left) == len(blocks) - 5


def table_of(rng, n):
    """Return predictions of two algorithms on cases of one test set."""
    truth = rng.random(n) < 0.5
    parts = [
        pd.DataFrame(
            {
                "model": name,
                "patient": np.arange(n),
                "label": np.where(truth, "yes", "no"),
                "score": (rng.normal(size=n) + shift * truth).round(3),
            }
        )
        for name, shift in (("a", 1.0), ("b", 0.6))
    ]
    return pd.concat(parts).assign(fold="test")


def compare(folder):
    write_scores(
        pc.dataset_means(folds_of([3] * 14, a=3, metrics=TWO)), folder / "s.csv"
    )
    return (
        *("compare", "s.csv", "--algorithm=algorithm", "--block=block"),
        *("--metric=u:lower", "--metric=v:higher", "--blocks=datasets"),
        *("--adjust=closed-permutation", "--family=metric"),
    )


def run(folder):
    compare(folder)
    (folder / "plan.toml").write_text(
        '[data]\nfile = "s.csv"\nalgorithm = "algorithm"\nblock = "block"\n'
        '[metrics]\nu = "lower"\n'
        '[plan]\nblocks = "datasets"\nadjust = ["closed-permutation"]\n'
    )
    return "run", "plan.toml"


def curves(folder):
    table_of(np.random.default_rng(2), 60).to_csv(folder / "p.csv", index=False)
    return (
        *("curves", "p.csv", "--algorithm=model", "--block=fold", "--case=patient"),
        *("--label=label", "--score=score", "--positive=yes"),
    )


def mrmc(folder):
    of_readers(n=20).to_frame().to_csv(folder / "r.csv", index=False)
    return (
        *("mrmc", "r.csv", "--modality=modality", "--reader=reader", "--case=case"),
        *("--truth=is_positive", "--positive=True", "--rating=rating"),
        *("--covariance=bootstrap", "--resamples=60"),
    )


def battles(folder):
    rng = np.random.default_rng(5)
    ends = np.array([rng.permutation(4)[:2] for _ in range(400)])
    won = rng.random(400) < 1 / (1 + np.exp(ends[:, 0] - ends[:, 1]))
    pd.DataFrame(
        {
            "model_a": np.array(list("pqrs"))[ends[:, 0]],
            "model_b": np.array(list("pqrs"))[ends[:, 1]],
            "winner": np.where(won, "model_a", "model_b"),
            "judge": rng.integers(0, 40, 400),
        }
    ).to_csv(folder / "b.csv", index=False)
    return "battles", "b.csv", "--voter=judge"


def gate(folder):
    rng = np.random.default_rng(6)
    pd.DataFrame(
        {
            "model": np.repeat(["old", "new"], 900),
            "item": np.tile(np.arange(900), 2),
            "right": (rng.random(1800) < 0.9) * 1,
            "subject": np.tile(np.repeat(["law", "art", "sport"], 300), 2),
        }
    ).to_csv(folder / "g.csv", index=False)
    return (
        *("gate", "g.csv", "--baseline=old", "--candidate=new", "--algorithm=model"),
        *("--block=item", "--metric=right:higher", "--slices=subject"),
        *("--margin=0.1", "--slice-margin=0.2"),
    )


def model(folder):
    folds = folds_of([24], a=3, metrics=TWO).to_frame()
    folds.to_csv(folder / "m.csv", index=False)
    return (
        *("model", "m.csv", "--formula=u ~ algorithm", "--within=block"),
        *("--permutations=200", "--seed=1"),
    )


@pytest.mark.parametrize(
    ("words_of", "keep"),
    [
        (compare, "--keep=kept"),
        (run, None),
        (curves, None),
        (mrmc, "--keep=kept"),
        (model, None),
        (battles, None),
        (gate, "--keep=kept"),
    ],
)
@pytest.mark.slow
def test_a_command_that_was_interrupted_resumes_to_the_same_bytes(
    words_of, keep, small, pycompare, tmp_path, monkeypatch
):
    words = (*words_of(tmp_path), "--date=2026-11-22")
    monkeypatch.setattr(largest_normal, "_AT_ONCE", 2_000)  # few parts
    with monkeypatch.context() as patch:
        parts = ending(patch, -1, KeyboardInterrupt)
        assert pycompare(*words, "--keep=of-whole", "--out=whole")[0] == 0
    folder = tmp_path / ("kept" if keep else "again.unfinished")
    own = (keep,) if keep else ()
    with monkeypatch.context() as patch:
        patch.setattr(unfinished, "_AFTER", 0)
        ending(patch, 2, KeyboardInterrupt)
        status, _, said = pycompare(*words, *own, "--out=again")
    assert status == 130 and "pycompare: interrupted" in said
    assert len(list(folder.glob("*/*.done"))) == 2
    assert not (tmp_path / "again").exists()
    more = ending(monkeypatch, -1, KeyboardInterrupt)
    status, _, said = pycompare("resume", folder)
    assert status == 0, said
    assert len(more) == len(parts) - 2
    assert not folder.exists() and not (tmp_path / "of-whole").exists()
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "whole")


def test_a_resumed_gate_ends_with_the_status_of_its_verdict(
    small, pycompare, tmp_path, monkeypatch
):
    """Without --out the folder is gate, and that of finished parts is beside it."""
    words = [*gate(tmp_path), "--small=report"]
    words[words.index("--margin=0.1")] = "--margin=0.0001"
    with monkeypatch.context() as patch:
        patch.setattr(unfinished, "_AFTER", 0)
        ending(patch, 2, KeyboardInterrupt)
        assert pycompare(*words)[0] == 130
    assert len(list((tmp_path / "gate.unfinished").glob("*/*.done"))) == 2
    status, said, _ = pycompare("resume", "gate.unfinished")
    assert status == 3 and said.startswith("undecided")
    assert not (tmp_path / "gate.unfinished").exists()
    assert (tmp_path / "gate" / "report.html").is_file()


def bytes_of(folder):
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_folder_that_was_asked_for_is_there_from_the_start(
    small, pycompare, tmp_path, monkeypatch
):
    """An interruption before the first part leaves the command line."""

    def interrupt(*of, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(draws, "LEAST", 2**25)
    words = (*mrmc(tmp_path), "--keep=kept")
    with monkeypatch.context() as patch:
        patch.setattr(planned_analysis, "analysed", interrupt)
        assert pycompare(*words)[0] == 130
    status, said, _ = pycompare("resume", "kept")
    assert status == 0 and said == pycompare(*words)[1]
    assert not (tmp_path / "kept").exists()


def test_a_command_line_that_resumes_itself_is_refused(pycompare, tmp_path):
    line = {"words": ["resume", str(tmp_path)], "folder": str(tmp_path)}
    (tmp_path / "_command.json").write_text(json.dumps(line))
    status, _, said = pycompare("resume", tmp_path)
    assert status == 2 and "holds no unfinished command" in said
