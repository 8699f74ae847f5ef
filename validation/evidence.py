"""The evidence file of an intended use: what was shown of this installation, and how.

Titled by use and risk, as computer software assurance asks for; installation,
operational and performance qualification are the columns of a crosswalk to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pycompare.base.version import __version__
from pycompare.reporting.document import (
    Block,
    Bullets,
    Column,
    Document,
    Facts,
    FoldedSection,
    Lead,
    Note,
    Paragraph,
    Section,
    Table,
    present,
)
from pycompare.results.result import plain

from .agreement import AGREES, DIFFERS, NOT_VERIFIED, Agreement, Row, digits_text, worst
from .functions import FUNCTIONS
from .installed import Installed
from .requirements import REQUIREMENTS, Requirement, identifier_of, requirement_of

FORMAT = 1
USE = "Comparison of classification algorithms by the analyses of pycompare"
RISKS = {
    "high": "high process risk: scripted testing, every statistic over all its cases",
    "not-high": "not high process risk: unscripted testing suffices",
}
UNVERIFIED = {
    "auc_pr_pairs, partial_auc_interval, partial_auc_pairs": "bootstrap results are "
    "random; the tests compare every resample, and DeLong's test over the whole axis",
    "friedman(p_value='permutation')": "random; the tests compare it with the exact p",
    "simulate": "random; the tests run the trials one by one",
    "experiment, from_cross_validate": "no reference; the tests run plain loops",
    "cliques, letters, orderings": "no reference for the drawing of lines and letters; "
    "the tests check that they say what the pairs say",
    "read_scores, read_predictions, read_ratings, read_results": "no statistics; the "
    "tests read files of known content",
    "report and its formats": "no statistics; the tests open the documents",
}
"""What no check compares with a reference, and why."""
_STUDIES = ("FAMILY_WISE", "CASES", "MODELS", "MULTIREADER", "GARCIA_HERRERA",
            "MALOOF", "YILDIZ", "AGREEMENT", "MUTATION")  # fmt: skip
_MOST_LISTED = 40


@dataclass(frozen=True, kw_only=True)
class OwnData:
    """What R said of an analysis of the user's own data.

    Attributes
    ----------
    file, plan : str
    manifest_sha256 : str
        Of the report in the folder ``own_data``.
    passed : bool
    conclusion : str
    """

    file: str
    plan: str
    manifest_sha256: str
    passed: bool
    conclusion: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that the evidence file says.

    Attributes
    ----------
    agreement : Agreement
        Of all statistics that were compared.
    installed : Installed
    use : str
        The intended use, in the user's words.
    risk : {"high", "not-high"}
    complete : bool
        Whether all checks were asked for.
    own_data : OwnData or None
    """

    agreement: Agreement
    installed: Installed
    use: str = USE
    risk: str = "high"
    complete: bool = True
    own_data: OwnData | None = None
    folder: Path = field(default_factory=lambda: Path(__file__).parent)

    @property
    def passed(self) -> bool:
        """Whether everything that was compared agrees, the own data included."""
        own = self.own_data is None or self.own_data.passed
        return self.agreement.passed and own and not self.installed.changed

    @property
    def gaps(self) -> list[str]:
        """What is missing for the use at this risk."""
        found = []
        if not self.complete:
            found.append("only some checks were run (--only)")
        if self.agreement.quick and self.risk == "high":
            found.append("a quick run compares the first case of each check only")
        if not self.installed.verified:
            why = self.installed.reason or "installed files were changed"
            found.append(f"installed files are not those of a wheel: {why}")
        if self.own_data is None:
            found.append("no analysis of the user's own data was repeated in R")
        return found

    def lines(self) -> list[dict[str, Any]]:
        """Return one line a requirement: equation, functions, reference, digits."""
        rows: dict[str, list[Row]] = {}
        for row in self.agreement.rows:
            for one in requirement_of(row.statistic):
                rows.setdefault(one.title, []).append(row)
        return [_line(one, rows.get(one.title, [])) for one in REQUIREMENTS]

    def crosswalk(self) -> list[tuple[str, str, str]]:
        """Return stage of qualification, what shows it, and the outcome."""
        got = self.agreement
        compared = f"{got.count(AGREES)} numbers agree, {got.count(DIFFERS)} differ, "
        compared += f"{got.count(NOT_VERIFIED)} not verified"
        files = self.installed
        as_shipped = f"{files.files} files hashed, {len(files.changed)} changed"
        own = self.own_data
        return [
            (
                "Installation",
                "versions, platform; files against the wheel's RECORD",
                files.reason or as_shipped,
            ),
            ("Operation", "every statistic against a reference", compared),
            (
                "Performance",
                "an analysis of the user's own data, repeated in R",
                "not done (validate --data FILE --plan PLAN)"
                if own is None
                else own.conclusion,
            ),
        ]

    def studies(self) -> list[dict[str, str]]:
        """Return the published studies that come with pycompare, with their hashes."""
        return [
            {
                "title": _heading(path),
                "file": f"validation/{path.name}",
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for path in (self.folder / f"{name}.md" for name in _STUDIES)
            if path.is_file()
        ]

    def differences(self) -> list[str]:
        """Return where pycompare differs from a reference on purpose."""
        return _headings(self.folder / "DIFFERENCES.md", "## ")

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values; see ``evidence.schema.json``."""
        return {
            "made_by": "pycompare validation",
            "format": FORMAT,
            "use": self.use,
            "risk": self.risk,
            "gaps": self.gaps,
            "crosswalk": [
                dict(zip(("stage", "shown_by", "outcome"), row, strict=True))
                for row in self.crosswalk()
            ],
            "installed": plain(self.installed),
            "requirements": plain(self.lines()),
            "functions": plain(FUNCTIONS),
            "own_data": plain(self.own_data),
            "studies": self.studies(),
            "differences": self.differences(),
            "not_verified": [
                {"what": what, "why": why} for what, why in self.not_verified()
            ],
            **self.agreement.to_dict(),
            "passed": self.passed,
        }

    def to_json(self) -> str:
        """Return the evidence as JSON."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False)

    def summary(self) -> str:
        """Return the evidence as text."""
        gaps = [f"Missing for this use: {gap}." for gap in self.gaps]
        stages = [f"{stage}: {outcome}" for stage, _, outcome in self.crosswalk()]
        return "\n".join([self.agreement.summary(), *stages, *gaps])

    def not_verified(self) -> list[tuple[str, str]]:
        """Return what was compared with nothing, and why."""
        reasons = {
            (f"{row.statistic}: {row.quantity}", row.reason): None
            for row in self.agreement.rows
            if row.verdict == NOT_VERIFIED
        }
        return [*reasons, *UNVERIFIED.items()]

    # ---- the document ----------------------------------------------------------------

    def document(self) -> Document:
        """Return the evidence as a document."""
        return Document(
            title=f"Evidence for an intended use of pycompare {__version__}",
            subtitle=f"{self.use} · {RISKS[self.risk]} · {self.agreement.date}",
            blocks=present(
                Lead(tuple(self._answer())),
                _table(
                    "Crosswalk to installation, operational and performance "
                    "qualification.",
                    ("Qualification", "shown by", "outcome"),
                    self.crosswalk(),
                ),
                self._gaps(),
                Section("Requirements", tuple(self._requirements()), "requirements"),
                Section("References", tuple(self._references()), "references"),
                self._problems(),
                Section("What was not verified", (self._not_verified(),), "unverified"),
                Section("Studies", (self._studies(),), "studies"),
                Section("Differences on purpose", (self._differences(),), "differ"),
                Section("Software", (self._software(),), "software"),
                FoldedSection("Statistics", (self._statistics(),), "statistics"),
            ),
            generator=f"pycompare {__version__}",
            date=self.agreement.date,
        )

    def _answer(self) -> Iterator[Block]:
        got = self.agreement
        n = f"{len(got.rows):,} comparisons"
        told = f"Every comparison agrees ({n})."
        if not got.passed:
            told = (
                f"Not passed: {got.count(DIFFERS)} of {n} differ, "
                f"{got.count(NOT_VERIFIED)} were not verified."
            )
        quick = " Quick run: only the first case of each check." if got.quick else ""
        yield Paragraph(told + quick, "answer")
        if self.own_data is not None:
            yield Paragraph(f"Own data: {self.own_data.conclusion}", "answer")

    def _gaps(self) -> Note | None:
        if not self.gaps:
            return None
        items = tuple(gap[:1].upper() + gap[1:] + "." for gap in self.gaps)
        return Note("Missing for this use", (Bullets(items),), "caveat")

    def _requirements(self) -> Iterator[Block]:
        yield Paragraph(
            "Digits are the log relative error against the reference's number, at "
            "most 15; the worst number of a requirement is shown. Where the reference "
            "is the less exact side, fewer digits are wanted. Equations are numbered "
            "as on the site."
        )
        yield Table(
            "Requirement, equation, functions, reference, and digits wanted and got.",
            (
                Column("Identifier", "label"),
                Column("requirement", "label"),
                Column("equation", "digits"),
                Column("functions"),
                Column("reference"),
                Column("cases", "count"),
                Column("numbers", "count"),
                Column("wanted", "digits"),
                Column("got", "digits"),
                Column("verdict"),
            ),
            tuple(
                (
                    line["identifier"],
                    line["requirement"],
                    line["equation"],
                    ", ".join(line["functions"]),
                    "; ".join(line["references"]) or "–",
                    line["cases"],
                    line["numbers"],
                    digits_text(line["digits_wanted"]),
                    digits_text(line["digits_got"]),
                    line["verdict"],
                )
                for line in self.lines()
            ),
        )

    def _references(self) -> Iterator[Block]:
        yield Paragraph(
            "The reference of a statistic is an R package (base R's own functions "
            "included), a Python library, or our own derivation in R: R code of "
            "pycompare, written by the same authors, that computes the statistic in "
            "another way. The last kind guards against mistakes in the code; it does "
            "not guard against a formula misread twice."
        )
        yield _table(
            "Kinds of reference.",
            ("Reference", "statistics", "comparisons"),
            [tuple(line.values()) for line in self.agreement.by_source()],
        )

    def _problems(self) -> Section | None:
        rows = [row for row in self.agreement.rows if row.verdict == DIFFERS]
        if not rows:
            return None
        told = _table(
            "Numbers that differ.",
            ("Statistic", "case", "quantity", "ours", "reference", "digits"),
            [
                (r.statistic, r.case, r.quantity, repr(r.ours), repr(r.theirs),
                 digits_text(r.digits))
                for r in rows[:_MOST_LISTED]
            ],
        )  # fmt: skip
        return Section("Numbers that differ", (told,), "problems")

    def _not_verified(self) -> Block:
        rows = self.not_verified()
        return _table("Not compared with a reference.", ("What", "why"), rows)

    def _studies(self) -> Block:
        rows = [tuple(study.values()) for study in self.studies()]
        return _table(
            "Simulation studies and re-computed papers that come with pycompare.",
            ("Study", "file", "SHA-256"),
            rows,
        )

    def _differences(self) -> Block:
        return Bullets(tuple(self.differences()))

    def _software(self) -> Block:
        files = self.installed
        rows = [(name, str(v or "not available"))
                for name, v in self.agreement.versions.items()]  # fmt: skip
        rows += [
            ("Date", self.agreement.date),
            ("Files of the wheel", files.reason or f"{files.files} hashed"),
            *((f"Changed: {name}", "differs from RECORD") for name in files.changed),
        ]
        return Facts(tuple(rows))

    def _statistics(self) -> Block:
        return _table(
            "Every statistic with its reference and the fewest digits; evidence.json "
            "has every number.",
            ("Statistic", "reference", "functions", "cases", "numbers", "digits",
             "verdict"),
            [
                (line["statistic"], line["source"], line["reference"], line["cases"],
                 line["numbers"], digits_text(line["fewest_digits"]), line["verdict"])
                for line in self.agreement.by_statistic()
            ],
        )  # fmt: skip


def _line(one: Requirement, rows: list[Row]) -> dict[str, Any]:
    """Return what was shown of one requirement."""
    known = [row for row in rows if row.digits is not None]
    fewest = min(known, key=lambda row: (row.digits or 0.0) - row.wanted, default=None)
    return {
        "identifier": identifier_of(one),
        "risk": "high",
        "requirement": one.title,
        "equation": one.equation,
        "functions": list(one.functions),
        "references": list(
            dict.fromkeys(f"{row.reference} ({row.source})" for row in rows)
        ),
        "cases": len({(row.statistic, row.case) for row in rows}),
        "numbers": len(rows),
        "digits_wanted": fewest.wanted if fewest else None,
        "digits_got": fewest.digits if fewest else None,
        "verdict": worst([row.verdict for row in rows]) if rows else "not run",
    }


def _table(caption: str, heads: tuple[str, ...], rows: Iterable[Any]) -> Table:
    """Return a table of words and counts."""
    held = tuple(map(tuple, rows))
    columns = tuple(
        Column(head, "label" if at == 0 else _kind_of(held, at))
        for at, head in enumerate(heads)
    )
    return Table(caption, columns, held)


def _kind_of(rows: tuple[tuple[Any, ...], ...], at: int) -> Any:
    return "count" if rows and all(isinstance(r[at], int) for r in rows) else "text"


def _heading(path: Path) -> str:
    return _headings(path, "# ")[0]


def _headings(path: Path, mark: str) -> list[str]:
    """Return the headings of one level in a page of the project."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]
