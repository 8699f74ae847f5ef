"""What the site makes by itself: pictures, plan keys, formats, formulas as MathML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.drawn import FIGURES, drawn
from docs.formats import formats
from docs.plan_keys import plan_keys

STUDIES = Path(__file__).parents[1] / "validation"


class Picture(SphinxDirective):
    """Python code whose last line leaves ``axes``, and the figure that it draws."""

    required_arguments = 1
    has_content = True
    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Show the code, draw the figure, show it."""
        code = "\n".join(self.content)
        block = nodes.literal_block(code, code, language="python")
        image = nodes.image(
            uri=f"/_pictures/{drawn(self.arguments[0], code)}", alt=self.alt()
        )
        figure = nodes.figure("", image)
        return [block, figure]

    def alt(self) -> str:
        """Return the text that stands for the figure."""
        return str(self.options.get("alt", self.arguments[0].replace("_", " ")))


class Thumbnails(SphinxDirective):
    """Small pictures of all figures of the page, each a link to its section."""

    def run(self) -> list[nodes.Node]:
        """List the figures of the page that has the directive."""
        page = Path(self.get_source_info()[0]).read_text("utf-8")
        shown = nodes.bullet_list(classes=["thumbnails"])
        for title, name, code in FIGURES.findall(page):
            uri = f"/_pictures/{drawn(name, code)}"
            link = nodes.reference("", "", internal=True, refid=nodes.make_id(title))
            link += nodes.image(uri=uri, alt=title)
            link += nodes.inline(title, title)
            shown += nodes.list_item("", nodes.paragraph("", "", link))
        return [shown]


class PlanKeys(SphinxDirective):
    """The table of all keys of a plan file, made from their declarations."""

    def run(self) -> list[nodes.Node]:
        """Parse the table where the directive is."""
        text = plan_keys()
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class Formats(SphinxDirective):
    """The result files that are read, made from the readers' declarations."""

    def run(self) -> list[nodes.Node]:
        """Parse the entries where the directive is."""
        return self.parse_text_to_nodes(formats(), allow_section_headings=True)


def study_text(app: Sphinx, docname: str, text: list[str]) -> None:
    """Put the study of the folder validation in place of the line that names it."""
    if not docname.startswith("studies/") or docname == "studies/index":
        return
    source = (STUDIES / f"{docname.removeprefix('studies/').upper()}.md").read_text()
    pages = re.sub(r"\]\((\w+)\.md\)", lambda link: f"]({link[1].lower()}.md)", source)
    text[0] = re.sub(r"\]\(([\w-]+\.svg)\)", r"](../../validation/\1)", pages)


def show_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula within a sentence."""
    writer.body.append(latex2mathml.tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def show_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    writer.body.append(latex2mathml.tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


def plain_text(*event: Any) -> None:
    """Let a docstring's footnotes be a list, its bars be bars, its pages links."""
    lines = event[-1]
    for at, line in enumerate(lines):
        if line.startswith(".. ["):  # several footnotes of one number share a page
            lines[at] = line.replace(".. [", "- [")
        elif "``" not in line and not line.lstrip().startswith((">>>", "...")):
            lines[at] = line.replace("|", r"\|").replace(
                "of docs/equations.md", "on the page :doc:`/equations`"
            )


def setup(app: Sphinx) -> None:
    """Add all of that to Sphinx."""
    app.add_directive("picture", Picture)
    app.add_directive("thumbnails", Thumbnails)
    app.connect("source-read", study_text)
    app.add_directive("plan-keys", PlanKeys)
    app.add_directive("result-formats", Formats)
    app.add_html_math_renderer(
        "mathml",
        inline_renderers=(show_inline, None),
        block_renderers=(show_block, None),
    )
    # Before napoleon, which makes sections of the text.
    app.connect("autodoc-process-docstring", plain_text, priority=400)
