"""A function or constant that no other module uses begins with an underscore.

Tests, the live validation and the pages of the site are users, too: what they import or
name stays public.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.test_layers import ROOT, modules

TOP = ROOT.parent
PYTHON = [p for d in ("tests", "validation", "docs") for p in (TOP / d).rglob("*.py")]
PYTHON.remove(Path(__file__))
TEXTS = [
    *TOP.glob("*.md"),
    *TOP.glob("*.toml"),
    *(p for d in ("docs", "validation") for p in (TOP / d).rglob("*.md")),
]
OLDER = """
analyses.compare: LARGEST WHOLE
analyses.curve_comparison: intervals over_cases
curves.cross_validated: codes
curves.delong: family
curves.interval: normal call
interop.r_worker: main
interop.values: vector
kernels.manova: roots
kernels.permutation: deals
labels: position
linear.assumptions: shapiro_wilk
linear.manova: formula
linear.replicated_anova: run_share
models.in_r: FILES
multiplicity.adjust: like
multireader.components: call_of negative
multireader.mrmc: call_of
orders.orderings: width
orders.rank_sets: primary_pairs
over_datasets.sign_grid: family
pairs.equivalence_pairs: family
pairs.superiority: family
plans.option_conflicts: contradictions contradiction
plans.plan_tables: no_measure
plans.prediction_rules: one_threshold
plotting.agreement_example: GAP title
plotting.auc_differences: ROW
plotting.critical_difference: ROW marks caption
plotting.ellipses: radius
plotting.mean_differences: ROW
plotting.p_matrix: CELL
plotting.paired_histograms: WIDTH AXIS
plotting.panel: KEY_ROW
plotting.threshold_grid: ROW COLUMN
ranks.friedman: kendall_w
ranks.pairs: adjusted
reporting.analysis_reports: REPORTS part_results
reporting.blocked_anova.tables: sizes
reporting.comparison_report: NOT_BETWEEN_GROUPS EACH
reporting.content.curves.report: differences intervals
reporting.content.orderings: groups
reporting.content.outcomes: HODGES_LEHMANN SHARE_OF_WINS QUANTITIES won compared
  in_metric_unit sample
reporting.content.page: MOST_OPEN IN_R folded numbered
reporting.content.sources: MOST_RUNS MOST_CELLS ranges blocks_text group_rows FILES
  COPY plan_fold
reporting.content.words: pair
reporting.curves_report: USES_OF_SEED TOO_MANY_FOR_R
reporting.evidence.comparison_log: steps
reporting.evidence.data_files: MOST_ROWS numbers
reporting.mrmc_report: MOST_R_ROWS TOO_MANY_FOR_R NOT_IN_R r_script
reporting.multiple_datasets.words: on_each
reporting.multivariate.report: note
reporting.rank_tests.report: drawn
reporting.render.markdown: escape
reporting.report: data
reporting.threshold_sweep.words: ratios
reporting.write: write_numbers write_data write_manifest write_json write_documents
  ATTACHED MOST_ATTACHED attachments write_figures write_tables
simulation.component_coverage: LEVEL
"""
"""Names from before this rule, by module; none is added here."""
DOTTED = re.compile(r"pycompare(?:\.\w+)+")
IMPORTED = re.compile(r"from (pycompare[\w.]*) import ([\w, ]+)")


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the public functions and constants of a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            names = [n.id for n in named if n.id.isupper() and len(n.id) > 1]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def used(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that code takes from modules: imported, as attribute, as text."""
    known, aliases = modules(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                if f"{node.module}.{one.name}" in known:
                    aliases[one.asname or one.name] = f"{node.module}.{one.name}"
                yield node.module or "", one.name
        elif isinstance(node, ast.Import):
            aliases |= {o.asname or o.name: o.name for o in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            yield aliases.get(owner, owner), node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from in_text(node.value)
            if node.value.isidentifier():  # as getattr and monkeypatch take it
                yield from ((module, node.value) for module in aliases.values())


def in_text(text: str) -> Iterator[tuple[str, str]]:
    """Yield dotted names, ``pycompare.ranks.friedman``, and those of import lines."""
    for module, names in IMPORTED.findall(text):
        yield from ((module, name.strip()) for name in names.split(","))
    for found in DOTTED.findall(text):
        module, _, name = found.rpartition(".")
        yield module, name


@cache
def users() -> dict[tuple[str, str], set[str]]:
    """Return who uses each name of each module."""
    found = defaultdict(set)
    sources = {str(path): path for path in PYTHON} | modules()
    for user, path in sources.items():
        for pair in used(ast.parse(path.read_text(encoding="utf-8"))):
            found[pair].add(user)
    for path in TEXTS:
        for pair in in_text(path.read_text(encoding="utf-8")):
            found[pair].add(str(path))
    return found


@cache
def older() -> frozenset[str]:
    """Return the names from before this rule."""
    found, module = set(), ""
    for word in OLDER.split():
        if word.endswith(":"):
            module = word[:-1]
        else:
            found.add(f"pycompare.{module}.{word}")
    return frozenset(found)


def should_be_private(module: str, tree: ast.Module) -> list[str]:
    """Return the public names of a module that only the module itself uses."""
    # A command has the name of its module, by which the program loads it.
    own = {module.rpartition(".")[2]} if module.startswith("pycompare.cli.") else set()
    return [
        f"{module}.{name}: no other module uses it, so call it _{name}"
        for name in defined(tree)
        if name not in own and not users()[module, name] - {module}
    ]


def test_names_that_no_other_module_uses_are_private():
    offending = [
        line
        for module, path in modules().items()
        for line in should_be_private(module, ast.parse(path.read_text()))
        if line.partition(":")[0] not in older()
    ]
    assert not offending, "\n".join(offending)


def test_a_public_name_that_nobody_uses_is_named():
    code = "def helper(): ...\nLIMIT = 3\n_MOST = 4\ndef _own(): ...\nkind = 1"
    lines = should_be_private("pycompare.ranks.invented", ast.parse(code))
    assert [line.partition(":")[0] for line in lines] == [
        "pycompare.ranks.invented.helper",
        "pycompare.ranks.invented.LIMIT",
    ]


def test_every_way_to_use_a_name_counts():
    code = (
        "from pycompare.ranks import friedman\nfrom pycompare.ranks.pairs import a\n"
        "friedman.b\nsetattr(friedman, 'c', 1)\n'pycompare.ranks.pairs.d'"
    )
    pairs, friedman = "pycompare.ranks.pairs", "pycompare.ranks.friedman"
    assert {(pairs, "a"), (friedman, "b"), (friedman, "c"), (pairs, "d")} <= set(
        used(ast.parse(code))
    )
