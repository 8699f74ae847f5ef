"""Do all parts of a comparison say the same? Each check raises where they do not.

The truth is one: a pair is rejected where ``p_adjusted`` of the deciding table is at
most alpha, and the better one is told by the sign of ``estimate``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

import pycompare as pc
from pycompare.designs.analysis import Analysis, ComparedPairs
from pycompare.designs.blocked_anova import LinearAnalysis
from pycompare.designs.challenge import RankingAnalysis
from pycompare.designs.decisions import Decision, unable
from pycompare.designs.fold_estimates import EstimatesAnalysis
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.multiple_datasets import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.designs.multivariate import Together
from pycompare.designs.multivariate_datasets import DatasetsTogether
from pycompare.designs.one_pair import OnePair
from pycompare.designs.posteriors import PosteriorAnalysis
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.methods.cases.judge_labels import LabelsResult
from pycompare.methods.linear.pairs import MeanPairsResult
from pycompare.methods.orders.dominance import Dominance, dominance_order
from pycompare.methods.pairs.paired_t_pairs import PairedTPairsResult
from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult
from pycompare.plotting.critical_difference import bars_below
from pycompare.plotting.p_matrix import ordered_square
from pycompare.reporting.analyses import multiple_datasets as tables
from pycompare.reporting.analyses import multivariate as vector_words
from pycompare.reporting.analyses import vectors_on_datasets
from pycompare.reporting.comparison_report import ComparisonReport, report_of
from pycompare.reporting.content import build, margin_report, wording
from pycompare.reporting.content.facts import Outcome, Statements
from pycompare.reporting.document import Block, Table, plain, walk
from pycompare.results.result import Pairs, PairsResult

Edge = tuple[str, str]
"""The better one and the worse one of a rejected pair."""


def check(comparison: pc.Comparison) -> None:
    """Hold everything that a comparison says against what its tables decide."""
    plan = comparison.plan
    assert pc.Plan.from_toml(plan.to_toml()) == plan
    assert pc.Plan.from_toml(comparison.asked.to_toml()) == comparison.asked
    check_signs_of_p(ComparisonReport(comparison).conclusions())
    for part in comparison.parts:
        check_part(part)
    if comparison.families:
        check_family(comparison)


def check_part(part: GroupComparison) -> None:
    """Hold the analyses of one group, or of all data sets, against their tables."""
    told, alpha = report_of(part), part.plan.alpha
    for analysis in part.analyses:
        check_analysis(analysis, alpha)
        check_truth(analysis, part)
        stated = told.statements(analysis)
        check_facts(analysis, stated, alpha)
        check_directions(stated.outcome)
        check_margin(analysis)
        check_cells(told.blocks(analysis), alpha)
    if part.together is not None and part.together.pairs is not None:
        found = part.together
        if part.plan.gate == "omnibus" and not found.manova.rejected(alpha):
            assert not apart(found.pairs, alpha)
        check_groups(found.pairs, found.cliques, alpha)
        check_vectors(found, alpha)
    if part.datasets_together is not None:
        check_risk(part.datasets_together, alpha)


def check_directions(outcome: Outcome | None) -> None:
    """An estimate in a sentence, and its interval, favour whom the sentence does."""
    for fact in () if outcome is None else outcome.significant:
        if fact.estimate is None:
            continue
        assert fact.ahead >= 0, fact
        assert not fact.contradicted, fact
        turned = fact.seen_from(fact.object)
        assert turned.ahead <= 0, turned


def check_family(comparison: pc.Comparison) -> None:
    """The p-values of the deciding family are those that the analyses decide by."""
    made = [
        (part.group, analysis.metric.name, d.pair, d.p_adjusted)
        for part in comparison.parts
        for analysis in part.analyses
        for d in analysis.decisions
    ]
    table = comparison.families[0].table
    told = [
        (r.group, r.metric, frozenset((r.algorithm_1, r.algorithm_2)), r.p_adjusted)
        for r in table.itertuples()
    ]
    one, other = ({row[:3]: row[3] for row in rows} for rows in (made, told))
    assert len(one) == len(made) == len(told)
    np.testing.assert_equal(one, other)


# ---- what a table decides -----------------------------------------------------------


def edges_of(pairs: PairsResult, alpha: float, metric: pc.Metric) -> set[Edge]:
    """Return the rejected pairs of a table, the better one first."""
    in_unit = isinstance(
        pairs,
        MeanPairsResult
        | PairedTPairsResult
        | SignedRankPairsResult
        | OnePair
        | LabelsResult,
    )
    high = in_unit and metric.better == "higher"
    made = set()
    for row in pairs.table.itertuples():
        if row.p_adjusted <= alpha:
            first = (row.estimate > 0) == high
            if isinstance(pairs, OnePair):  # ranks may tell it where their median is 0
                at = pairs.positions
                first = at[row.algorithm_1] < at[row.algorithm_2]
                assert at[row.algorithm_1] != at[row.algorithm_2]
            else:
                assert row.estimate != 0, "rejected, and no difference"
            names = (row.algorithm_1, row.algorithm_2)
            made.add(names if first else names[::-1])
    return made


def apart(pairs: Pairs, alpha: float) -> set[frozenset[str]]:
    """Return the rejected pairs of a table."""
    return {
        frozenset((row.algorithm_1, row.algorithm_2))
        for row in pairs.table.itertuples()
        if row.p_adjusted <= alpha
    }


def check_decisions(
    made: Sequence[Decision], pairs: PairsResult, alpha: float, metric: pc.Metric
) -> set[Edge]:
    """Each decision is the table's p-value against alpha, with the table's winner."""
    assert len(made) == len(pairs.table)
    p = {
        frozenset((r.algorithm_1, r.algorithm_2)): r.p_adjusted
        for r in pairs.table.itertuples()
    }
    for decision in made:
        np.testing.assert_equal(decision.p_adjusted, p[decision.pair])
        assert decision.rejected == (decision.p_adjusted <= alpha)
    edges = {(d.better, d.worse) for d in made if d.rejected}
    assert edges == edges_of(pairs, alpha, metric)
    known = [d.p_adjusted for d in made if not math.isnan(d.p_adjusted)]
    assert known == sorted(known)
    return edges


def check_groups(pairs: Pairs, groups: Iterable[tuple[str, ...]], alpha: float) -> None:
    """Cliques hold no rejected pair, are maximal, and leave no joined pair out."""
    if pairs.control is not None:
        assert not tuple(groups)
        return
    rejected, names = apart(pairs, alpha), set(pairs.algorithms)
    joined = set()
    sets = [frozenset(group) for group in groups]
    assert len(set(sets)) == len(sets)
    for group in sets:
        inside = {frozenset(pair) for pair in combinations(group, 2)}
        assert len(group) > 1 and not inside & rejected
        for other in names - group:
            assert any(frozenset((other, one)) in rejected for one in group)
        joined |= inside
    assert joined == {frozenset(p) for p in combinations(names, 2)} - rejected


def check_letters(pairs: Pairs, letters: Any, alpha: float) -> None:
    """Two algorithms share a letter exactly where their pair is not rejected."""
    rejected = apart(pairs, alpha)
    of = {name: set(re.findall(r"[a-z]\d*", text)) for name, text in letters.items()}
    assert all(of.values()) and "a" in of[letters.index[0]]
    for one, other in combinations(pairs.algorithms, 2):
        assert bool(of[one] & of[other]) == (frozenset((one, other)) not in rejected)


def check_truth(analysis: Analysis, part: GroupComparison) -> None:
    """The better one of a rejected pair is better in the scores themselves."""
    over = deciding(analysis)
    key = over.key if isinstance(over, OverDatasets) else analysis.kind
    scores = part.scores if key == "model" else part.compared
    other_ranks = part.plan.omnibus in ("aligned-ranks", "quade")
    if key == "wins" or not scores.complete or part.plan.decimals is not None:
        return  # the wins that sign tests are of are counted by check_wins
    if other_ranks and key == "ranks":
        return
    by_signs = key == "typical-difference"
    by_ranks = key == "ranks" or getattr(analysis, "deciding", "") == "wilcoxon"
    x = scores.column(analysis.metric.name)
    x = x / (np.abs(x).max() or 1.0) * (1 if analysis.metric.better == "lower" else -1)
    if key == "ranks" and scores.n_algorithms > 2:
        x = stats.rankdata(np.round(x, 12), axis=1)
    for made in analysis.decisions:
        if made.rejected:
            at = [scores.algorithms.index(n) for n in (made.better, made.worse)]
            d = x[:, at[0]] - x[:, at[1]]
            if by_signs or (scores.n_algorithms == 2 and by_ranks):
                d = signed_ranks(d)
            assert d.mean() < 0, made


def signed_ranks(d: np.ndarray) -> np.ndarray:
    """Return the ranks of differences that are not zero, with their signs."""
    d = np.round(d, 12)
    d = d[d != 0]
    return np.sign(d) * stats.rankdata(np.abs(d))


# ---- what pictures draw -------------------------------------------------------------


def check_drawn(pairs: PairsResult, alpha: float, metric: pc.Metric) -> None:
    """What matrix, diagram and partial order are drawn from is what the table says."""
    names = [pairs.algorithms[i] for i in pairs.order]
    rejected, edges = apart(pairs, alpha), edges_of(pairs, alpha, metric)
    framed = ordered_square(pairs, alpha, "p_adjusted").rejected
    assert rejected_by(framed, names) == rejected
    assert (framed == framed.T).all()
    check_order(pairs, edges, alpha)
    if pairs.control is None:
        below = bars_below(pairs, alpha)
        bars = {frozenset(names[i] for i in bar) for row in below.rows for bar in row}
        assert {frozenset(pair) for bar in bars for pair in combinations(bar, 2)} == {
            frozenset(p) for p in combinations(names, 2)
        } - rejected


def rejected_by(square: np.ndarray, names: Sequence[str]) -> set[frozenset[str]]:
    """Return the marked pairs of a square table."""
    return {frozenset((names[i], names[j])) for i, j in np.argwhere(square)}


def check_order(pairs: PairsResult, edges: set[Edge], alpha: float) -> None:
    """Paths of the partial order lead to rejected pairs, or to those named implied."""
    order = dominance_order(pairs, alpha=alpha)
    if pairs.counts_better:
        check_direct_order(order, edges)
        return
    reach: dict[int, set[int]] = {g: set() for g in range(len(order.groups))}
    for above, below in sorted(order.edges, reverse=True):
        reach[above] |= {below, *reach[below]}
    told = {
        (one, other)
        for above, lower in reach.items()
        for below in lower
        for one in order.groups[above]
        for other in order.groups[below]
    }
    inside = {edge for g in order.groups for edge in edges if {*edge} <= {*g}}
    assert told - set(order.implied) == edges - inside
    assert not edges & set(order.implied)


def check_direct_order(order: Dominance, edges: set[Edge]) -> None:
    """Nothing follows from a path: it stands for decisions only if all are made."""
    assert order.implied == ()
    inside = {edge for g in order.groups for edge in edges if {*edge} <= {*g}}
    direct = {
        (one, other)
        for above, below in order.edges
        for one in order.groups[above]
        for other in order.groups[below]
    }
    transitive = all((a, d) in edges for a, b in edges for c, d in edges if b == c)
    assert direct >= edges - inside or (transitive and direct <= edges)


def check_pictures(pairs: PairsResult, alpha: float) -> None:
    """The marks in the drawn pictures themselves are those of the table."""
    from matplotlib import pyplot

    if not np.isfinite(pairs.positions).all():
        return  # nothing was tested and nobody stands anywhere: no page draws that
    names = [pairs.algorithms[i] for i in pairs.order]
    rejected = apart(pairs, alpha)
    ax = pc.plotting.p_matrix(pairs, alpha=alpha)
    bold = {
        tuple(int(i) - 1 for i in text.get_gid().split("-")[1:])
        for text in ax.texts
        if (text.get_gid() or "").startswith("p-") and text.get_weight() == "bold"
    }
    assert {frozenset((names[i], names[j])) for i, j in bold} == rejected
    [frames] = [c for c in ax.collections if c.get_gid() == "frames"]
    assert len(frames.get_paths()) == 2 * len(rejected)
    diagram = pc.plotting.critical_difference(pairs, alpha=alpha)
    if pairs.control is None:
        every = {frozenset(p) for p in combinations(names, 2)}
        graph = pc.plotting.pair_graph(pairs, alpha=alpha)
        joined = {
            frozenset(names[int(i) - 1] for i in gid.split("-")[1:])
            for gid in gids(graph, "joined-")
        }
        assert joined == every - rejected
        bars = {
            frozenset(pair)
            for gid in gids(diagram, "bar-")
            for pair in combinations([names[int(i) - 1] for i in gid.split("-")[1:]], 2)
        }
        assert bars == every - rejected
    else:
        filled = {
            names[int(line.get_gid().split("-")[1]) - 1]
            for line in diagram.lines
            if (line.get_gid() or "").startswith("mark-")
            and line.get_markerfacecolor() != "white"
        }
        assert {frozenset((name, pairs.control)) for name in filled} - {
            frozenset((pairs.control,))
        } == rejected
    pc.plotting.dominance(pairs, alpha=alpha)
    pyplot.close("all")


def gids(ax: Any, start: str) -> Iterator[str]:
    """Yield the names of the lines of a picture that begin so."""
    for line in ax.lines:
        if (line.get_gid() or "").startswith(start):
            yield line.get_gid()


# ---- what an analysis says ----------------------------------------------------------


def deciding(analysis: Analysis) -> ComparedPairs | None:
    """Return the comparison of pairs that makes the verdict; None for one t test."""
    if isinstance(analysis, DatasetsAnalysis):
        return analysis.planned
    return analysis if isinstance(analysis, ComparedPairs) else None


def check_margin(analysis: Analysis) -> None:
    """Pairs within the margin are those of the adjusted p-values, and stated so."""
    found = analysis.within_margin
    if found is None:
        return
    shown = found.table["p_adjusted"].to_numpy(float) <= found.alpha
    assert found.table["shown"].tolist() == list(map(bool, shown))
    stated = {frozenset(pair) for pair in margin_report.supported(found)}
    rows = found.table[shown]
    pairs = zip(rows["algorithm_1"], rows["algorithm_2"], strict=True)
    assert stated == set(map(frozenset, pairs))


def check_analysis(analysis: Analysis, alpha: float) -> None:
    """Decisions, groups, letters and pictures of one metric follow from its table."""
    if isinstance(analysis, EstimatesAnalysis | PosteriorAnalysis | RankingAnalysis):
        assert analysis.decisions == () and not analysis.compared
        return
    if isinstance(analysis, TwoAnalysis):
        pairs = analysis.decisive
        check_decisions(analysis.decisions, pairs, alpha, analysis.metric)
        if not analysis.joint and not math.isnan(analysis.test.p_value):
            assert pairs.table["p_adjusted"][0] == analysis.test.p_value
        return
    if isinstance(analysis, DatasetsAnalysis):
        check_datasets(analysis, alpha)
        return
    assert isinstance(analysis, ComparedPairs)
    check_compared(analysis, alpha)
    if isinstance(analysis, LinearAnalysis):
        if analysis.letters is not None:
            check_letters(analysis.decisive, analysis.letters, alpha)
        check_compared(analysis.ranks, alpha)
        check_disagree(analysis.decisions, analysis.ranks.decisions, analysis)


def check_compared(analysis: ComparedPairs, alpha: float) -> None:
    """Decisions, groups and pictures of one comparison follow from its table."""
    pairs = analysis.decisive
    check_decisions(analysis.decisions, pairs, alpha, analysis.metric)
    check_groups(pairs, analysis.cliques, alpha)
    check_drawn(pairs, alpha, analysis.metric)
    check_pairs_table(analysis, alpha)


def check_pairs_table(analysis: ComparedPairs, alpha: float) -> None:
    """The page's table has each pair, marked where it is rejected, and nowhere else."""
    shown = build.pairs(analysis, alpha)
    first = analysis.pairs[0]
    rows = first.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    assert len(shown.rows) == len(rows)
    marking = [i for i, c in enumerate(shown.columns) if c.alpha is not None]
    for cells, row in zip(shown.cells(), rows.itertuples(), strict=False):
        assert cells[0].text == f"{row.algorithm_1} – {row.algorithm_2}"
        for place, pairs in zip(marking, analysis.pairs, strict=True):
            p, cell = pairs.table["p_adjusted"][row.Index], cells[place]
            assert cell.marked == (p <= alpha)
            assert agrees(plain(cell.text), "≤" if p <= alpha else ">", alpha)


def check_disagree(
    planned: Sequence[Decision], other: Sequence[Decision], analysis: LinearAnalysis
) -> None:
    """The pairs on which ranks decide otherwise are all those, and no others."""
    known = {d.pair: d for d in other}
    differ = {d.pair for d in planned if won(d) != won(known[d.pair])}
    assert differ == {d.planned.pair for d in analysis.ranks_disagree}


def won(made: Decision) -> str | None:
    """Return whom a decision is in favour of."""
    return made.better if made.rejected else None


def check_datasets(analysis: DatasetsAnalysis, alpha: float) -> None:
    """Comparisons over data sets, wins, agreement and data sets say the same."""
    for over in analysis.over:
        check_compared(over, alpha)
    assert analysis.decisions == analysis.planned.decisions
    known = {o.key: {d.pair: d for d in o.decisions} for o in analysis.over}
    for row in analysis.agreement().to_dict("records"):
        pair = frozenset((row["algorithm_1"], row["algorithm_2"]))
        for key, made in known.items():
            np.testing.assert_equal(
                row[f"p_adjusted_{key.replace('-', '_')}"], made[pair].p_adjusted
            )
            assert row[f"better_{key.replace('-', '_')}"] == (won(made[pair]) or "")
    check_agreement_table(analysis, alpha)
    for key, found in analysis.disagree.items():
        hopeless = unable(analysis.by(key).decisive, alpha)
        differ = {
            d.pair for d in analysis.decisions if won(d) != won(known[key][d.pair])
        }
        assert differ - hopeless == {d.planned.pair for d in found}
    for on in analysis.each:
        check_on_dataset(on, analysis, alpha)
    check_wins(analysis)


def check_agreement_table(analysis: DatasetsAnalysis, alpha: float) -> None:
    """The table's marks are the verdicts, and 'all agree' says whether they do."""
    shown = tables.agreement(analysis, alpha)
    for cells, planned in zip(shown.rows, analysis.decisions, strict=True):
        made = {
            over.key: next(d for d in over.decisions if d.pair == planned.pair)
            for over in analysis.over
        }
        strong = [not isinstance(text, str) for text in cells[2:]]
        assert strong == [d.rejected for d in made.values()]
        able = [
            won(made[over.key])
            for over in analysis.over
            if over is analysis.planned
            or planned.pair not in unable(over.decisive, alpha)
        ]
        alike = "yes" if len(set(able)) == 1 else "no"
        assert cells[1] == ("–" if len(able) == 1 else alike)


def check_on_dataset(on: OnDataset, analysis: DatasetsAnalysis, alpha: float) -> None:
    """A data set's pairs, letters and wins are of one table."""
    if analysis.interaction is None:  # without sizes nothing is decided on it
        assert on.decisions == () and on.cliques == () and on.letters is None
        return
    edges = check_decisions(on.decisions, on.decisive, alpha, on.metric)
    check_groups(on.decisive, on.cliques, alpha)
    assert (on.letters is None) == (on.decisive.control is not None)
    if on.letters is not None:
        check_letters(on.decisive, on.letters, alpha)
    rows = analysis.wins.decisions
    rows = rows[rows["dataset"] == on.dataset]
    turned = {"win": 1, "loss": -1}
    counted = {
        (r.algorithm_1, r.algorithm_2)[:: turned[r.verdict]]
        for r in rows.itertuples()
        if r.verdict in turned
    }
    assert counted == edges


def check_wins(analysis: DatasetsAnalysis) -> None:
    """The table of wins counts the data sets' decisions."""
    if analysis.interaction is None:
        return
    counts = dict.fromkeys(combinations(analysis.wins.algorithms, 2), 0)
    counts |= {edge[::-1]: 0 for edge in counts}
    for on in analysis.each:
        for made in on.decisions:
            if made.rejected:
                counts[made.better, made.worse] += 1
    for (one, other), n in counts.items():
        assert analysis.wins.wins.loc[one, other] == n


# ---- what sentences say -------------------------------------------------------------

SHOWN_P = re.compile(
    r"(?:adjusted )?p (?:= |(?=>))(>? ?\S+?)(?: \([^()]*\))? ([≤>]) "
    r"(\d\S*?)[.,:;)]*(?= |$)"
)


def agrees(text: str, sign: str, alpha: float) -> bool:
    """Return whether a printed p-value compares with alpha as it is said to."""
    if text in ("undefined", "–"):
        return sign == ">"
    p = float(text.replace("−", "-").split(" (")[0].lstrip("<> "))
    return (p <= alpha and not text.startswith(">")) == (sign == "≤")


def check_signs_of_p(sentences: Sequence[str]) -> None:
    """No sentence prints a p-value on the other side of alpha than it says."""
    for sentence in sentences:
        for p, sign, alpha in SHOWN_P.findall(sentence):
            assert agrees(p, sign, float(alpha)), sentence


def check_cells(blocks: Iterable[Block], alpha: float) -> None:
    """No marked cell prints a p-value above alpha."""
    shown = [one for one in walk(tuple(blocks)) if isinstance(one, Table)]
    for cell in (c for one in shown for row in one.cells() for c in row if c.marked):
        assert agrees(plain(cell.text), "≤", alpha), cell


def check_facts(analysis: Analysis, stated: Statements, alpha: float) -> None:
    """Facts are the decisions, each with its winner; the answer names the winners."""
    outcome, made = stated.outcome, analysis.decisions
    if outcome is None:
        assert not made
        return
    told = [(f.subject, f.object, f.significant) for f in outcome.pairs]
    assert told == [(d.better, d.worse, d.rejected) for d in made]
    for fact, decision in zip(outcome.pairs, made, strict=True):
        np.testing.assert_equal(fact.p_adjusted, decision.p_adjusted)
        assert fact.significant == (fact.p_adjusted <= alpha)
        assert (fact.relation == "not tested") == math.isnan(fact.p_adjusted)
    check_order_of_facts(analysis, outcome)
    check_answer(outcome, plain(wording.answer(outcome)))
    check_alternatives(analysis, stated, outcome)


def check_order_of_facts(analysis: Analysis, outcome: Outcome) -> None:
    """Algorithms are in the order of their positions, the best first."""
    over = deciding(analysis)
    if over is None or not outcome.values:
        return
    positions = over.decisive.positions
    assert set(outcome.values) == set(positions.index)
    if positions.notna().all():
        in_order = [positions[name] for name in outcome.values]
        np.testing.assert_allclose(in_order, sorted(in_order), atol=1e-9)


def check_answer(outcome: Outcome, text: str) -> None:
    """The answer claims a difference exactly where there is one."""
    claims = " significantly better " in text or " comparison" in text
    named = "closest comparison" in text or "comparisons share the smallest" in text
    assert claims == bool(outcome.significant) or named
    if not outcome.significant:
        assert "significantly better" not in text
        return
    assert any(fact.subject in text for fact in outcome.significant) or (
        wording.tally(outcome).lower() in text.lower()
    )


def check_alternatives(
    analysis: Analysis, stated: Statements, outcome: Outcome
) -> None:
    """A sensitivity analysis differs on the pairs that it decides otherwise."""
    for other in stated.alternatives:
        differ = {fact.pair for fact in other.differs_on(outcome)}
        assert not differ & other.hopeless
        if other.significant is None:
            continue
        for fact in outcome.pairs:
            won_by = fact.subject if fact.significant else None
            alike = other.significant.get(fact.pair) == won_by
            assert (fact.pair in differ) == (
                not alike and fact.pair not in other.hopeless
            )
    if isinstance(analysis, LinearAnalysis) and stated.alternatives:
        ranks = stated.alternatives[-1]
        wanted = {d.planned.pair for d in analysis.ranks_disagree}
        differ = {fact.pair for fact in ranks.differs_on(outcome)}
        assert wanted - ranks.hopeless == differ
    if isinstance(analysis, DatasetsAnalysis) and stated.alternatives:
        keys = [o.key for o in analysis.over if o.key != analysis.compares]
        for key, other in zip(keys, stated.alternatives[-len(keys) :], strict=True):
            differ = {fact.pair for fact in other.differs_on(outcome)}
            assert differ == {d.planned.pair for d in analysis.disagree[key]}


def check_vectors(found: Together, alpha: float) -> None:
    """The facts about mean vectors are the decisions of their tests."""
    stated = vector_words.facts(found, alpha)
    assert stated.n_pairs == len(found.pairs.table)
    assert set(map(frozenset, stated.significant)) == apart(found.pairs, alpha)
    test = found.manova
    tested = test is not None and test.p_value == test.p_value
    assert stated.differ == ((test.p_value <= alpha) if tested else None)


def check_risk(found: DatasetsTogether, alpha: float) -> None:
    """Wins by risk are stated as decided."""
    won_by = {
        (r.algorithm_1, r.algorithm_2)
        if r.wins > r.losses
        else (r.algorithm_2, r.algorithm_1)
        for r in (() if found.sign is None else found.sign.table.itertuples())
        if r.p_adjusted <= alpha
    }
    assert set(vectors_on_datasets.significant_wins(found, alpha)) == won_by
