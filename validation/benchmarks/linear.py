"""Analysis of variance and its pairs, 5 algorithms on 30 blocks."""

from collections.abc import Callable, Iterator
from functools import partial

import pycompare as pc
from validation.benchmarks.timing import Row, medians
from validation.cases import gappy, normal


def benchmarks() -> Iterator[Row]:
    data = pc.example()
    gaps = gappy(normal(30, 5, 50), 0.1)
    calls: dict[str, Callable[[], object]] = {
        "anova, 5 x 30": partial(pc.anova, data),
        "anova with missing cells, 5 x 30": partial(pc.anova, gaps),
        "tukey, 5 x 30": partial(pc.tukey, data),
        "scheffe, 5 x 30": partial(pc.scheffe, data),
        "pairwise_t with Holm, 5 x 30": partial(pc.pairwise_t, data),
        "dunnett, 5 x 30": partial(pc.dunnett, data, control=data.algorithms[0]),
        "residual_checks, 5 x 30": partial(pc.residual_checks, data),
    }
    wanted = {"anova, 5 x 30": 2e-3, "tukey, 5 x 30": 2e-3}
    peer = medians({"peer": partial(unblocked_tukey, data)}, 5)["peer"]
    for name, seconds in medians(calls, 30).items():
        beside = ("statsmodels, without blocks", peer) if "tukey" in name else ()
        yield Row(name, seconds, wanted.get(name), *beside)


def unblocked_tukey(data: pc.Scores) -> object:
    from statsmodels.stats.multicomp import pairwise_tukeyhsd

    frame = data.to_frame()
    return pairwise_tukeyhsd(frame[data.metrics[0].name], frame["algorithm"]).pvalues
