"""The pages of the simulation studies are those of the stored results."""

from __future__ import annotations

import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.results.result import plain
from pycompare.sizes.simulation.studies import STUDIES
from validation.simulations import parts
from validation.simulations.maloof_published import (
    FAILED,
    facts,
    mismatches,
    printed_cells,
    share_of_larger,
)
from validation.simulations.pages import PAGES, write_pages
from validation.simulations.parts import stored
from validation.simulations.power import sidak, with_z
from validation.simulations.runs import SEED


@pytest.fixture
def undrawn(monkeypatch, tmp_path):
    """Write pages into a folder of their own, without drawing pictures."""

    def picture(name, draw):
        return f"![{name}]({name}.svg)"

    monkeypatch.setattr(parts, "picture", picture)
    monkeypatch.setattr(parts, "HERE", tmp_path)
    return tmp_path


def test_every_page_is_what_the_stored_results_make(undrawn):
    home = parts.RESULTS.parent
    write_pages()
    written = sorted(path.name for path in undrawn.iterdir())
    assert written == sorted(f"{page}.md" for page in PAGES)
    for name in written:
        text = (undrawn / name).read_text(encoding="utf-8")
        assert text == (home / name).read_text(encoding="utf-8"), name
        for part in text.split("](")[1:]:
            assert (home / part.partition(")")[0]).exists()


@pytest.mark.parametrize("name", STUDIES)
def test_stored_results_are_of_the_studies_as_they_are(name):
    found, study = stored(name), STUDIES[name]()
    assert found.seed == SEED
    assert found.settings == plain(study.settings)
    assert list(found.wide().index) == list(study.conditions)
    assert found.title == study.title
    assert found.notes == study.notes


def test_mismatches_are_published_shares_far_from_ours():
    found = stored("maloof")
    rows = found.table.assign(published=found.table["estimate"])
    content = found.to_dict()
    same = found.from_dict(content | {"table": rows.to_dict("records")})
    assert mismatches(same) == 0
    rows.loc[0, "published"] -= 0.2
    moved = found.from_dict(content | {"table": rows.to_dict("records")})
    assert mismatches(moved) == 1


def test_printed_counts_of_maloof_give_the_facts_of_the_page():
    cells = printed_cells()
    assert sum(c.trials == 999 for c in cells) == 6
    assert sum(c.kept for c in cells) == 185
    assert sum(c.only_labmrmc for c in cells) == 164
    assert all(float(c.only_labmrmc).is_integer() for c in cells)
    assert all(0 <= c.only_labmrmc <= c.kept for c in cells)
    assert f"{share_of_larger():.3f}" == "0.948"
    found = stored("maloof")
    assert (mismatches(found), mismatches(found, FAILED)) == (28, 10)
    page = (parts.RESULTS.parent / "MALOOF.md").read_text()
    assert all(f"- {fact}" in page for fact in facts(found))


def test_powers_by_formula_are_those_of_today_and_agree_with_the_simulation():
    rows = with_z(stored("power-formulas"))
    today = STUDIES["power-formulas"]().conditions
    wanted = [today[name]["formula"] for name in rows["condition"]]
    assert_digits(rows["formula"], wanted, at_least=9)
    # No formula is further from the simulation than its errors.
    assert rows["z"].abs().max() < sidak(len(rows))
    assert rows.loc[rows["design"].str.startswith("mrmc"), "z"].abs().max() < 2
    least, most = stats.chi2.ppf([0.005, 0.995], len(rows))
    assert least < (rows["z"] ** 2).sum() < most
