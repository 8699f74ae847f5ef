"""Strengths of models from battles as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number, percent
from pycompare.base.metric import Metric
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.battles_beside import (
    AnyBattles,
    OtherBattles,
    battles_beside,
)
from pycompare.designs.decisions import decisions, rejected_pairs
from pycompare.designs.firmness import LeftOut
from pycompare.designs.pair_methods import described
from pycompare.methods.battles.strengths import BattlesResult, GroupedBattlesResult
from pycompare.methods.orders.rank_sets import RankSets
from pycompare.reporting import document as doc
from pycompare.reporting.content import (
    build,
    firm_report,
    ranks,
    sources,
    tables,
    tiers,
    wording,
    words,
)
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.facts import (
    Outcome,
    PairFact,
    SensitivityAnalysis,
    Statements,
)
from pycompare.reporting.content.forest import forest
from pycompare.reporting.content.outcomes import (
    facts,
    method,
    named_intervals,
    of_one_pair,
    ordered,
)
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.content.rivals import against
from pycompare.results.guarantees import guarantee_of

_STRENGTH = Metric("strength", "higher")
SCOPE = (
    "The conclusions concern voters, prompts and schedules of battles like these, and "
    "strengths within this pool of models."
)
_ALIKE = (
    "Each model has one strength against all others. If that does not hold, strengths "
    "depend on who met whom."
)
_VOTERS = "Voters are independent of each other; votes of one voter may depend."
_VOTES = "Votes are independent of each other: no voters are named."
_LARGE = (
    "Differences of strengths are assumed to vary normally; their degrees of freedom "
    "are few if few voters decide."
)
_MOST_NAMED = 4
"""Rivals that the answer names."""
_MOST_FIRST = 20
"""Models whose strengths are on the first screen; of more, their tiers."""


def results_of(result: AnyBattles) -> dict[str, BattlesResult]:
    """Return the results by their groups; without groups the one, under no name."""
    if isinstance(result, GroupedBattlesResult):
        return dict(result.groups)
    return {"": result}


def battles_report(result: AnyBattles, origin: dict[str, Any]) -> Report:
    """Return everything that the page is made of."""
    each, beside = results_of(result), battles_beside(result)
    pages = [
        _result(own, [other.of_group(group) for other in beside], at, group)
        for at, (group, own) in enumerate(each.items())
    ]
    named = [(group, outcome(own)) for group, own in each.items()]
    return Report(
        title=_title(result),
        subtitle=sources.subtitle(result.alpha, origin),
        results=pages,
        overview=tables.overview(named) if len(pages) > 1 else None,
        scope=[*_not_ranked(result), SCOPE, *_cautions(each)],
        assumptions=_assumptions(each),
        plan=_plan(result),
        methods=_methods(each),
        data=_data_rows(result, origin),
        dropped=_dropped(result),
        origin=origin,
    )


def _title(result: AnyBattles) -> str:
    """Describe the comparison: how many models and battles."""
    held = result.battles
    models = held.models
    who = " and ".join(models)
    if len(models) > 2:
        who = f"{wording.begun(wording.count(len(models)))} models"
    in_groups = ""
    if isinstance(result, GroupedBattlesResult):
        in_groups = f" in {wording.in_words(len(held.groups), 'group')}"
    voters = ""
    if held.voter is not None:
        voters = f" of {counted(_n_voters(held), 'voter')}"
    fought = counted(len(held.first), "battle")
    return f"{who} compared in {fought}{voters}{in_groups}"


def outcome(result: BattlesResult) -> Outcome:
    """Return the facts about the pairs."""
    told = facts(
        decisions(result, result.alpha),
        result,
        result.alpha,
        _STRENGTH,
        in_unit=True,
    )
    strengths = result.held("strengths")
    values = dict(zip(strengths["algorithm"], strengths["strength"], strict=True))
    stated = Outcome(
        noun="model",
        best="highest",
        metric=_STRENGTH,
        quantity="strength",
        values=ordered(values, lower=False),
        pairs=told,
        intervals=named_intervals(result, told),
        omnibus=None,
        method=method(result),
        family="",
        guarantee=guarantee_of(result),
        alpha=result.alpha,
        control=result.control,
    )
    return of_one_pair(stated, result) if len(told) == 1 else stated


def _result(
    result: BattlesResult, beside: Sequence[OtherBattles], at: int, group: str
) -> PageResult:
    """Return the conclusion and the numbers behind it."""
    stated, alpha = outcome(result), result.alpha
    claim = guarantee_of(result)
    ranked = None
    if result.control is None and result.has_tests:
        ranked = ranks.shown(result, alpha)
    many = len(stated.pairs) > 1
    listed = _strengths(result, ranked, stated)
    first = len(listed.rows) <= _MOST_FIRST
    page = PageResult(
        title=group or "Strength",
        prefix=f"group{at + 1}_" if group else "",
        answer=answer(result, stated),
        method=wording.method(stated, "") if result.has_tests else "",
        figure=None if first else tiers.figure(stated),
        forest=forest(stated) if result.has_tests else None,
        table=None if result.has_tests else listed,
        beside=listed if result.has_tests and first else None,
        blocks=doc.present(
            doc.Bullets(tuple(_lines(result))),
            None if first else doc.Section("Strengths", (listed,), "strengths"),
            ranks.block(ranked, None, claim, nouns=("model", "models"))
            if ranked
            else None,
            doc.Section("Pairs", (_pairs(result),), "pairs") if many else None,
        ),
        tables=_csv(result, ranked),
    )
    if not result.has_tests:
        return page
    alternatives = [*_alternatives(beside, result)]
    statements = Statements(outcome=stated, alternatives=tuple(alternatives))
    left_out = LeftOut(unit="voter", n_units=0, changes={})
    firmness = statements.firmness(page.title, stated, left_out)
    page = replace(
        page,
        sensitivity=doc.present(
            tables.sensitivity(stated, alternatives),
            *(
                doc.Paragraph(f"No analysis with {other.name}: {other.result}.")
                for other in beside
                if isinstance(other.result, str)
            ),
        ),
    )
    return firm_report.shown(page, statements, firmness)


def _alternatives(
    beside: Sequence[OtherBattles], result: BattlesResult
) -> Iterator[SensitivityAnalysis]:
    """Yield the analyses that there are, with the pairs that they could not compare."""
    pairs = {frozenset(pair) for pair in result.row_labels()}
    for other in beside:
        if isinstance(other.result, BattlesResult):
            known = {frozenset(pair) for pair in other.result.row_labels()}
            yield SensitivityAnalysis(
                name=other.name,
                assumes=other.assumes,
                significant=rejected_pairs(other.result, result.alpha),
                hopeless=frozenset(pairs - known),
                same_quantity=other.same_quantity,
            )


# ---- sentences


def answer(result: BattlesResult, stated: Outcome) -> doc.Inline:
    """Return who is stronger than whom, who may be as strong, and the share of wins."""
    if not result.has_tests:
        told = f"{counted(result.voters, 'voter')} cannot show how voters differ"
        best = stated.leaders[0]
        return (
            doc.Strong(f"No difference in strength can be tested: {told}."),
            f" {best} has the highest estimate ({wording.number_of(stated, best)}).",
        )
    if len(stated.pairs) == 1:
        [fact] = stated.pairs
        if fact.significant:
            head = f"{fact.subject} is significantly stronger than {fact.object}"
            return (doc.Strong(head), f". {_share(fact)}")
        return (
            doc.Strong(f"{fact.subject} and {fact.object} do not differ significantly"),
            f" in strength. {_share(fact)}",
        )
    if stated.control is not None:
        return _of_control(stated, stated.control)
    best = stated.leaders[0]
    rivals = against(stated, best)
    worse = [fact for fact in rivals if fact.significant and fact.ahead > 0]
    equal = [fact.object for fact in rivals if not fact.significant]
    if not stated.significant:
        head = f"No pair of the {wording.count(len(stated.values))} models differs"
        return doc.joined(
            (doc.Strong(f"{head} significantly in strength"), "."),
            f"{best} has the highest strength. {_share(rivals[0])}",
        )
    if not worse:
        return doc.joined(
            (doc.Strong(f"{wording.begun(wording.tally(stated))} in strength"), "."),
            f"{best} has the highest strength, but not significantly higher than any "
            f"other. {_share(rivals[0])}",
        )
    n = len(rivals)
    whom = f"each of the other {wording.count(n)} models"
    if len(worse) < n:
        whom = f"{len(worse)} of the {n} other models"
        if len(worse) <= _MOST_NAMED:
            whom = wording.listing([fact.object for fact in worse])
    as_strong = ""
    if equal:
        as_strong = f"{wording.listing(equal, _MOST_NAMED, 'models')} may be as strong."
    return doc.joined(
        (doc.Strong(f"{best} is significantly stronger than {whom}"), "."),
        as_strong,
        _share(rivals[0]),
    )


def _of_control(stated: Outcome, control: str) -> doc.Inline:
    """Answer if all others are compared with one control."""
    above = [f.subject for f in stated.significant if f.object == control]
    below = stated.beaten_by(control)
    equal = [fact.other(control) for fact in stated.retained]
    told = []
    if above:
        verb = "is" if len(above) == 1 else "are"
        told.append(
            f"{wording.listing(above, nouns='models')} {verb} significantly stronger "
            f"than {control}"
        )
    if below:
        told.append(
            f"{control} is significantly stronger than "
            f"{wording.listing(below, nouns='models')}"
        )
    if not told:
        return doc.joined(
            (doc.Strong(f"No model differs significantly from {control}"), "."),
            _share(stated.closest[0].seen_from(control)),
        )
    as_strong = ""
    if equal:
        listed = wording.listing(equal, _MOST_NAMED, "models")
        as_strong = f"{listed} may be as strong as {control}."
    return doc.joined((doc.Strong("; ".join(told)), "."), as_strong)


def _share(fact: PairFact) -> str:
    """Return the share of decided battles that the first of two wins."""
    assert fact.estimate is not None and fact.interval is not None
    shares = special.expit([fact.estimate, *fact.interval])
    share, low, high = (_percent(x) for x in shares)
    name = f"{percent(fact.level)} CI" if fact.alone else "interval"
    p = doc.p_equals(fact.p_adjusted, fact.alpha)
    return (
        f"{fact.subject} wins {share} of decided battles against {fact.object} "
        f"({name} {low} to {high}, {'' if fact.alone else 'adj. '}{p})."
    )


def _percent(share: float) -> str:
    """Return a share in whole percent, which never reads 0 or 1 unless it is."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return percent(round(float(share), 2))


def _lines(result: BattlesResult) -> Iterator[str]:
    """Yield order, ties, voters and fit in a line each, and the notes."""
    yield _order_line(result)
    yield _ties_line(result)
    if result.voters < len(result.battles.first):  # else a note tells of it
        yield _voters_line(result)
    if not np.isnan(result.fit_p_value):
        p = doc.p_equals(result.fit_p_value)
        test = f"χ²({result.fit_df}) = {number(result.fit_statistic, 3)}, {p}"
        if result.fit_p_value <= result.alpha:
            yield (
                f"Fit: one strength per model does not describe all pairs ({test}); "
                "strengths depend on who met whom."
            )
        else:
            yield (
                f"Fit: no significant departure from one strength per model ({test})."
            )
    yield from map(wording.sentence, result.notes)


def _order_line(result: BattlesResult) -> str:
    """Return the effect of being shown first."""
    if np.isnan(result.order_effect):
        return "Order: its effect is not estimated."
    half = special.stdtrit(result.order_df, 1 - result.alpha / 2) * result.order_error
    effect = result.order_effect
    shares = (
        _percent(x) for x in special.expit([effect, effect - half, effect + half])
    )
    share, low, high = shares
    level = percent(1 - result.alpha)
    return (
        f"Order: shown first, a model wins {share} of decided battles against an equal "
        f"({level} CI {low} to {high})."
    )


def _ties_line(result: BattlesResult) -> str:
    """Return how often equal models tie, or how ties are treated."""
    if result.ties == "half":
        return "Ties: half a win for either model."
    if result.ties == "drop":
        return "Ties: left out."
    if np.isinf(result.log_nu):
        return "Ties: none."
    odds = float(np.exp(result.log_nu))
    return f"Ties: equal models tie in {_percent(odds / (2 + odds))} of battles."


def _voters_line(result: BattlesResult) -> str:
    """Return how many voters count, and the busiest one's share."""
    return (
        f"Voters: {result.voters:,}, worth {result.effective_voters:,.0f} with equal "
        f"numbers of battles; the busiest decided {_percent(result.busiest_share)} of "
        f"the battles. Smallest degrees of freedom of a pair: "
        f"{number(result.smallest_df, 3)}."
    )


def _plan(result: AnyBattles) -> list[doc.Inline]:
    """Return the choices of the analysis in sentences."""
    asked = result.asked
    ties = {
        "davidson": "Ties follow Davidson's model",
        "half": "A tie is half a win for either model",
        "drop": "Ties are left out",
    }[asked["ties"]]
    order = "estimated" if asked["position"] == "estimate" else "ignored"
    over = "all pairs" if asked["control"] is None else f"pairs with {asked['control']}"
    family = ""
    if isinstance(result, GroupedBattlesResult):
        family = " of each group"
        if asked["family"] == "all":
            family = " of all groups together"
    sets = "rejected"
    if asked["unconnected"] == "largest":
        sets = "left out, but for the largest"
    adjusted = "the largest difference, step-down (max-T)"
    if asked["adjust"] != "max-t":
        adjusted = described(asked["adjust"]).title
    return [
        f"{ties}; the effect of being shown first is {order}.",
        f"Sets of models that never met are {sets}.",
        f"Adjustment: {adjusted}, over {over}{family}; alpha = {asked['alpha']:g}.",
    ]


# ---- tables


def _strengths(
    result: BattlesResult, ranked: RankSets | None, stated: Outcome
) -> doc.Table:
    """Return strengths with sets of ranks and tiers, strongest first."""
    rows = result.held("strengths")
    about = "Strengths are log odds of winning a decided battle; their mean is 0."
    columns = [
        Field("Model", "label", "algorithm"),
        Field("strength", "estimate", "strength"),
    ]
    if result.has_tests:
        level = percent(1 - result.alpha)
        about += f" {level} intervals are simultaneous."
        columns.append(Field(f"joint {level} interval", "interval", build.limits_of))
    if "elo" in rows:
        about += " Elo: 400/ln 10 times strength."
        columns.append(Field("Elo [interval]", "digits", _elo))
    if ranked is not None:
        sets = ranked.as_columns()
        limits = map(ranks.rank_set, sets["rank_low"], sets["rank_high"])
        of_model = dict(zip(sets["algorithm"], limits, strict=True))
        level = percent(1 - result.alpha)
        columns.append(
            Field(f"{level} set of ranks", "text", lambda row: of_model[row.algorithm])
        )
        tier = {
            name: place
            for place, names in enumerate(tiers.tiers(stated), start=1)
            for name in names
        }
        columns.append(Field("tier", "count", lambda row: tier[row.algorithm]))
    columns += [Field("battles", "count", "battles"), build.WINS]
    return build.table(about, rows, *columns, file="strengths")


def _elo(row: Any) -> str:
    """Return Elo points with their limits."""
    limits = doc.interval_text((row.elo_low, row.elo_high), 0)
    text = doc.aligned(row.elo, 0, 3)
    return text if np.isnan(row.elo_low) else f"{text} {limits}"


def _pairs(result: BattlesResult) -> doc.Table:
    """Return every pair with the share of decided battles that the first wins."""
    table = build.of_pairs([result], result.alpha)
    rows = build.by_evidence(result.as_columns())
    shares = [_percent(x) for x in rows["win_share"][: len(table.rows)]]
    return replace(
        table,
        columns=(*table.columns, doc.Column("first wins", "digits")),
        rows=tuple(
            (*row, share) for row, share in zip(table.rows, shares, strict=True)
        ),
    )


def _csv(result: BattlesResult, ranked: RankSets | None) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    single = (
        "order_effect", "order_error", "order_df", "log_nu", "voters",
        "effective_voters", "busiest_share", "smallest_df", "fit_statistic", "fit_df",
        "fit_p_value",
    )  # fmt: skip
    return {
        "pairs": result.as_written(),
        "strengths": result.held("strengths"),
        "model": Columns.of_row({name: vars(result)[name] for name in single}),
        **(ranks.csv_tables(ranked) if ranked else {}),
    }


def _methods(each: dict[str, BattlesResult]) -> doc.Table:
    """Return the methods with their error rates and sources."""
    rows = []
    for result in each.values():
        name = wording.begun(method(result))
        rows.append((name, guarantee_of(result).text, result.reference))
    return build.methods(rows)


def _assumptions(each: dict[str, BattlesResult]) -> list[doc.Inline]:
    """Return the assumptions and limits of the analysis."""
    named = any(r.voters < len(r.battles.first) for r in each.values())
    return [_ALIKE, _VOTERS if named else _VOTES, _LARGE, words.NOT_EQUALITY]


def _cautions(each: dict[str, BattlesResult]) -> list[str]:
    """Return what a reader of a single result should know before all else."""
    some = [r for r in each.values() if r.voters == len(r.battles.first)]
    if not some:
        return []
    return [
        "No voter decided two battles, as far as the file shows. If one did, intervals "
        "are too short and sets of ranks too small."
    ]


def _not_ranked(result: AnyBattles) -> list[str]:
    """Name the groups that have no ranking."""
    if not isinstance(result, GroupedBattlesResult):
        return []
    return [
        wording.sentence(f"{name} is not ranked: {why}")
        for name, why in result.not_ranked.items()
    ]


def _data_rows(result: AnyBattles, origin: dict[str, Any]) -> sources.FactRows:
    """Return the description of the battles."""
    held = result.battles
    won = [int((held.outcome == value).sum()) for value in (1.0, 0.5, 0.0)]
    rows: sources.FactRows = [
        *sources.file_rows(origin, "battles"),
        ("Battles", f"{len(held.first):,}"),
        ("Models", f"{len(held.models)}: {', '.join(held.models)}"),
        ("First won, tie, second won", " / ".join(f"{n:,}" for n in won)),
        ("Voters", "not named" if held.voter is None else f"{_n_voters(held):,}"),
    ]
    if held.groups:
        rows.append(("Groups", f"{len(held.groups)}: {', '.join(held.groups)}"))
    return rows


def _n_voters(held: Any) -> int:
    """Return how many voters decided a battle."""
    return len(np.unique(held.voter))


def _dropped(result: AnyBattles) -> list[doc.Inline]:
    """Return how battles were read, or that nothing was dropped."""
    notes = [wording.sentence(note) for note in result.battles.notes]
    return [*notes] or ["Nothing was dropped."]
