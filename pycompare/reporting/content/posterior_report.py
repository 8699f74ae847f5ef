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
from pycompare.base.typing import Floats
from pycompare.designs.analysis import Analysis
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.planned_posterior import PlannedPosterior
from pycompare.methods.posteriors.common import PROBABILITIES
from pycompare.plotting.posterior_bars import MOST_ROWS, parts_of_bars
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
    "Posterior probabilities ({title}) are reported with the tests, as specified. "
    "No conclusion of a test depends on them."
)
_METHOD = "{title}. {event}. {region}. {prior}"
_NO_REGION = "No region of equivalence (rope = 0)"
_UNCLASSIFIED = (
    "No pair is classified, because the plan sets neither decide_at nor rope_loss."
)
_HEAVY = (
    "The weight of the prior exceeds the number of data sets: the probabilities "
    "describe the prior more than the data."
)
_LIMITS = (
    "A posterior probability is no error rate: with a prior that does not describe the "
    "data, decisions at 0.95 can be wrong more often than in one of twenty studies."
)
_EQUIVALENT = "P(equivalent)"
_MOST_TOLD = 4
"""Pairs whose probabilities a sentence lists; those of more are in the table."""
_MOST_LISTED = 10
"""Equivalent pairs that a sentence lists."""
_FEWEST_SHOWN = 0.0005


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
        return _only_probabilities(posterior).rstrip()
    plan, names = comparison.plan, posterior.pairs.row_labels()
    how = "By the smallest expected loss"
    if plan.decide_at is not None:
        how = f"With a posterior probability of {plan.decide_at:g} or more"
    told = [*_won(posterior), *_equivalent(posterior)]
    n = len(names) - len(_without(posterior))
    undecided = posterior.answers.count("undecided") - len(_without(posterior))
    if n == 0:
        return _caveats(posterior).rstrip()
    if not told:
        return f"{_caveats(posterior)}{how}, none of {counted(n, 'pair')} is decided."
    rest = f" {undecided} of {counted(n, 'pair')} are undecided."
    if undecided == 1:
        rest = f" 1 of {counted(n, 'pair')} is undecided."
    found = f"{how}, {'; '.join(told)}.{rest if undecided else ''}"
    return f"{_caveats(posterior)}{found}"


def _without(posterior: PlannedPosterior) -> list[str]:
    """Return the pairs that have no probability."""
    chances = posterior.pairs.probabilities()
    rows = zip(posterior.pairs.row_labels(), chances, strict=True)
    return ["–".join(pair) for pair, p in rows if np.isnan(p).any()]


def _caveats(posterior: PlannedPosterior) -> str:
    """Return what limits all answers: pairs without a probability, a heavy prior."""
    absent, n = _without(posterior), len(posterior.pairs.probabilities())
    told = []
    if absent:
        which = f"any of the {n} pairs" if n == len(absent) > 1 else ", ".join(absent)
        if _MOST_TOLD < len(absent) < n:
            which = f"{len(absent)} of {n} pairs"
        told.append(
            f"No probability is available for {which}, because the difference is the "
            "same in every fold."
        )
    told += [_HEAVY] * posterior.pairs.outweighed
    return "".join(f"{text} " for text in told)


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
    verb, when = posterior.pairs.of_the_better, posterior.pairs.when_they_differ
    for beaten, names in sorted(winners.items(), key=lambda item: -len(item[0])):
        does = verb
        if len(names) > 1:
            does = verb.replace("is ", "are ").replace("wins", "win")
        yield f"{listing(names)} {does} than {listing(beaten)} {when}".rstrip()


def _equivalent(posterior: PlannedPosterior) -> list[str]:
    """Return which pairs are practically equivalent."""
    rows = zip(posterior.pairs.row_labels(), posterior.answers, strict=True)
    pairs = [pair for pair, said in rows if said == "equivalent"]
    if not pairs:
        return []
    if len(pairs) == 1:
        return [f"{' and '.join(pairs[0])} are practically equivalent"]
    if len(pairs) > _MOST_LISTED:
        return [f"{len(pairs)} pairs are practically equivalent"]
    listed = ", ".join(map("–".join, pairs))
    return [f"these pairs are practically equivalent: {listed}"]


def _only_probabilities(posterior: PlannedPosterior) -> str:
    """Return the probabilities of few pairs; no pair is classified."""
    chances, names = posterior.pairs.probabilities(), posterior.pairs.row_labels()
    told = [
        _chances_of(posterior, pair, p)
        for pair, p in zip(names, chances, strict=True)
        if not np.isnan(p).any()
    ]
    if not told:
        return _caveats(posterior)
    if len(told) > _MOST_TOLD:
        told = [f"The table has the posterior probabilities of {len(told)} pairs"]
    said = "; ".join(told)
    if posterior.pairs.when_they_differ:  # else the name of an algorithm begins
        said = begun(said)
    return f"{_caveats(posterior)}{said}. {_UNCLASSIFIED}"


def _chances_of(
    posterior: PlannedPosterior, pair: tuple[str, str], chances: Floats
) -> str:
    """Return the probabilities of one pair as a clause."""
    pairs, (first, second) = posterior.pairs, pair
    better, equivalent, worse = (f"with probability {_probability(p)}" for p in chances)
    when = f"{pairs.when_they_differ}, " if pairs.when_they_differ else ""
    told = f"{when}{first} {pairs.of_the_better} than {second} {better}"
    if pairs.has_equivalence:
        told += f", practically equivalent {equivalent}"
        told += "," * (not pairs.counts_wins)
    less = pairs.of_the_better.split(" ", 1)[1].replace("better", "worse")
    return f"{told} and {less.replace('more', 'less')} {worse}"


def method(posterior: PlannedPosterior) -> str:
    """Return how the probabilities were found: event, region, prior, draws."""
    pairs = posterior.pairs
    region = f"differences in {pairs.metric} up to {pairs.rope:g}"
    if pairs.scale == "ratio":
        region = f"ratios of {pairs.metric} from 1/{1 + pairs.rope:g} to "
        region += f"{1 + pairs.rope:g}"
    if pairs.rope == 0:
        region = _NO_REGION
    else:
        kind = "Ties" if pairs.counts_wins else "Practically equivalent"
        region = f"{kind}: {region}"
    text: str = stated(
        _METHOD,
        title=posterior.title,
        event=begun(pairs.event),
        region=region,
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
    """Return that posterior probabilities are reported with the tests, if so."""
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
        f"posterior mean of the {_of_rows(pairs.quantity)}."
    )
    said = pairs.of_the_better
    words = {"better": f"first {said}", "worse": f"second {said}"}
    words |= {"equivalent": "practically equivalent"}
    chances = pairs.probabilities()

    def answered(row: Any) -> str:
        """Return the answer of a row."""
        if np.isnan(chances[row.Index]).any():
            return "no probability"
        return words.get(answers[row.Index], answers[row.Index])

    more = [Field("answer", "text", answered)]
    wins = "wins more often" if pairs.counts_wins else "better"
    titles = f"P(first {wins})", _EQUIVALENT, f"P(second {wins})"
    table = build.table(
        caption,
        pairs.as_columns(),
        PAIR,
        *(
            Field(title, "digits", partial(_chance, name=name))
            for title, name in zip(titles, PROBABILITIES, strict=True)
            if pairs.has_equivalence or title != _EQUIVALENT
        ),
        Field("estimate", "number", "estimate"),
        Field(f"{percent(pairs.level)} credible interval", "interval", _credible),
        *(more if answers else []),
        file="posterior",
    )
    note = " ".join(map(sentence, pairs.notes))
    return present(table, Paragraph(note, "note") if note else None)


def _of_rows(quantity: str) -> str:
    """Return a quantity with the words that the table has for the two of a pair."""
    return quantity.replace("algorithm_1", "the first").replace(
        "algorithm_2", "the second"
    )


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
        f"Posterior probabilities in {pairs.metric}. {parts_of_bars(pairs)}.",
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
