"""Contents of a certificate, from a report folder alone: JSON, page and badges."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted, listed
from pycompare.base.formatting.numbers import percent
from pycompare.base.version import __version__
from pycompare.plotting import style
from pycompare.reporting import document as doc
from pycompare.reporting.content.ranks import rank_set
from pycompare.reporting.evidence.manifest import MANIFEST, read_manifest
from pycompare.reporting.render import html

CERTIFICATE, MADE_BY = "certificate.json", "pycompare certificate"
"""The file of a certificate that states all of it, and what made it."""
_PAGE, _RESULTS = "certificate.html", "results.json"
_FORMAT = 1
_REPORT = "pycompare comparison"
_MOST_COLUMNS = 40
"""Of the names on a badge."""
_VERIFY = "pycompare verify REPORT --certificate CERTIFICATE"
_TIERS = (
    "Tiers, the best first; every algorithm of a tier is better than every one of the "
    "tiers below"
)
_MEANING = (
    "All true ranks are in their sets at once, if no pairwise decision is wrong. "
    "Algorithms that share a set's ranks are not shown to be equal."
)


def certified(folder: Path, version: str = __version__) -> dict[str, Any]:
    """Return the contents of a report's certificate; plain values.

    ``version`` is that of the program that wrote the certificate.

    Raises
    ------
    InputError
        If the folder holds no report of a comparison, or the report has no ranks.
    """
    held = read_manifest(folder)
    if held["report"] != _REPORT:
        raise InputError(
            f"{folder} is a report of {held['report']!r}; certificates are made of "
            f"reports of {_REPORT!r}"
        )
    content = (folder / _RESULTS).read_bytes()
    rankings = list(_rankings(json.loads(content)))
    if not rankings:
        raise InputError(
            f"the report in {folder} has no confidence sets of ranks; compare all "
            "pairs (no control) in means, ranks or accuracies, folds with the sizes "
            "of their training and test sets"
        )
    return {
        "made_by": MADE_BY,
        "format": _FORMAT,
        "version": version,
        "report": {
            "ended": held["ended"],
            "versions": held["versions"],
            "manifest_sha256": _sha256((folder / MANIFEST).read_bytes()),
            "results_sha256": _sha256(content),
        },
        "inputs": held["inputs"],
        "plan": {
            "sha256": held["plan"]["sha256"],
            "file": held["plan"]["file"] and _without_text(held["plan"]["file"]),
            "settled": held["plan"]["settled"],
        },
        "rankings": rankings,
        "meaning": _MEANING,
        "verify": _VERIFY,
    }


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _without_text(file: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in file.items() if name != "text"}


def _rankings(results: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the ranks of each group and metric."""
    directions = results["data"]["metrics"]
    for part in results.get("groups", [{"group": None, **results}]):
        for metric, sets in part["rank_sets"].items():
            yield {
                "group": part["group"],
                "metric": metric,
                "better": directions.get(metric),
                "confidence": 1 - sets["alpha"],
                "method": sets["method"],
                "adjust": sets["adjust"],
                "error_rate": sets["error_rate"],
                "ranks": sets["table"],
                "tiers": sets["tiers"],
                "may_be_best": sets["may_be_best"],
            }


def files_of_certificate(held: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files of a certificate by name."""
    rankings = held["rankings"]
    several = len(rankings) > 1
    badges = {
        f"badge{place if several else ''}.svg": _badge(ranking).encode("utf-8")
        for place, ranking in enumerate(rankings, start=1)
    }
    text = json.dumps(held, indent=1, allow_nan=False)
    return {
        CERTIFICATE: f"{text}\n".encode("ascii"),
        _PAGE: html.render(_document(held)),
        **badges,
    }


# ---- page ----------------------------------------------------------------------------


def _document(held: Mapping[str, Any]) -> doc.Document:
    """Return the page."""
    report, plan = held["report"], held["plan"]
    hashes: list[tuple[str, doc.Inline]] = [
        ("Manifest of the report", (doc.Literal(report["manifest_sha256"]),)),
        ("results.json", (doc.Literal(report["results_sha256"]),)),
        ("Plan, settled", (doc.Literal(plan["sha256"]),)),
        *(
            (_input_name(entry), (doc.Literal(entry["sha256"]),))
            for entry in held["inputs"]
        ),
    ]
    rankings = (
        _ranking(ranking, place) for place, ranking in enumerate(held["rankings"], 1)
    )
    return doc.Document(
        title="Certificate of ranks",
        subtitle=f"Report of {report['ended']}, pycompare "
        f"{report['versions']['pycompare']}",
        blocks=(
            *rankings,
            doc.Section(
                "Verify",
                (
                    doc.Paragraph("With the folder of the report:"),
                    doc.Code(held["verify"], "Command"),
                    doc.Paragraph("SHA-256 of the source of the ranks:"),
                    doc.Facts(tuple(hashes)),
                ),
                "verify",
            ),
            doc.Section("Plan", (doc.Facts(tuple(_plan_rows(plan))),), "plan"),
        ),
        generator=f"pycompare {held['version']}",
        date=report["ended"],
    )


def _input_name(entry: Mapping[str, Any]) -> str:
    """Return ``data file scores.csv``."""
    return (
        entry["what"] if entry["name"] is None else f"{entry['what']} {entry['name']}"
    )


def _plan_rows(plan: Mapping[str, Any]) -> Iterator[tuple[str, doc.Inline]]:
    for key, value in plan["settled"].items():
        if value is not None and value is not False and value not in ([], {}):
            shown = value if isinstance(value, str) else json.dumps(value)
            yield key, (doc.Literal(shown),)


def _ranking(ranking: Mapping[str, Any], place: int) -> doc.Section:
    """Return one ranking: answer, table, how."""
    level = percent(ranking["confidence"])
    tiers = "; ".join(listed(tier) for tier in ranking["tiers"])
    rows = tuple(
        (row["algorithm"], row["rank"], rank_set(row["rank_low"], row["rank_high"]))
        for row in ranking["ranks"]
    )
    return doc.Section(
        _title(ranking),
        (
            doc.Paragraph(
                ("May be best: ", doc.Strong(listed(ranking["may_be_best"])), "."),
                "answer",
            ),
            doc.Table(
                f"Ranks (1 = best) with {level} confidence sets, simultaneous if "
                f"the error rate below holds. {_MEANING}",
                (
                    doc.Column("Algorithm", "label"),
                    doc.Column("rank", "number"),
                    doc.Column(f"{level} set", "text"),
                ),
                rows,
            ),
            *(
                [doc.Paragraph(f"{_TIERS}: {tiers}.")]
                if len(ranking["tiers"]) > 1
                else []
            ),
            doc.Facts(
                (
                    ("Tests", ranking["method"]),
                    ("Adjustment", ranking["adjust"]),
                    ("Error rate", ranking["error_rate"]),
                )
            ),
        ),
        f"ranking{place}",
    )


def _title(ranking: Mapping[str, Any]) -> str:
    """Return ``Group A: accuracy (higher is better)``."""
    group = "" if ranking["group"] is None else f"Group {ranking['group']}: "
    better = "" if ranking["better"] is None else f" ({ranking['better']} is better)"
    return f"{group}{ranking['metric']}{better}"


# ---- badge ---------------------------------------------------------------------------

_HEIGHT, _PAD, _SIZE = 20, 6, 11


def _badge(ranking: Mapping[str, Any]) -> str:
    """Return a picture of one line: which algorithms may be best."""
    n = len(ranking["ranks"])
    left = f"may be best in {style.shorten(ranking['metric'], _MOST_COLUMNS)}"
    right = _names(ranking["may_be_best"], n)
    title = (
        f"May be best in {_title(ranking)}, {percent(ranking['confidence'])} "
        f"confidence: {listed(ranking['may_be_best'])} (of {counted(n, 'algorithm')})"
    )
    widths = [round(style.text_width(text, _SIZE)) for text in (left, right)]
    edge, end = widths[0] + 2 * _PAD, sum(widths) + 4 * _PAD
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{end}" height="{_HEIGHT}" '
        f'role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{edge}" height="{_HEIGHT}" fill="#555555"/>\n'
        f'<rect x="{edge}" width="{end - edge}" height="{_HEIGHT}" '
        f'fill="{style.BLUE}"/>\n'
        f'<g fill="#ffffff" font-family="DejaVu Sans, Verdana, sans-serif" '
        f'font-size="{_SIZE}">\n'
        f"{_text(_PAD, widths[0], left)}{_text(edge + _PAD, widths[1], right)}"
        "</g>\n</svg>\n"
    )


def _text(x: int, width: int, text: str) -> str:
    """Return a text that is as wide as it was measured, whatever the font."""
    return (
        f'<text x="{x}" y="14" textLength="{width}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(text)}</text>\n"
    )


def _names(names: Sequence[str], of: int) -> str:
    """Return the names, or how many there are."""
    text = listed(names)
    if len(names) == 1:
        text = style.shorten(names[0], _MOST_COLUMNS)
    return (
        f"{text} (of {of})" if len(text) <= _MOST_COLUMNS else f"{len(names)} of {of}"
    )
