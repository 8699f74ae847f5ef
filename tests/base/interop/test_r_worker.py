"""R in its own process: what it gives back, and every way it can fail.

These tests need R and rpy2; without them they fail.
"""

from __future__ import annotations

import math
import os
import re
import struct
import subprocess
import time

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.interop import rscript
from pycompare.base.interop.r_call import RCall
from pycompare.base.testing import assert_digits
from tests.base.interop.test_rscript import MISREAD, NASTY, nasty_scores
from tests.r_session import WORKER, run, run_source
from validation import r

pytestmark = pytest.mark.r

ECHO = """
echo <- function(x) list(x = x)
labels <- function(x) {
  list(
    rows = unlist(lapply(rownames(x), utf8ToInt)),
    columns = unlist(lapply(colnames(x), utf8ToInt))
  )
}
word <- function(x) list(code = utf8ToInt(x))
missing <- function(x) list(na = is.na(x) & !is.nan(x), nan = is.nan(x))
"""


@pytest.fixture
def echo(monkeypatch):
    """Call functions of our own instead of the reference functions."""
    monkeypatch.setattr(r, "reference_source", lambda stem: ECHO)

    def call(function, argument):
        (found,) = run([RCall(("echo",), function, {"x": argument})])
        return found

    return call


def bits(numbers) -> list[bytes]:
    return [struct.pack("<d", x) for x in np.atleast_1d(numbers).tolist()]


def reason_of(source: str, timeout: float = 600.0) -> str:
    with pytest.raises(ReferenceUnavailable) as caught:
        r.run_source(source, timeout=timeout, worker=WORKER)
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("quit()", "ended without an answer, as after quit"),
        ("quit(status = 3)", "ended with status 3"),
        ("stop('no such thing')", "R stopped: no such thing"),
        ("list(a = ", "R stopped: .*unexpected end of input"),
        ("f <- function(n) f(n + 1); f(1)", "R stopped: .*(nested too deeply|stack)"),
        ("no_such_package::f()", "R package 'no_such_package', which is not installed"),
        ("library(no_such_package)", "R package 'no_such_package'"),
        ("tools::pskill(Sys.getpid(), 11)", r"R crashed \(SIGSEGV\)"),
        ("tools::pskill(Sys.getpid(), 9)", r"R crashed \(SIGKILL\)"),
        ("'text'", "did not give a named list of numbers"),
        ("list(a = 'text')", "did not give a named list of numbers"),
        ("list(1)", "did not give a named list of numbers"),
    ],
    ids=lambda text: text[:24],
)
def test_each_failure_of_r_is_named(source, reason):
    assert re.search(reason, reason_of(source), re.DOTALL)


@pytest.mark.parametrize("source", ["Sys.sleep(60)", "repeat {}"])
def test_a_loop_ends_when_its_time_is_over(source):
    assert "no answer within 1.5 s" in reason_of(source, timeout=1.5)


def test_what_r_started_ends_with_it(tmp_path):
    pid_file = tmp_path / "pid"
    r.run_source(f"system('sleep 60 & echo $! > {pid_file}'); list(a = 1)")
    pid = int(pid_file.read_text())
    for _ in range(50):
        if not os.path.exists(f"/proc/{pid}") or zombie(pid):
            return
        time.sleep(0.1)
    raise AssertionError("a process that R started is still there")


def zombie(pid: int) -> bool:
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0] in "ZX"


def test_an_unknown_function_is_named():
    with pytest.raises(ReferenceUnavailable, match="defines no function 'no_such'"):
        run([RCall(("ranks",), "no_such", {})])


def test_an_unknown_file_is_named():
    with pytest.raises(ReferenceUnavailable, match="no R file"):
        run([RCall(("no_such",), "f", {})])


def test_an_error_names_the_function():
    arguments = {"p": np.ones(66), "method": "no-such"}
    with pytest.raises(ReferenceUnavailable, match="adjust_reference: "):
        run([RCall(("adjust",), "adjust_reference", arguments)])


def test_a_missing_r_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("R_HOME", raising=False)
    with pytest.raises(ReferenceUnavailable, match="R was not found"):
        r.versions()


def test_an_r_that_is_elsewhere_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("R_HOME", str(tmp_path / "gone"))
    with pytest.raises(ReferenceUnavailable, match="gone"):
        r.versions()


def test_a_missing_rpy2_is_named(monkeypatch, tmp_path):
    package = tmp_path / "rpy2"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('hidden by a test')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ReferenceUnavailable, match=r"rpy2 is not available .*hidden"):
        r.versions()


def test_versions_name_r_rpy2_and_the_packages():
    found = r.versions()
    assert found["R"].startswith("R version ")
    assert all(found[name] for name in ("rpy2", *r.PACKAGES))


def test_warnings_come_back_and_nothing_is_printed(capfd):
    found = run_source("print(1); message('m'); warning('w'); list(a = 1)")
    assert found == {"a": 1.0, "_warnings": ["w"]}
    assert capfd.readouterr() == ("", "")


def test_whole_and_logical_numbers_come_back_as_doubles():
    found = run_source("list(a = 1L, b = c(TRUE, NA), c = c(NA, NaN, Inf, -Inf))")
    assert found["a"] == 1.0
    assert found["b"][0] == 1.0 and math.isnan(found["b"][1])
    assert all(map(math.isnan, found["c"][:2]))
    assert found["c"][2:] == [math.inf, -math.inf]


DOUBLES = [
    0.1,
    0.1 + 0.2,
    -0.0,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    1 / 3,
    2.0**53 + 2,
    math.inf,
    -math.inf,
    math.nan,
]


def test_doubles_cross_over_without_losing_a_bit(echo):
    assert bits(echo("echo", np.array(DOUBLES))["x"])[:-1] == bits(DOUBLES)[:-1]
    assert math.isnan(echo("echo", math.nan)["x"])


def test_doubles_in_code_lose_no_bit():
    code = f"list(x = {rscript.value(DOUBLES)})"
    assert bits(run_source(code)["x"])[:-1] == bits(DOUBLES)[:-1]


def test_random_doubles_in_code_lose_no_bit():
    raw = np.random.default_rng(8).integers(0, 2**63, 3000, dtype=np.uint64)
    numbers = raw.view(float)[np.isfinite(raw.view(float))]
    numbers = np.concatenate([numbers, MISREAD, np.random.default_rng(9).random(2000)])
    found = run_source(f"list(x = {rscript.value(numbers)})")
    assert bits(found["x"]) == bits(numbers)


def test_a_matrix_keeps_its_shape_and_its_missing_cells(echo):
    frame = pd.DataFrame([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])
    found = echo("echo", frame)["x"]
    assert found[:2] == [1.0, 4.0] and math.isnan(found[2]) and found[3:] == [5, 3, 6]
    assert echo("missing", frame) == {"na": [0, 0, 1, 0, 0, 0], "nan": [0.0] * 6}


def test_labels_cross_over_as_they_are(echo):
    frame = pd.DataFrame(np.zeros((2, len(NASTY))), index=["ä", '"'], columns=NASTY)
    found = echo("labels", frame)
    assert found["rows"] == [ord(c) for c in 'ä"']
    assert found["columns"] == [ord(c) for c in "".join(NASTY)]


def test_words_cross_over_as_they_are(monkeypatch):
    monkeypatch.setattr(r, "reference_source", lambda stem: ECHO)
    words = [label for label in NASTY if label]
    found = run([RCall(("echo",), "word", {"x": word}) for word in words])
    for word, answer in zip(words, found, strict=True):
        assert np.atleast_1d(answer["code"]).tolist() == [ord(c) for c in word]


def test_quoted_labels_are_read_by_r_as_they_were():
    literals = ", ".join(map(rscript.quote, NASTY))
    found = run_source(f"list(x = utf8ToInt(paste0({literals})))")
    assert found["x"] == [ord(c) for c in "".join(NASTY)]


METHODS = {
    "friedman": lambda s: pc.friedman(s, level=0.9),
    "aligned": pc.aligned_ranks,
    "quade": pc.quade,
    "skillings-mack": pc.skillings_mack,
    "superiority": pc.superiority,
    "nemenyi": lambda s: pc.nemenyi(s, alpha=0.1),
    "pairs": lambda s: pc.rank_pairs(s, method="aligned", adjust="shaffer"),
    "wilcoxon": lambda s: pc.wilcoxon(s, algorithms=s.algorithms[:2]),
    "sign test": lambda s: pc.sign_test(s, algorithms=s.algorithms[:2]),
    "5x2cv": lambda s: pc.five_by_two_cv(s.column()[:5, :2]),
    "mcnemar": lambda s: pc.mcnemar(s.column()[:, :2] > 0),
    "equivalence": lambda s: pc.equivalence(s, margin=0.1, algorithms=s.algorithms[:2]),
    "paired t": lambda s: pc.paired_t(s, algorithms=s.algorithms[:2]),
    "control": lambda s: pc.rank_pairs(s, control=s.algorithms[1], adjust="rom"),
}


def rscript_prints(codes: list[str], folder, locale="C.UTF-8") -> list[str]:
    """Run pieces of R code with one Rscript, apart; return what each prints."""
    for place, code in enumerate(codes):
        (folder / f"{place}.R").write_text(code, encoding="ascii")
    run_all = (
        f"for (i in seq_len({len(codes)}) - 1) "
        "{ cat('====\n'); source(paste0(i, '.R'), local = new.env()) }"
    )
    run = subprocess.run(
        ["Rscript", "--vanilla", "-e", run_all],
        cwd=folder,
        env={**os.environ, "LC_ALL": locale},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=True,
    )
    return run.stdout.split("====\n")[1:]


def numbers(text: str) -> dict[str, list[float]]:
    """Read the numbers that print_numbers() wrote."""
    found: dict[str, list[float]] = {}
    for line in text.splitlines():
        left, number = line.rsplit(" = ", 1)
        found.setdefault(left.split("[")[0], []).append(float(number))
    return found


def test_code_gives_our_numbers_whatever_the_labels(tmp_path):
    pwned = tmp_path / "pwned"
    names = ["a[1] = 2", f'"); system("touch {pwned}"); ("', "名前 é", "%s\\", "nan"]
    scores = nasty_scores(names)
    results = [method(scores) for method in METHODS.values()]
    texts = rscript_prints([result.r_code() for result in results], tmp_path)
    for name, result, text in zip(METHODS, results, texts, strict=True):
        found = numbers(text)
        for quantity, ours in result.r_values().items():
            wanted = 7 if name == "nemenyi" else 8  # ptukey
            what = f"{name}: {quantity}"
            assert_digits(
                np.atleast_1d(ours), found[quantity], at_least=wanted, what=what
            )
    assert not pwned.exists()


def test_code_is_read_alike_in_any_locale(tmp_path):
    code = pc.friedman(nasty_scores()).r_code()
    in_c, in_utf8 = (rscript_prints([code], tmp_path, x)[0] for x in ("C", "C.UTF-8"))
    assert numbers(in_c) == numbers(in_utf8)


def test_call_code_and_printed_numbers_are_the_same_bits(garcia_herrera, tmp_path):
    result = pc.rank_pairs(garcia_herrera)
    (called,) = run([result.r_call()])
    assert run_source(result.r_code()) == called
    assert numbers(rscript_prints([result.r_code()], tmp_path)[0]) == called
