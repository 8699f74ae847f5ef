"""The page of the faults that were caused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..markdown import table
from .trials import KINDS, in_order

PAGE = Path(__file__).parents[1] / "FAULTS.md"


def page(lines: list[dict[str, Any]]) -> str:
    """Return the page of what was tried."""
    names = list(dict.fromkeys(line["command"] for line in in_order(lines)))
    rows = [
        [name, *(cell(lines, fault=kind, command=name) for kind in KINDS)]
        for name in names
    ]
    tried = sum(line["tried"] for line in lines)
    wrong = [one for line in lines for one in line["wrong"]]
    kills = sum(line["tried"] for line in lines if line["fault"] == KINDS[0])
    return "\n".join(
        [
            "# Faults: killed commands, full disks, lost workers",
            "",
            f"{kills:,} kills and {tried - kills:,} other faults were caused. "
            f"{len(wrong) or 'None'} of them left an incomplete output, an output that "
            "differs from that of an undisturbed run, or stray files or processes.",
            "",
            *table([["disturbed", *KINDS], *rows], right=True),
            "",
            *WORDS,
            "",
        ]
    )


def cell(lines: list[dict[str, Any]], fault: str, command: str) -> str:
    """Return how often a fault was caused; and what was wrong, if anything."""
    lines = [x for x in lines if (x["fault"], x["command"]) == (fault, command)]
    if not lines:
        return ""
    wrong = sum(len(line["wrong"]) for line in lines)
    tried = f"{sum(line['tried'] for line in lines):,}"
    return f"{tried} ({wrong} wrong)" if wrong else tried


WORDS = (
    "- **kill -9**: the command and its workers are killed at a random moment, several "
    "times in a row; then the command runs to its end. After each kill the output is "
    "the previous one, or complete. At the end every byte equals an undisturbed run, "
    "no process is left, and no file is left beside the output.",
    "- **full disk**: all writes fail from the first on, then from the second on, and "
    "so on through the command. The command ends with one line and leaves no files, "
    "except a folder of finished portions from which the next run resumes.",
    "- **two at once**: two processes write to one place. Both finish, or one ends "
    "with one line; the output is complete.",
    "- **lost worker**: a process that the command has started is killed. The command "
    "starts another one, and its output equals that of an undisturbed run.",
    "- **lost dask worker or scheduler**: a lost worker is replaced. Without the "
    "scheduler the command ends with one line; the next run resumes, and its output "
    "equals that of an undisturbed run.",
    "- **input written again**: another program writes the file while it is read. The "
    "output is that of one state of the file, or the command says that it changed.",
    "- **eight threads**: the same computation in eight threads at once gives the same "
    "bits as in one thread.",
    "",
    "`python -m validation.faults` repeats this, and `make study` runs it.",
)
