"""The page of García and Herrera's study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pycompare import plotting
from pycompare.sizes.simulation import garcia_herrera as gh
from pycompare.sizes.simulation.result import SimulationResult

from ..markdown import spaced_table
from . import parts
from .parts import cells, head, share, spaced


def garcia_herrera_page(found: SimulationResult) -> list[str]:
    """Return the page of García and Herrera's study."""
    procedures = [*gh.PROCEDURES, *gh.OURS]
    last = found.wide().index[-1]
    rows = cells(found)

    def at(what: str, name: str, condition: str) -> str:
        return f"{rows[condition, f'{what}, {name}']['estimate']:.3f}"

    best = max(procedures, key=lambda n: rows[last, f"{gh.OF_PAIR}, {n}"]["estimate"])
    return [
        *head("García and Herrera (2008): power of procedures for all pairs", found),
        "",
        f"**{best[0].upper()}{best[1:]} has the most power for the pair** ({last}: "
        f"{at(gh.OF_PAIR, best, last)}; Bergmann-Hommel on z tests, the most powerful "
        f"of the published procedures, {at(gh.OF_PAIR, 'Bergmann-Hommel', last)}). The "
        "order of the published procedures is that of the paper: Bonferroni (which it "
        "calls Nemenyi), Holm, Shaffer, Bergmann-Hommel.",
        "",
        f"Each of {found.trials} experiments for each k draws ten of the thirty data "
        "sets without replacement, with weights 1 / (1 + exp(-k d)), where d is the "
        "accuracy of C4.5 less that of 1-NN on the data set. The five algorithms are "
        "compared by mean ranks, all ten pairs, at 0.05. The paper drew from fifty "
        "data sets and prints curves without numbers, so only the order can be "
        "compared. Sampling repeats the same thirty data sets: the shares say how "
        "procedures compare on such tables, and nothing about their level.",
        "",
        "## Figure 4: C4.5 against 1-NN",
        "",
        *spaced(
            gh_pictures(
                found,
                (gh.OF_PAIR, "Share of trials that reject the pair"),
                (gh.APV_OF_PAIR, "Mean adjusted p-value of the pair"),
                first=1,
            )
        ),
        *gh_table(found, gh.OF_PAIR, procedures),
        "## Figure 5: all pairs",
        "",
        *spaced(
            gh_pictures(
                found,
                (gh.OF_ALL, "Pairs rejected, of 10"),
                (gh.APV_OF_ALL, "Mean adjusted p-value of all pairs"),
                first=3,
            )
        ),
        *gh_table(found, gh.OF_ALL, procedures),
    ]


def gh_pictures(
    found: SimulationResult, *drawn: tuple[str, str], first: int
) -> Iterator[str]:
    """Draw a statistic of all procedures over the bias."""
    for i, (what, label) in enumerate(drawn, start=first):
        shown = by_procedure(found, what)
        draw = partial(
            plotting.simulated, shown, x="k", x_label="Selection bias k", label=label
        )
        yield parts.picture(f"GARCIA_HERRERA-{i}", draw)


def by_procedure(found: SimulationResult, what: str) -> SimulationResult:
    """Return one kind of statistic, named by its procedure."""
    rows = found.table[found.table["statistic"].str.startswith(f"{what}, ")]
    names = rows["statistic"].str.removeprefix(f"{what}, ")
    content = found.to_dict() | {
        "table": rows.assign(statistic=names).to_dict("records")
    }
    return SimulationResult.from_dict(content)


def gh_table(
    found: SimulationResult, what: str, procedures: Sequence[str]
) -> list[str]:
    """Return a statistic by bias and procedure."""
    wide = by_procedure(found, what)
    rows = cells(wide)
    return spaced_table(
        [
            ["", *procedures],
            *([c, *(share(rows[c, p]) for p in procedures)] for c in wide.wide().index),
        ]
    )
