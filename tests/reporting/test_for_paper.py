"""What a paper takes over: a paragraph, tables, references and figures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import numpy as np
import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.reporting.bibliography import cited, works
from pycompare.reporting.comparison_folder import contents as contents_of
from pycompare.reporting.content.paper_words import MOST_LISTED, listed
from pycompare.reporting.document import Code, Column, Section, Table, plain
from pycompare.reporting.for_paper import WIDTHS
from pycompare.reporting.render.booktabs import portable, tabular
from tests.conftest import wide
from tests.reporting.render.kinds import KINDS
from tests.reporting.render.samples import HOSTILE
from tests.reporting.whole_pages import COMPARISONS

FAST = ["example", "example_folds", "ranks_control", "two_datasets", "cases_binary",
        "model_within", "mrmc", "single_modality", "curves", "margin_control",
        "hostile_ranks", "sweep"]  # fmt: skip
NAMES = list(KINDS) if os.environ.get("LATEX") == "all" else FAST
PRESENT = re.compile(
    r"\b(is|are|has|have|does|do) (not )?(significant|better|worse|shown|differ)|"
    r"\bdiffers significantly"
)
MARKS = re.compile(r"\\[A-Za-z]+|\\.")
ALLOWED = {
    *(r"\toprule", r"\midrule", r"\bottomrule", r"\begin", r"\end", r"\textbf"),
    *(r"\textbackslash", r"\textasciicircum", r"\textasciitilde", r"\textbar"),
    *(r"\textquotesingle", r"\textasciigrave", r"\textendash", r"\textemdash"),
    *(r"\textquoteleft", r"\textquoteright", r"\textquotedblleft", r"\symbol"),
    *(r"\textquotedblright", r"\ldots", r"\textperiodcentered", r"\textsuperscript"),
    *(r"\times", r"\pm", r"\leq", r"\geq", r"\neq", r"\approx", r"\infty", r"\eta"),
    *(r"\rightarrow", r"\alpha", r"\beta", r"\delta", r"\Delta", r"\varepsilon"),
    *(r"\theta", r"\lambda", r"\mu", r"\rho", r"\sigma", r"\tau", r"\chi", r"\omega"),
    *(r"\ss", r"\ae", r"\AE", r"\oe", r"\OE", r"\o", r"\O", r"\l", r"\L", r"\i", r"\j"),
    *(r"\c", r"\v", r"\u", r"\r", r"\H", r"\\", r"\{", r"\}", r"\$", r"\&", r"\#"),
    *(r"\%", r"\_", r"\'", r"\`", r"\^", r"\~", r"\=", r"\.", r'\"'),
}  # fmt: skip


@pytest.fixture(scope="module", params=NAMES)
def written(request, tmp_path_factory, blank):
    folder = tmp_path_factory.mktemp("paper") / "report"
    return KINDS[request.param]()(folder)


@pytest.fixture(scope="module")
def blank():
    """Pictures are not drawn: nothing here looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pycompare.reporting.document.Figure.svg", "<svg/>")
        yield


def test_the_paragraph_is_in_the_past_and_on_the_page(written):
    text = (written / "paper" / "paragraph.tex").read_text()
    assert not PRESENT.search(re.sub(r"\((higher|lower) is better\)", "", text))
    assert text.isascii() and text.count("\n") == 1
    assert "pycompare" in text


def test_latex_has_only_marks_that_any_article_knows(written):
    for path in written.glob("paper/*.tex"):
        text = path.read_text(encoding="utf-8").replace(r"\usepackage", "")
        assert text.isascii()
        assert set(MARKS.findall(text)) <= ALLOWED
        assert len(re.findall(r"(?<!\\)\{", text)) == len(
            re.findall(r"(?<!\\)\}", text)
        )


def test_every_method_of_the_report_has_its_entry(written):
    text = (written / "paper" / "references.bib").read_text(encoding="utf-8")
    assert text.isascii()
    keys = re.findall(r"@\w+\{(\w+),", text)
    assert keys[0] == "pycompare" and len(set(keys)) == len(keys)
    assert set(keys[1:]) <= {work.key for work in works()}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not there")
def test_an_article_with_booktabs_alone_compiles(written, tmp_path):
    table = written / "paper" / "table.tex"
    held = table.read_text() if table.exists() else ""
    compiled(held + "\n" + (written / "paper" / "paragraph.tex").read_text(), tmp_path)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not there")
def test_hostile_labels_compile_and_stay_text(tmp_path):
    table = Table("\n".join(HOSTILE), (Column("a_b & %"), Column("*")),
                  tuple((name, name[::-1]) for name in (*HOSTILE, "*", "[2pt]", "ğńőș"))
                  )  # fmt: skip
    compiled(tabular(table), tmp_path)


def compiled(text: str, folder) -> None:
    """Compile with nothing but booktabs; no command of a label runs."""
    source = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        f"{text}\n\\end{{document}}\n"
    )
    (folder / "a.tex").write_text(source, encoding="utf-8")
    made = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "a.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert made.returncode == 0, made.stdout[-2000:]
    assert "Missing character" not in made.stdout
    assert not (folder / "id").exists()


@pytest.fixture(scope="module")
def contents():
    return contents_of(pc.compare(pc.example(), pc.Plan(blocks="datasets")), None)


def test_paragraph_table_and_page_print_the_same_numbers(contents):
    [(_, outcome)] = contents.words().outcomes
    one, facts = listed(outcome)
    assert one == "C4.5" and [f.object for f in facts] == [
        "NaiveBayes", "CN2", "1-NN", "Kernel",
    ]  # fmt: skip
    paragraph, latex = contents.words().paragraph, contents.for_paper().files
    [shown] = [one.forest.table for one in contents.report.results]
    on_page = {row[0].text: [plain(c.text) for c in row[1:3]] for row in shown.cells()}
    for fact in facts:
        both, p = on_page[fact.object]
        estimate, limits = both.split(" ", 1)
        sign = "" if p.startswith("<") else "= "
        assert f"{fact.object}: {estimate} {limits}, p {sign}{p}" in paragraph
        row = " & ".join(map(portable, (fact.object, estimate, limits)))
        assert row in latex["paper/table.tex"]
    assert "30 data sets" in paragraph
    assert "98.333% intervals" in paragraph and "95% CI" not in paragraph


def test_estimates_turned_round_are_those_of_the_other_algorithm(contents):
    [(_, outcome)] = contents.words().outcomes
    for fact in outcome.pairs:
        turned = fact.seen_from(fact.object)
        assert turned.estimate == -fact.estimate
        assert turned.interval == (-fact.interval[1], -fact.interval[0])
        assert turned.seen_from(fact.subject) == fact
        assert fact.seen_from(fact.subject) is fact


def test_of_many_rivals_the_nearest_are_listed():
    write = KINDS["long_names"]()
    [(_, outcome)] = contents_of(write.args[0], None).words().outcomes
    one, facts = listed(outcome)
    sizes = [fact.distance() for fact in facts]
    assert len(facts) == MOST_LISTED and sizes == sorted(sizes)
    beyond = [f.distance() for f in outcome.facts_of(one) if f.object not in
              {x.object for x in facts} and f.subject == one]  # fmt: skip
    assert min(beyond) >= max(sizes)


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_small_comparison_has_its_paragraph_and_tables(name):
    made = contents_of(pc.compare(*COMPARISONS[name]()), None)
    files = made.for_paper().files
    text = files["paper/paragraph.tex"]
    assert text.startswith("We compared ") and "pycompare" in text
    assert not re.search(r"\bnan\b|[=:(] None", text)


def test_pairs_that_cannot_be_tested_have_a_paragraph_and_no_table():
    same = wide(np.ones((6, 3)))
    made = contents_of(pc.compare(same, pc.Plan(blocks="datasets")), None)
    text = made.words().paragraph
    assert "could not be tested" in text or "smallest" in text
    assert "nan" not in text.lower() and "–" not in re.sub(r"A\d – A\d", "", text)
    assert made.for_paper().files["paper/references.bib"]


def test_the_page_has_the_section_and_says_how_figures_are_written(contents):
    page = contents.document("page")
    [part] = [b for b in page.blocks if isinstance(b, Section) and b.key == "paper"]
    [code] = [b for b in part.blocks if isinstance(b, Code)]
    assert r"\begin{tabular}" in code.text and code.file == "paper/table.tex"
    assert "--paper" in plain(part.blocks[-1].text)
    shown = contents.for_paper(figures=True).blocks()
    assert "--paper" not in plain(shown[-1].text)


def test_figures_are_written_only_if_wanted(tmp_path):
    found = pc.power(sizes.Sign(win=0.8), n=20, trials=0)
    without = pc.report(found, tmp_path / "without")
    assert not [*without.glob("paper/*.pdf"), *without.glob("paper/*.svg")]
    folder = pc.report(found, tmp_path / "with", paper=True)
    made = {path.name for path in folder.glob("paper/*.*")}
    assert {f"power_{c}.{e}" for c in WIDTHS for e in ("pdf", "svg")} <= made
    for columns, width in WIDTHS.items():
        svg = (folder / f"paper/power_{columns}.svg").read_text()
        points = float(re.search(r'width="([\d.]+)pt"', svg)[1])
        assert points == pytest.approx(72 * width, abs=0.5)
    with pytest.raises(pc.InputError, match="paper"):
        pc.report(found, tmp_path / "no", paper="no")


def test_names_of_authors_have_their_accents_in_both_forms():
    found = pc.compare(pc.example(), pc.Plan(blocks="datasets", compares="ranks"))
    assert r"Dem{\v{s}}ar, Janez" in pc.cite(found)
    assert r"Garc{\'{\i}}a, Salvador" in pc.cite(found)
    assert "García, Salvador" in pc.cite(found, form="text")
    [sidak] = cited("Šidák (1967)")
    assert sidak.fields["author"] == "Šidák, Zbyněk"
    assert r"author = {{\v{S}}id{\'{a}}k, Zbyn{\v{e}}k}" in sidak.bibtex
    assert [work.key for work in cited("Alpaydin (1999)")] == ["alpaydin1999"]
