"""Data of methods, and changes of them, of which ``test_metamorphic`` has a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc

NAMES = ("first", "second", "third", "fourth")
HOSTILE = ("nan", "margin=1", "<script>", '__import__("os")')


@dataclass(frozen=True)
class Data:
    """A long table of scores with its direction."""

    frame: pd.DataFrame
    better: str = "higher"

    def given(self) -> pc.Scores:
        """Return what the methods take."""
        columns = [
            c for c in ("dataset", "replicate", "cluster", "group") if c in self.frame
        ]
        metrics = {c: self.better for c in self.frame if str(c).startswith("m_")}
        return pc.Scores.from_frame(
            self.frame,
            algorithm="algorithm",
            block="block",
            metrics=metrics,
            **{c: c for c in columns},
        )

    def with_metrics(self, change: Callable[[Any], Any], better: str = "") -> Data:
        """Change the values of all metrics."""
        metrics = [c for c in self.frame if str(c).startswith("m_")]
        changed = self.frame.assign(**{c: change(self.frame[c]) for c in metrics})
        return Data(changed, better or self.better)


def table(algorithms=3, blocks=7, metrics=1, replicates=1, datasets=1, seed=1) -> Data:
    """Return scores without ties: an effect, blocks that differ, and noise."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(datasets):
        for b in range(blocks):
            level = rng.normal()
            for j, name in enumerate(NAMES[:algorithms]):
                for r in range(replicates):
                    values = level + 0.6 * j + rng.normal(size=metrics)
                    row = {"algorithm": name, "block": f"b{b}"}
                    row |= {f"m_{k}": v for k, v in enumerate(values)}
                    row |= {"dataset": f"d{d}"} if datasets > 1 else {}
                    row |= {"replicate": f"r{r}"} if replicates > 1 else {}
                    rows.append(row)
    return Data(pd.DataFrame(rows))


def binary(clusters: bool = False) -> Data:
    """Return 0/1 outcomes of items."""
    data = table(blocks=40, seed=5)
    frame = data.frame.assign(m_0=(data.frame["m_0"] > 0.4).astype(float))
    if clusters:
        number = frame["block"].str[1:].astype(int)
        frame["cluster"] = "c" + (number // 4).astype(str)
    return Data(frame)


def benchmarks() -> Data:
    """Return 0/1 outcomes of items in two groups."""
    data = binary()
    number = data.frame["block"].str[1:].astype(int)
    return Data(data.frame.assign(group=np.where(number < 15, "u", "v")))


def replicated_in_clusters() -> Data:
    """Return a table of several scores a cell, whose blocks are in clusters."""
    data = table(blocks=9, replicates=2)
    number = data.frame["block"].str[1:].astype(int)
    return Data(data.frame.assign(cluster="c" + (number // 4).astype(str)))


def reordered_rows(data: Data) -> Data:
    """Shuffle the rows, and so the order of blocks, too."""
    return Data(data.frame.sample(frac=1.0, random_state=3), data.better)


def reordered_algorithms(data: Data) -> Data:
    """Let the last algorithm come first."""
    order = {name: -place for place, name in enumerate(NAMES)}
    by_name = data.frame.sort_values(
        "algorithm", key=lambda c: c.map(order), kind="stable"
    )
    return Data(by_name, data.better)


def renamed(data: Data) -> Data:
    """Give the algorithms names that could be taken for something else."""
    names = dict(zip(NAMES, HOSTILE, strict=True))
    return Data(data.frame.assign(algorithm=data.frame["algorithm"].map(names)))


def tiny(data: Data) -> Data:
    """Measure in a unit that leaves all digits as they are."""
    return data.with_metrics(lambda x: x * 2.0**-600)


def huge(data: Data) -> Data:
    """Measure in a unit that leaves all digits as they are."""
    return data.with_metrics(lambda x: x * 2.0**300)


def other_unit(data: Data) -> Data:
    """Measure in another unit from another zero."""
    return data.with_metrics(lambda x: 3.7 * x + 11)


def mirrored(data: Data) -> Data:
    """Let lower be better, and change the sign."""
    return data.with_metrics(lambda x: -x, better="lower")


def other_errors(data: Data) -> Data:
    """Count errors in place of successes."""
    return data.with_metrics(lambda x: 1 - x, better="lower")


def monotone(data: Data) -> Data:
    """Change the scale, and keep only who is before whom."""
    return data.with_metrics(np.exp)


def with_constant_block(data: Data) -> Data:
    """Add a block in which all algorithms are alike."""
    one = data.frame[data.frame["block"] == "b0"].assign(block="alike", m_0=1.0)
    return Data(pd.concat([data.frame, one], ignore_index=True), data.better)


def without_third(data: Data) -> Data:
    """Leave an algorithm out."""
    return Data(data.frame[data.frame["algorithm"] != "third"], data.better)


def doubled(data: Data) -> Data:
    """Measure every block twice, each cluster too."""
    again = {c: data.frame[c] + "'" for c in ("block", "cluster") if c in data.frame}
    both = [data.frame, data.frame.assign(**again)]
    return replace(data, frame=pd.concat(both, ignore_index=True))


# ---- curves: labels of cases, and the scores that classifiers give them --------------


@dataclass(frozen=True)
class Curves:
    """Labels of cases (1 is positive) and their scores, a column a classifier."""

    label: np.ndarray
    scores: pd.DataFrame

    def given(self) -> tuple[np.ndarray, pd.DataFrame]:
        """Return what the methods take."""
        return self.label, self.scores

    def with_scores(self, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Curves:
        """Change the scores."""
        return replace(self, scores=change(self.scores))


def curves(algorithms: int = 3, cases: int = 40, seed: int = 1) -> Curves:
    """Return scores of classifiers that differ, without ties."""
    rng = np.random.default_rng(seed)
    label = np.arange(cases) % 2
    x = label[:, None] * (0.5 + np.arange(algorithms)) + rng.normal(size=(cases, 1))
    x = x + rng.normal(size=(cases, algorithms))
    return Curves(label, pd.DataFrame(x, columns=list(NAMES[:algorithms])))


def two_curves() -> Curves:
    """Return scores of two classifiers."""
    return curves(2)


def reordered_cases(data: Curves) -> Curves:
    """Shuffle the cases."""
    order = np.random.default_rng(3).permutation(len(data.label))
    return Curves(data.label[order], data.scores.iloc[order].reset_index(drop=True))


def reordered_curves(data: Curves) -> Curves:
    """Let the last classifier come first."""
    return data.with_scores(lambda x: x[x.columns[::-1]])


def renamed_curves(data: Curves) -> Curves:
    """Give the classifiers names that could be taken for something else."""
    names = dict(zip(NAMES, HOSTILE, strict=True))
    return data.with_scores(lambda x: x.rename(columns=names))


def tiny_scores(data: Curves) -> Curves:
    """Let scores have a unit that leaves all digits as they are."""
    return data.with_scores(lambda x: x * 2.0**-600)


def monotone_scores(data: Curves) -> Curves:
    """Change the scale, and keep only which case is before which."""
    return data.with_scores(lambda x: np.exp(x) + 11)


def other_class(data: Curves) -> Curves:
    """Let the other class be the positive one, and change the sign."""
    return Curves(1 - data.label, -data.scores)


def without_third_curve(data: Curves) -> Curves:
    """Leave a classifier out."""
    return data.with_scores(lambda x: x.drop(columns="third"))


def doubled_cases(data: Curves) -> Curves:
    """Take every case twice."""
    both = pd.concat([data.scores] * 2, ignore_index=True)
    return Curves(np.tile(data.label, 2), both)


# ---- ratings: what readers say of cases, by modality ---------------------------------


@dataclass(frozen=True)
class Rated:
    """A long table of ratings; without truth, a rating is right (1) or wrong (0)."""

    frame: pd.DataFrame

    def given(self) -> pc.Ratings:
        """Return what the methods take."""
        names = ("modality", "reader", "case", "rating")
        about = {"truth": "truth", "positive": 1} if "truth" in self.frame else {}
        return pc.Ratings.from_frame(self.frame, **{n: n for n in names}, **about)


def read(modalities: int = 3, readers: int = 4, cases: int = 24) -> Rated:
    """Return ratings of cases, without ties."""
    rng = np.random.default_rng(1)
    at = np.indices((modalities, readers, cases)).reshape(3, -1)
    truth = at[2] % 2
    common = rng.normal(size=cases)[at[2]] + 0.4 * rng.normal(size=readers)[at[1]]
    rating = truth * (0.4 + 0.7 * at[0]) + common + rng.normal(size=len(truth))
    columns = {"modality": np.array(NAMES)[at[0]], "rating": rating, "truth": truth}
    columns |= {k: np.char.add(k[0], at[i].astype(str)) for k, i in _AT.items()}
    return Rated(pd.DataFrame(columns))


_AT = {"reader": 1, "case": 2}


def right_or_wrong() -> Rated:
    """Return answers of readers with two modalities, right or wrong."""
    frame = read(modalities=2).frame
    right = ((frame["rating"] > 0.5) == frame["truth"]).astype(float)
    return Rated(frame.drop(columns="truth").assign(rating=right))


def reordered_ratings(data: Rated) -> Rated:
    """Shuffle the rows, and so the order of readers and cases, too."""
    return Rated(data.frame.sample(frac=1.0, random_state=3))


def reordered_modalities(data: Rated) -> Rated:
    """Let the last modality come first."""
    return Rated(reordered_algorithms(_as_scores(data)).frame)


def _as_scores(data: Rated) -> Data:
    """Return ratings as a table in which a modality is an algorithm."""
    return Data(data.frame.assign(algorithm=data.frame["modality"]))


def renamed_modalities(data: Rated) -> Rated:
    """Give modalities and readers names that could be taken for something else."""
    names = dict(zip(NAMES, HOSTILE, strict=True))
    frame = data.frame.replace({"modality": names})
    return Rated(frame.assign(reader="__class__" + frame["reader"]))


def monotone_ratings(data: Rated) -> Rated:
    """Change the scale, and keep only which case is before which."""
    return Rated(data.frame.assign(rating=np.exp(data.frame["rating"])))


def other_truth(data: Rated) -> Rated:
    """Let the other class be the positive one, and change the sign."""
    frame = data.frame
    return Rated(frame.assign(truth=1 - frame["truth"], rating=-frame["rating"]))


def without_third_modality(data: Rated) -> Rated:
    """Leave a modality out."""
    return Rated(data.frame[data.frame["modality"] != "third"])


# ---- counts and differences ----------------------------------------------------------


@dataclass(frozen=True)
class Plain:
    """What a method takes as it is."""

    values: Any

    def given(self) -> Any:
        """Return what the method takes."""
        return self.values


def won() -> Plain:
    """Return on how many of 14 data sets each algorithm is better than each other."""
    names = list(NAMES[:3])
    counts = [[0, 2, 1], [9, 0, 4], [11, 6, 0]]
    return Plain(pd.DataFrame(counts, index=names, columns=names))


def reordered_wins(data: Plain) -> Plain:
    """Let the last algorithm come first."""
    return Plain(data.values.iloc[::-1, ::-1])


def renamed_wins(data: Plain) -> Plain:
    """Give the algorithms names that could be taken for something else."""
    names = dict(zip(NAMES, HOSTILE, strict=True))
    return Plain(data.values.rename(index=names, columns=names))


def without_third_wins(data: Plain) -> Plain:
    """Leave an algorithm out."""
    return Plain(data.values.drop(index="third", columns="third"))


def differences() -> Plain:
    """Return differences of two algorithms in five repeats of two folds."""
    return Plain(np.random.default_rng(1).normal(0.5, size=(5, 2)))


def reordered_repeats(data: Plain) -> Plain:
    """Shuffle the repeats, and the folds of each."""
    return Plain(data.values[[3, 1, 4, 0, 2], ::-1])


def opposite(data: Plain) -> Plain:
    """Change the sign."""
    return Plain(-data.values)


def scaled(data: Plain) -> Plain:
    """Measure in a unit that leaves all digits as they are."""
    return Plain(data.values * 2.0**-400)


# ---- a tie, and both ways to split it ------------------------------------------------


def tied_blocks() -> tuple[Data, Data, Data]:
    """Return a table in which two algorithms tie for the best in one block."""
    tied = table()
    best = tied.frame["m_0"].max() + 1
    at = [(tied.frame["block"] == "b0") & (tied.frame["algorithm"] == n) for n in NAMES]
    together = tied.frame.assign(m_0=tied.frame["m_0"].mask(at[0] | at[1], best))
    one, other = (
        together.assign(m_0=together["m_0"].mask(at[k], best + 1)) for k in (0, 1)
    )
    return Data(together), Data(one), Data(other)


def tied_cases() -> tuple[Curves, Curves, Curves]:
    """Return scores in which a case of each class ties, in one classifier."""
    made, best = [], curves().scores["first"].max() + 1
    for values in ((best, best), (best, best + 1), (best + 1, best)):
        data = curves()
        data.scores.loc[[0, 1], "first"] = values
        made.append(data)
    return made[0], made[1], made[2]
