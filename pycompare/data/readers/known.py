"""All formats, and which of them a file is of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.file_errors import about
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show
from pycompare.data.compressed import kind_of, uncompressed_name
from pycompare.data.folder_files import files_below
from pycompare.data.readers.formats import Format, Head

FORMAT_NAMES = (
    "lm-eval",
    "every-eval-ever",
    "inspect-logs",
    "inspect",
    "helm",
    "mteb",
    "swe-bench",
    "swe-bench-experiments",
    "trec-eval",
    "nnu-net",
    "moabb",
    "amlb",
    "tabarena",
    "openml",
    "weka",
    "keel",
    "mlr3",
    "tidymodels",
    "scikit-learn",
    "aeon",
    "tsml-means",
    "tsml-predictions",
    "score-arrays",
    "mlflow",
    "wandb",
)
"""Names of all formats, items of a test set first.

Plans and ``--help`` need the names only; to import the readers takes longer than to
read a small table.
"""


@cache
def all_formats() -> dict[str, Format]:
    """Return all formats by name, in the order of their names above."""
    from pycompare.data.readers.amlb import AMLB
    from pycompare.data.readers.every_eval_ever import EVERY_EVAL_EVER
    from pycompare.data.readers.experiment_logs import MLFLOW, WANDB
    from pycompare.data.readers.helm import HELM
    from pycompare.data.readers.inspect_ai import INSPECT, INSPECT_LOGS
    from pycompare.data.readers.keel import KEEL
    from pycompare.data.readers.lm_eval import LM_EVAL
    from pycompare.data.readers.mlr3 import MLR3
    from pycompare.data.readers.moabb import MOABB
    from pycompare.data.readers.mteb import MTEB
    from pycompare.data.readers.nnunet import NNUNET
    from pycompare.data.readers.openml import OPENML
    from pycompare.data.readers.scikit_learn import SCIKIT_LEARN
    from pycompare.data.readers.score_arrays import SCORE_ARRAYS
    from pycompare.data.readers.swe_bench import SWE_BENCH, SWE_EXPERIMENTS
    from pycompare.data.readers.tabarena import TABARENA
    from pycompare.data.readers.tidymodels import TIDYMODELS
    from pycompare.data.readers.trec_eval import TREC_EVAL
    from pycompare.data.readers.tsml import AEON, TSML_MEANS, TSML_PREDICTIONS
    from pycompare.data.readers.weka import WEKA

    known = (
        *(LM_EVAL, EVERY_EVAL_EVER, INSPECT_LOGS, INSPECT, HELM, MTEB),
        *(SWE_BENCH, SWE_EXPERIMENTS, TREC_EVAL, NNUNET, MOABB),
        *(AMLB, TABARENA, OPENML, WEKA, KEEL, MLR3, TIDYMODELS, SCIKIT_LEARN),
        *(AEON, TSML_MEANS, TSML_PREDICTIONS, SCORE_ARRAYS, MLFLOW, WANDB),
    )
    return {kind.name: kind for kind in known}


def named(name: str) -> Format:
    """Return the format of that name."""
    if name not in FORMAT_NAMES:
        raise InputError(
            f"format={show(name)}: choose one of {', '.join(FORMAT_NAMES)}"
            f"{nearest(name, FORMAT_NAMES)}"
        )
    return all_formats()[name]


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
    kinds = list(all_formats().values()) if format is None else [named(format)]
    kept: dict[str, list[Path]] = {}
    others = list[Path]()
    for file in files:
        kinds_of_file = formats_of(file, kinds)
        for kind in kinds_of_file:
            kept.setdefault(kind.name, []).append(file)
        if not kinds_of_file:
            others.append(file)
    for name in [n for n in kept if all_formats()[n].summary_of in kept]:
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
    kind = all_formats()[name]
    torn = [file for file in others if kind.pattern and _is_called(file, kind.pattern)]
    left = [file for file in others if file not in torn]
    return kind, sorted([*ours, *torn]), sorted(left)


def _is_called(file: Path, pattern: str) -> bool:
    """Return whether a file has a name that only files of a format have."""
    return Path(uncompressed_name(str(file))).match(pattern)


def _unknown(files: Sequence[Path], format: str | None) -> str:
    """Return that no file is of a known format."""
    what = f"any of {', '.join(FORMAT_NAMES)}"
    if format is not None:
        what = all_formats()[format].files
    first = "" if len(files) > 1 else f" ({files[0].name})"
    return (
        f"none of {counted(len(files), 'file')}{first} is recognised as {what}; a "
        "table of your own (.csv, .json, .jsonl, .xlsx, .parquet) is read by "
        "pc.read_scores, or pycompare compare with --wide, or --algorithm and --block"
    )
