"""Result files of other programs as scores, in one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path

from pycompare.data.scores import Scores, from_cells
from pycompare.errors import InputError
from pycompare.labels import nearest, show
from pycompare.metric import Direction, Metric
from pycompare.readers.amlb import AMLB
from pycompare.readers.formats import Format, Head, Wanted
from pycompare.readers.lm_eval import LM_EVAL
from pycompare.readers.swe_bench import SWE_BENCH
from pycompare.readers.trec_eval import TREC_EVAL
from pycompare.readers.weka import WEKA

_FORMATS = {f.name: f for f in (LM_EVAL, SWE_BENCH, AMLB, WEKA, TREC_EVAL)}
"""All formats; no file is of two of them."""


def _discard(_: str) -> None:
    """Discard progress messages."""


def read_results(
    path: str | PathLike[str],
    format: str | None = None,
    *,
    metric: str | None = None,
    better: Direction | None = None,
    filter: str | None = None,
    missing: str = "error",
    progress: Callable[[str], None] = _discard,
) -> Scores:
    """Read result files of another program as scores.

    Parameters
    ----------
    path : path
        A file, or a folder whose files (of subfolders too) are read together.
    format : {"lm-eval", "swe-bench", "amlb", "weka", "trec-eval"}, optional
        Who wrote the files. Default: known by their contents; the scores' ``notes``
        name it. Files of other kinds in a folder are left alone.
    metric : str, optional
        Which metric; needed if the files have several.
    better : {"higher", "lower"}, optional
        Its direction; needed if the reader does not know it.
    filter : str, optional
        Which filter of lm-evaluation-harness, or constraint of the AutoML benchmark, if
        there are several.
    missing : {"error", "drop-block", "model"}, default "error"
        As in `Scores.from_frame`: an item that some algorithm did not answer is
        refused, unless ``"drop-block"`` pairs on common items.
    progress : callable, optional
        Called with the name of each file before it is read.

    Returns
    -------
    Scores
        lm-eval: documents, paired by the hashes of document and target, in groups by
        task. swe-bench: instances, in clusters by repository. amlb, weka: folds of data
        sets. trec-eval: queries.

    Raises
    ------
    InputError
        If no format, or more than one, is recognised; a line cannot be read, with the
        name of the file and the line; the files have several metrics or filters and
        none is named; or as `Scores.from_frame`.

    Notes
    -----
    Files are read row by row: memory grows with the number of scores, not with the size
    of the files.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> import pycompare as pc
    >>> for model, resolved in (("A", ["x-1", "x-2", "y-1"]), ("B", ["x-1"])):
    ...     report = {"submitted_ids": ["x-1", "x-2", "y-1", "y-2"]}
    ...     text = json.dumps(report | {"resolved_ids": resolved})
    ...     _ = Path(f"{model}.run.json").write_text(text)
    >>> scores = pc.read_results(".", "swe-bench")
    >>> scores
    <Scores: 4 blocks x 2 algorithms, resolved (higher is better)>
    >>> scores.clusters
    ('x', 'x', 'y', 'y')
    """
    files = _files(Path(path))
    chosen = _named(format) if format is not None else None
    kind, kept = _recognised(files, chosen)
    wanted = Wanted(metric, filter)
    for file in kept:
        progress(file.name)
    found = kind.read(kept, wanted)
    direction = better or found.better
    if direction is None:
        raise InputError(
            f"better: say whether higher or lower {found.metric!r} is better"
        )
    one = Metric(found.metric, direction)  # type: ignore[arg-type]
    note = f"read as {kind.program} ({kind.name}), {len(kept)} files"
    cells = found.rows.cells(found.metric)
    return from_cells(cells, (one,), missing, notes=(note, *found.notes))


def _named(name: str) -> Format:
    """Return the format of that name."""
    if name not in _FORMATS:
        raise InputError(
            f"format={show(name)}: choose one of {', '.join(_FORMATS)}"
            f"{nearest(name, _FORMATS)}"
        )
    return _FORMATS[name]


def _files(path: Path) -> list[Path]:
    """Return a file, or all files of a folder in the order of their names."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"path={show(str(path))}: no such file or folder")
    found = [Path(at) / name for at, _, names in os.walk(path) for name in names]
    if not found:
        raise InputError(f"path={show(str(path))}: the folder has no files")
    return sorted(found)


def _recognised(
    files: Sequence[Path], chosen: Format | None
) -> tuple[Format, list[Path]]:
    """Return the one format of the files, and those that are of it."""
    kinds = [chosen] if chosen is not None else list(_FORMATS.values())
    kept: dict[str, list[Path]] = {}
    for file in files:
        candidates = [k for k in kinds if file.suffix in k.endings]
        if not candidates:
            continue
        head = Head.of(file)
        for kind in candidates:
            if kind.matches(head):
                kept.setdefault(kind.name, []).append(file)
    if len(kept) == 1:
        [(name, found)] = kept.items()
        return _FORMATS[name], found
    if not kept:
        known = ", ".join(k.name for k in kinds)
        raise InputError(
            f"path: none of {len(files)} files is recognised as {known}; read a plain "
            "table by pc.read_scores"
        )
    told = ", ".join(f"{name} ({len(found)} files)" for name, found in kept.items())
    raise InputError(f"format: the files are of several, {told}; name one")
