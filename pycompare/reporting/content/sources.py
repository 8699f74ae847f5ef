"""Description of the data and origin of the report, as label-value pairs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np

from pycompare.base.formatting.counts import counted, were
from pycompare.base.formatting.numbers import number
from pycompare.base.formatting.rounding import rule_in_words
from pycompare.data.scores import Scores
from pycompare.designs.compare import Comparison
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.plans.trail import Trail, changes, entries_of
from pycompare.reporting import document as doc
from pycompare.reporting.content.wording import direction

_MOST_RUNS = 20
"""Labels of runs that the page lists."""
_MOST_CELLS = 20
"""Missing cells that the page lists."""
_POLICIES = {
    "error": "rejected",
    "drop-block": "blocks with missing cells are left out",
    "model": "kept as missing",
    "worst": "filled with the worst value",
    "bounds": "worst for a pass, best for a fail",
    "undefined": "measures that need both classes are undefined",
}
"""The values of ``missing`` and ``one_class`` in words."""
FactRows = list[tuple[str, doc.Inline]]


def policy(value: str) -> str:
    """Return a policy for incomplete data in words."""
    return _POLICIES[value]


def subtitle(alpha: float | None, origin: dict[str, Any]) -> doc.Inline:
    """Return file, date and level; ``alpha`` is None if nothing is tested."""
    day = datetime.fromisoformat(origin["date"])
    file = origin["file"] or "data in memory"
    plan = "plan file" if origin["plan_file"] else "no plan file"
    names = "codes stand for names · " if _is_blinded(origin) else ""
    level = "" if alpha is None else f" · alpha = {alpha:g}"
    return f"{names}{file} · {day.day} {day:%B %Y} · {plan}{level}"


def _is_blinded(origin: dict[str, Any]) -> bool:
    """Return whether codes stand for the names of the algorithms."""
    return bool(origin.get("blinding", {}).get("state") == "blinded")


def _hash_name(origin: dict[str, Any]) -> str:
    """Name the hashes of files that have the names of the algorithms."""
    return "Keyed hash" if _is_blinded(origin) else "SHA-256"


def _blinding_rows(origin: dict[str, Any]) -> FactRows:
    """Return that codes stand for names, or did, and the hash of the key."""
    if "blinding" not in origin:
        return []
    blinding, more = origin["blinding"], "SHA-256 of the blinded manifest"
    what = "opened: the analysis was first made with codes for names"
    if _is_blinded(origin):
        what = f"codes stand for the names of {len(blinding['codes'])} algorithms"
    return [
        ("Blinding", what),
        ("SHA-256 of the key", blinding["key_sha256"]),
        *([] if _is_blinded(origin) else [(more, blinding["blinded_manifest_sha256"])]),
    ]


def file_rows(origin: dict[str, Any], data: str) -> FactRows:
    """Return the file and its hashes; ``data`` are the hashed ones."""
    return [
        ("File", origin["file"] or "in memory"),
        (f"{_hash_name(origin)} of the file", origin["file_sha256"] or "–"),
        (f"SHA-256 of the {data}", origin[f"{data}_sha256"]),
    ]


def data_rows(comparison: Comparison, origin: dict[str, Any]) -> FactRows:
    """Return the description of the data."""
    scores = comparison.scores
    present_cells = int(np.sum(~np.isnan(scores.values)))
    columns = ((metric.name, scores.column(metric.name)) for metric in scores.metrics)
    return [
        *file_rows(origin, "scores"),
        ("Blocks", _blocks_text(comparison)),
        *_group_rows(comparison),
        ("Algorithms", f"{scores.n_algorithms}: {', '.join(scores.algorithms)}"),
        ("Metrics", ", ".join(direction(m) for m in scores.metrics)),
        ("Scores", f"{present_cells} of {scores.values.size} cells"),
        *prediction_rows(comparison),
        *_label_rows(scores),
        ("Policy for missing cells", policy(scores.missing)),
        *run_rows(scores),
        *(
            (f"Range of {name}", f"{number(np.nanmin(x))} to {number(np.nanmax(x))}")
            for name, x in columns
        ),
    ]


def _label_rows(scores: Scores) -> FactRows:
    """Return how many items people labelled, beside a judge."""
    if scores.judge is None or scores.labelled is None:
        return []
    n = int(scores.labelled.sum())
    strata = len(set(scores.strata or ()))
    within = f", drawn within {strata} strata" if strata else ""
    return [
        ("Labels", f"{n} of {scores.n_blocks} items by people{within}"),
        ("Judge", f"{scores.judge.size} scores, of every answer"),
    ]


def prediction_rows(
    comparison: Comparison | GroupComparison,
) -> list[tuple[str, str]]:
    """Return the description of the predictions, or how a table was read."""
    predictions = comparison.predictions
    if predictions is None:
        notes = comparison.scores.notes
        return [("How the table was read", "; ".join(notes))] if notes else []
    return [
        (
            "Predictions",
            f"{predictions.score.size} scores of cases; positive class "
            f"{predictions.positive}, negative {predictions.negative}",
        ),
        ("Measured as", "; ".join(note for note in comparison.scores.notes if note)),
    ]


def run_rows(scores: Scores) -> FactRows:
    """Return how many runs each cell has, if it has several."""
    runs = scores.replicates
    if runs is None:
        return []
    fewest, most = scores.runs_per_cell
    if fewest < most:
        return [("Runs in each cell", f"{fewest} to {most}")]
    more = len(runs) - _MOST_RUNS
    shown = ", ".join(runs[:_MOST_RUNS]) + (f" and {more} more" if more > 0 else "")
    return [("Runs in each cell", f"{len(runs)}: {shown}")]


def _blocks_text(comparison: Comparison) -> str:
    """Return how many blocks were read, dropped and compared."""
    read, compared = comparison.scores, n_compared(comparison)
    design = comparison.plan.design
    text = f"{read.n_blocks}"
    if read.dropped.blocks:
        text += f" of {read.n_blocks + len(read.dropped.blocks)}, the others dropped"
    if design.nested:
        return f"{text}, folds of {compared} data sets"
    if compared != read.n_blocks:
        text += f" folds, averaged to {compared} data sets"
    clusters = read.clusters
    of = "" if clusters is None else f" in {counted(len(set(clusters)), 'cluster')}"
    if design.of_cases:
        groups = len(read.group_names)
        sets = counted(groups, "group") if groups else "one test set"
        return f"{text}, cases of {sets}{of}"
    if comparison.plan.generalise is not None:
        return f"{text}, training sets of one data set with one test set"
    if design.one_dataset:
        text += ", folds of one data set"
        text += f" ({read.datasets[0]})" if read.datasets is not None else ""
    return f"{text}{of}"


def n_compared(comparison: Comparison) -> int:
    """Return how many blocks were compared, over all groups."""
    parts = [p for p in comparison.parts if p.group is not None] or comparison.parts
    return sum(part.compared.n_blocks for part in parts)


def _group_rows(comparison: Comparison) -> FactRows:
    """Return how many data sets each group has, if there are groups."""
    if not comparison.grouped:
        return []
    unit = comparison.plan.design.unit
    told = [
        f"{part.group}: {counted(part.compared.n_blocks, unit)}"
        for part in comparison.parts
        if part.group is not None
    ]
    return [(f"Groups, {len(told)}", "; ".join(told))]


def dropped(scores: Scores) -> list[str]:
    """Return the cells that the missing policy left out, if any."""
    gone = scores.dropped
    if not gone.blocks and not gone.cells:
        return ["No cell is missing; nothing was dropped."]
    sentences = []
    if gone.blocks:
        n = len(gone.blocks)
        names = ", ".join(gone.blocks)
        sentences.append(
            f"{counted(n, 'block')} with missing cells {were(n)} dropped: {names}."
        )
    if gone.cells:
        n = len(gone.cells)
        shown = ", ".join(" / ".join(cell) for cell in gone.cells[:_MOST_CELLS])
        more = f" and {n - _MOST_CELLS} more" if n > _MOST_CELLS else ""
        sentences.append(f"{counted(n, 'cell')} {were(n)} missing: {shown}{more}.")
    return sentences


def origin_blocks(origin: dict[str, Any]) -> tuple[doc.Block, ...]:
    """Return when, how and by which versions the report was made."""
    plan, command = origin["plan_file"], origin["command"]
    how = "the options of the command" if command else "from Python"
    called: doc.Inline = (doc.Literal(command),) if command else how
    if _is_blinded(origin):
        called, how = "in the report with names", "as given"
    rows: FactRows = [
        ("Date", origin["date"]),
        ("Command", called),
        ("Plan", f"the file {plan['name']}" if plan else f"{how}; no plan file"),
        *([(f"{_hash_name(origin)} of the plan file", plan["sha256"])] if plan else []),
        *_sealed(plan),
        *_blinding_rows(origin),
        ("Random seed", origin["randomness"]),
        ("Rounding of printed numbers", rule_in_words()),
        *origin["versions"].items(),
    ]
    kept: list[doc.Block] = []
    if plan:
        copy = doc.Paragraph(_COPY_WITH_CODES if _is_blinded(origin) else _COPY)
        text = (copy, doc.Code(plan["text"], plan["name"]))
        kept = [doc.FoldedSection(f"Plan file {plan['name']}", text, "plan-file")]
    return doc.present(doc.Facts(tuple(rows)), *kept, _FILES, _shortened(origin))


def _sealed(plan: dict[str, Any] | None) -> FactRows:
    """Return when and by whom the plan was sealed, if it was."""
    if not plan or not plan["trail"]:
        return []
    seal = Trail(entries=entries_of(plan["trail"])).seal
    assert seal is not None  # the first entry is one
    return [("Plan sealed", seal.when + (f", by {seal.by}" if seal.by else ""))]


_TRAIL = (
    "An entry that was edited, taken out or moved within this list is found by "
    "pycompare verify. Entries that were cut at the end, or a list that was forged "
    "from its first entry, are not found in it alone: a signature of the report, or "
    "the hash of the last entry in other hands, shows them. Hash of the last entry: "
)
_COLUMNS = (
    *("Entry", "Time of the machine", "Date that was set"),
    *("By", "Role", "Meaning", "Reason"),
)
_NOT_COMPARED = (
    "The plan is that of a blinded analysis: its trail has no keys, so this list does "
    "not show the changes by amendments."
)


def trail_blocks(origin: dict[str, Any]) -> tuple[doc.Block, ...]:
    """Return who sealed, amended and ran the plan, and the changes by amendments."""
    plan = origin["plan_file"]
    entries = entries_of(plan["trail"]) if plan else ()
    if not entries:
        return ()
    columns = (
        doc.Column("No.", "digits"),
        *(doc.Column(name) for name in _COLUMNS),
    )
    rows = tuple(
        (
            str(at),
            entry.event,
            *(
                _or_not_stated(text)
                for text in (entry.clock, entry.date, entry.by, entry.role)
            ),
            *(_or_not_stated(text) for text in (entry.meaning, entry.reason)),
        )
        for at, entry in enumerate(entries, start=1)
    )
    changed: tuple[doc.Inline, ...] = tuple(
        f"Entry {at} changed {key} from {old or 'not given'} to {new or 'not given'}."
        for at, key, old, new in changes(entries)
    )
    hidden = any(entry.event == "amended" and not entry.keys for entry in entries)
    return doc.present(
        doc.Table("Trail of the plan file.", columns, rows),
        doc.Bullets(changed) if changed else None,
        doc.Paragraph(_NOT_COMPARED) if hidden else None,
        doc.Paragraph((_TRAIL, doc.Literal(str(entries[-1].sha256)), ".")),
    )


def _or_not_stated(text: str | None) -> str:
    return "not stated" if text is None else text


def _shortened(origin: dict[str, Any]) -> doc.Paragraph | None:
    """Return what results.json leaves to the tables."""
    if "shortened" not in origin:
        return None
    return doc.Paragraph(
        f"results.json holds the first {origin['shortened']['most']} entries of each "
        f"longer list, and reproduce.R compares these; the files in tables/ hold all "
        f"rows."
    )


_FILES = doc.Paragraph(
    (
        "Full precision: ",
        doc.Literal("results.json"),
        " and ",
        doc.Literal("tables/"),
        " beside this page; pictures in ",
        doc.Literal("figures/"),
        ".",
    )
)
_COPY = (
    "The plan as it was read. A copy of the file that was kept before the data were "
    "seen has the same SHA-256 if nothing in it was changed since."
)

_COPY_WITH_CODES = (
    "The plan with codes for the names of the algorithms. The hash is that of the file "
    "with the names, which the key holds."
)
