"""A report in the order of statistical reports for submission.

The same results, tables and figures as on the page, under the headings that reviewers
look for: synopsis, objectives and estimands, analysis sets and exclusions, planned
methods, results, sensitivity analyses, assumptions, deviations, software and
validation, references, program listings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from pycompare.reporting.bibliography import cited
from pycompare.reporting.content.page import Report, bullets, placed
from pycompare.reporting.content.sources import origin_blocks
from pycompare.reporting.document import (
    Block,
    Bullets,
    Document,
    Facts,
    Inline,
    Literal,
    Note,
    Paragraph,
    Section,
    Strong,
    Table,
    plain,
    present,
    spans,
    walk,
)
from pycompare.reporting.evidence.manifest import Deviation
from pycompare.reporting.submission_words import Words

_ATTRIBUTES = {
    "Algorithms": "Treatments",
    "Modalities": "Treatments",
    "Metrics": "Variable",
    "Blocks": "Units of analysis",
    "Readers": "Readers",
    "Cases": "Cases",
    "Policy for missing cells": "Missing cells (intercurrent events)",
}
"""What the data are called among the attributes of an estimand."""
NO_PLAN = (
    "There is no plan file, so this report cannot show that the analysis was planned "
    "before the data were seen."
)
AS_PLANNED = "The plan file was followed without deviation."
_NONE_KNOWN = "No step was left out and nothing was excluded."
_VALIDATION = Paragraph(
    (
        "Each method is compared with R, or with an independent derivation, in the "
        "package's own validation. ",
        Literal("pycompare validate"),
        " repeats it on this machine.",
    )
)


def statistical_report(
    report: Report, deviations: Sequence[Deviation], words: Words
) -> Document:
    """Return a report as a document for submission."""
    page = report.document()
    references = cited(_texts(page))
    asked = (words.question,) if words.question else ()
    question, *planned = (*asked, *report.plan)
    objectives = [Paragraph(question), *_objectives(report, words)]
    software = [*origin_blocks(report.origin), _VALIDATION]
    parts: list[tuple[str, str, Sequence[Block | None]]] = [
        ("Synopsis", "synopsis", list(_synopsis(report))),
        ("Objectives and estimands", "objectives", objectives),
        ("Analysis sets and exclusions", "sets", _sets(report)),
        ("Planned methods", "methods", _methods(report, planned, words.paragraph)),
        ("Results", "results", list(_results(report))),
        ("Sensitivity analyses", "sensitivity", list(_sensitivity(report))),
        ("Assumptions and limits", "limits", [bullets(report.assumptions)]),
        ("Deviations from the plan", "deviations", _deviations(report, deviations)),
        ("Software and validation", "software", software),
        ("References", "references", [bullets([r.text for r in references])]),
        ("Program listings", "listings", report.in_r()),
    ]
    numbered = (
        Section(f"{place}. {title}", present(*blocks), key)
        for place, (title, key, blocks) in enumerate(parts, start=1)
    )
    return Document(
        title=report.title,
        subtitle=report.subtitle,
        blocks=tuple(numbered),
        generator=page.generator,
        date=page.date,
    )


def _synopsis(report: Report) -> Iterator[Block | None]:
    """Yield the question, the answers and the scope: all on one page."""
    several = len(report.results) > 1
    for one in report.results:
        if one.answer:
            start = (Strong(f"{one.title}: "),) if several else ()
            yield Paragraph((*start, *spans(one.answer)), "answer")
    yield report.first_figure
    yield report.overview
    yield _scope(report)


def _scope(report: Report) -> Note | None:
    found = bullets(report.scope)
    if found is None:
        return None
    return Note("Scope of the conclusions", (found,), "caveat")


def _objectives(report: Report, words: Words) -> Iterator[Block | None]:
    """Yield the attributes of what is estimated."""
    known = [(_ATTRIBUTES[k], v) for k, v in report.data if k in _ATTRIBUTES]
    several = len(words.measures) > 1
    summary = [
        (f"Summary measure, {title}" if several else "Summary measure", measure)
        for title, measure in words.measures
    ]
    population = bullets(report.scope)
    yield Facts((*known, *words.attributes, *summary))
    yield population and Note("Population", (population,))


def _sets(report: Report) -> list[Block | None]:
    """Return what was read, what was compared and what was left out."""
    return [Facts(tuple(report.data)), *map(Paragraph, report.dropped)]


def _methods(
    report: Report, planned: Sequence[Inline], paragraph: str
) -> list[Block | None]:
    """Return the plan, the paragraph to be pasted, the methods with their errors."""
    told = (Paragraph(paragraph),) if paragraph else ()
    note = Note("Paragraph for a paper", told) if told else None
    return [bullets(planned), note, report.methods]


def _results(report: Report) -> Iterator[Block | None]:
    """Yield every result with all its tables and figures."""
    several = len(report.results) > 1
    for place, one in enumerate(report.results, start=1):
        key = f"result{place}"
        lead = Paragraph(one.answer, "answer") if one.answer else None
        method = Paragraph(one.method, "method") if one.method else None
        shown = None if one.figure is report.first_figure else one.figure
        blocks = present(lead, method, shown, one.table, *placed(one.blocks, key, one))
        if several:
            yield Section(one.title, blocks, key)
        else:
            yield from blocks


def _sensitivity(report: Report) -> Iterator[Block | None]:
    """Yield the other analyses of each result."""
    found = [one for one in report.results if one.sensitivity]
    if not found:
        yield Paragraph("No sensitivity analysis was planned.")
    for place, one in enumerate(found, start=1):
        if len(report.results) > 1:
            yield Section(one.title, one.sensitivity, f"sensitivity{place}")
        else:
            yield from one.sensitivity


def _deviations(report: Report, found: Sequence[Deviation]) -> list[Block | None]:
    """Return what was done otherwise than planned."""
    planned = report.origin["plan_file"] is not None
    rows = [f"Planned: {d.planned}. Done: {d.done} ({d.why})." for d in found]
    none = AS_PLANNED if planned else _NONE_KNOWN
    return [
        None if planned else Paragraph(NO_PLAN),
        bullets(rows) or Paragraph(none),
    ]


def _texts(page: Document) -> str:
    """Return all words of a document in which sources may be named."""
    return "\n".join(chain.from_iterable(map(_words, walk(page.blocks))))


def _words(block: Block) -> Iterator[str]:
    """Yield the words of one block, without those of blocks within it."""
    if isinstance(block, Paragraph):
        yield plain(block.text)
    elif isinstance(block, Bullets):
        yield from map(plain, block.items)
    elif isinstance(block, Table):
        yield plain(block.caption)
        yield from (plain(c.text) for row in block.cells() for c in row)
