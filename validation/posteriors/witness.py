"""Posteriors by another sampler: NumPyro's NUTS, long runs, kept in witness.json.

    python validation/posteriors/witness.py ACCURACIES

``ACCURACIES`` is ``accuracies.txt`` of baycomp (0ce309b, MIT) in long form, with the
columns ``classifier dataset run_fold percent_correct``. Needs numpyro 0.22 and jax,
which nothing else here needs: run it in an environment of its own. ``witness.json``
keeps what the models need of the data: means and sums of squares of 100 differences on
54 data sets, and counts of wins.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS

numpyro.set_host_device_count(2)
jax.config.update("jax_enable_x64", True)
RHO, ROPE = 0.1, 1.0
PAIRS = (("nbc", "j48"), ("nbc", "aode"))
WINS = {  # bbtcomp 4de56ba, README: ss, after ties are shared
    "algorithms": ["lgbm", "rf", "svm", "knn", "dt"],
    "wins": [
        [0, 11, 12, 13, 18],
        [10, 0, 13, 13, 15],
        [8, 7, 0, 13, 14],
        [7, 7, 7, 0, 13],
        [2, 5, 7, 7, 0],
    ],
}


def differences(path: Any, one: Any, two: Any) -> Any:
    """Return the fold differences of each data set."""
    scores: dict = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            scores[row["classifier"], row["dataset"], row["run_fold"]] = float(
                row["percent_correct"]
            )
    keys = [key for key in scores if key[0] == one]
    names = list(dict.fromkeys(key[1] for key in keys))
    return np.array(
        [
            [scores[key] - scores[two, *key[1:]] for key in keys if key[1] == name]
            for name in names
        ]
    )


def summed(d: Any) -> Any:
    """Return what the hierarchical model needs of fold differences."""
    mean = d.mean(axis=1)
    squares = ((d - mean[:, None]) ** 2).sum(axis=1)
    equal = np.ptp(d, axis=1) == 0
    squares[equal] = d.shape[1] * ROPE**2 / 3
    return mean, squares, float(np.abs(d).max())


def hierarchical(mean: Any, squares: Any, n: Any, largest: Any) -> None:
    """Corani et al. (2017), with sigma_i drawn, not integrated out."""
    q = len(mean)
    sd = np.sqrt(squares / n)
    delta_0 = numpyro.sample("delta_0", dist.Uniform(-largest, largest))
    sigma_0 = numpyro.sample("sigma_0", dist.Uniform(0, 1000 * mean.std()))
    shape = numpyro.sample("shape", dist.Uniform(0.5, 5))
    rate = numpyro.sample("rate", dist.Uniform(0.05, 0.15))
    nu = numpyro.deterministic(
        "nu", 1 + numpyro.sample("nu_1", dist.Gamma(shape, rate))
    )
    sigma = numpyro.sample("sigma", dist.Uniform(0, 1000 * sd.mean()).expand([q]))
    delta = numpyro.sample("delta", dist.StudentT(nu, delta_0, sigma_0).expand([q]))
    of_mean = (1 + (n - 1) * RHO) / n
    numpyro.sample("mean", dist.Normal(delta, sigma * jnp.sqrt(of_mean)), obs=mean)
    precision = 1 / (2 * sigma**2 * (1 - RHO))
    numpyro.sample("squares", dist.Gamma((n - 1) / 2, precision), obs=squares)


def bradley_terry(wins: Any) -> None:
    """Wainer (2023), sec. 2."""
    k = len(wins)
    sigma = numpyro.sample("sigma", dist.LogNormal(0, 0.5))
    ability = numpyro.sample("ability", dist.Normal(0, sigma).expand([k]))
    first, second = np.triu_indices(k, 1)
    games = wins[first, second] + wins[second, first]
    logits = ability[first] - ability[second]
    numpyro.sample(
        "won", dist.Binomial(total_count=games, logits=logits), obs=wins[first, second]
    )


def drawn(model: Any, *data: Any, seed: Any) -> Any:
    """Return draws of a long run, chains one after another."""
    run = MCMC(
        NUTS(model, target_accept_prob=0.95),
        num_warmup=2000,
        num_samples=20_000,
        num_chains=4,
        chain_method="sequential",
        progress_bar=False,
    )
    run.run(jax.random.PRNGKey(seed), *data)
    return {name: np.asarray(x) for name, x in run.get_samples().items()}


def facts(x: Any) -> Any:
    """Return mean, standard deviation and three quantiles of draws."""
    return [
        float(x.mean()),
        float(x.std()),
        *np.quantile(x, [0.025, 0.5, 0.975]).tolist(),
    ]


def main(path: Any) -> None:
    """Write witness.json."""
    from scipy.stats import t

    out: dict = {"numpyro": numpyro.__version__, "jax": jax.__version__, "pairs": []}
    for one, two in PAIRS:
        d = differences(path, one, two)
        mean, squares, largest = summed(d)
        kept = drawn(hierarchical, mean, squares, d.shape[1], largest, seed=1)
        up = t.sf((ROPE - kept["delta_0"]) / kept["sigma_0"], kept["nu"])
        down = t.cdf((-ROPE - kept["delta_0"]) / kept["sigma_0"], kept["nu"])
        shares = np.stack([up, 1 - up - down, down], axis=1)
        largest_share = np.bincount(shares.argmax(axis=1), minlength=3) / len(shares)
        out["pairs"].append(
            {
                "algorithms": [one, two],
                "rope": ROPE,
                "rho": RHO,
                "n": d.shape[1],
                "mean": mean.tolist(),
                "squares": squares.tolist(),
                "largest": largest,
                "delta_0": facts(kept["delta_0"]),
                "sigma_0": facts(kept["sigma_0"]),
                "nu": facts(kept["nu"]),
                "shares": shares.mean(axis=0).tolist(),
                "probabilities": largest_share.tolist(),
            }
        )
        print(out["pairs"][-1]["probabilities"], out["pairs"][-1]["delta_0"])
    kept = drawn(bradley_terry, np.array(WINS["wins"], float), seed=2)
    ability = kept["ability"]
    first, second = np.triu_indices(5, 1)
    chance = 1 / (1 + np.exp(ability[:, second] - ability[:, first]))
    out["bradley_terry"] = WINS | {
        "sigma": facts(kept["sigma"]),
        "estimate": chance.mean(axis=0).tolist(),
        "above_half": (chance > 0.5).mean(axis=0).tolist(),
        "within": (np.abs(chance - 0.5) <= 0.05).mean(axis=0).tolist(),
    }
    print(out["bradley_terry"]["estimate"])
    Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
