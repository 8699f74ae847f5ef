"""Posterior probabilities of pairs as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.rounding import fixed
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.analysis import Analysis
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.planned_posterior import PlannedPosterior
from pycompare.methods.posteriors.common import PROBABILITIES
from pycompare.plotting.posterior_bars import MOST_ROWS
from pycompare.reporting.content import build
from pycompare.reporting.content.build import PAIR, Field, Method
from pycompare.reporting.content.facts import stated
from pycompare.reporting.content.wording import begun, listing, sentence
from pycompare.reporting.document import (
    Block,
    Figure,
    FoldedSection,
    Paragraph,
    fold,
    present,
)

_NO_RATE = "none: a posterior probability is no error rate"
_BESIDE = (
    "Posterior probabilities of pairs ({title}) stand beside the tests, as specified. "
    "No conclusion of a test depends on them."
)
_METHOD = "{title}: probability that {event}. {region}. {prior}"
_LIMITS = (
    "A posterior probability is no error rate: with a prior that does not describe the "
    "data, decisions at 0.95 can be wrong more often than in one of twenty studies."
)
_EQUIVALENT = "P(equivalent)"
_TITLES = ("P(first better)", _EQUIVALENT, "P(second better)")
_MOST_TOLD = 4
"""Pairs whose probabilities a sentence lists; those of more are in the table."""
_FEWEST_SHOWN = 0.0005
_ANSWERS = {
    "better": "first is practically better",
    "equivalent": "practically equivalent",
    "worse": "second is practically better",
    "undecided": "undecided",
}


def _probability(p: float) -> str:
    """Return a probability with three decimals, and none that is rounded to 0 or 1."""
    if np.isnan(p):
        return "–"
    if p < _FEWEST_SHOWN:
        return "< 0.001"
    if p > 1 - _FEWEST_SHOWN:
        return "> 0.999"
    return fixed(p, 3)


def answer(posterior: PlannedPosterior, comparison: GroupComparison) -> str:
    """Return which pairs are decided, or that none can be."""
    if not posterior.answers:
        return _only_probabilities(posterior)
    plan, names = comparison.plan, posterior.pairs.row_labels()
    how = "By the smallest expected loss"
    if plan.decide_at is not None:
        how = f"With a posterior probability of {plan.decide_at:g} or more"
    told = [*_won(posterior), *_equivalent(posterior)]
    undecided = posterior.answers.count("undecided")
    if not told:
        return f"{how}, none of {counted(len(names), 'pair')} is decided."
    rest = f" {undecided} of {counted(len(names), 'pair')} are undecided."
    if undecided == 1:
        rest = f" 1 of {counted(len(names), 'pair')} is undecided."
    return f"{how}, {'; '.join(told)}.{rest if undecided else ''}"


def _won(posterior: PlannedPosterior) -> Iterator[str]:
    """Yield whom each algorithm is practically better than."""
    losers: dict[str, list[str]] = {}
    rows = zip(posterior.pairs.row_labels(), posterior.answers, strict=True)
    for (first, second), said in rows:
        if said == "better":
            losers.setdefault(first, []).append(second)
        elif said == "worse":
            losers.setdefault(second, []).append(first)
    winners: dict[tuple[str, ...], list[str]] = {}
    for winner, others in losers.items():
        winners.setdefault(tuple(sorted(others)), []).append(winner)
    for beaten, names in sorted(winners.items(), key=lambda item: -len(item[0])):
        are = "is" if len(names) == 1 else "are"
        yield f"{listing(names)} {are} practically better than {listing(beaten)}"


def _equivalent(posterior: PlannedPosterior) -> list[str]:
    """Return which pairs are practically equivalent."""
    rows = zip(posterior.pairs.row_labels(), posterior.answers, strict=True)
    pairs = [" and ".join(pair) for pair, said in rows if said == "equivalent"]
    if not pairs:
        return []
    return [f"practically equivalent: {listing(pairs, nouns='pairs')}"]


def _only_probabilities(posterior: PlannedPosterior) -> str:
    """Return the probabilities of few pairs; nothing is decided."""
    chances, names = posterior.pairs.probabilities(), posterior.pairs.row_labels()
    equivalent = posterior.pairs.has_equivalence
    told = [
        f"{first} is practically better than {second} with probability "
        f"{_probability(p[0])}, "
        f"{f'equivalent with {_probability(p[1])}, ' * equivalent}worse with "
        f"{_probability(p[2])}"
        for (first, second), p in zip(names, chances, strict=True)
    ]
    if len(told) > _MOST_TOLD:
        return (
            f"Posterior probabilities of {counted(len(told), 'pair')}, which the table "
            "has. Nothing is decided, because the plan has no probability or loss to "
            "decide by."
        )
    return (
        f"{'; '.join(told)}. Nothing is decided, because the plan has no probability "
        "or loss to decide by."
    )


def method(posterior: PlannedPosterior) -> str:
    """Return how the probabilities were found: event, region, prior, draws."""
    pairs = posterior.pairs
    region = f"differences in {pairs.metric} up to {pairs.rope:g}"
    if pairs.scale == "ratio":
        region = f"ratios of {pairs.metric} from 1/{1 + pairs.rope:g} to "
        region += f"{1 + pairs.rope:g}"
    if pairs.rope == 0:
        region = "no difference but 0"
    kind = "Practically equivalent" if pairs.has_equivalence else "Ties"
    text: str = stated(
        _METHOD,
        title=posterior.title,
        event=pairs.event,
        region=f"{kind}: {region}",
        prior=f"Prior: {pairs.prior}.",
    )
    if pairs.draws is None:
        return f"{text} The probabilities are exact."
    table = pairs.as_columns()
    largest = float(np.nanmax(np.asarray(table["mc_error"], float)))
    text += f" {pairs.draws:,} draws, seed {pairs.seed}; largest Monte Carlo error "
    text += fixed(largest, 4)
    if pairs.r_hat is None or pairs.effective_draws is None:
        return f"{text}."
    return (
        f"{text}; at least {pairs.effective_draws:,.0f} effective draws, split R-hat "
        f"at most {fixed(pairs.r_hat, 3)}."
    )


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return that posterior probabilities stand beside the tests, if they do."""
    [first, *_] = comparison.analyses
    if first.posterior is None or not comparison.plan.claims:
        return []
    return [stated(_BESIDE, title=first.posterior.title)]


def method_rows(comparison: GroupComparison) -> list[Method]:
    """Return the method with its source."""
    [first, *_] = comparison.analyses
    if first.posterior is None:
        return []
    return [(first.posterior.title, _NO_RATE, first.posterior.pairs.reference)]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what posterior probabilities are not, if there are any."""
    return [_LIMITS] if comparison.analyses[0].posterior is not None else []


def uses_of_seed(analyses: Sequence[Analysis]) -> list[str]:
    """Return that draws from the posterior are random, if they are."""
    known = [a.posterior.pairs for a in analyses if a.posterior is not None]
    drawn = any(pairs.draws is not None for pairs in known)
    return ["draws from the posterior"] * drawn


def blocks(
    comparison: GroupComparison, analysis: Analysis, prefix: str = ""
) -> Iterator[FoldedSection]:
    """Yield the probabilities beside the tests, folded."""
    posterior = analysis.posterior
    if posterior is None or not comparison.plan.claims:
        return
    yield fold(
        "Posterior probabilities",
        Paragraph(answer(posterior, comparison)),
        Paragraph(method(posterior)),
        *parts(posterior),
        *figures(posterior, prefix),
    )


def parts(posterior: PlannedPosterior) -> tuple[Block, ...]:
    """Return the table of all pairs, with the notes of the method."""
    pairs, answers = posterior.pairs, posterior.answers
    caption = (
        f"Posterior probabilities in {pairs.metric} ({posterior.title}). Estimate: "
        f"posterior mean of the {pairs.quantity}."
    )
    more = [Field("answer", "text", lambda row: _ANSWERS[answers[row.Index]])]
    table = build.table(
        caption,
        pairs.as_columns(),
        PAIR,
        *(
            Field(title, "digits", partial(_chance, name=name))
            for title, name in zip(_TITLES, PROBABILITIES, strict=True)
            if pairs.has_equivalence or title != _EQUIVALENT
        ),
        Field("estimate", "number", "estimate"),
        Field(f"{percent(pairs.level)} credible interval", "interval", _credible),
        *(more if answers else []),
        file="posterior",
    )
    note = " ".join(map(sentence, pairs.notes))
    return present(table, Paragraph(note, "note") if note else None)


def _chance(row: Any, name: str) -> str:
    """Return a probability of a row."""
    return _probability(getattr(row, name))


def _credible(row: Any) -> tuple[float, float]:
    """Return the credible interval of a row."""
    return row.credible_low, row.credible_high


def figures(posterior: PlannedPosterior, prefix: str = "") -> Iterator[Figure]:
    """Yield the probabilities as bars, and the draws of the least clear pair."""
    pairs = posterior.pairs
    chances = pairs.probabilities()
    if len(chances) > MOST_ROWS:
        return
    yield Figure(
        f"{prefix}posterior_bars",
        partial(plotting.posterior_bars, pairs),
        f"Posterior probabilities in {pairs.metric}. Dark: first is practically "
        f"better; {'yellow: practically equivalent; ' * pairs.has_equivalence}light: "
        "second is practically better.",
        "One bar for each pair; the table has the numbers.",
        full=True,
    )
    if pairs.shares is None:
        return
    row = int(np.argmin(np.nan_to_num(chances.max(axis=1), nan=1.0)))
    first, second = pairs.row_labels()[row]
    which = "" if len(chances) == 1 else ", the pair with the least clear answer"
    yield Figure(
        f"{prefix}posterior_triangle",
        partial(plotting.posterior_triangle, pairs, pair=(first, second)),
        f"Draws from the posterior of {first} and {second}{which}. A corner is a share "
        "of 1 of its region; lines: equal shares.",
        f"Triangle of posterior draws of {first} and {second}; the table has the "
        "probabilities.",
    )


def csv_tables(analysis: Analysis) -> dict[str, AnyTable]:
    """Return the pairs with their answers for a CSV file, full precision."""
    posterior = analysis.posterior
    if posterior is None:
        return {}
    table = posterior.pairs.as_columns()
    named: dict[str, Any] = {name: table[name] for name in table}
    if posterior.answers:
        named["answer"] = np.array(posterior.answers, object)
    return {"posterior": Columns(named)}


def told(analysis: Analysis, comparison: GroupComparison) -> list[str]:
    """Return the sentence of the probabilities beside the tests of one metric."""
    posterior = analysis.posterior
    if posterior is None or not comparison.plan.claims:
        return []
    return [f"{begun(posterior.title)}: {answer(posterior, comparison)}"]
