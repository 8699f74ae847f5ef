"""Words that labels and names of columns are compared with; case does not matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from pycompare.base.metric import Direction


@lru_cache(maxsize=4096)
def words_of(label: str) -> tuple[str, ...]:
    """Return the words of a name: ``test_F1-score`` has test, f1 and score."""
    return tuple(re.findall(r"[^\W_]+", label.casefold()))


def bare(label: str) -> str:
    """Return a label without case, marks of emphasis and a full stop."""
    text = _EMPHASIS.sub(r"\1\2", label) if _MARKS.search(label) else label
    return " ".join(text.casefold().strip(" .:").split())


_MARKS = re.compile(r"[\\*†_]")
_EMPHASIS = re.compile(r"\\text\w+\{(.*)\}|[*†_]{1,2}(.*?)[*†_]{1,2}")


_SUMMARIES = frozenset(
    """average avg ave mean means median std sd s.d stdev std.dev rank ranks wins
    losses w/t/l win/tie/loss wins/ties/losses total sum overall best worst # mittel
    mittelwert durchschnitt gesamt summe standardabweichung moyenne médiane écart-type
    somme promedio media mediana suma desviación média soma desvio geomean
    gmean""".split()
) | {
    *("std dev", "std. dev", "standard deviation", "avg rank", "avg. rank"),
    *("average rank", "mean rank", "total général", "total general"),
    *("desviación estándar", "desvio padrão", "geometric mean"),
}
"""Labels of rows that summarise the others, in six languages."""
_SUMMARY_BEGINS = re.compile(
    "|".join(sorted({re.escape(text.split()[0]) for text in _SUMMARIES}))
)
_OF_SUMMARIES = frozenset("task tasks tasktype score scores borda all".split())
"""Words that may stand beside one of `_SUMMARIES`, as in leaderboards."""
_DERIVED = frozenset(
    "diff difference delta p-value p_value pvalue count __min __max".split()
)
_SPREADS = frozenset("std sd stdev stddev stderr se sem variance ci rank ranks".split())
_OF_SPREADS = _SPREADS | frozenset(
    "low high lower upper bound limit width 90 95 99 mean avg average".split()
)
"""Words of spreads and ranks of another column, and what may stand beside them."""
_MEANS = ("mean", "avg", "average", "score")
_DESCRIPTIONS = frozenset(
    """params param parameters size link url paper license licence likes downloads hub
    flops cost emissions memory dimensions tokens""".split()
)
_OF_DESCRIPTIONS = _DESCRIPTIONS | frozenset(
    """b m k bn gb mb kg co2 co₂ number of num n no model total active file usage
    embedding max million billion""".split()
)
"""Words of columns that describe an algorithm, and what may stand beside them."""
_TIMES = frozenset("seconds sec time runtime latency".split())
_OF_TIMES = _TIMES | frozenset(
    """training train test testing fit predict prediction inference s ms minutes hours
    total mean avg cpu wall score build""".split()
)
_ALGORITHM_WORDS = frozenset(
    "model models method methods algorithm algorithms classifier classifiers learner "
    "learners system systems".split()
)
"""Name of a column that holds algorithms."""
BENCHMARKS = frozenset(
    """mmlu gsm8k hellaswag winogrande truthfulqa bbh gpqa ifeval humaneval mbpp musr
    boolq piqa siqa openbookqa triviaqa agieval ceval cmmlu mtbench alpacaeval
    livecodebench aime math500 imagenet cifar10 cifar100 mnist glue superglue sst2 mnli
    qnli qqp cola mrpc rte squad coco voc""".split()
)
"""Well-known benchmarks of models."""
FAILURES = frozenset(
    """failed failure fail crashed crash error killed timeout oom cancelled
    aborted""".split()
)
"""Levels that state that a run has no valid score."""
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
"""Commas between thousands, unless they are decimal ones of three decimals."""


class KnownMetric(NamedTuple):
    """Range and direction of a metric that is known by a word of its name."""

    low: float
    high: float
    better: Direction
    proportion: bool = False


_SHARE = KnownMetric(0, 1, "higher", True)
_CHANCE_CORRECTED = KnownMetric(-1, 1, "higher")
_LOSS = KnownMetric(0, inf, "lower")
_KNOWN: dict[str, KnownMetric] = {
    **dict.fromkeys(
        """accuracy acc auc auroc rocauc auprc f1 precision recall ap map ndcg mrr dice
        iou jaccard sensitivity specificity""".split(),
        _SHARE,
    ),
    "ece": KnownMetric(0, 1, "lower", True),
    **dict.fromkeys(("mcc", "kappa"), _CHANCE_CORRECTED),
    "r2": KnownMetric(-inf, 1, "higher"),
    "brier": KnownMetric(0, 2, "lower"),
    **dict.fromkeys(
        """error err logloss mae mse rmse rmsle mape wer cer perplexity ppl time
        seconds runtime latency distance""".split(),
        _LOSS,
    ),
}
_KNOWN["loss"] = KnownMetric(-inf, inf, "lower")
_OTHERWISE = frozenset(
    "negative neg log reward difference diff gain improvement delta relative "
    "change rank ranks gap".split()
)
"""Words by which a name with a known word means something else."""


_NAMES_KNOWN = re.compile(rf"(?<![^\W_])(?:{'|'.join(_KNOWN)})(?![^\W_])")


def names_known(labels: Iterable[str]) -> bool:
    """Whether any label has a word of a known metric; most have none, and are many."""
    return _NAMES_KNOWN.search("\n".join(labels).casefold()) is not None


@lru_cache(maxsize=1024)
def known_metric(name: str) -> KnownMetric | None:
    """Return range and direction of a metric; None if its name does not state them."""
    words = words_of(name)
    known = [_KNOWN[word] for word in words if word in _KNOWN]
    if not known or len(set(known)) > 1 or not _OTHERWISE.isdisjoint(words):
        return None
    return known[0]


def is_of_algorithms(name: str) -> bool:
    """Return whether a column is called as one of algorithms is, and no run."""
    words = words_of(name)
    return not _ALGORITHM_WORDS.isdisjoint(words) and "run" not in words


def is_metric(label: str) -> bool:
    """Return whether a label is a metric's name, with at most one more word."""
    words = words_of(label)
    return 0 < len(words) <= 2 and any(word in _KNOWN for word in words)


@lru_cache(maxsize=4096)
def is_summary(label: str) -> bool:
    """Return whether a label names a summary: ``Avg.``, ``Mean (Task)``."""
    # Of a million labels hardly one has such a word; marks may stand within words.
    if not (_SUMMARY_BEGINS.search(label.casefold()) or _MARKS.search(label)):
        return False
    words = words_of(label)
    first = len(words) > 0 and words[0] in _SUMMARIES
    beside = first and _OF_SUMMARIES.issuperset(words[1:])
    return beside or bare(label) in _SUMMARIES


def are_summaries(labels: Sequence[str]) -> list[bool]:
    """Return which labels name a summary; of a million most often none does."""
    together = "\n".join(labels)
    if not (_SUMMARY_BEGINS.search(together.casefold()) or _MARKS.search(together)):
        return [False] * len(labels)
    return [*map(is_summary, labels)]


def is_derived(label: str) -> bool:
    """Return whether a column is called as one that is made of others is."""
    return bare(label) in _DERIVED or is_summary(label)


def beside_others(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of spreads or ranks of others: ``svm_std`` beside ``svm``.

    Examples
    --------
    >>> beside_others(["svm_mean", "svm_std", "VAR", "knn", "knn rank", "ci_low"])
    ('svm_std', 'knn rank', 'ci_low')
    """
    words = {name: words_of(name) for name in names}
    whole = {own for own in words.values()} | {
        tuple(word for word in own if word not in _MEANS) for own in words.values()
    }
    others = []
    for name, own in words.items():
        left = tuple(word for word in own if word not in _OF_SPREADS)
        of_other = left in whole if left else len(own) > 1
        if of_other and not _SPREADS.isdisjoint(own):
            others.append(name)
    return tuple(others)


def describes(label: str) -> bool:
    """Return whether a column is called as one that describes algorithms is.

    Examples
    --------
    >>> [describes(name) for name in ("#Params (B)", "size", "MMLU", "Model")]
    [True, True, False, False]
    """
    words = words_of(label)
    return not _DESCRIPTIONS.isdisjoint(words) and _OF_DESCRIPTIONS.issuperset(words)


def names_a_quantity(label: str) -> bool:
    """Return whether a column's name is that of a metric or of a time."""
    words = words_of(label)
    is_time = not _TIMES.isdisjoint(words) and _OF_TIMES.issuperset(words)
    return is_time or is_metric(label)
