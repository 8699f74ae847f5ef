"""Texts that reach people, and the patterns of words that they avoid.

``python -m tests.language`` prints the places of every pattern. The texts are the
strings of the package (docstrings, messages, help), the pages of the documentation and
the help of the R package.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.syntax import nodes_of

ROOT = Path(__file__).parents[1]
PAGES = (
    *("README.md", "CHANGELOG.md", ".github/*.md", "docs/**/*.md"),
    *("r_reference/README.md", "r_reference/man/*.Rd", "r_reference/vignettes/*.Rmd"),
)


@dataclass(frozen=True)
class Text:
    """A text with its file and the line on which it begins."""

    file: str
    line: int
    text: str


@dataclass(frozen=True)
class Pattern:
    """Words that texts avoid.

    ``instead`` is what to write; ``right`` are uses that are correct, as expressions
    with their reasons.
    """

    words: str
    instead: str
    right: tuple[tuple[str, str], ...] = ()

    def places(self, texts: list[Text]) -> Iterator[Text]:
        """Yield each place with the words around it."""
        words = re.compile(self.words.replace(" ", r"\s+"), re.IGNORECASE)
        right = [re.compile(use.replace(" ", r"\s+")) for use, _ in self.right]
        for text in texts:
            for found in words.finditer(text.text):
                start = max(0, found.start() - 50)
                around = text.text[start : found.end() + 50]
                at = found.start() - start
                if any(
                    use.start() <= at < use.end()
                    for expression in right
                    for use in expression.finditer(around)
                ):
                    continue
                line = text.line + text.text.count("\n", 0, found.start())
                yield Text(text.file, line, " ".join(around.split()))


UNITS = (
    "row|column|file|line|sentence|number|entry|section|problem|rule|table|picture|"
    "p-value|feature|score|label|value|figure|mark|dot|result|name|page|function|"
    "command|method|analysis|test"
)
PATTERNS = {
    "one X a Y": Pattern(
        rf"\b(?:one|two|three|a|[0-9]+) (?:{UNITS})s? an? (?!time\b)[a-z]",
        "one X per Y",
    ),
    "say, tell": Pattern(
        r"\b(?:says?|said|saying|tells?|told|telling)\b",
        "state, show, name; the error or value itself",
        (
            (r"[Pp]lans?(?: file)?(?: does not| has to)? says?", "a plan is a text"),
            (r"`+(?:said|told|say)\b|\bsay : callable|\bsaid : ", "a name in the code"),
            (r"[Ww]hat only you can say", "a person says it"),
        ),
    ),
    "where for if": Pattern(
        r"\bwhere\b",
        "if, when, in which",
        (
            (
                r"(?:Say|[Ss]tates?|Return|Tell|Yield|resumes?|places?|Names|hears|know"
                r"|of|on|shows?|lists|stands?|and|or|from|see|than|Find|finds?|in) "
                r"where\b",
                "a place",
            ),
            (
                r"\b[Ww]here (?:things|pycompare differs|R needs|the numbers|the rest|"
                r"the context|the tasks|the groups lie|a command|a report|the report|"
                r"the raw|the p-values?|its p-values|it comes|it came|they came|"
                r"the plan will|the scores stand|the trail|the rows|each row|each "
                r"metric|each algorithm|each sorted|in the file|R has|it stands|to,?|"
                r"a number|pycompare is used|the variance of)\b",
                "a place, or the origin of a thing",
            ),
            (r", where,? (?:and|or|how)|, where\b[.,]|wins where", "a question"),
            (
                r"\bwhere (?:\$|`|[A-Z] |[a-z] |[a-z]+\(|n_|m_i|[A-Z]\b|the errors)",
                "symbols of a formula",
            ),
            (r"``where``|where :|where ?=|where=", "a name in the code"),
            (
                r"(?:places?|ends?|blocks|rows|cells|cases|columns|gap|cross|limits|"
                r"mark|ring|precision|cut|strings|comments only|steps|points?|1/2|"
                r"e307|below|text|it|was|drawn|range|line|designs|metrics|sampling|"
                r"lies?|folds|sets|there|squares|stopped|belongs|goes on|came|"
                r"``?|scales?|Dots stand),? where\b",
                "a place in a table, a figure or a text",
            ),
        ),
    ),
    "what is ...": Pattern(
        r"\bwhat (?:is|it|the|are|was|were|they)\b",
        "a noun: the contents, the decision, the name",
        (
            (r"[Ww]hat is wrong", "the parts of an error (rule 7)"),
            (r"[Ww]hat [^.|\n]{0,80}\?", "a question"),
            (r"[Aa]sks? what|[Aa]sk first what|know what", "an indirect question"),
            (r"## What", "a heading"),
        ),
    ),
    "refuse": Pattern(r"\brefus(?:e|es|ed|ing)\b(?!_)", "reject, or the error"),
    "counts as, takes as": Pattern(
        r"\b(?:counts?|counted) as\b|\b(?:takes?|taken) (?:[a-z]+ ){0,3}as\b",
        "is set to, is treated as",
        (
            (r"counts? as missing", "LANGUAGE: missing runs count as missing cells"),
            (r"takes? as long|times as", "a duration"),
            (r"such as", "examples"),
        ),
    ),
    "alone, by itself": Pattern(
        r"\bby (?:itself|themselves)\b|\balone\b",
        "only, separately, each",
        (
            (r"(?:[Ff]older|[Ff]ile|`FILE`|table|size) alone", "nothing else is given"),
            (
                r"(?:pairs?|cases|items|readers|blocks|algorithms?|formula|metric|"
                r"ranks|rounding|data|name|test|one|it|them|these|labels) alone",
                "in contrast to several together",
            ),
            (r"_[12]`* alone", "one of the two algorithms"),
            (r"[Ee]ach alone covers", "one interval, in contrast to all together"),
        ),
    ),
}
PHRASES = (
    "verdict is about what|what the verdict",
    "not shown to differ|shown to differ",
    "beside it stands|stands beside it",
    "the same numbers from R",
    "of what is random",
    "two road|datasets road|thresholds road",
    "equal enough",
    "of a kind that is not read",
    "agreeing to the digit",
    "not all algorithms rank alike",
    "decide alike",
    "rejects too often, and so",
    "pairs do not wait",
    "called positive is",
    "a run that lacks",
    "is not the chance of anything",
    "not drawn again",
    "has no number in",
    r"stands in \d+ rows",
    "told the nearest",
    "residuals without freedom",
    "tell nobody",
    "what nobody should read",
    "a test of exchangeability gives no limits",
    "where this criterion finds",
    "bold: significant",
    "a negative value is against",
    "which titles the evidence",
    "the ranks that each algorithm may have",
    "a test that no algorithm differs from any other",
    "the analysis that makes the conclusion",
    "take for aliased",
    "each for its own mean",
    "holds? the truth",
    "there is no stronger evidence",
)
"""The left columns of the tables of rewrites, as far as a text can hold them."""


def written(node: ast.JoinedStr) -> str:
    """Return the words of an f-string, with {} for each value."""
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else "{}"
        for part in node.values
    )


def texts_of_python(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """Yield the strings of at least two words of a module, docstrings included."""
    file = path.relative_to(root).as_posix()
    parts = {
        id(part)
        for node in nodes_of(path)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in nodes_of(path):
        if isinstance(node, ast.JoinedStr):
            yield Text(file, node.lineno, written(node))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value.strip()
            and id(node) not in parts
        ):
            yield Text(file, node.lineno, node.value)


def report_texts() -> list[Text]:
    """Return the reviewed pages of reports, whose sentences are put together."""
    pages = sorted((ROOT / "tests/reporting/pages").glob("*.txt"))
    return [Text(path.name, 1, path.read_text(encoding="utf-8")) for path in pages]


def all_texts(root: Path = ROOT) -> list[Text]:
    """Return the texts of the package and of its pages."""
    modules = sorted((root / "pycompare").rglob("*.py"))
    found = [text for path in modules for text in texts_of_python(path, root)]
    for pages in PAGES:
        for path in sorted(root.glob(pages)):
            # Programs between fences are code.
            prose = re.sub(
                r"(?ms)^```.*?^```",
                lambda m: "\n" * m.group().count("\n"),
                path.read_text("utf-8"),
            )
            found.append(Text(path.relative_to(root).as_posix(), 1, prose))
    return found


def main() -> None:
    """Print how many places each pattern has, or the places of those named."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    texts = all_texts(root)
    for name, pattern in PATTERNS.items():
        places = list(pattern.places(texts))
        print(f"{len(places):5} {name}")
        if name in sys.argv[2:]:
            for place in places:
                print(f"      {place.file}:{place.line}: {place.text}")


if __name__ == "__main__":
    main()
