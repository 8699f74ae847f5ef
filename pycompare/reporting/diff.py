"""``diff``: the changes between two reports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.tables import table_text
from pycompare.base.tables import Columns
from pycompare.base.whole_file import read_regular
from pycompare.reporting.evidence.conclusions import conclusions, label_of, rows_of
from pycompare.reporting.evidence.json_places import (
    differing,
    is_number,
    leaves,
    same,
)
from pycompare.reporting.evidence.manifest import as_written, read_manifest

_EVIDENCE = "pycompare validation"
"""What makes evidence of an intended use, which is compared as a report is."""
_PARTS = ("conclusions", "inputs", "settings", "numbers")
_MOST_ROWS = 20
"""Differences of a part that the summary lists."""
_COLUMNS = ["part", "place", "first", "second"]


@dataclass(frozen=True, kw_only=True)
class ReportDiff:
    """The differences between two reports.

    Attributes
    ----------
    first, second : str
        The folders.
    table : DataFrame
        One row per difference: ``part`` (conclusions, inputs, settings or numbers),
        ``place``, and what the ``first`` and the ``second`` report have there; None
        if one has nothing.
    compared : int
        Values that both reports have.
    n_conclusions : int
        Conclusions that one of the reports has.
    """

    first: str
    second: str
    table: pd.DataFrame
    compared: int
    n_conclusions: int

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return self.table.empty

    @property
    def conclusions_changed(self) -> int:
        """How many conclusions differ, those included that one report lacks."""
        return len(self.of("conclusions"))

    def of(self, part: str) -> pd.DataFrame:
        """Return the differences of one part, without its name."""
        rows = self.table[self.table["part"] == part]
        return rows.drop(columns="part").reset_index(drop=True)

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the table."""
        return self.table.copy()

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        rows = self.table.to_dict(orient="records")
        return {"first": self.first, "second": self.second, "same": self.same,
                "conclusions_changed": self.conclusions_changed,
                "n_conclusions": self.n_conclusions,
                "compared": self.compared, "differences": rows}  # fmt: skip

    def summary(self) -> str:
        """Return whether a conclusion changed, then what changed, part by part."""
        changed, n = self.conclusions_changed, self.n_conclusions
        told = f"{changed} of {n}" if changed else f"None of {n}"
        verb = "conclusion changed" if n == 1 else "conclusions changed"
        lines = [f"{told} {verb}.", f"First: {self.first}", f"Second: {self.second}"]
        for part in _PARTS:
            differences = self.of(part)
            n = len(differences)
            lines.append(f"\n{part.capitalize()}: {counted(n, 'difference')}")
            if n:
                shown = Columns.of(differences.head(_MOST_ROWS))
                lines.append(table_text(shown, 10))
            if n > _MOST_ROWS:
                lines.append(f"{n - _MOST_ROWS} more")
        return "\n".join(lines)


@checked
def diff(first: str | Path, second: str | Path) -> ReportDiff:
    """Return which conclusions, inputs, settings and numbers of two reports differ.

    A conclusion is a fact: which of two algorithms is significantly better, whether a
    test is significant, whether a claim about a margin is shown; in the primary and in
    other analyses, but not in tests of assumptions. Dates and folders are not compared.
    Rows of a table are compared by their labels, such as the names of a pair, in
    whatever order they are. Numbers are equal if 12 digits agree.

    Parameters
    ----------
    first, second : path
        Folders of reports of the same kind, or of the evidence of ``pc.validate``.

    Returns
    -------
    ReportDiff
        With ``table``, one row per difference, and ``summary()``.

    Raises
    ------
    InputError
        If a folder holds no report, or the two are not of the same kind.

    Notes
    -----
    R: ``all.equal`` of two lists.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for alpha in (0.05, 0.01):
    ...         plan = pc.Plan(compares="ranks", alpha=alpha, level=0.95)
    ...         comparison = pc.compare(pc.example(), plan)
    ...         report = pc.report(comparison, f"{folder}/{alpha}")
    ...     changes = pc.diff(f"{folder}/0.05", f"{folder}/0.01")
    >>> changes.of("settings")["place"].tolist()
    ['alpha']
    """
    held, other = _HeldReport(first), _HeldReport(second)
    if held.manifest["report"] != other.manifest["report"]:
        raise InputError(
            f"the reports are of two kinds: {held.manifest['report']} and "
            f"{other.manifest['report']}"
        )
    with as_written(first):
        ours = {name: getattr(held, name) for name in _PARTS}
    with as_written(second):
        parts = {name: (ours[name], getattr(other, name)) for name in _PARTS}
    rows = [
        (name, *row) for name, two in parts.items() for row in differing(*two, same)
    ]
    both = sum(len(set(a) & set(b)) for a, b in parts.values())
    table = pd.DataFrame(rows, columns=_COLUMNS, dtype=object)
    concluded = len(set().union(*parts["conclusions"]))
    return ReportDiff(
        first=str(first),
        second=str(second),
        table=table,
        compared=both,
        n_conclusions=concluded,
    )


def _read_results(path: Path) -> dict[str, Any]:
    """Read results.json of a report."""
    try:
        held = json.loads(read_regular(path))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no JSON file: it was changed or cut") from None
    if not isinstance(held, dict):
        raise InputError(f"{path} does not hold results: it was changed")
    return held


class _HeldReport:
    """Contents of a report folder, by the place of each value."""

    def __init__(self, folder: str | Path) -> None:
        path = Path(folder)
        self.manifest = read_manifest(path)
        self.is_evidence = self.manifest["report"] == _EVIDENCE
        name = "evidence.json" if self.is_evidence else "results.json"
        self.results = _read_results(path / name)

    @property
    def inputs(self) -> dict[str, Any]:
        """Hashes of inputs, and the versions."""
        held = {entry["what"]: entry["sha256"] for entry in self.manifest["inputs"]}
        data = _by_place(self.manifest["data"]["parts"])
        versions = _by_place({"versions": self.manifest["versions"]})
        names = {k: v for k, v in data.items() if not k.startswith("source/")}
        return held | names | versions

    @property
    def settings(self) -> dict[str, Any]:
        """The plan with nothing left open."""
        return _by_place(self.manifest["plan"]["settled"])

    @property
    def conclusions(self) -> dict[str, Any]:
        """The conclusions about each pair, test and claim; of requirements."""
        if self.is_evidence:
            verdicts = {"passed": str(self.results["passed"]).lower()}
            for line in self.results["requirements"]:
                verdicts[f"{line['identifier']} {line['requirement']}"] = line[
                    "verdict"
                ]
            return verdicts
        return conclusions(self.results, _alpha(self.settings))

    @property
    def numbers(self) -> dict[str, Any]:
        """Every number that is a result."""
        left_out = ("provenance", "plan", "data")
        held = {k: v for k, v in self.results.items() if k not in left_out}
        return {k: v for k, v in _by_place(_by_name(held)).items() if is_number(v)}


def _alpha(settings: Mapping[str, Any]) -> float:
    """Return the significance level; without one that of the intervals holds."""
    if "alpha" in settings:
        return float(settings["alpha"])
    return 1 - float(settings.get("level", 0.95))


def _by_name(value: Any) -> Any:
    """Return results with the rows of tables by their labels, whatever their order.

    Rows without a label, or with one that others have too, keep their places.
    """
    if isinstance(value, dict):
        rows = rows_of(value)
        if rows is None:
            return {name: _by_name(inner) for name, inner in value.items()}
        value = rows
    if not isinstance(value, list):
        return value
    labels = [label_of(row) if isinstance(row, dict) else "" for row in value]
    inner = [_by_name(each) for each in value]
    known = all(labels) and len(set(labels)) == len(labels)
    return dict(zip(labels, inner, strict=True)) if known else inner


def _by_place(value: Any) -> dict[str, Any]:
    """Return the leaves of a value by their place."""
    return dict(leaves(value))
