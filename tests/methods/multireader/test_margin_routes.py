"""Margins over readers and cases: ``mrmc`` and a plan reach one verdict."""

import json

import pytest
from scipy import stats

import pycompare as pc
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

MODEL = pc.RoeMetz(
    separation=(1.5, 1.55, 1.6),
    reader=0.01,
    modality_reader=0.01,
    case=0.3,
    modality_case=0.1,
    reader_case=0.2,
    error=0.4,
)


def drawn(seed: int, modalities: int = 2) -> pc.Ratings:
    found = MODEL.draw(n_readers=5, n_positive=40, n_negative=40, seed=seed)
    return found.select(found.modalities[:modalities])


def margin_with(pairs, p: float) -> float:
    """Return the margin to which the first pair is non-inferior with this p-value."""
    row = pairs.table.iloc[0]
    return float(stats.t.isf(p, row["df"]) * row["std_error"] - row["estimate"])


def by_plan(ratings: pc.Ratings, kind: str, **plan: object):
    """Return the tests against the margin by a plan."""
    predictions = pc.Predictions.from_frame(
        ratings.to_frame(),
        algorithm="modality",
        block="reader",
        case="case",
        label="is_positive",
        score="rating",
        positive=True,
    )
    asked = pc.Plan(
        metrics=("auc",),
        generalise="both",
        protocol="disjoint",
        hypothesis=kind,
        **plan,
    )
    [analysis] = pc.compare(predictions, asked).analyses
    return analysis.within_margin


def by_command(folder, ratings: pc.Ratings, *words: object) -> dict:
    """Return the results of the command on a file."""
    path = folder / "ratings.csv"
    ratings.to_frame().to_csv(path, index=False)
    columns = ["--modality", "modality", "--reader", "reader", "--case", "case"]
    columns += ["--truth", "is_positive", "--positive", "True", "--rating", "rating"]
    status, told, problem = command("mrmc", path, *columns, *words, "--json")
    assert status == 0, problem
    return json.loads(told)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("p", "alpha", "shown"),
    [(0.035, 0.05, False), (0.02, 0.05, True), (0.035, 0.1, True), (0.02, 0.03, False)],
)
def test_non_inferiority_has_one_verdict(tmp_path, seed, p, alpha, shown):
    ratings = drawn(seed)
    control = max(pc.mrmc(ratings).areas.itertuples(), key=lambda row: row.estimate)
    control = control.algorithm
    margin = margin_with(pc.mrmc(ratings, control=control), p)
    tested = by_plan(
        ratings, "non-inferiority", control=control, margin=margin, alpha=alpha
    )
    found = by_command(
        *(tmp_path, ratings, "--control", control, "--margin", margin),
        *("--hypothesis", "non-inferiority", "--alpha", alpha),
    )
    claims = {row["claim"]: row for row in found["claims"]}
    assert claims["non-inferior"]["p_adjusted"] == pytest.approx(p)
    assert claims["non-inferior"]["alpha"] == alpha / 2
    assert claims["non-inferior"]["shown"] == tested.table["shown"].item() == shown


@pytest.mark.parametrize("alpha", [None, 0.01])
def test_every_claim_has_the_verdict_of_the_plan(tmp_path, alpha):
    words = [] if alpha is None else ["--alpha", alpha]
    given = {} if alpha is None else {"alpha": alpha}
    for seed, margin in ((1, 0.03), (2, 0.06), (3, 0.1)):
        ratings = drawn(seed, modalities=3)
        found = by_command(
            *(tmp_path, ratings, "--control", "M1", "--margin", margin),
            *("--hypothesis", "non-inferiority", *words),
        )
        for kind, claim in (
            ("non-inferiority", "non-inferior"),
            ("equivalence", "equivalent"),
        ):
            tested = by_plan(ratings, kind, control="M1", margin=margin, **given)
            shown = [row["shown"] for row in found["claims"] if row["claim"] == claim]
            assert shown == tested.table["shown"].tolist()


@pytest.mark.parametrize("control", [None, "M1"])
def test_superiority_is_shown_only_where_the_pair_differs(control):
    told = 0
    for seed in range(12):
        found = pc.mrmc(
            drawn(seed, modalities=3),
            control=control,
            margin=0.05,
            hypothesis="equivalence",
        )
        claims = found.claims.query("claim == 'superior'")
        shown = {
            frozenset(row)
            for row in claims.loc[
                claims["shown"], ["algorithm_1", "algorithm_2"]
            ].to_numpy()
        }
        pairs = found.table[["algorithm_1", "algorithm_2"]].to_numpy()
        marks = found.rejected(0.05)
        differ = {frozenset(p) for p, r in zip(pairs, marks, strict=True) if r}
        assert shown <= differ
        told += len(shown)
    assert told


def test_alpha_and_level_follow_from_each_other():
    ratings = drawn(1)
    for given, alpha, level in (
        ({}, 0.05, 0.95),
        ({"alpha": 0.1}, 0.1, 0.9),
        ({"level": 0.99}, 0.01, 0.99),
        ({"alpha": 0.05, "level": 0.9}, 0.05, 0.9),
    ):
        found = pc.mrmc(ratings, **given)
        assert (found.alpha, found.descriptive_level) == (alpha, level)
        assert found.level == 1 - alpha  # of pairs: no interval contradicts its test
        table = found.table
        excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
        assert (excludes == (table["p_value"] <= alpha)).all()


def test_a_report_marks_claims_at_their_own_level(tmp_path):
    ratings = drawn(1)
    margin = margin_with(pc.mrmc(ratings, control="M1"), 0.035)
    found = pc.mrmc(ratings, control="M1", margin=margin, hypothesis="non-inferiority")
    pc.report(found, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Bold: adjusted p ≤ 0.025" in page
    with pytest.raises(pc.InputError, match=r"made with 0\.05; give it to pc\.mrmc"):
        pc.report(found, tmp_path / "other", alpha=0.1)


def test_alpha_of_one_modality_is_refused(tmp_path):
    drawn(1).to_frame().to_csv(tmp_path / "r.csv", index=False)
    words = ["--modality", "modality", "--reader", "reader", "--case", "case"]
    words += ["--truth", "is_positive", "--positive", "True", "--rating", "rating"]
    words += ["--only", "M1", "--alpha", "0.1"]
    status, _, told = command("mrmc", tmp_path / "r.csv", *words)
    assert status == 2 and "--alpha is for comparisons" in told
