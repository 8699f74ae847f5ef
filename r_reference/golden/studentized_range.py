"""Values of the studentised range in 25 digits: writes or checks the file beside it.

    python studentized_range.py            write studentized_range_mpmath.json (hours)
    python studentized_range.py --check 9  compute every ninth row and compare

With S^2 an independent chi2 / df, P(Q > q) is the expectation of P(range > q S), and

    P(range > w) = int k phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z - w))^(k-1)) dz.

Both integrands are entire and vanish at the ends (S on the log scale), so trapezoid
sums converge geometrically. Nothing of SciPy, R or pycompare is used.
"""

import json
import sys
from functools import cache
from pathlib import Path

from mpmath import exp, findroot, gamma, inf, log, mp, mpf, ncdf, npdf, nstr, pi, sqrt

mp.dps = 50
SMALL = mpf(10) ** -32
END = 16
"""phi(16) = 1e-56: small beside tails of 1e-20."""
FILE = Path(__file__).with_name("studentized_range_mpmath.json")


@cache
def nodes(k):
    """Step, places, densities and distribution function of the sum over z."""
    # The error of the sum is about exp(-2 pi^2 / (k step^2)).
    step = pi / sqrt(38 * k)
    places = [step * i for i in range(-int(END / step), int(END / step) + 1)]
    return step, [(z, npdf(z), ncdf(z)) for z in places]


def upper_of_range(w, k):
    """P(range of k normals > w)."""
    step, places = nodes(k)
    total = mpf(0)
    for z, density, below in places:
        beyond = ncdf(z - w) if w - z < END else mpf(0)
        total += density * (below ** (k - 1) - (below - beyond) ** (k - 1))
    return k * step * total


def upper(q, k, df):
    """P(Q > q)."""
    if df == inf:
        return upper_of_range(q, k)
    # Density of u = log S: 2 (df/2)^(df/2) / Gamma(df/2) exp(df u - df exp(2u) / 2).
    constant = 2 * (df / 2) ** (df / 2) / gamma(df / 2)
    step = min(mpf(1) / 14, 1 / sqrt(df) / 5)
    total, peak = mpf(0), mpf(0)
    for sign in (1, -1):
        i = 0 if sign == 1 else 1
        while True:
            u = sign * i * step
            weight = exp(df * u - df * exp(2 * u) / 2)
            part = weight * upper_of_range(q * exp(u), k)
            total += part
            peak = max(peak, part)
            i += 1
            if part < peak * SMALL:
                break
    return constant * step * total


def row(k, df, p, q):
    """Return one row: the tail of q, and the quantile of p."""
    size = inf if df == "Infinity" else mpf(df)
    own = upper(mpf(q), k, size)
    quantile = findroot(
        lambda x: log(upper(x, k, size) / mpf(p)),
        (mpf(q), mpf(q) * (1 + mpf(10) ** -7)),
        solver="secant",
        tol=1e-28,
    )
    return {
        "k": k, "df": df, "p": p, "q": q,
        "sf": float(own), "sfs": nstr(own, 25), "ppf": float(quantile),
    }  # fmt: skip


def main(arguments):
    """Write all rows, or compare some."""
    stored = json.loads(FILE.read_text())
    if arguments[:1] == ["--check"]:
        for old in stored["rows"][:: int(arguments[1])]:
            size = inf if old["df"] == "Infinity" else mpf(old["df"])
            new = upper(mpf(old["q"]), old["k"], size)
            error = abs(new - mpf(old["sfs"])) / new
            print(
                f"k={old['k']} df={old['df']} q={old['q']}: {nstr(-mp.log10(error), 4)}"
            )
        return
    keys = ("k", "df", "p", "q")
    stored["rows"] = [row(*(old[key] for key in keys)) for old in stored["rows"]]
    FILE.write_text(json.dumps(stored, indent=1) + "\n")


main(sys.argv[1:])
