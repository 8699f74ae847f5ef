"""R's answer while a report is made: ``reproduce.R`` is run, its digits are kept."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from pycompare.base.errors import ReferenceUnavailable, setting
from pycompare.base.interop.r_program import NOTHING
from pycompare.reporting import document as doc
from pycompare.reporting.content.page import bullets

CROSS_CHECK = "cross_check.json"
"""File of a report folder: R's output."""
_PROGRAM = "reproduce.R"
_MOST_SHOWN = 20
"""Numbers that differ and are named on the page."""
_MOST_PRINTED = 64 << 20
"""Bytes that the program may print; a line is a number that differs."""


@dataclass(frozen=True, kw_only=True)
class CrossCheck:
    """How many numbers of results.json R repeated, and to how many digits.

    Attributes
    ----------
    r_version : str
    agree, compared : int
        Numbers that agree, of those that R computed.
    wanted : int
        Digits that must agree.
    digits : tuple of (int, int)
        Digits and how many numbers agree to them, the most first.
    listed : tuple of str
        What R does not compute, with the reason; one line per kind of number.
    differs : tuple of str
        One line per number that differs, or a result that R could not compute.
    """

    r_version: str
    agree: int
    compared: int
    wanted: int
    digits: tuple[tuple[int, int], ...]
    listed: tuple[str, ...]
    differs: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether no number differs."""
        return not self.differs and self.agree == self.compared

    @property
    def conclusion(self) -> str:
        """The outcome in one sentence."""
        if not self.compared:
            return "reproduce.R computes nothing again: no number was compared."
        return (
            f"{self.r_version}: {self.agree:,} of {self.compared:,} numbers of "
            f"results.json agree to {self.wanted} digits or more."
        )


def require_rscript() -> str:
    """Return the program that runs R scripts.

    Raises
    ------
    ReferenceUnavailable
        If there is none.
    """
    program = shutil.which("Rscript")
    if program is None:
        raise ReferenceUnavailable(
            setting("cross_check", True)
            + ": there is no program Rscript on the path; install R (on Debian: "
            "apt-get install r-base-core), or leave the cross-check out"
        )
    return program


def cross_check(folder: Path, timeout: float = 3600.0) -> CrossCheck:
    """Run the R program of a folder that has its data and results already.

    Raises
    ------
    ReferenceUnavailable
        If R or a package is missing, or if R stops before the end.
    """
    program = folder / _PROGRAM
    if NOTHING in program.read_text(encoding="utf-8"):
        return CrossCheck(
            r_version="", agree=0, compared=0, wanted=0, digits=(), listed=(),
            differs=(),
        )  # fmt: skip
    status, said, last_words = _run(
        [require_rscript(), "--vanilla", str(program)], timeout
    )
    if status not in (0, 1) or not _SUMMARY.search(said):
        raise ReferenceUnavailable(
            f"{_PROGRAM} ended with status {status}: {last_words}"
        )
    return _read(said)


def _run(command: list[str], timeout: float) -> tuple[int, str, str]:
    """Run R; return its status, its output and its last words on stderr.

    Output goes to files: no pipe is held open by what R started, and none fills up.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
            start_new_session=True,
        )  # fmt: skip
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise ReferenceUnavailable(
                f"{_PROGRAM} took longer than {timeout:g} s"
            ) from None
        finally:
            end_group(process)
            process.wait()
        printed = os.fstat(out.fileno()).st_size
        if printed > _MOST_PRINTED:
            raise ReferenceUnavailable(
                f"{_PROGRAM} printed {printed} bytes, more than {_MOST_PRINTED}: is "
                "Rscript on the path R's own?"
            )
        return status, _end_of(out, printed), _end_of(err, 800)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a session, and everything it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended, and so has everything it started


def _end_of(file: IO[bytes], size: int) -> str:
    """Return the last bytes of a file as text."""
    file.seek(max(os.fstat(file.fileno()).st_size - size, 0))
    return file.read().decode("utf-8", "replace").strip()


_SUMMARY = re.compile(r"^(\d+) of (\d+) numbers of results\.json agree to (\d+)", re.M)
_VERSION = re.compile(r"^R version ([\d.]+)", re.M)
_DIGITS = re.compile(r"^ *(\d+)   +(\d+)$", re.M)
_LISTED = re.compile(r"^(\d+ without .*)$", re.M)
_DIFFERS = re.compile(r"^((?:DIFFERS|FAILED) .*)$", re.M)


def _read(said: str) -> CrossCheck:
    """Return the output of the program."""
    summary, version = _SUMMARY.search(said), _VERSION.search(said)
    assert summary is not None
    agree, compared, wanted = map(int, summary.groups())
    return CrossCheck(
        r_version=f"R {version[1]}" if version else "R",
        agree=agree,
        compared=compared,
        wanted=wanted,
        digits=tuple((int(d), int(n)) for d, n in _DIGITS.findall(said)),
        listed=tuple(_LISTED.findall(said)),
        differs=tuple(_DIFFERS.findall(said)),
    )


def write_cross_check(check: CrossCheck, folder: Path) -> None:
    """Write R's output into a report folder."""
    text = json.dumps(asdict(check), indent=1)
    (folder / CROSS_CHECK).write_text(f"{text}\n", encoding="utf-8")


def read_cross_check(folder: Path) -> CrossCheck:
    """Return R's output when a report was made."""
    text = (folder / CROSS_CHECK).read_text(encoding="utf-8")
    held: dict[str, Any] = json.loads(text)
    held |= {name: tuple(held[name]) for name in ("listed", "differs")}
    held["digits"] = tuple(map(tuple, held["digits"]))
    return CrossCheck(**held)


def shown(check: CrossCheck) -> tuple[doc.Block, ...]:
    """Return the outcome, how many numbers agree to how many digits, what differs."""
    more = len(check.differs) - _MOST_SHOWN
    named = [(doc.Literal(line),) for line in check.differs[:_MOST_SHOWN]]
    return doc.present(
        doc.Paragraph((doc.Strong("Cross-check: "), check.conclusion)),
        bullets(named),
        doc.Paragraph(f"{more} more differ; see cross_check.json.")
        if more > 0
        else None,
        _table(check) if check.digits else None,
        bullets(list(check.listed)),
    )


def _table(check: CrossCheck) -> doc.Table:
    """Return how many numbers agree to how many digits."""
    columns = (doc.Column("Digits that agree", "count"), doc.Column("Numbers", "count"))
    return doc.Table("Numbers of results.json repeated by R.", columns, check.digits)
