"""What no method may care about: one table of methods, one of changes to their data.

A change says what it does to a long table of scores; each method is asked on the table
before and after it, and must give the same p-values by name. ``COVERED`` holds that
every public test has a row here or says why not.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.results import Pairs, Test

NAMES = ("first", "second", "third", "fourth")
HOSTILE = ("nan", "margin=1", "<script>", '__import__("os")')


@dataclass(frozen=True)
class Data:
    """A long table of scores with its direction."""

    frame: pd.DataFrame
    better: str = "higher"

    def scores(self) -> pc.Scores:
        """Return what the methods take."""
        columns = [
            c for c in ("dataset", "replicate", "cluster", "group") if c in self.frame
        ]
        metrics = {c: self.better for c in self.frame if str(c).startswith("m_")}
        return pc.Scores.from_frame(
            self.frame,
            algorithm="algorithm",
            block="block",
            metrics=metrics,
            **{c: c for c in columns},
        )

    def with_metrics(self, change: Callable[[Any], Any], better: str = "") -> Data:
        """Change the values of all metrics."""
        metrics = [c for c in self.frame if str(c).startswith("m_")]
        changed = self.frame.assign(**{c: change(self.frame[c]) for c in metrics})
        return Data(changed, better or self.better)


def table(algorithms=3, blocks=7, metrics=1, replicates=1, datasets=1, seed=1) -> Data:
    """Return scores without ties: an effect, blocks that differ, and noise."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(datasets):
        for b in range(blocks):
            level = rng.normal()
            for j, name in enumerate(NAMES[:algorithms]):
                for r in range(replicates):
                    values = level + 0.6 * j + rng.normal(size=metrics)
                    row = {"algorithm": name, "block": f"b{b}"}
                    row |= {f"m_{k}": v for k, v in enumerate(values)}
                    row |= {"dataset": f"d{d}"} if datasets > 1 else {}
                    row |= {"replicate": f"r{r}"} if replicates > 1 else {}
                    rows.append(row)
    return Data(pd.DataFrame(rows))


def benchmarks() -> Data:
    """Return 0/1 outcomes of items in two groups."""
    data = binary()
    number = data.frame["block"].str[1:].astype(int)
    return Data(data.frame.assign(group=np.where(number < 15, "u", "v")))


def binary(clusters: bool = False) -> Data:
    """Return 0/1 outcomes of items."""
    data = table(blocks=40, seed=5)
    frame = data.frame.assign(m_0=(data.frame["m_0"] > 0.4).astype(float))
    if clusters:
        number = frame["block"].str[1:].astype(int)
        frame["cluster"] = "c" + (number // 4).astype(str)
    return Data(frame)


def reordered_rows(data: Data) -> Data:
    """Shuffle the rows, and so the order of blocks, too."""
    return Data(data.frame.sample(frac=1.0, random_state=3), data.better)


def reordered_algorithms(data: Data) -> Data:
    """Let the last algorithm come first."""
    order = {name: -place for place, name in enumerate(NAMES)}
    by_name = data.frame.sort_values(
        "algorithm", key=lambda c: c.map(order), kind="stable"
    )
    return Data(by_name, data.better)


def renamed(data: Data) -> Data:
    """Give the algorithms names that could be taken for something else."""
    names = dict(zip(NAMES, HOSTILE, strict=True))
    return Data(data.frame.assign(algorithm=data.frame["algorithm"].map(names)))


def tiny(data: Data) -> Data:
    """Measure in a unit that leaves all digits as they are."""
    return data.with_metrics(lambda x: x * 2.0**-600)


def huge(data: Data) -> Data:
    """Measure in a unit that leaves all digits as they are."""
    return data.with_metrics(lambda x: x * 2.0**300)


def other_unit(data: Data) -> Data:
    """Measure in another unit from another zero."""
    return data.with_metrics(lambda x: 3.7 * x + 11)


def mirrored(data: Data) -> Data:
    """Let lower be better, and change the sign."""
    return data.with_metrics(lambda x: -x, better="lower")


def other_errors(data: Data) -> Data:
    """Count errors in place of successes."""
    return data.with_metrics(lambda x: 1 - x, better="lower")


def monotone(data: Data) -> Data:
    """Change the scale, and keep only who is before whom."""
    return data.with_metrics(np.exp)


def with_constant_block(data: Data) -> Data:
    """Add a block in which all algorithms are alike."""
    one = data.frame[data.frame["block"] == "b0"].assign(block="alike", m_0=1.0)
    return Data(pd.concat([data.frame, one], ignore_index=True), data.better)


def without_third(data: Data) -> Data:
    """Leave an algorithm out."""
    return Data(data.frame[data.frame["algorithm"] != "third"], data.better)


ALWAYS = (reordered_rows, reordered_algorithms, renamed)
SCALED = (*ALWAYS, tiny, huge, other_unit, mirrored)
RANKED = (*SCALED, monotone)
COUNTED = (*ALWAYS, other_errors, with_constant_block)


@dataclass(frozen=True)
class Method:
    """A way to call a method, and the changes that it must not care about."""

    call: Callable[[pc.Scores, Callable[[str], str]], Any]
    data: Callable[[], Data] = table
    changes: tuple[Callable[[Data], Data], ...] = SCALED
    raw: tuple[Callable[[Data], Data], ...] = ()
    """Changes after which raw p-values stay, and adjusted ones need not."""


def two(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call a test of two algorithms, by the names that they have."""
    return lambda s, name: call(
        s, algorithms=(name("first"), name("second")), **options
    )


def of(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call with these options."""
    return lambda s, name: call(s, **options)


def control(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call with a control."""
    return lambda s, name: call(s, control=name("second"), **options)


def pairs_of(data=table, changes=SCALED, raw=(without_third,)):
    """Return how pairs are tested that look at nobody else."""
    return {"data": data, "changes": changes, "raw": raw}


def few_blocks():
    """Return a table so small that all permutations are listed."""
    return table(blocks=5)


def several(metrics=2, **sizes):
    """Return a table with several metrics."""
    return lambda: table(metrics=metrics, blocks=9, **sizes)


def of_datasets():
    """Return a table of several blocks a data set."""
    return table(datasets=4, blocks=3)


def replicated():
    """Return a table of several scores a cell."""
    return table(replicates=3)


def replicated_in_clusters():
    """Return a table of several scores a cell, whose blocks are in clusters."""
    data = table(blocks=9, replicates=2)
    number = data.frame["block"].str[1:].astype(int)
    return Data(data.frame.assign(cluster="c" + (number // 4).astype(str)))


def clustered():
    """Return 0/1 outcomes in clusters."""
    return binary(clusters=True)


METHODS: Mapping[str, Method] = {
    "friedman": Method(of(pc.friedman), changes=(*RANKED, with_constant_block)),
    "friedman exact": Method(of(pc.friedman, p_value="exact"), changes=RANKED),
    "skillings_mack": Method(
        of(pc.skillings_mack), changes=(*RANKED, with_constant_block)
    ),
    "mack_skillings": Method(of(pc.mack_skillings), replicated, RANKED),
    "aligned_ranks": Method(of(pc.aligned_ranks)),
    "quade": Method(of(pc.quade)),
    "cochran_q": Method(of(pc.cochran_q), binary, COUNTED),
    "rank_pairs": Method(of(pc.rank_pairs), changes=RANKED),
    "rank_pairs flips": Method(
        of(pc.rank_pairs, p_value="sign-flips"), changes=(*RANKED, with_constant_block)
    ),
    "rank_pairs aligned": Method(of(pc.rank_pairs, method="aligned")),
    "rank_pairs quade": Method(of(pc.rank_pairs, method="quade")),
    "rank_pairs control": Method(control(pc.rank_pairs, adjust="holm"), changes=RANKED),
    "nemenyi": Method(of(pc.nemenyi), changes=RANKED),
    "closed_permutation": Method(of(pc.closed_permutation), few_blocks, changes=RANKED),
    "closed_permutation scores": Method(
        of(pc.closed_permutation, on="scores"), few_blocks
    ),
    "closed_permutation control": Method(control(pc.closed_permutation), few_blocks),
    "max_t": Method(of(pc.max_t)),
    "max_t ranks": Method(of(pc.max_t, on="ranks"), changes=RANKED),
    "max_t control": Method(control(pc.max_t)),
    "paired_t_pairs": Method(of(pc.paired_t_pairs), **pairs_of()),
    "corrected_pairs": Method(
        of(pc.corrected_pairs, n_train=90, n_test=10), **pairs_of()
    ),
    "mcnemar_pairs": Method(of(pc.mcnemar_pairs), **pairs_of(binary, COUNTED)),
    "cluster_pairs": Method(
        of(pc.cluster_pairs), **pairs_of(clustered, (*ALWAYS, other_errors))
    ),
    "weighted_pairs": Method(
        of(pc.weighted_pairs, weights={"u": 3, "v": 1}),
        **pairs_of(benchmarks, (*ALWAYS, other_errors)),
    ),
    "max_t weighted": Method(
        of(pc.max_t, weights={"u": 3, "v": 1}, flips=99),
        benchmarks,
        (renamed, other_errors),
    ),
    "hotelling_pairs": Method(of(pc.hotelling_pairs), **pairs_of(several())),
    "pairwise_t": Method(of(pc.pairwise_t)),
    "tukey": Method(of(pc.tukey)),
    "scheffe": Method(of(pc.scheffe)),
    "dunnett": Method(control(pc.dunnett)),
    "dunnett step-down": Method(control(pc.dunnett, step_down=True)),
    "anova": Method(of(pc.anova)),
    "replicated_anova": Method(of(pc.replicated_anova), replicated),
    "clustered_runs": Method(of(pc.clustered_runs), replicated_in_clusters),
    "dataset_interaction": Method(of(pc.dataset_interaction), of_datasets),
    "manova": Method(of(pc.manova), several()),
    "hotelling": Method(two(pc.hotelling), several(), raw=(without_third,)),
    "hotelling two samples": Method(
        two(pc.hotelling, method="two-sample-unequal"), several()
    ),
    "paired_t": Method(two(pc.paired_t), raw=(without_third,)),
    "wilcoxon": Method(two(pc.wilcoxon), raw=(without_third, with_constant_block)),
    "sign_test": Method(
        two(pc.sign_test), changes=(*RANKED, with_constant_block), raw=(without_third,)
    ),
    "mcnemar": Method(two(pc.mcnemar), binary, COUNTED, (without_third,)),
}

COVERED = {name.split()[0] for name in METHODS} | {
    # They take differences, curves, ratings or counts, and not a table of scores: the
    # same properties stand beside their kernels.
    *("auc_exchange", "auc_pr_pairs", "delong", "delong_unpaired", "five_by_two_cv"),
    *("glmm", "hanley_mcneil", "mrmc", "partial_auc_pairs", "sign_grid"),
    # Margins and means have units: test_equivalence, test_hotelling_one_sample.
    *("equivalence", "hotelling_one_sample"),
    # Its permutations are drawn by the order of the blocks.
    "permutation_manova",
}


def p_values(result: Any, call: Callable[[str], str], raw: bool) -> dict[str, float]:
    """Return the p-values by what they compare, with the names of before."""
    if isinstance(result, Test):
        return {"test": result.p_value}
    columns = ["p_value"] if raw else ["p_value", "p_adjusted"]
    found = {}
    for row in result.to_frame().to_dict("records"):
        pair = sorted(call(row[f"algorithm_{side}"]) for side in (1, 2))
        found |= {f"{pair} {c}": row[c] for c in columns if row.get(c) is not None}
    return found


CASES = [
    pytest.param(method, change, change in method.raw, id=f"{name}-{change.__name__}")
    for name, method in METHODS.items()
    for change in (*method.changes, *method.raw)
]


@pytest.mark.parametrize(("method", "change", "raw"), CASES)
def test_p_values_stay_as_they_are(method, change, raw):
    data = method.data()
    names = dict(zip(NAMES, HOSTILE, strict=True)) if change is renamed else {}
    back = {new: old for old, new in names.items()}
    before = p_values(method.call(data.scores(), str), str, raw)
    changed = method.call(change(data).scores(), lambda name: names.get(name, name))
    after = p_values(changed, lambda name: back.get(name, name), raw)
    assert after
    assert set(after) <= set(before)
    assert raw or set(after) == set(before)
    for what, p in after.items():
        assert p == pytest.approx(before[what], rel=1e-9), what


FACTORS = {
    "friedman": (pc.friedman, lambda n: 2.0),
    "skillings_mack": (pc.skillings_mack, lambda n: 2.0),
    "anova": (pc.anova, lambda n: (2 * n - 1) / (n - 1)),
    "paired_t": (
        lambda s: pc.paired_t(s, algorithms=NAMES[:2]),
        lambda n: ((2 * n - 1) / (n - 1)) ** 0.5,
    ),
    "hotelling": (
        lambda s: pc.hotelling(s, algorithms=NAMES[:2]),
        lambda n: (2 * n - 1) / (n - 1),
    ),
}


@pytest.mark.parametrize("name", FACTORS)
def test_every_block_twice_multiplies_the_statistic(name):
    call, factor = FACTORS[name]
    once = table()
    twice = pd.concat([once.frame, once.frame.assign(block=once.frame["block"] + "'")])
    more = call(Data(twice).scores()).statistic
    n = once.frame["block"].nunique()
    assert more == pytest.approx(call(once.scores()).statistic * factor(n), rel=1e-12)


def test_mean_ranks_with_ties_are_the_mean_over_all_ways_to_split_them():
    tied = np.array([[1.0, 1.0, 2.0], [3.0, 1.0, 1.0], [1.0, 2.0, 3.0]])
    ways = [[(0, 1), (1, 0)], [(1, 2), (2, 1)]]
    found = []
    for one in ways[0]:
        for other in ways[1]:
            split = tied.copy()
            for row, (low, _) in enumerate((one, other)):
                split[row, low] -= 0.5
            found.append(ranks(split))
    np.testing.assert_allclose(ranks(tied), np.mean(found, axis=0), rtol=1e-15)


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the mean ranks of a blocks x algorithms array."""
    frame = pd.DataFrame(values, columns=list(NAMES[:3]))
    scores = pc.Scores.from_wide(frame, metric="m", better="lower")
    return pc.friedman(scores).mean_ranks.to_numpy()


def public_tests() -> set[str]:
    """Return the public functions that return p-values."""
    found = set()
    for name in pc.PUBLIC:
        function = getattr(pc, name)
        if inspect.isfunction(function):
            module = importlib.import_module(function.__module__)
            result = getattr(module, str(function.__annotations__["return"]), None)
            if inspect.isclass(result) and issubclass(result, Test | Pairs):
                found.add(name)
    return found


def test_every_public_test_is_here():
    assert public_tests() == COVERED
