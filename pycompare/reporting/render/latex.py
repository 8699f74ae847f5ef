r"""A document as LaTeX with booktabs tables, for pdflatex, lualatex and xelatex.

Each character that TeX gives a meaning to is escaped. Characters that the engine's font
does not have are set in a font of the machine that has them (lualatex and xelatex;
``_OTHERS``), and shown as their code point (``U+4E2D``) if there is none. Text that
runs from right to left is set in DejaVu Sans, if there is one. Figures are the PDF
files beside the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import singledispatch

from pycompare.reporting import document as doc
from pycompare.reporting.render import paper

_WIDTH = 100
"""Characters of a line of a table."""
_PAGE_INCHES, _HIGHEST = 6.5, 8.6
_LONG = 14
"""Letters of words that are never broken."""
_HEADINGS = ("section*", "subsection*", "subsubsection*", "paragraph*")
MACROS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "-{}",
    ",": ",{}",
    "[": "{[}",
    "]": "{]}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "…": r"\ldots{}",
    "·": r"\textperiodcentered{}",
    "\N{NO-BREAK SPACE}": "~",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "δ": r"$\delta$",
    "Δ": r"$\Delta$",
    "ε": r"$\varepsilon$",
    "η": r"$\eta$",
    "θ": r"$\theta$",
    "λ": r"$\lambda$",
    "μ": r"$\mu$",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "ω": r"$\omega$",
}
"""What stands for characters that TeX gives a meaning to, or that it has by name."""
_ACCENTED = re.compile("[À-ÖØ-öø-ÿ]")
_PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
\fi
FONTS
\usepackage[margin=1in]{geometry}
\usepackage{graphicx,array,booktabs,longtable,fancyhdr}
\usepackage[hidelinks]{hyperref}
% A character by its code point, which is shown if the font lacks the character.
\newcommand{\reportbreak}{\hspace{0pt}}
\ifPDFTeX
  \newcommand{\reportchar}[1]{U+#1\reportbreak}
\else
  \newcommand{\reportchar}[1]{\iffontchar\font"#1 \char"#1
    \else{\reportother\iffontchar\font"#1 \char"#1 \else U+#1\fi}\fi\reportbreak}
\fi
% A text from right to left by its code points, which are shown without a font.
\makeatletter
\newcommand{\reportcodes}[1]{\@for\reportone:=#1\do{U+\reportone\reportbreak}}
\newcommand{\reportglyphs}[1]{\@for\reportone:=#1\do{%
  \ifnum"\reportone="20 \space\else\char"\reportone\relax\fi}}
\makeatother
\ifPDFTeX
  \newcommand{\reportturned}[1]{\reportcodes{#1}}
\else
  \ifLuaTeX
    \newcommand{\reportright}[1]{{\reportrightfont\textdir TRT\reportglyphs{#1}}}
  \else
    \TeXXeTstate=1
    \newcommand{\reportright}[1]{{\reportrightfont\beginR\reportglyphs{#1}\endR}}
  \fi
  \newcommand{\reportturned}[1]{%
    \ifdefined\reportrightfont\reportright{#1}\else\reportcodes{#1}\fi}
\fi
\setlength{\LTpre}{2pt}
\setlength{\LTleft}{0pt}
\setlength{\tabcolsep}{0.01\linewidth}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt plus 1pt}
\setlength{\emergencystretch}{3em}
\pagestyle{fancy}
\fancyhf{}
\renewcommand{\headrulewidth}{0pt}
\fancyfoot[R]{Page \thepage{} of \pageref*{report-end}}
\begin{document}
"""
_OTHERS = ("Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei",
           "WenQuanYi Zen Hei", "Droid Sans Fallback", "Microsoft YaHei",
           "PingFang SC", "Arial Unicode MS", "DejaVu Sans")  # fmt: skip
"""Fonts for characters that the font of the text lacks, the most wanted first."""


def _fonts() -> str:
    """Return what chooses fonts on the machine that makes pages of the document."""
    chosen = r"\newcommand{\reportother}{}"
    for name in reversed(_OTHERS):
        command = rf"\newfontfamily\reportother{{{name}}}"
        chosen = f"\\IfFontExistsTF{{{name}}}{{{command}}}{{%\n  {chosen}}}"
    right = r"\newfontfamily\reportrightfont{DejaVu Sans}[Renderer=HarfBuzz]"
    return "\n".join(
        [
            r"\ifPDFTeX\else",
            f"  {chosen}",
            rf"  \IfFontExistsTF{{DejaVu Sans}}{{{right}}}{{}}",
            r"\fi",
        ]
    )


def render(document: doc.Document) -> bytes:
    """Return the document as the bytes of a file."""
    head = [
        rf"{{\LARGE\bfseries\raggedright {escape(document.title)}\par}}",
        _inline(document.subtitle),
    ]
    body = map(_write, paper.pieces(document, _WIDTH))
    parts = "\n\n".join(filter(None, [*head, *body]))
    preamble = _PREAMBLE.replace("FONTS", _fonts())
    text = f"{preamble}\n{parts}\n\n\\label{{report-end}}\n\\end{{document}}\n"
    return text.encode("utf-8")


def escape(value: str) -> str:
    r"""Return text of which no character means anything to TeX.

    Examples
    --------
    >>> print(escape("a_b & 50%"))
    a\_b \& 50\%
    """
    shown = paper.visible(value)
    parts, end = [], 0
    for turned in () if shown.isascii() else _TURNED.finditer(shown):
        parts += [_plain(shown[end : turned.start()]), _turned(turned[0])]
        end = turned.end()
    return "".join([*parts, _plain(shown[end:])])


_FROM_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_TURNED = re.compile(f"[{_FROM_RIGHT}](?:[ {_FROM_RIGHT}]*[{_FROM_RIGHT}])?")


def _turned(value: str) -> str:
    """Return a text that runs from right to left, by its code points."""
    codes = ",".join(f"{ord(character):04X}" for character in value)
    return rf"\reportturned{{{codes}}}"


def _plain(value: str) -> str:
    """Return a text that runs from left to right."""
    return " ".join(map(_word, value.split(" ")))


def _word(word: str) -> str:
    """Return a word; a long one with places where a line may end."""
    parts = paper.parts_of(word, _LONG)
    return r"\reportbreak{}".join("".join(map(_character, p)) for p in parts)


def _character(character: str) -> str:
    if character in MACROS:
        return MACROS[character]
    if character.isascii() or _ACCENTED.match(character):
        return character
    return rf"\reportchar{{{ord(character):04X}}}"


def _inline(value: doc.Inline) -> str:
    """Return text with its emphasis."""
    return "".join(map(_span, paper.shown(value)))


def _span(part: doc.Span) -> str:
    if isinstance(part, str):
        return escape(part)
    inner = escape(part.text)
    if isinstance(part, doc.Link):
        if part.target.startswith("#"):
            return rf"\hyperlink{{{part.target[1:]}}}{{{inner}}}"
        return rf"\href{{{part.target}}}{{{inner}}}"
    names = {doc.Strong: "textbf", doc.Emphasis: "emph", doc.Literal: "texttt"}
    return rf"\{names[type(part)]}{{{inner}}}"


@singledispatch
def _write(piece: paper.Piece) -> str:
    raise TypeError(f"no LaTeX for {type(piece).__name__}")


@_write.register
def _heading(piece: paper.Heading) -> str:
    name = _HEADINGS[min(piece.level, len(_HEADINGS)) - 1]
    # The text is no moving argument: a heading with a star is in no list.
    return rf"\{name}{{\hypertarget{{{piece.key}}}{{}}{escape(piece.text)}}}"


@_write.register
def _text(piece: doc.Paragraph) -> str:
    return _inline(piece.text)


@_write.register
def _points(piece: doc.Bullets) -> str:
    items = (rf"\item {{}}{_inline(item)}" for item in piece.items)
    return _environment("itemize", items)


@_write.register
def _pairs(piece: doc.Facts) -> str:
    items = (
        rf"\item[{{{escape(name)}}}] {{}}{_inline(value)}" for name, value in piece.rows
    )
    return _environment("description", items)


def _environment(name: str, lines: Iterable[str]) -> str:
    return "\n".join([rf"\begin{{{name}}}", *lines, rf"\end{{{name}}}"])


@_write.register
def _picture(piece: paper.Picture) -> str:
    figure = piece.figure
    share = figure.fitted(_PAGE_INCHES, _HIGHEST) / _PAGE_INCHES
    lines = [
        r"\begin{center}",
        rf"\includegraphics[width={share:.3f}\linewidth]{{figures/{figure.name}.pdf}}",
        r"\end{center}",
        r"\nopagebreak",
        rf"{{\footnotesize\refstepcounter{{figure}}\label{{{piece.key}}}%",
        rf"\textbf{{Figure~\thefigure.}} {_inline(figure.caption)}\par}}",
    ]
    return "\n".join(lines)


@_write.register
def _listing(piece: doc.Code) -> str:
    lines = [
        r"\noindent " + _code(line) + r"\par" for line in paper.visible_code(piece.text)
    ]
    start = r"{\ttfamily\footnotesize\raggedright\setlength{\parskip}{0pt}"
    return "\n".join([start, *lines, "}"])


def _code(line: str) -> str:
    """Return a line of a program; its spaces stay."""
    inside = line.lstrip(" ")
    indent = rf"\hspace*{{{(len(line) - len(inside)) / 2:g}em}}"
    return indent + escape(inside).replace("  ", r"\ \ ")


@_write.register
def _grid(piece: paper.PagedTable) -> str:
    columns = "".join(map(_column, piece.widths, piece.numeric))
    head = _row([doc.Cell(title) for title in piece.heads])
    lines = [
        rf"{{\footnotesize {_caption(piece)}\par\nopagebreak",
        # A longtable counts itself.
        r"\addtocounter{table}{-1}",
        rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
        rf"\toprule {head} \midrule \endhead",
        r"\bottomrule \endfoot",
        *(_row(row) for row in piece.rows),
        r"\end{longtable}}",
    ]
    return "\n\n".join(["\n".join(lines), *map(_inline, piece.notes)])


def _caption(piece: paper.PagedTable) -> str:
    """Return a caption above a table; parts of one table share their number."""
    step = r"\refstepcounter{table}" if piece.part == 1 else ""
    named = r"Table~\thetable" + (f", {piece.part_named}" if piece.part_named else "")
    return rf"{step}\label{{{piece.key}}}\textbf{{{named}.}} {_inline(piece.caption)}"


def _column(width: int, numeric: bool) -> str:
    side = "raggedleft" if numeric else "raggedright"
    share = (width + paper.GAP) / _WIDTH - 0.02
    return rf">{{\{side}\arraybackslash}}p{{{share:.3f}\linewidth}}"


def _row(cells: Sequence[doc.Cell]) -> str:
    texts = (_inline(cell.text) for cell in cells)
    marked = (
        rf"\textbf{{{value}}}" if cell.marked else value
        for cell, value in zip(cells, texts, strict=True)
    )
    return " & ".join(marked) + r" \tabularnewline"
