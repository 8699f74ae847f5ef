"""The tables of several data sets."""

from __future__ import annotations

import pandas as pd

from pycompare.analyses.decisions import Decision, unable
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.formatting.numbers import degrees, number, p_text
from pycompare.linear.anova import AnovaResult
from pycompare.multiplicity.guarantees import NO_TEST
from pycompare.over_datasets.sign_grid import SignGridResult
from pycompare.over_datasets.wins import WinsResult
from pycompare.pairs.paired_t_pairs import PairedTPairsResult
from pycompare.plans.post_hoc import described, short_title
from pycompare.reporting.common.error_rates import error_rate, test_rate
from pycompare.reporting.content.outcomes import NAMES
from pycompare.reporting.multiple_datasets import datasets_words
from pycompare.reporting.multivariate.together_report import methods as together_methods
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    METHODS_HEADER,
    Cell,
    Table,
    estimates,
    estimates_header,
    label,
    number_cell,
    p_cell,
    raw_p,
    shortened,
)
from pycompare.reporting.rank_tests import rank_tables
from pycompare.results import PairsResult, rejected


def agreement_table(analysis: DatasetsAnalysis, alpha: float) -> Table:
    """Return what each comparison over data sets says of each pair."""
    known = [{d.pair: d for d in over.decisions} for over in analysis.over]
    hopeless = [
        set() if over is analysis.planned else unable(over.decisive, alpha)
        for over in analysis.over
    ]
    rows = tuple(
        (
            label(f"{planned.better} – {planned.worse}"),
            *(agreed(made[planned.pair], planned.better, alpha) for made in known),
            Cell("yes" if len(verdicts(planned.pair, known, hopeless)) == 1 else "no"),
        )
        for planned in analysis.decisions
    )
    header = tuple(heading(analysis, over) for over in analysis.over)
    caption = (
        "Agreement of the comparisons over data sets: adjusted p-values; bold:"
        f" at most alpha = {alpha}, in favour of the first algorithm unless the "
        f"other is named. Pairs in the order of the verdict's evidence, the better one "
        f"first. The verdict is made by {datasets_words.method(analysis.planned)}."
    )
    if any(hopeless):
        caption += (
            " A test that cannot reach significance with so few data sets does not "
            "count for 'all agree'."
        )
    return Table(
        shortened(caption, rows, "agreement"),
        ("Pair", *header, "all agree"),
        rows[:MAX_ROWS],
    )


def verdicts(
    pair: frozenset[str],
    known: list[dict[frozenset[str], Decision]],
    hopeless: list[set[frozenset[str]]],
) -> set[str]:
    """Return what the tests that can reject a pair say of it."""
    each = zip(known, hopeless, strict=True)
    return {verdict_on(made[pair]) for made, out in each if pair not in out}


def verdict_on(made: Decision) -> str:
    """Return whom a decision is in favour of, or nobody."""
    return made.better if made.rejected else ""


def heading(analysis: DatasetsAnalysis, over: OverDatasets) -> str:
    """Return what stands above a comparison's p-values."""
    name = datasets_words.method(over).removeprefix("the ")
    mark = " (verdict)" if over.key == analysis.verdict else ""
    return f"{name[0].upper()}{name[1:]}{mark}"


def agreed(made: Decision, first: str, alpha: float) -> Cell:
    """Return a p-value; the winner is named where it is the second of the pair."""
    winner = verdict_on(made)
    turned = f" for {winner}" if winner not in ("", first) else ""
    return Cell(f"{p_text(made.p_adjusted, alpha)}{turned}", strong=bool(winner))


def wins_table(analysis: DatasetsAnalysis) -> Table:
    """Return the table of wins of one metric."""
    return wins_of(analysis.wins)


def wins_of(found: WinsResult) -> Table:
    """Return a table of wins with totals."""
    total, compared = found.totals, found.compared
    assert total is not None
    place = {name: i for i, name in enumerate(found.algorithms)}
    order = total.sort_values(ascending=False, kind="stable").index
    rows = tuple(
        (
            label(name),
            *(
                Cell(
                    str(int(found.wins.loc[name, other]))
                    if compared[place[name], place[other]]
                    else "–"
                )
                for other in order
            ),
            Cell(str(int(total[name]))),
        )
        for name in order
    )
    return Table(
        f"Wins: on how many of {found.n_datasets} data sets the row is significantly "
        f"better than the column ({found.method}, at {found.alpha} on each data set). "
        f"Total: data sets on which it beats at least one other. –: not compared.",
        ("Row beats column", *order, "total"),
        rows,
    )


def sign_table(over: OverDatasets, alpha: float) -> Table:
    """Return wins, ties, losses and sign tests of every pair."""
    grids = tuple(p for p in over.pairs if isinstance(p, SignGridResult))
    return sign_rows(grids[0], grids, alpha)


def sign_rows(
    decisive: SignGridResult, every: tuple[SignGridResult, ...], alpha: float
) -> Table:
    """Return sign tests with the p-values of several adjustments."""
    ordered = decisive.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            Cell(f"{row.wins} / {row.ties} / {row.losses}"),
            Cell(str(row.n_used)),
            raw_p(row.p_value),
            *(p_cell(p.table["p_adjusted"][row.Index], alpha) for p in every),
        )
        for row in ordered.itertuples()
    )
    caption = (
        f"Exact two-sided sign tests of wins over {decisive.family}: ties split "
        f"equally, an odd one dropped. Adjusted p-values; bold: at most "
        f"alpha = {alpha}."
    )
    header = ("Pair", "wins / ties / losses", "counted", "raw p")
    adjusted = tuple(short_title(p.called) for p in every)
    return Table(shortened(caption, rows, "sign"), header + adjusted, rows[:MAX_ROWS])


def anova_table(test: AnovaResult, what: str, alpha: float) -> Table:
    """Return an analysis of variance over data sets."""
    names = {"block": "data set", "block in dataset": "fold in data set"}
    names["dataset"] = "data set"
    rows = tuple(
        (
            label(names.get(row.term, str(row.term))),
            Cell(degrees(row.df)),
            number_cell(row.sum_sq),
            number_cell(row.mean_sq),
            Cell("" if row.term == "residual" else number(row.statistic)),
            Cell("" if row.term == "residual" else p_text(row.p_value, alpha)),
        )
        for row in test.table.itertuples()
    )
    return Table(
        f"{what} ({test.reference}).",
        ("Term", "df", "Sum of squares", "Mean square", "F", "p"),
        rows,
    )


def datasets_table(analysis: DatasetsAnalysis, alpha: float) -> Table:
    """Return one row a data set: its test, its best algorithm, its wins."""
    rows = tuple(dataset_row(found, alpha) for found in analysis.each)
    caption = (
        "Data set by data set: blocked analysis of variance of its folds, the "
        f"algorithm with the best mean {analysis.metric.name}, those not shown to "
        f"differ from it, and the number of significant pairs by "
        f"{analysis.wins.method}. Each data set has alpha = {analysis.wins.alpha} of "
        f"its own."
    )
    near = "not shown worse" if analysis.wins.control is None else "better / worse"
    if analysis.wins.control is not None:
        caption = (
            "Data set by data set: blocked analysis of variance of its folds, the "
            f"algorithm with the best mean {analysis.metric.name}, how many are "
            f"significantly better and worse than the control {analysis.wins.control} "
            f"by {analysis.wins.method}. Each data set has alpha = "
            f"{analysis.wins.alpha} of its own."
        )
    header = ("Data set", "folds", "F", "p", "best mean", near, "pairs")
    return Table(shortened(caption, rows, "data_sets"), header, rows[:MAX_ROWS])


def dataset_row(found: OnDataset, alpha: float) -> tuple[Cell, ...]:
    """Return the summary of one data set."""
    positions = found.decisive.positions
    best = str(positions.idxmin())
    near = {
        d.better if d.worse == best else d.worse
        for d in found.decisions
        if best in d.pair and not d.rejected
    }
    others = [name for name in found.decisive.algorithms if name in near]
    count = sum(d.rejected for d in found.decisions)
    return (
        label(found.dataset),
        Cell(str(found.n_folds)),
        number_cell(found.omnibus.statistic),
        p_cell(found.omnibus.p_value, alpha),
        label(f"{best}, {number(found.means[best])}"),
        label(", ".join(others)) if found.decisive.control is None else beside(found),
        Cell(f"{count} of {len(found.decisions)}"),
    )


def beside(found: OnDataset) -> Cell:
    """Return how many are significantly better and worse than the control."""
    made = [d for d in found.decisions if d.rejected]
    worse = sum(d.better == found.decisive.control for d in made)
    return Cell(f"{len(made) - worse} / {worse}")


def means_table(found: OnDataset) -> Table:
    """Return the algorithms of one data set by mean, with letters if there are any."""
    order = found.decisive.positions.sort_values(kind="stable").index
    mean = f"mean {found.metric.name}"
    caption = f"{found.dataset}: algorithms by {mean}, best first."
    shared = found.letters
    if shared is None:
        rows = tuple((label(n), number_cell(found.means[n])) for n in order)
        return Table(caption, ("Algorithm", mean), rows)
    return Table(
        f"{caption} Those that share a letter were not shown to differ.",
        ("Algorithm", mean, "letters"),
        tuple((label(n), number_cell(found.means[n]), Cell(shared[n])) for n in order),
    )


def pairs_of_dataset(found: OnDataset, alpha: float) -> Table:
    """Return all pairs of one data set."""
    decisive = found.decisive
    ordered = decisive.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    rows = tuple(
        (
            *estimates(row),
            *(p_cell(p.table["p_adjusted"][row.Index], alpha) for p in found.pairs),
        )
        for row in ordered.itertuples()
    )
    told = "" if found.sizes is None else f" ({corrected_by(found)})"
    return Table(
        f"{found.dataset}: {decisive.method}{told}, two-sided, over {decisive.family}; "
        f"intervals {decisive.interval}.",
        (*estimates_header(decisive), *(short_title(p.called) for p in found.pairs)),
        rows,
    )


def corrected_by(found: OnDataset) -> str:
    """Say which sizes correct, and what stands beside the corrected tests."""
    assert found.sizes is not None
    told = f"n_test/n_train = {found.sizes['n_test'] / found.sizes['n_train']:.6g}"
    beside = found.pairs[1]
    return f"{told}; beside them, folds taken as independent: {beside.method}"


def methods_table(comparison: GroupComparison) -> Table:
    """Return the methods with their error rates and sources."""
    [first, *_], plan = comparison.analyses, comparison.plan
    assert isinstance(first, DatasetsAnalysis)
    each = first.each[0]
    rows: list[tuple[str, str, str]] = [
        (
            "On each data set: analysis of variance, blocked by folds",
            f"{test_rate(each.omnibus, plan, 'folds')}; on the data set",
            each.omnibus.reference,
        ),
        *(
            (
                f"On each data set: {pairs.method}, {described(pairs.adjust).title}",
                f"{error_rate(pairs, plan, 'folds').text}; on the data set",
                pairs.reference,
            )
            for pairs in each.pairs
        ),
        ("Table of wins", NO_TEST, first.wins.reference),
    ]
    for over in first.over:
        name = NAMES[over.key]
        if over.test is not None:
            title = f"Over data sets, {name}: {over.test.name.split(',')[0]}"
            rate = test_rate(over.test, plan, datasets_words.blocks_of(over))
            rows.append((title, rate, over.test.reference))
        if not datasets_words.one_pair(over):
            for pairs in over.pairs:
                used = described(pairs.called)
                how = "paired t tests, " if own_variance(pairs) else ""
                title = f"Over data sets, {name}: {how}{used.title}"
                blocks = datasets_words.blocks_of(over)
                rate = error_rate(pairs, plan, blocks).text
                rows.append((title, rate, used.reference))
    test = first.interaction
    rows.append((test.name, test_rate(test, plan, "folds"), test.reference))
    cells = [tuple(map(label, row)) for row in rows]
    cells += together_methods(comparison)
    return Table("Methods of the plan.", METHODS_HEADER, tuple(cells))


def own_variance(pairs: PairsResult) -> bool:
    """Tell whether each pair of means has its own variance."""
    return isinstance(pairs, PairedTPairsResult)


def csv_tables(analysis: DatasetsAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables of one metric for CSV files, full precision."""
    found = {
        "agreement": analysis.agreement(),
        "wins": analysis.wins.to_frame().rename_axis("algorithm").reset_index(),
        "data_set_pairs": analysis.wins.decisions,
        "data_sets": datasets_frame(analysis),
    }
    for over in analysis.over:
        if over.key != "ranks" or analysis.ranks is None:
            found[f"{over.key}_pairs"] = over.pairs_table()
        if isinstance(over.test, AnovaResult):
            found[f"{over.key}_anova"] = over.test.to_frame()
    if analysis.ranks is not None:
        ranks = rank_tables.csv_tables(analysis.ranks)
        found |= {f"ranks_{name}": table for name, table in ranks.items()}
    found["interaction"] = analysis.interaction.to_frame()
    return found


def datasets_frame(analysis: DatasetsAnalysis) -> pd.DataFrame:
    """Return one row a data set and algorithm: mean and letters, and the test."""
    rows = [
        {
            "dataset": found.dataset,
            "folds": found.n_folds,
            "statistic": found.omnibus.statistic,
            "p_value": found.omnibus.p_value,
            "rejected": bool(rejected(found.omnibus.p_value, analysis.wins.alpha)),
            "algorithm": name,
            "mean": found.means[name],
            **({} if found.letters is None else {"letters": found.letters[name]}),
        }
        for found in analysis.each
        for name in found.decisive.algorithms
    ]
    return pd.DataFrame(rows)
