"""All formats, and which of them a file is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show
from pycompare.base.parallel.file_errors import about
from pycompare.data.compressed import kind_of, uncompressed_name
from pycompare.data.folder_files import files_below

if TYPE_CHECKING:
    from pycompare.data.readers.formats import Format


class _Formats(Mapping[str, "Format"]):
    """Formats by their names; one is imported when it is asked for."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> Format:
        module, constant = self._places[name].split(".")
        found = import_module(f"pycompare.data.readers.{module}")
        known: Format = getattr(found, constant)
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


FORMATS = _Formats(
    {
        "lm-eval": "lm_eval.LM_EVAL",
        "every-eval-ever": "every_eval_ever.EVERY_EVAL_EVER",
        "inspect-logs": "inspect_logs.INSPECT_LOGS",
        "inspect": "inspect_samples.INSPECT",
        "helm": "helm.HELM",
        "mteb": "mteb.MTEB",
        "swe-bench": "swe_bench.SWE_BENCH",
        "swe-bench-experiments": "swe_experiments.SWE_EXPERIMENTS",
        "trec-eval": "trec_eval.TREC_EVAL",
        "nnu-net": "nnunet.NNUNET",
        "moabb": "moabb.MOABB",
        "amlb": "amlb.AMLB",
        "tabarena": "tabarena.TABARENA",
        "openml": "openml.OPENML",
        "weka": "weka.WEKA",
        "keel": "keel.KEEL",
        "mlr3": "mlr3.MLR3",
        "tidymodels": "tidymodels.TIDYMODELS",
        "scikit-learn": "scikit_learn.SCIKIT_LEARN",
        "aeon": "aeon.AEON",
        "tsml-means": "tsml_means.TSML_MEANS",
        "tsml-predictions": "tsml_predictions.TSML_PREDICTIONS",
        "score-arrays": "score_arrays.SCORE_ARRAYS",
        "mlflow": "experiment_logs.MLFLOW",
        "wandb": "experiment_logs.WANDB",
    }
)
"""All formats by their names, and where they are; items of a test set first."""


def named(name: str) -> Format:
    """Return the format of that name."""
    if name not in FORMATS:
        raise InputError(
            f"format={show(name)}: choose one of {', '.join(FORMATS)}"
            f"{nearest(name, FORMATS)}"
        )
    return FORMATS[name]


def files_of(path: Path) -> list[Path]:
    """Return a file, or all files of a folder in the order of their names.

    Files and folders whose names begin with a point are left out.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"path={show(str(path))}: no such file or folder")
    files = files_below(path, hidden=".")
    if not files:
        raise InputError(
            f"path={show(str(path))}: the folder has no files (files and folders "
            "whose names begin with a point are left out)"
        )
    return files


def formats_of(file: Path, kinds: Sequence[Format]) -> list[Format]:
    """Return the formats that a file may be of."""
    from pycompare.data.readers.formats import Head

    candidates = [kind for kind in kinds if kind_of(file) in kind.endings]
    if not candidates:
        return []
    with about(file):
        head = Head.of(file)
    return [kind for kind in candidates if kind.matches(head)]


def recognised(
    files: Sequence[Path], format: str | None
) -> tuple[Format, list[Path], list[Path]]:
    """Return the one format of the files, those that are of it, and the others."""
    kinds = list(FORMATS.values()) if format is None else [named(format)]
    kept: dict[str, list[Path]] = {}
    others = list[Path]()
    for file in files:
        formats = formats_of(file, kinds)
        for kind in formats:
            kept.setdefault(kind.name, []).append(file)
        if not formats:
            others.append(file)
    for name in [n for n in kept if FORMATS[n].summary_of in kept]:
        others += kept.pop(name)
    if len(kept) > 1:
        told = ", ".join(f"{n} ({counted(len(f), 'file')})" for n, f in kept.items())
        raise InputError(
            f"the files are of several formats, {told}; name one (format, "
            "--results-format)"
        )
    if not kept:
        raise InputError(_unknown(files, format))
    [(name, ours)] = kept.items()
    kind = FORMATS[name]
    torn = [file for file in others if kind.pattern and _is_called(file, kind.pattern)]
    left = [file for file in others if file not in torn]
    return kind, sorted([*ours, *torn]), sorted(left)


def _is_called(file: Path, pattern: str) -> bool:
    """Return whether a file has a name that only files of a format have."""
    return Path(uncompressed_name(str(file))).match(pattern)


def _unknown(files: Sequence[Path], format: str | None) -> str:
    """Return that no file is of a known format."""
    what = FORMATS[format].files if format else f"any of {', '.join(FORMATS)}"
    first = "" if len(files) > 1 else f" ({files[0].name})"
    return (
        f"none of {counted(len(files), 'file')}{first} is recognised as {what}; a "
        "table of your own (.csv, .json, .jsonl, .xlsx, .parquet) is read by "
        "pc.read_scores, or pycompare compare with --wide, or --algorithm and --block"
    )
