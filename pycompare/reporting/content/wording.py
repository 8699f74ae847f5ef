"""Facts in words: the one place where sentences about results are made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pycompare.base.formatting.numbers import degrees, number, percent
from pycompare.base.metric import Metric
from pycompare.designs.design import Design
from pycompare.reporting.content.facts import (
    Outcome,
    PairFact,
    Statements,
    stated,
)
from pycompare.reporting.content.rivals import against, places
from pycompare.reporting.document import (
    Inline,
    Strong,
    aligned,
    decimals,
    interval_text,
    joined,
    p_equals,
    p_text,
    plain,
)
from pycompare.results.result import Test

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_SYMBOLS = {"chi2": "χ²"}
"""Statistics that are written otherwise than they are named."""
_MOST_WINNERS = 4
"""With more groups of winners the answer leaves them to the table."""
MOST_METRICS = 4
"""More metrics than these are counted in a title."""
_MOST_NAMES = 8
"""More names than these are counted."""


def count(n: int) -> str:
    """Return a number as a sentence has it: ``five``, ``17``."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else f"{n:,}"


def in_words(n: int, noun: str) -> str:
    """Return ``five data sets``, ``17 folds``."""
    return f"{count(n)} {noun if n == 1 else f'{noun}s'}"


def unit_of(design: Design, *, clustered: bool) -> str:
    """Return the names of the independent units of a comparison."""
    return "cluster" if clustered else design.unit


_TOO_FEW = (
    "No outcome of {blocks} could be significant; {enough} are the fewest that can "
    "show a difference."
)
_NOR_MORE = "No outcome of {blocks} could be significant, nor of more up to 200."


def no_outcome(n: int, enough: int | None, noun: str) -> str:
    """Note that no outcome of so many blocks could be significant, and how many could.

    Examples
    --------
    >>> no_outcome(5, 6, "fold")[:58]
    'No outcome of five folds could be significant; 6 folds are'
    """
    blocks = in_words(n, noun)
    if enough is None:
        return stated(_NOR_MORE, blocks=blocks)
    return stated(_TOO_FEW, blocks=blocks, enough=f"{enough} {noun}s")


def listing(
    names: Sequence[str], most: int = _MOST_NAMES, nouns: str = "algorithms"
) -> str:
    """Join names as English does; many are counted.

    Examples
    --------
    >>> listing(["A"]), listing(["A", "B"]), listing(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    >>> listing(list("ABCDEFGHIJ"))
    '10 algorithms'
    """
    if len(names) > most:
        return f"{len(names)} {nouns}"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def listed_metrics(metrics: Sequence[str]) -> str:
    """Join names of metrics as English does; many are counted."""
    return listing(metrics, nouns="metrics")


def begun(text: str) -> str:
    """Return a text with a capital first letter."""
    return f"{text[:1].upper()}{text[1:]}"


def sentence(note: str) -> str:
    """Return a note of a result as a sentence."""
    return begun(note) + "." * (not note.endswith("?"))


def value(x: float, digits: int = 3) -> str:
    """Return a number as a sentence has it."""
    return aligned(x, decimals([x], digits), digits)


def interval(limits: tuple[float, float], level: float) -> str:
    """Return ``95% CI [0.11, 0.34]``."""
    places = decimals(limits, 3)
    low, high = (aligned(limit, places, 3) for limit in limits)
    return f"{percent(level)} CI [{low}, {high}]"


def ci(estimate: Any) -> str:
    """Return the interval of an estimate, as above."""
    return interval((estimate.conf_low, estimate.conf_high), estimate.level)


def test_result(test: Test, alpha: float | None = None) -> str:
    """Return ``F(4, 116) = 11.5, p < 0.001``."""
    return f"{statistic(test)}, {p_equals(test.p_value, alpha)}"


def statistic(test: Test) -> str:
    """Return ``F(4, 116) = 11.5``."""
    df = "" if test.df is None else f"({degrees(test.df)})"
    return f"{symbol(test.statistic_name)}{df} = {number(test.statistic, 3)}"


def symbol(statistic_name: str) -> str:
    """Return how a statistic is written: ``F``, ``χ²``."""
    return _SYMBOLS.get(statistic_name, statistic_name)


def evidence(fact: PairFact, at: int | None = None) -> str:
    """Return ``difference 0.05, 95% CI [0.01, 0.09], p = 0.012``.

    ``at`` is the number of decimals; by default they are those of the fact alone.
    """
    return ", ".join([*_estimated(fact, at), _p_of(fact)])


def _p_of(fact: PairFact) -> str:
    """Return ``p = 0.012``, or ``adj. p = 0.012`` if other pairs are compared."""
    p = p_equals(fact.p_adjusted, fact.alpha)
    return p if fact.alone else f"adj. {p}"


def _estimated(fact: PairFact, at: int | None = None) -> list[str]:
    """Return the difference, and its interval, if they are numbers."""
    parts = []
    if fact.estimate is not None and math.isfinite(fact.estimate):
        text = value(fact.estimate) if at is None else aligned(fact.estimate, at, 3)
        parts.append(f"{fact.estimate_name} {text}")
    if fact.interval is not None and all(map(math.isfinite, fact.interval)):
        own = decimals(fact.interval, 3) if at is None else at
        name = "CI" if fact.alone else "interval"
        limits = interval_text(fact.interval, own)
        parts.append(f"{percent(fact.level)} {name} {limits}")
    return parts


def largest_p(facts: Sequence[PairFact]) -> str:
    """Return ``adj. p = 0.012`` of one pair, ``all adj. p ≤ 0.026`` of several."""
    largest = max(facts, key=lambda fact: fact.p_adjusted)
    if len(facts) == 1:
        return _p_of(largest)
    text = p_text(largest.p_adjusted, largest.alpha)
    return f"all adj. p {text}" if text[0] in "<>" else f"all adj. p ≤ {text}"


def answer(outcome: Outcome) -> Inline:
    """Return who is better, how sure that is, in one or two sentences."""
    if len(outcome.untested) == len(outcome.pairs):
        return (Strong(f"No difference{outcome.within} can be tested."),)
    if outcome.out_of_reach:
        first = outcome.pairs[0]
        alone = len(outcome.pairs) == 1 and ", ".join(
            _estimated(first, places(outcome))
        )
        more = f"{first.title}: {alone}." if alone else _leader(outcome)
        return (Strong(outcome.out_of_reach), f" {more}".rstrip())
    if len(outcome.pairs) == 1:
        return _of_one_pair(outcome)
    if not outcome.significant:
        return _of_none(outcome)
    if outcome.control is not None:
        return _of_control(outcome, outcome.control)
    return _of_several(outcome)


SUPPLEMENTARY = "Supplementary, differences"
"""Title of the answer about differences if a plan's hypothesis has a margin."""


def headed(outcome: Outcome) -> Inline:
    """Return the answer under a title that names the metric."""
    return answer(replace(outcome, headed=True))


def _of_one_pair(outcome: Outcome) -> Inline:
    """Answer for two algorithms."""
    [fact] = outcome.pairs
    within, told = outcome.within, f" ({evidence(fact, places(outcome))})."
    if fact.significant:
        head = f"{fact.subject} is significantly better than {fact.object}{within}"
        return (Strong(head), told)
    return f"{fact.subject} and {fact.object} do not differ significantly{within}{told}"


def _of_none(outcome: Outcome) -> Inline:
    """Answer if no pair differs significantly."""
    control = outcome.control
    if control is None:
        many = len(outcome.values) or len({n for f in outcome.pairs for n in f.pair})
        head = f"No pair of the {count(many)} {outcome.nouns} differs significantly"
        leader = _leader(outcome)
    else:
        head = f"No {outcome.noun} differs significantly from {control}"
        leader = ""
    return joined(
        (Strong(head + outcome.within), "."),
        leader,
        _closest(outcome),
        _untested(outcome),
    )


def _closest(outcome: Outcome) -> str:
    """Name the pair with the smallest p-value; count those that share it."""
    tied = outcome.closest
    first, n = tied[0], len(tied)
    pair, of = f"{first.subject} with {first.object}", "of "
    if outcome.control is not None:
        pair, of = f"with {first.other(outcome.control)}", ""
    if n == 1:
        told = evidence(first, places(outcome))
        return f"The closest comparison is {pair} ({told})."
    kind = "adjusted p-value" if outcome.adjusts else "p-value"
    p = "1" if first.p_adjusted == 1 else p_text(first.p_adjusted, first.alpha)
    if n == len(outcome.pairs):
        shared = f"{'Both' if n == 2 else f'All {count(n)}'} {kind}s are {p}"
    else:
        shared = f"{begun(count(n))} comparisons share the smallest {kind} ({p})"
    if first.distance() <= 0:
        return f"{shared}."
    size = ", ".join(_estimated(first, places(outcome)))
    return f"{shared}; the largest difference is that {of}{pair} ({size})."


def number_of(outcome: Outcome, name: str) -> str:
    """Return the number of an algorithm: a rank that counts others is whole."""
    own = outcome.values[name]
    return f"{own:g}" if outcome.whole else value(own)


def _leader(outcome: Outcome) -> str:
    """Return who has the best number."""
    if not outcome.values:
        return ""
    names = outcome.leaders
    best = f"{number_of(outcome, names[0])}{outcome.counted}"
    verb = "has" if len(names) == 1 else "share"
    return f"{listing(names)} {verb} the {outcome.best} {outcome.quantity} ({best})."


def _of_several(outcome: Outcome) -> Inline:
    """Answer if some pairs differ significantly: the leader, then the others."""
    if not outcome.values or len(outcome.leaders) > 1:
        return joined(
            (Strong(f"{begun(tally(outcome))}{outcome.within}"), "."),
            _leader(outcome),
            winners(outcome),
            _untested(outcome),
        )
    [best] = outcome.leaders
    facts = against(outcome, best)
    won = set(outcome.beaten_by(best))
    beaten = [f for f in facts if f.object in won]
    if not beaten:
        return joined(
            (Strong(f"{begun(tally(outcome))}{outcome.within}"), "."),
            _leader(outcome),
            f"It is not significantly better than any other {outcome.noun}.",
            _untested(outcome),
        )
    told = f" ({', '.join([*_range(beaten, places(outcome)), largest_p(beaten)])})."
    head = f"{best} {_better_than(outcome)} "
    if len(beaten) == len(facts):
        every = f"each of the other {count(len(facts))}" if len(facts) > 1 else ""
        head += every or facts[0].object
    else:
        head += _names([f.object for f in beaten], len(facts), outcome)
    worse = [f.object for f in facts if f.significant and f not in beaten]
    same = [f.object for f in facts if f.relation == "no significant difference"]
    ahead = f"It is significantly worse than {_names(worse, len(facts), outcome)}."
    equal = (
        f"It does not differ significantly from {_names(same, len(facts), outcome)}."
    )
    return joined(
        (Strong(f"{head}{outcome.within}"), told),
        ahead if worse else "",
        equal if same else "",
        _untested(outcome),
    )


_MOST_NAMED = 4
"""Names of rivals that the answer lists; more are counted."""


def _names(names: Sequence[str], of: int, outcome: Outcome) -> str:
    """Return a few names, or ``87 of the 103 others``."""
    if len(names) <= _MOST_NAMED:
        return listing(names)
    return f"{len(names)} of the {of} other {outcome.nouns}"


def _range(facts: Sequence[PairFact], at: int | None) -> list[str]:
    """Return ``difference 0.042``, or ``differences 0.042 to 0.198``, if estimated."""
    known = [f.estimate for f in facts if f.estimate is not None]
    if len(known) < len(facts) or not all(map(math.isfinite, known)):
        return []
    if len(known) == 1:
        return _estimated(facts[0], at)
    ends = sorted(facts, key=PairFact.distance)
    low, high = (aligned(fact.estimate, at, 3) for fact in (ends[0], ends[-1]))
    return [f"{facts[0].estimate_names} {low}" + (f" to {high}" * (low != high))]


def _better_than(outcome: Outcome, n_subjects: int = 1) -> str:
    """Return ``is significantly better than``, or in what it is better."""
    single = n_subjects == 1
    if outcome.better_in is None:
        return f"{'is' if single else 'are'} significantly better than"
    if single:
        return f"has a significantly better {outcome.better_in.of_one} than"
    return f"have significantly better {outcome.better_in.title} than"


def winners(outcome: Outcome) -> str:
    """Return who is better than whom; algorithms that beat the same ones together."""
    beaten: dict[tuple[str, ...], list[str]] = {}
    names = list(outcome.values) or list(
        dict.fromkeys(f.subject for f in outcome.significant)
    )
    for name in names:
        below = dict.fromkeys(outcome.beaten_by(name))
        if below:
            ordered = tuple(n for n in names if n in below) or tuple(below)
            beaten.setdefault(ordered, []).append(name)
    if not beaten:
        return ""
    if len(beaten) > _MOST_WINNERS:
        return f"{begun(tally(outcome))}."
    told = [
        f"{listing(above)} {_better_than(outcome, len(above))} {listing(below)}"
        for below, above in beaten.items()
    ]
    return " ".join(f"{text}." for text in told)


def _of_control(outcome: Outcome, control: str) -> Inline:
    """Answer if all others are compared with one control."""
    worse = outcome.beaten_by(control)
    better = [f.subject for f in outcome.significant if f.object == control]
    same = [fact.other(control) for fact in outcome.retained]
    told = []
    if better:
        told.append(
            f"{listing(better)} {_better_than(outcome, len(better))} {control}"
            f"{outcome.within}"
        )
    if worse:
        told.append(
            f"{control} {_better_than(outcome)} {listing(worse)}{outcome.within}"
        )
    others = f"{control} does not differ significantly from {listing(same)}."
    estimates = _from_control(outcome, control)
    return joined(
        (
            Strong("; ".join(told)),
            f" ({', '.join([*estimates, largest_p(outcome.significant)])}).",
        ),
        others if same else "",
        _untested(outcome),
    )


def _from_control(outcome: Outcome, control: str) -> list[str]:
    """Return the significant differences from a control, as its table has them."""
    decided = {fact.pair for fact in outcome.significant}
    facts = [fact for fact in against(outcome, control) if fact.pair in decided]
    name = facts[0].estimate_name
    word = "to" if "ratio" in name else "from" if "difference" in name else ""
    if not word:
        return []
    return _range(
        [
            replace(
                fact,
                estimate_name=f"{name} {word} {control}",
                estimate_names=f"{fact.estimate_names} {word} {control}",
            )
            for fact in facts
        ],
        places(outcome),
    )


def _untested(outcome: Outcome) -> str:
    """Count the pairs that could not be tested."""
    n = len(outcome.untested)
    if not n:
        return ""
    return f"{begun(count(n))} {'pair' if n == 1 else 'pairs'} could not be tested."


def tally(outcome: Outcome) -> str:
    """Return ``eight of the ten pairwise comparisons are significant``."""
    n, all_of_them = len(outcome.significant), len(outcome.pairs)
    if all_of_them == 1:
        return f"the difference is {'' if n else 'not '}significant"
    kind, end = "pairwise ", ""
    if outcome.control is not None:
        kind, end = "", f" with {outcome.control}"
    if n == all_of_them:
        return f"all {kind}comparisons{end} are significant"
    if not n:
        return f"no {kind}comparison{end} is significant"
    verb = "is" if n == 1 else "are"
    return (
        f"{count(n)} of the {count(all_of_them)} {kind}comparisons{end} {verb} "
        f"significant"
    )


def method(outcome: Outcome, note: str = "") -> str:
    """Return how the answer was found: tests, family, error rate, how it was chosen."""
    over = f", over {outcome.family}" if outcome.family else ""
    parts = [
        f"Method: {outcome.method}{over}. "
        f"{begun(outcome.guarantee.stated(outcome.alpha))}",
        f". {begun(tally(outcome))}." if len(outcome.pairs) > 1 else ".",
    ]
    if outcome.omnibus is not None and not math.isnan(outcome.omnibus.statistic):
        test = outcome.omnibus
        parts.append(f" {begun(test.name)}: {test_result(test, outcome.alpha)}.")
    return "".join([*parts, f" {note}" if note else ""])


def direction(metric: Metric) -> str:
    """Return ``error (lower is better)``."""
    return f"{metric.name} ({metric.better} is better)"


def differing(n: int) -> str:
    """Return how many blocks have a difference: ``none differs``, ``3 differ``."""
    return "none differs" if n == 0 else "1 differs" if n == 1 else f"{n} differ"


def sentences(statements: Statements) -> list[str]:
    """Return everything that is stated, as plain sentences."""
    if statements.outcome is None:
        return list(statements.remarks)
    return [
        f"{direction(statements.outcome.metric)}: {plain(headed(statements.outcome))}",
        method(statements.outcome, statements.note),
        *statements.remarks,
    ]
