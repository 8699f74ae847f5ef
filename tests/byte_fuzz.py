"""Readers on valid files that are changed: read, or refused in clear words.

Half of the files have some bytes changed, which mostly breaks them; in the others
cells, rows and labels are changed, and they stay well formed (``tests.odd_files``).

``tests.fuzz`` tries new files for a given time. To change those files further that
reach new lines, as atheris does, was measured and left out: at equal CPU time it
reached fewer lines in ten of eleven readers (``validation/FUZZ.md``).
"""

from __future__ import annotations

import contextlib
import io
import random
import resource
import shutil
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.errors import PyCompareError
from tests import odd_files
from tests.command_line import command

CORPUS = Path(__file__).parent / "fuzz_corpus"
MADE = Path(__file__).parent / "data" / "readers" / "made"
PATIENCE = 60
"""Seconds of a case."""
MEMORY = 2 * 2**30
"""Bytes that a process may hold."""
WHOLE = 50
"""One case of so many is a whole command, with its report."""
PREDICTED = {
    "algorithm": "algorithm",
    "dataset": "data",
    "block": "fold",
    "case": "case",
    "label": "class",
    "score": "probability",
    "positive": "yes",
}
PLAN = """# of one study
[data]
file = "scores.csv"
format = "wide"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
alpha = 0.05
adjust = ["holm", "hommel"]
margin = { accuracy = 0.01 }
hypothesis = "equivalence"
"""


@dataclass(frozen=True)
class Kind:
    """Files of one kind.

    Attributes
    ----------
    name : str
        Of the file whose bytes are changed.
    seeds : callable
        Returns valid files.
    read : callable
        Reads the file, or the folder that it is in.
    odd : callable
        Changes a file so that it stays well formed.
    words : tuple of bytes
        What is put into it now and then.
    beside : tuple of Path
        Files that stand beside it.
    options : tuple of str
        Of ``pycompare compare FILE`` for it; none if it is no table of scores.
    """

    name: str
    seeds: Callable[[], tuple[bytes, ...]]
    read: Callable[[Path], Any]
    odd: odd_files.Odd
    words: tuple[bytes, ...] = ()
    beside: tuple[Path, ...] = ()
    options: tuple[str, ...] = ()


WIDE = {"wide": True, "metric": "accuracy", "better": "higher"}
AS_WIDE = ("--wide", "--metric", "accuracy:higher", "--blocks", "datasets")
NUMBERS = (b"nan", b"-inf", b"1e308", b"-0", b"1e-320", b"9" * 30, b"0x1", b"1_0", b"")
TEXT = (*NUMBERS, b",", b'"', b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"'")


def table(ending: str) -> bytes:
    """Return a small table of scores in a binary format."""
    frame = pc.example().to_wide().head(6).round(2).reset_index(names="dataset")
    frame["dataset"] = [str(name) for name in frame["dataset"]]
    stream = io.BytesIO()
    getattr(frame, f"to_{ending}")(stream)
    return stream.getvalue()


def predictions(ending: str) -> bytes:
    """Return some predictions."""
    import pandas as pd

    frame = pd.read_csv(pc.example_path("predictions"))
    frame = frame[frame["fold"].isin(frame["fold"].unique()[:2])]
    frame = frame[frame["data"] == frame["data"].iloc[0]]
    if ending == "csv":
        return frame.to_csv(index=False).encode()
    stream = io.BytesIO()
    frame.to_parquet(stream, row_group_size=100)
    return stream.getvalue()


def first_lines(path: Path, count: int) -> bytes:
    """Return the beginning of a file."""
    return b"".join(path.read_bytes().splitlines(keepends=True)[:count])


def of_results(
    file: Path,
    other: Path,
    odd: odd_files.Odd,
    *,
    words: tuple[bytes, ...] = (),
    lines: int = 1000,
    **options: str,
) -> Kind:
    """Return result files of another program: one is changed, the other stays."""
    return Kind(
        f"first/{file.name}",
        lambda: (first_lines(file, lines),),
        lambda path: pc.read_results(path.parents[1], workers=1, **options),
        odd,
        (*TEXT, *words),
        beside=(other,),
    )


KINDS: Mapping[str, Kind] = {
    "csv": Kind(
        "scores.csv",
        lambda: (first_lines(pc.example_path(), 8),),
        lambda path: pc.read_scores(path, **WIDE),
        odd_files.odd_csv,
        TEXT,
        options=AS_WIDE,
    ),
    "predictions csv": Kind(
        "cases.csv",
        lambda: (predictions("csv"),),
        lambda path: pc.read_predictions(path, **PREDICTED).measure(["error", "auc"]),
        odd_files.odd_csv,
        (*TEXT, b"yes", b"no"),
    ),
    "parquet": Kind(
        "scores.parquet",
        lambda: (table("parquet"),),
        lambda path: pc.read_scores(path, **WIDE),
        odd_files.odd_parquet,
        options=AS_WIDE,
    ),
    "feather": Kind(
        "scores.feather",
        lambda: (table("feather"),),
        lambda path: pc.read_scores(path, **WIDE),
        odd_files.odd_feather,
        options=AS_WIDE,
    ),
    "predictions parquet": Kind(
        "cases.parquet",
        lambda: (predictions("parquet"),),
        lambda path: pc.measure_file(path, metrics=["error", "auc"], **PREDICTED),
        odd_files.odd_parquet,
    ),
    "toml": Kind(
        "plan.toml",
        lambda: (PLAN.encode(),),
        lambda path: pc.read_plan(path),
        odd_files.odd_toml,
        (*TEXT, b"[", b"]", b"=", b"{", b"[[", b'"""', b"true", b"1979-05-27", b"#"),
    ),
    "jsonl": of_results(
        *sorted(MADE.glob("lm-eval/*/samples_quiz*.jsonl")),
        odd_files.odd_json,
        words=(b"null", b"{}", b"[]", b"NaN", b'"acc"', b"\\ud800", b"[" * 2000),
        lines=6,
    ),
    "json": of_results(
        *sorted(MADE.glob("swe-bench/*.json")),
        odd_files.odd_json,
        words=(b"null", b"{}", b"[]", b"NaN", b"\\ud800", b"[" * 2000),
    ),
    "arff": of_results(
        *(MADE / "weka" / "arff" / f"{name}.arff" for name in ("rules", "trees")),
        odd_files.odd_arff,
        words=(b"@data", b"@attribute", b"numeric", b"?", b"%", b"{", b"}"),
        metric="Percent_correct",
    ),
    "trec eval": of_results(
        *sorted(MADE.glob("trec_eval/*.eval")),
        odd_files.odd_trec,
        words=(b"\t",),
        metric="map",
    ),
    "scikit-learn csv": of_results(
        *sorted(MADE.glob("scikit-learn/*.csv")),
        odd_files.odd_csv,
        metric="accuracy",
    ),
}


@cache
def seeds_of(kind: str) -> tuple[bytes, ...]:
    """Return the valid files of a kind."""
    return KINDS[kind].seeds()


def changed(kind: str, number: int) -> bytes:
    """Return one of the valid files, well formed or with one to five changed places."""
    draw = random.Random(f"{kind} {number}")
    data = draw.choice(seeds_of(kind))
    if number % 2:
        return KINDS[kind].odd(data, draw)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        data = draw.choice(CHANGES)(data, draw, KINDS[kind].words)
    return data


def flip(data: bytes, draw: random.Random, words: tuple[bytes, ...]) -> bytes:
    """Flip a bit."""
    if not data:
        return b"\0"
    at = draw.randrange(len(data))
    new = data[at] ^ 1 << draw.randrange(8)
    return data[:at] + bytes([new]) + data[at + 1 :]


def put(data: bytes, draw: random.Random, words: tuple[bytes, ...]) -> bytes:
    """Write some bytes over others."""
    at = draw.randrange(len(data) + 1)
    new = draw.choice((b"\0", b"\xff", b"\x7f", draw.randbytes(4), b"\xff\xff\xff\x7f"))
    return data[:at] + new + data[at + len(new) :]


def cut(data: bytes, draw: random.Random, words: tuple[bytes, ...]) -> bytes:
    """Take some bytes away."""
    at = draw.randrange(len(data) + 1)
    return data[:at] + data[at + draw.choice((1, 1, 4, 40, len(data))) :]


def repeat(data: bytes, draw: random.Random, words: tuple[bytes, ...]) -> bytes:
    """Repeat a part somewhere else."""
    at, to = draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)
    return data[:to] + data[at : at + draw.choice((1, 8, 100))] + data[to:]


def insert(data: bytes, draw: random.Random, words: tuple[bytes, ...]) -> bytes:
    """Insert a word, or put it in the place of one that is there."""
    word = draw.choice(words or (draw.randbytes(draw.randrange(9)),))
    at = draw.randrange(len(data) + 1)
    return data[:at] + word + data[at + draw.choice((0, 0, 1, 4)) :]


def replace(data: bytes, draw: random.Random, words: tuple[bytes, ...]) -> bytes:
    """Put a word in the place of a cell."""
    cells = data.split(b",")
    cells[draw.randrange(len(cells))] = draw.choice(words or (draw.randbytes(3),))
    return b",".join(cells)


CHANGES = (flip, put, cut, repeat, insert, insert, replace)


# ---- one case ------------------------------------------------------------------------


def tried(kind: str, data: bytes, whole: bool = False) -> str:
    """Read a file; return how it ended.

    Parameters
    ----------
    kind : str
    data : bytes
    whole : bool, default False
        Let the command line compare it and write the report, where that is possible.

    Returns
    -------
    str
        ``read``, ``refused``, or what is wrong.
    """
    one = KINDS[kind]
    with tempfile.TemporaryDirectory() as at, limited():
        path = Path(at) / "in" / one.name
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        for other in one.beside:
            beside = Path(at) / "in" / "second" / other.name
            beside.parent.mkdir()
            shutil.copy(other, beside)
        try:
            found = one.read(path)
        except PyCompareError as error:
            ended = "refused" if str(error).strip() else "refused without a word"
        except BaseException:
            return traceback.format_exc()
        else:
            ended = "read"
            if isinstance(found, pc.Scores) and not np.isfinite(found.values).all():
                return "a score that is read is no finite number"
        if whole and one.options:
            return reported(path, one.options, ended)
    return ended


def reported(path: Path, options: tuple[str, ...], ended: str) -> str:
    """Compare by the command line; return ``ended``, or what is wrong."""
    out = path.parents[1] / "out"
    status, _, said = command("compare", path, *options, "--out", out)
    if status == 0 and ended == "read":
        page = (out / "report.html").read_text(encoding="utf-8")
        if not page.rstrip().endswith("</html>"):
            return "the page is half written"
        held = (out / "results.json").read_text(encoding="utf-8")
        return "a verdict is NaN" if '"p_adjusted": NaN' in held else ended
    if status != 2 or not said.startswith("pycompare: ") or "Traceback" in said:
        return f"status {status} of what is {ended}: {said}"
    if out.exists() or [p.name for p in path.parents[1].iterdir()] != ["in"]:
        return "a refused command leaves files"
    return ended


class Late(BaseException):
    """Too much time is gone; nothing that catches a TimeoutError takes it."""


@contextlib.contextmanager
def limited():
    """Make warnings errors, and end what takes too long."""

    def late(*_: object) -> None:
        raise Late(f"no end within {PATIENCE} s of CPU")

    # Of CPU: on a loaded machine a minute of the clock is a few seconds of work.
    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def largest() -> int:
    """Return the most memory that this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
