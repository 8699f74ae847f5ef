"""What a plan can reach is what ``compare`` makes of tables of that size."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import PyCompareError
from pycompare.designs.decisions import smallest_p_values
from pycompare.designs.gate_reach import reach_of_gate
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.reach import reach_of
from pycompare.reporting.content.reach_words import lines_of, lines_of_gate

pytestmark = pytest.mark.usefixtures("blank_pictures")

NAMES = tuple("abcdefgh")


def plan_of(*keys, data="", metrics='score = "higher"'):
    keys = keys if any(k.startswith("blocks") for k in keys) else (DATASETS, *keys)
    text = (
        f'[data]\nfile = "x.csv"\nalgorithm = "m"\nblock = "d"\n{data}\n'
        f"[metrics]\n{metrics}\n[plan]\n" + "\n".join(keys)
    )
    return PlanFile(content=text.encode())


DATASETS, CASES = 'blocks = "datasets"', 'blocks = "cases"'


def table(values):
    n, k = values.shape
    return pc.Scores(
        values=values[..., None],
        blocks=tuple(map(str, range(n))),
        algorithms=NAMES[:k],
        metrics=(pc.Metric("score", "higher"),),
    )


@pytest.mark.parametrize("keys", [(), ('control = "a"',), ('compares = "ranks"',)])
@pytest.mark.parametrize(("n", "k"), [(5, 3), (5, 4), (6, 4), (7, 6), (9, 3), (14, 5)])
def test_method_and_smallest_p_are_those_of_compare(keys, n, k):
    plan = plan_of(*keys)
    [reach] = reach_of(plan, n, k)
    scores = table(np.random.default_rng([n, k]).normal(size=(n, k)))
    decisive = pc.compare(scores, plan.plan).analyses[0].decisive
    assert reach.pairs.adjust == decisive.adjust
    assert type(reach.pairs) is type(decisive)
    assert reach.smallest <= decisive.as_columns()["p_adjusted"].min() * (1 + 1e-12)
    known = smallest_p_values(decisive).min()
    if known:  # of scores without ties: what the result itself states
        assert reach.smallest == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize(
    ("keys", "k", "smallest"),
    [
        ((), 4, 6 * 2**-4),  # m 2^(1-n), DEFAULT 1.4
        (('control = "a"',), 5, 4 * 2**-4),
        (('adjust = ["bonferroni"]',), 5, 10 * 2**-4),
        (
            ('assumes = "exchangeability"', 'adjust = ["bergmann-hommel"]'),
            4,
            6 * 2**-4,
        ),
    ],
)
def test_smallest_p_of_five_data_sets(keys, k, smallest):
    [reach] = reach_of(plan_of(*keys), 5, k)
    assert reach.smallest == pytest.approx(smallest, rel=1e-12)
    assert not reach.possible
    [enough] = reach_of(plan_of(*keys), reach.fewest, k)
    assert enough.possible
    if reach.fewest > 6:
        assert not reach_of(plan_of(*keys), reach.fewest - 1, k)[0].possible


def test_ranks_of_seven_data_sets_and_eight_algorithms():
    [reach] = reach_of(plan_of('compares = "ranks"'), 7, 8)
    assert round(reach.smallest, 3) == 0.061  # 1 - (1 - 2^-6)^4
    assert reach.fewest == 8


def test_first_line_is_the_first_sentence_of_the_report(pycompare, tmp_path):
    rng = np.random.default_rng(1)
    rows = [f"x{i},{m},{rng.random()}" for i in range(4) for m in "abce"]
    (tmp_path / "x.csv").write_text("\n".join(["d,m,score", *rows]))
    path = tmp_path / "plan.toml"
    path.write_text(plan_of().text)
    status, report, stderr = pycompare("run", path, "--out", tmp_path / "out")
    assert status == 0, stderr
    status, text, stderr = pycompare("plan", path, "--n", 4, "--n-algorithms", 4)
    first, method, *_ = text.splitlines()
    assert (status, stderr) == (0, "")
    assert first in " ".join(report.split())
    assert first.startswith("No outcome of four data sets could be significant; 6 ")
    assert "six pairs. Method: Wilcoxon signed rank tests, Holm" in method


def test_margin_of_data_sets_is_that_of_the_tests():
    plan = plan_of("margin = 0.02", 'hypothesis = "equivalence"')
    [reach] = reach_of(plan, 5, 4)
    [margin] = reach.margins
    assert not margin.equal_answers

    def shown(n):
        equal = table(np.repeat(np.arange(n, dtype=float)[:, None], 4, axis=1))
        found = pc.signed_rank_margins(equal, margin=0.02, alpha=plan.plan.margin_error)
        return found.table["shown"].any()

    assert shown(margin.fewest) and not shown(margin.fewest - 1)


def test_margin_of_cases_is_that_of_equal_answers():
    plan = plan_of(CASES, "margin = 0.1", 'hypothesis = "equivalence"')
    answers, graded = reach_of(plan, 20, 3)
    [margin] = answers.margins
    assert graded.margins == ()  # t tests have no such number
    assert margin.equal_answers

    def shown(n):
        equal = table(np.repeat((np.arange(n) % 2.0)[:, None], 3, axis=1))
        found = pc.matched_shares(equal, margin=0.1, alpha=plan.plan.margin_error)
        return found.table["shown"].any()

    assert shown(margin.fewest) and not shown(margin.fewest - 1)
    first = lines_of((answers,))[0]
    assert first == (
        "Right/wrong answers: 20 cases with equal answers cannot show the margin 0.1 "
        f"of score; that takes {margin.fewest} cases."
    )


def test_right_and_wrong_answers_of_few_cases():
    answers, graded = reach_of(plan_of(CASES), 4, 3)
    assert graded.possible and not answers.possible
    for n in (answers.fewest - 1, answers.fewest):
        values = np.zeros((n, 3))
        values[:, 0] = 1
        p = pc.share_pairs(table(values)).table["p_adjusted"].min()
        assert (p <= 0.05) == (n == answers.fewest)


def test_folds_of_data_sets_count_data_sets():
    keys = ('blocks = "folds-of-datasets"', 'protocol = "cross-validation"')
    folds = plan_of(*keys, data='dataset = "s"')
    [reach], [alone] = reach_of(folds, 8, 4), reach_of(plan_of(), 8, 4)
    assert reach.smallest == alone.smallest
    assert reach.pairs.adjust == alone.pairs.adjust


@pytest.mark.parametrize(
    ("plan", "n", "k", "told"),
    [
        (plan_of(), 5, None, "--n-algorithms"),
        (plan_of(), 1, 3, "n=1"),
        (plan_of(), 5, 1, "n_algorithms=1"),
        (plan_of('blocks = "by-columns"'), 5, 3, "set blocks"),
        (plan_of(CASES, data='cluster = "text"'), 50, 3, "cluster"),
        (
            plan_of(
                'blocks = "folds-of-datasets"',
                'compares = "wins"',
                data='dataset = "s"',
            ),
            5,
            3,
            "wins",
        ),
    ],
)
def test_what_a_number_of_blocks_does_not_settle_is_refused(plan, n, k, told):
    with pytest.raises(PyCompareError, match=told):
        reach_of(plan, n, k)


def test_options_of_other_uses_are_refused(pycompare, tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(plan_of().text)
    for options in (("--n", 5, "--seal"), ("--n-algorithms", 3)):
        status, _, stderr = pycompare("plan", path, *options)
        assert status == 2 and "--n" in stderr


def test_the_closed_test_of_many_algorithms_is_not_run(monkeypatch):
    from pycompare.methods.pairs import signed_rank_pairs

    def run(*arguments):
        raise AssertionError("the closed test of 10 x 10 takes half a minute")

    monkeypatch.setattr(signed_rank_pairs, "closed_test", run)
    [reach] = reach_of(plan_of(), 10, 10)
    assert reach.pairs.adjust == "closed-permutation"
    assert reach.smallest == pytest.approx(1 - (1 - 2**-9) ** 5, rel=1e-12)
    assert "closed permutation test" in lines_of((reach,))[0]


GATE = (CASES, 'control = "old"', "margin = 0.05", 'hypothesis = "non-inferiority"')


def gate_lines(*keys, n, release="", metrics='score = "higher"', **more):
    table = f'[release]\ncandidate = "new"\n{release}'
    plan = plan_of(*GATE, *keys, table, metrics=metrics)
    return lines_of_gate(reach_of_gate(plan, n, **more))


@pytest.mark.parametrize("n", [72, 73])
def test_a_gate_has_two_models_and_tests_of_its_own(n):
    """What is stated is what the gate finds of equal answers."""
    first, graded = gate_lines(n=n, metrics='accuracy = "higher"')
    scores = pc.Scores(
        values=np.zeros((n, 2, 1)),
        blocks=tuple(map(str, range(n))),
        algorithms=("old", "new"),
        metrics=(pc.Metric("accuracy", "higher"),),
    )
    options = {"baseline": "old", "candidate": "new", "margin": 0.05}
    if n < 73:
        with pytest.raises(PyCompareError, match="that takes 73 items"):
            pc.gate(scores, **options)
    verdict = pc.gate(scores, **options, small="report").verdict
    can = "can" if verdict == "pass" else "cannot"
    assert f"{n} items with equal answers {can} pass the gate" in first
    assert "73 are the fewest that can. Test of the gate: exact" in first
    assert "bounded means" in graded and "72 are the fewest" in graded
    assert gate_lines(n=n, n_algorithms=2) == gate_lines(n=n)
    with pytest.raises(PyCompareError, match="a gate compares two models"):
        gate_lines(n=n, n_algorithms=3)


def test_a_gate_has_the_level_and_the_range_of_its_plan():
    _, graded = gate_lines(n=90, release='decided_by = "t"\nbudget = 5')
    assert (
        graded == "Graded answers: Test of the gate: t test, one-sided alpha = 0.005."
    )
    assert gate_lines(n=90)[1].endswith("needs the range of score (range).")
    [only] = gate_lines("range = [0, 10]", n=90)
    assert "Graded answers: 90 items with equal answers cannot pass" in only


def test_the_command_names_the_test_of_a_gate(pycompare, tmp_path):
    path = tmp_path / "gate.toml"
    path.write_bytes(plan_of(*GATE, '[release]\ncandidate = "new"').content)
    status, text, _ = pycompare("plan", path, "--n", 30)
    assert status == 0
    assert "Test of the gate: exact" in text and "paired t" not in text


def test_a_plan_of_labels_beside_a_judge_names_the_design_of_power():
    planned = plan_of(CASES, 'labels = "random"', data='judge = "judge"')
    for ask in (
        lambda: reach_of(planned, 50, n_algorithms=2),
        lambda: pc.planned_power(
            planned, n=50, effects={"algorithm 1": 0.1}, correlation=0.5, base=0.7,
            answers="right/wrong", n_algorithms=2, trials=2,
        ),
    ):  # fmt: skip
        with pytest.raises(
            pc.InputError, match="'pycompare power labels' plans a pair"
        ):
            ask()
