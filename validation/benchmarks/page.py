"""The page of the benchmarks and its picture, from the stored numbers alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from pycompare.plotting import style
from validation.markdown import spaced_table

from . import summary

PAGE, PICTURE = "BENCHMARKS.md", "BENCHMARKS-growth.svg"
_WORDS = {True: "yes", False: "**no**", None: ""}
Row = Mapping[str, Any]


def write(stored: Mapping[str, Any], folder: Path) -> None:
    """Write the page and its picture."""
    (folder / PAGE).write_text(page(stored), encoding="utf-8")
    grown = [row for row in stored["rows"] if "sizes" in row]
    if grown:
        (folder / PICTURE).write_text(picture(grown), encoding="utf-8")


def page(stored: Mapping[str, Any]) -> str:
    """Return the page."""
    rows = stored["rows"]
    grown = [row for row in rows if "sizes" in row]
    calls = [row for row in rows if "sizes" not in row]
    beside = [row for row in calls if "peer" in row]
    alone = [row for row in calls if "peer" not in row]
    lines = [
        "# Speed: CPU time compared with other packages, and its growth with size",
        "",
        "Written by `make benchmark`. "
        f"{_answer(beside, 'comparisons with another package')} "
        f"{_answer(alone, 'limits of CPU time and size')} "
        f"{_answer(grown, 'slopes of growth')}",
        *_list("Missed:", [_miss(r) for r in rows if summary.reached(r) is False]),
        *_list("Not measured yet:", stored["unmeasured"]),
        *_section("How it is measured", ["", *_method(stored)]),
        *_section("Compared with other packages", _ratios(beside)),
        *_section("Without a peer", _times(alone)),
        *_section("Growth", _growth(grown)),
        *_section("Machine and versions", _machine(stored)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _section(title: str, body: Sequence[str]) -> list[str]:
    return ["", f"## {title}", *body]


def _answer(rows: Sequence[Row], what: str) -> str:
    judged = [summary.reached(row) for row in rows]
    met, total = judged.count(True), len(judged) - judged.count(None)
    return f"**{met} of {total} {what} are as wanted.**"


def _list(title: str, entries: Sequence[str]) -> list[str]:
    """Return a list under its title; nothing if it is empty."""
    return ["", title, "", *(f"- {one}" for one in entries)] if entries else []


def _miss(row: Row) -> str:
    if "sizes" in row:
        slope = summary.slope(row)
        return f"{_title(row)}: slope {slope.value:.2f}, wanted ≤ {slope.most:.2f}"
    found = [f"CPU time {summary.cpu(row['ours'])}"]
    if "peer" in row:
        found.append(f"ratio {summary.interval(summary.ratio(row))}")
    found += _figures(row)
    return f"{_title(row)}: {', '.join(found)}; wanted {summary.wanted(row)}"


def _title(row: Row) -> str:
    return f"{row['name']}, {row['size'] if 'size' in row else 'by ' + row['by']}"


def _figures(row: Row) -> list[str]:
    return [f"{what} {value:g}" for what, value in row.get("figures", {}).items()]


def _method(stored: Mapping[str, Any]) -> list[str]:
    return [
        "- Time is CPU time (user and system) of the process, its threads and its "
        "child "
        "processes. Wall time is also shown, but depends on other work on the machine. "
        "Such work lengthens CPU time, too: the load is given below. Ratios depend on "
        "the load less than seconds do.",
        "- After a warm-up, each turn runs our call and the peer's, in alternating "
        "order. "
        "Short calls are repeated for 0.1 s of CPU time in each turn, or 1000 times. "
        "Calls of a minute have no warm-up.",
        "- In each turn both sides get the same data, and each call gets new data, so "
        "that "
        "no result is taken from a cache. Imports, and tables that depend on the size "
        "only, are in memory after the warm-up.",
        "- New processes find compiled modules (.pyc files) of all packages, ours too.",
        "- Objects that exist before the first turn are excluded from garbage "
        "collection. "
        "Some peers collect garbage in each call, and would be slowed by our objects.",
        "- The ratio is our CPU time divided by the peer's in the same turn. The table "
        "shows the median over turns with its 95% confidence interval by order "
        "statistics. Fewer than 6 turns give the range instead.",
        "- R runs in one process that stays open and times itself with `proc.time`, on "
        "data of the same size. Starting R, loading packages and transferring data are "
        "not counted.",
        f"- BLAS and OpenMP use {_threads(stored)} on both sides.",
    ]


def _threads(stored: Mapping[str, Any]) -> str:
    threads = stored["machine"]["threads"]
    return f"{threads} thread" + ("s" if threads != 1 else "")


def _ratios(rows: Sequence[Row]) -> list[str]:
    head = ["call", "size", "our CPU time", "peer", "its CPU time"]
    head += ["ours / peer", "turns", "wanted", "reached"]
    body = [
        [
            *(row["name"], row["size"], summary.cpu(row["ours"])),
            *(row["by"], summary.cpu(row["peer"])),
            summary.interval(summary.ratio(row)),
            *(str(len(row["ours"]["cpu"])), *_verdict(row)),
        ]
        for row in rows
    ]
    return spaced_table([head, *body])


def _times(rows: Sequence[Row]) -> list[str]:
    head = ["call", "size", "CPU time", "range or 95% CI", "wall time", "turns"]
    head += ["size of output", "wanted", "reached"]
    body = []
    for row in rows:
        found = summary.median(row["ours"]["cpu"])
        low, high = summary.duration(found.low), summary.duration(found.high)
        wall = summary.duration(summary.median(row["ours"]["wall"]).value)
        times = [summary.duration(found.value), f"{low} to {high}", wall]
        turns = str(len(row["ours"]["cpu"]))
        output = ", ".join(_figures(row))
        about = [row["name"], row["size"], *times, turns, output]
        body.append([*about, *_verdict(row)])
    return spaced_table([head, *body])


def _verdict(row: Row) -> list[str]:
    return [summary.wanted(row), _WORDS[summary.reached(row)]]


def _growth(rows: Sequence[Row]) -> list[str]:
    head = ["by", "call", "sizes", "CPU time", "slope (standard error)", "theory"]
    head += ["its slope", "turns", "wanted", "reached"]
    body = []
    for row in rows:
        found = summary.slope(row)
        sizes = f"{row['sizes'][0]:,} to {row['sizes'][-1]:,}"
        ends = [summary.cpu(row["ours"][i]) for i in (0, -1)]
        body.append(
            [
                *(row["by"], row["name"], sizes, " to ".join(ends)),
                f"{found.value:.2f} ({found.std_error:.2f})",
                *(row["theory"], f"{found.theory:.2f}"),
                str(len(row["ours"][0]["cpu"])),
                f"≤ {found.most:.2f}",
                _WORDS[found.reached],
            ]
        )
    return [
        "",
        "The slope is that of log CPU time (median over turns) on log size, by least "
        "squares. The slope of the theory is that of its order over the same sizes. "
        f"Wanted is at most {summary.ROOM:g} above it. A fixed cost makes a slope "
        "smaller.",
        *spaced_table([head, *body]),
        f"![CPU time by size, a panel for each dimension]({PICTURE})",
        "",
        "Median CPU time by size, both on log scales. Dashed: the order of the theory, "
        "with the same mean.",
    ]


def _machine(stored: Mapping[str, Any]) -> list[str]:
    rows = stored["rows"]
    dates = sorted(row["date"] for row in rows)
    loads = [row["load"] for row in rows]
    facts = stored["machine"] | {
        "measured": f"{dates[0]} to {dates[-1]}",
        "load (processes that want to run)": f"{min(loads):g} to {max(loads):g}, "
        f"median {np.median(loads):.2g}",
    }
    versions = {k: "not installed" if v is None else v for k, v in _versions(stored)}
    both = [[name, str(value)] for name, value in (facts | versions).items()]
    return spaced_table([["", ""], *both])


def _versions(stored: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return list(stored["versions"].items())


# ---- picture ------------------------------------------------------------------------


def picture(rows: Sequence[Row]) -> str:
    """Draw CPU time over size, both on log scales, with the slopes of the theory."""
    from matplotlib.figure import Figure

    panels = [(by, list(group)) for by, group in groupby(rows, lambda row: row["by"])]
    down = (len(panels) + 1) // 2
    with style.context():
        figure = Figure(figsize=(7.2, 3.0 * down), layout="constrained")
        axes = figure.subplots(down, 2, squeeze=False).ravel()
        for ax, (by, of) in zip(axes, panels, strict=False):
            _panel(ax, by, of)
        for ax in axes[len(panels) :]:
            ax.set_axis_off()
        return style.to_svg(figure)


def _panel(ax: Any, by: str, rows: Sequence[Row]) -> None:
    """Draw all calls that grow by one dimension."""
    from matplotlib.ticker import NullFormatter

    for row, color, marker in zip(rows, style.COLORS, style.MARKERS, strict=False):
        x = np.array(row["sizes"], float)
        y = np.array([summary.median(of["cpu"]).value for of in row["ours"]])
        order = np.array(row["order"])
        # The theory goes through the middle of what was measured.
        level = np.exp(np.mean(np.log(y) - np.log(order)))
        label = row["name"] if len(row["name"]) < 40 else row["name"].split(",")[0]
        ax.plot(
            x, y, marker=marker, markersize=4, color=color, linewidth=1, label=label
        )
        ax.plot(x, level * order, "--", color=color, linewidth=0.8)
    ax.set(xscale="log", yscale="log", xlabel=by, ylabel="CPU time (s)")
    # Matplotlib's own labels of log scales are formulas, which the style does not read.
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())
    ax.set_xticks(sorted({size for row in rows for size in row["sizes"]})[::2])
    ax.tick_params(axis="x", labelrotation=30)
    ax.legend(fontsize=style.SMALL, frameon=False)
    ax.spines[["right", "top"]].set_visible(False)
