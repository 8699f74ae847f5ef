"""README and site: links lead somewhere, options exist, examples are true."""

import inspect
import re

import click
import pytest
from PIL import Image

import pycompare as pc
from docs import readme_picture
from docs.drawn import FIGURES
from pycompare import plotting
from pycompare.apps import cli
from pycompare.reporting.edition import Writing
from tests.command_line import command
from tests.documents import DOCS, ROOT, Page, pages, run, sample_files

README = Page(ROOT / "README.md")
PAGES = pages()
COMMANDS = [(page, command) for page in PAGES for command in page.commands()]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_to_files(page):
    for target in page.links():
        assert (page.path.parent / target.split("#")[0]).is_file(), target


def arguments(function) -> set[str]:
    """Return the names of arguments, those that all reports share too."""
    known = set(inspect.signature(function).parameters)
    return known | set(Writing.__annotations__) if "writing" in known else known


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_names_are_public_and_their_arguments_exist(page):
    """Links have texts, too: Markdown is also read as it is."""
    assert "[](" not in page.text
    for owner, name, given in re.findall(
        r"\b(pc|plotting)\.(\w+)(?:\(([^()`]*)\))?", page.text
    ):
        module = pc if owner == "pc" else plotting
        assert name in module.__dir__(), name
        known = arguments(getattr(module, name)) if given else set()
        for argument in re.findall(r"(?<![\w.\"])(\w+)=", given):
            assert argument in known, (name, argument)


def test_every_figure_is_in_the_gallery():
    blocks = Page(DOCS / "gallery.md").blocks()
    drawn = [block.argument for block in blocks if block.kind == "{picture}"]
    assert sorted([*drawn, "save"]) == sorted(plotting.__all__)


def test_every_public_name_is_on_one_page_of_methods():
    texts = [page.text for page in PAGES if page.path.parent.name == "methods"]
    shown = re.findall(r"\.\. auto(?:function|class):: pycompare\.(\w+)", str(texts))
    assert sorted(shown) == sorted(pc.PUBLIC)


def test_every_page_is_in_one_table_of_contents():
    listed = [
        (page.path.parent / f"{entry}.md").resolve()
        for page in PAGES
        for block in page.blocks()
        if block.kind == "{toctree}"
        for entry in block.text.splitlines()
        if entry and not entry.startswith(":")
    ]
    assert len(set(listed)) == len(listed)
    paper = DOCS / "paper" / "paper.md"  # in a journal's form, not of the site
    assert set(listed) == set(DOCS.rglob("*.md")) - {DOCS / "index.md", paper}


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=str)
def test_options_of_every_command_exist(page, command):
    _, name, *words = command.split()
    called = cli.cli.get_command(None, name)
    if isinstance(called, click.Group):
        design = words.pop(0)
        _, called, _ = called.resolve_command(click.Context(called), [design])
    known = {o for p in called.params for o in p.opts}
    assert {w for w in words if w.startswith("--")} <= known


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] * (page.path.stem == "gallery"))
        for page in PAGES
        if page.code()
    ],
    ids=str,
)
def test_python_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    sample_files(tmp_path)
    for block in page.blocks():
        if block.kind == "toml":
            (tmp_path / "plan.toml").write_text(block.text)
    run(page, {})


def test_the_report_of_the_readme_begins_as_it_says():
    quoted = " ".join(re.findall(r"(?m)^> (.*)$", README.text))
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    assert f"accuracy (higher is better): {quoted}\n" in comparison.summary()


def test_the_readme_fits_two_screens():
    assert len(README.text.splitlines()) <= 100


def test_the_pictures_of_the_page_are_those_of_its_words_today(tmp_path, monkeypatch):
    """Made again by ``python docs/readme_picture.py``."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # set by what is called
    page = readme_picture.example(tmp_path).read_text("utf-8")
    for name in readme_picture.PARTS:
        path = DOCS / f"report_{name}.png"
        assert path.stat().st_size < 100_000
        told = Image.open(path).text[readme_picture.WORDS]
        assert version_free(told) == version_free(readme_picture.words(page))


def version_free(text):
    """Return a text without the versions of programs in the paragraph for a paper."""
    return re.sub(r"\((?:[A-Z]\w+ [\d.]+(?:, )?)+\)", "", text)


def test_every_figure_of_the_gallery_has_a_thumbnail():
    gallery = (DOCS / "gallery.md").read_text()
    assert len(FIGURES.findall(gallery)) == gallery.count("```{picture}") > 30


def test_equations_and_docstrings_point_to_each_other():
    """Each equation names its functions, whose docstrings have its number."""
    text = (DOCS / "equations.md").read_text()
    entries = re.findall(r"(?ms)^### (\d+\.\d+) .*?Functions: (.*?)\.\n", text)
    assert len(entries) == len(re.findall(r"(?m)^### ", text)) > 40
    cited = {
        (number, name)
        for name in pc.PUBLIC
        for line in re.findall(
            r"Equations? ([\d., ]+) of docs/equations.md",
            inspect.getdoc(getattr(pc, name)),
        )
        for number in line.split(", ")
    }
    named = {
        (number, name)
        for number, names in entries
        for name in re.findall(r"`(\w+)`", names)
    }
    assert cited == named


COMMANDS_OF_FORMULAS = """
Delta Gamma Lambda Phi Pi Sigma alpha approx bar beta bigcup cdot chi delta det ell eta
exp frac gamma ge hat iint in infty int kappa lVert lambda ldots le left ln log mathbf
max mid min mp mu ne ni nu omega operatorname phi pi pm prod propto psi qquad quad rVert
rho right sigma sim sqrt sum tau text tfrac theta tilde top varepsilon widehat
"""
"""Commands that docutils, which these tests lack, turns into MathML on the site."""


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_formulas_have_commands_that_the_site_can_show(page):
    formulas = re.findall(r"(?s)\$\$.*?\$\$|\$[^$\n]+\$", page.text)
    used = set(re.findall(r"\\([A-Za-z]+)", " ".join(formulas)))
    assert used <= set(COMMANDS_OF_FORMULAS.split()), "look at `make docs`, then add it"


def test_every_method_says_who_its_reference_is():
    text = (DOCS / "reference.md").read_text()
    table = text.split("| Method | Function | Reference |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert len(rows) > 80
    for row in rows:
        assert len(row) == 4, row
        assert re.match(r"(R|own): |none\b", row[2]), row


@pytest.mark.usefixtures("blank_pictures")
def test_the_commands_of_the_readme_and_its_paragraph_are_true(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"(?m)^pycompare ((?:example|compare) .*)$", README.text)
    assert len(lines) == 2
    for line in lines:
        status, _, told = command(*line.partition("#")[0].split())
        assert status == 0, told
    begins = next(b.text for b in README.blocks() if b.kind == "text")
    made = (tmp_path / "first" / "paper" / "paragraph.tex").read_text()
    assert made.startswith(" ".join(begins.split()))


def test_the_table_of_the_first_tutorial_is_the_example():
    shown = next(b.text for b in Page(DOCS / "tutorials" / "csv.md").blocks()
                 if b.kind == "text")  # fmt: skip
    _, printed, _ = command("example")
    assert printed.startswith(shown)


def test_cloning_needs_no_host_and_names_the_folder():
    assert 'git clone "$ADDRESS" pycompare && cd pycompare\n' in README.text
