"""Documents of a qualification, filled from a run: plan, IQ, OQ, PQ, traceability.

They are templates in what only people can say: names, signatures and dates are empty
lines, and so is whether the outcome is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycompare.base.version import __version__
from pycompare.reporting.document import (
    Block,
    Bullets,
    Column,
    Document,
    Facts,
    Paragraph,
    Section,
    Table,
)

from .evidence import RISKS, Evidence
from .functions import FUNCTIONS

_LINE = "_" * 24
_ROLES = ("Author", "Technical review", "Quality review", "Approval")


def documents(evidence: Evidence) -> dict[str, Document]:
    """Return the documents by the stems of their files."""
    pages = {
        "validation_plan": ("Validation plan", _plan(evidence)),
        "iq": ("Installation qualification", _installation(evidence)),
        "oq": ("Operational qualification", _operation(evidence)),
        "pq": ("Performance qualification", _performance(evidence)),
        "traceability": ("Traceability of requirements", _traceability(evidence)),
    }
    return {
        name: Document(
            title=f"{title}: pycompare {__version__}",
            subtitle=f"{evidence.use} · {evidence.agreement.date}",
            blocks=(*blocks, _signatures()),
            generator=f"pycompare {__version__}",
            date=evidence.agreement.date,
        )
        for name, (title, blocks) in pages.items()
    }


def _plan(evidence: Evidence) -> Iterator[Block]:
    yield Facts(
        (
            ("Intended use", evidence.use),
            ("Process risk", RISKS[evidence.risk]),
            ("System", f"pycompare {__version__}"),
            ("Organisation", _LINE),
            ("Responsible person", _LINE),
        )
    )
    yield Section(
        "Stages",
        (
            _table(
                "Stages of the qualification, what shows each, and its document.",
                ("Stage", "shown by", "document"),
                [
                    (stage, shown, f"{name}.html")
                    for (stage, shown, _), name in zip(
                        evidence.crosswalk(), ("iq", "oq", "pq"), strict=True
                    )
                ],
            ),
        ),
        "stages",
    )
    yield Section(
        "Acceptance criteria",
        (
            Bullets(
                (
                    "Installed files are those of the wheel (RECORD).",
                    "Every number agrees with its reference to the digits wanted; "
                    "what is not verified is listed with a reason.",
                    "An analysis of the organisation's own data is repeated in R.",
                    "Every requirement of high risk has a test.",
                )
            ),
        ),
        "criteria",
    )


def _installation(evidence: Evidence) -> Iterator[Block]:
    files = evidence.installed
    yield Paragraph(evidence.crosswalk()[0][2] + ".", "answer")
    rows = [(name, str(v or "not available"))
            for name, v in evidence.agreement.versions.items()]  # fmt: skip
    rows += [(f"Changed: {name}", "differs from RECORD") for name in files.changed]
    rows += [("Computer", _LINE), ("Location", _LINE)]
    yield Section("Software", (Facts(tuple(rows)),), "software")


def _operation(evidence: Evidence) -> Iterator[Block]:
    yield Paragraph(evidence.crosswalk()[1][2] + ".", "answer")
    yield _table(
        "Requirements of numbers: digits of agreement wanted and got.",
        ("Identifier", "requirement", "wanted", "got", "verdict"),
        [
            (
                line["identifier"],
                line["requirement"],
                _digits(line["digits_wanted"]),
                _digits(line["digits_got"]),
                line["verdict"],
            )
            for line in evidence.lines()
        ],
    )


def _performance(evidence: Evidence) -> Iterator[Block]:
    own = evidence.own_data
    yield Paragraph(evidence.crosswalk()[2][2] + ".", "answer")
    if own is not None:
        yield Facts(
            (
                ("Data file", own.file),
                ("Plan file", own.plan),
                ("SHA-256 of the report's manifest", own.manifest_sha256),
                ("Report", "own_data/"),
            )
        )
    gaps = tuple(f"Missing for this use: {gap}." for gap in evidence.gaps)
    if gaps:
        yield Section("Gaps", (Bullets(gaps),), "gaps")


def _traceability(evidence: Evidence) -> Iterator[Block]:
    yield _table(
        "Requirements of functions, the risk if one fails, and the tests that show it.",
        ("Identifier", "requirement", "risk", "if it fails, unseen", "tests"),
        [
            (one.identifier, one.title, one.risk, one.failure, "; ".join(one.tests))
            for one in FUNCTIONS
        ],
    )
    yield _table(
        "Requirements of numbers, the functions, and what each is compared with.",
        ("Identifier", "requirement", "risk", "functions", "reference"),
        [
            (
                line["identifier"],
                line["requirement"],
                line["risk"],
                ", ".join(line["functions"]),
                "; ".join(line["references"]) or "not run",
            )
            for line in evidence.lines()
        ],
    )


def _signatures() -> Section:
    table = _table(
        "To be signed.",
        ("Role", "name", "signature", "date"),
        [(role, _LINE, _LINE, _LINE) for role in _ROLES],
    )
    outcome = Facts((("Outcome accepted (yes or no)", _LINE), ("Remarks", _LINE)))
    return Section("Signatures", (outcome, table), "signatures")


def _digits(number: float | None) -> str:
    return "–" if number is None else f"{number:.1f}"


def _table(caption: str, heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    columns = tuple(
        Column(head, "label" if at == 0 else "text") for at, head in enumerate(heads)
    )
    return Table(caption, columns, tuple(rows))
