"""Coverage of intervals for the error of one learner, with learners that are trained.

``python -m validation.one_learner`` runs what ``one_learner.json`` does not have, and
writes ``ONE_LEARNER.md``. Each table has cases of two classes. Other cases give the
truths: the error of the models that were trained, of a model trained on all cases, and,
over all tables, the expected error of training sets of the size. The name of a cell is
its seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.typing import Floats, Ints
from validation.cells import finish_rows

from . import fold_learners
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "one_learner.json", HERE / "ONE_LEARNER.md"
TABLES, LEVEL = 200, 0.95
FEATURES, NEW = 10, 1000
FOLDS, NESTED_FOLDS, REPEATS = 10, 5, 10
LEARNERS: Mapping[str, Callable[..., Ints]] = {
    "stump": fold_learners.stump,
    "1-NN": fold_learners.nearest,
    "naive Bayes": fold_learners.naive_bayes,
    "discriminant": fold_learners.discriminant,
}
CELLS = {
    f"{learner}, {n} cases": (learner, n) for learner in LEARNERS for n in (60, 100)
}
TRUTHS = ("trained models", "model of all cases", "expected")
AREAS = {f"AUCs, {n} cases": n for n in (60, 200)}


def drawn(rng: Generator, n: int) -> tuple[Floats, Ints]:
    """Return features and classes of n cases and of new ones; one feature is of use."""
    labels = np.r_[np.arange(n) % 2, np.arange(NEW) % 2]
    x = rng.normal(size=(n + NEW, FEATURES))
    x[:, 0] += 2.0 * labels
    return x, labels


def one_table(rng: Generator, learner: str, n: int, seed: int) -> dict[str, Any]:
    """Return limits by method, and the truths that one table has."""
    x, y = drawn(rng, n)
    learn = LEARNERS[learner]
    inside = fold_learners.in_folds(rng, y[:n], FOLDS, 1)
    train = np.zeros((FOLDS + 1, n + NEW), bool)
    train[:FOLDS, :n], train[FOLDS, :n] = inside, True
    wrong = learn(x, y, train) != y
    fold = (~inside).argmax(axis=0)
    loss = wrong[fold, np.arange(n)]
    of_models = wrong[:, n:].mean(axis=1)
    rows = pc.cv_error_intervals(loss, fold, level=LEVEL).as_columns()
    limits = {
        name: (low, high)
        for name, low, high in zip(
            rows["method"], rows["conf_low"], rows["conf_high"], strict=True
        )
    }
    several = fold_learners.in_folds(rng, y[:n], FOLDS, 10)
    guessed = learn(x[:n], y[:n], several) != y[:n]
    repeat, place = np.nonzero(~several)
    again = pc.cv_error_intervals(
        guessed[repeat, place], repeat % FOLDS, repeat=repeat // FOLDS, level=LEVEL
    ).as_columns()
    limits["corrected t, 10 repeats"] = (again["conf_low"][0], again["conf_high"][0])

    def losses(at: Ints, test: Ints) -> Any:
        split = np.zeros((1, n), bool)
        split[0, at] = True
        return (learn(x[:n], y[:n], split)[0] != y[:n])[test]

    nested = pc.nested_cv(
        losses, n, n_folds=NESTED_FOLDS, repeats=REPEATS, level=LEVEL, seed=seed
    )
    limits["nested"] = (nested.conf_low, nested.conf_high)
    return {
        "limits": {name: (float(a), float(b)) for name, (a, b) in limits.items()},
        "trained models": float(of_models[:FOLDS].mean()),
        "model of all cases": float(of_models[FOLDS]),
    }


def covered(name: str, tables: int) -> dict[str, float]:
    """Return the coverage of each interval, for each truth."""
    learner, n = CELLS[name]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    made = [one_table(rng, learner, n, k) for k in range(tables)]
    truths = {
        "trained models": np.array([one["trained models"] for one in made]),
        "model of all cases": np.array([one["model of all cases"] for one in made]),
    }
    truths["expected"] = np.full(tables, truths["trained models"].mean())
    return {
        f"{method}: {what}": float(np.mean([
            one["limits"][method][0] <= value <= one["limits"][method][1]
            for one, value in zip(made, values, strict=True)
        ]))
        for method in made[0]["limits"]
        for what, values in truths.items()
    }  # fmt: skip


def scored(x: Floats, y: Ints, train: Any, used: Ints) -> Floats:
    """Return scores of all cases by the direction between the means of two classes."""
    means = [x[train & (y == label)][:, used].mean(axis=0) for label in (0, 1)]
    return np.asarray(x[:, used] @ (means[1] - means[0]))


def areas_covered(name: str, tables: int) -> dict[str, float]:
    """Return the coverage of the difference of two cross-validated AUCs."""
    n = AREAS[name]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    hits = []
    for _ in range(tables):
        x, y = drawn(rng, n)
        x[:, 1] += 1.5 * y
        folds = fold_learners.in_folds(rng, y[:n], 5, 1)
        fold = (~folds).argmax(axis=0)
        scores, truth = {}, []
        for one, used in {"first": np.array([0, 2, 3]), "all": np.arange(10)}.items():
            of_folds = np.array(
                [scored(x, y, np.r_[f, np.zeros(NEW, bool)], used) for f in folds]
            )
            scores[one] = of_folds[fold, np.arange(n)]
            new = [pc.auc(y[n:], own[n:], positive=1) for own in of_folds]
            truth.append(np.mean(new))
        row = pc.cv_auc_pairs(y[:n], scores, fold=fold, positive=1).as_columns()
        value = truth[0] - truth[1]
        hits.append(row["conf_low"][0] <= value <= row["conf_high"][0])
    return {"difference of AUCs: trained models": float(np.mean(hits))}


METHODS = {
    "per-case": "trained models",
    "corrected t": "expected",
    "corrected t, 10 repeats": "expected",
    "nested": "model of all cases",
}
"""Each interval with the quantity it is about."""


def page(cells: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    spans = [["interval", *TRUTHS]]
    for method, own in METHODS.items():
        row = [method]
        for what in TRUTHS:
            held = [cells[name][f"{method}: {what}"] for name in CELLS]
            text = f"{min(held):.3f} to {max(held):.3f}"
            row.append(f"**{text}**" if what == own else text)
        spans.append(row)
    key = "difference of AUCs: trained models"
    lines = [
        "# One learner: coverage of intervals by cross-validation",
        "",
        "Written by `python -m validation.one_learner`. Stumps, nearest neighbours,",
        "naive Bayes and linear discriminants, trained on 60 or 100 cases of two",
        "classes with ten features, one of use; 95% intervals,",
        f"{TABLES:,} tables a cell. 10 folds; nested: {NESTED_FOLDS} folds,",
        f"{REPEATS} repeats. Lowest and highest coverage of three quantities: the mean",
        "error of the models that were trained, the error of one trained on all cases,",
        "the expected error over training sets. Bold: the quantity that the interval",
        "is about.",
        "",
        *table_lines(spans),
        "",
        "Difference of two cross-validated AUCs (`pc.cv_auc_pairs`), 5 folds, for the",
        "models that were trained: "
        + ", ".join(f"{cells[n][key]:.3f} with {AREAS[n]} cases" for n in AREAS)
        + ".",
        "",
        "## All cells",
        "",
        *table_lines(
            [["cell", *(f"{m}: {what}" for m, what in METHODS.items())]]
            + [
                [n, *(f"{cells[n][f'{m}: {what}']:.3f}" for m, what in METHODS.items())]
                for n in CELLS
            ]
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    every = {**dict.fromkeys(AREAS, areas_covered), **dict.fromkeys(CELLS, covered)}
    cells = finish_rows(
        STORED, every, lambda name: every[name](name, TABLES), "one_learner"
    )
    PAGE.write_text(page(cells), encoding="utf-8")


if __name__ == "__main__":
    main()
