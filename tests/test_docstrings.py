"""Docstrings of public names have examples; every example in the code is true."""

import doctest
import importlib
import inspect
from pathlib import Path

import pytest

import pycompare as pc

NAMES = sorted(pc.PUBLIC)


def with_prompts() -> list[str]:
    """Modules with examples; their text is read, so that none is imported here."""
    root = Path(pc.__file__).parent
    return [
        ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        for path in sorted(root.rglob("*.py"))
        if ">>> " in path.read_text()
    ]


@pytest.mark.parametrize("name", NAMES)
def test_public_names_have_examples(name):
    text = inspect.getdoc(getattr(pc, name))
    assert "\nExamples\n--------\n" in text
    assert ">>> " in text.split("\nExamples\n--------\n")[1]


@pytest.mark.parametrize("module", with_prompts())
def test_examples_print_what_they_show(module, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(module), verbose=False)
    assert tried and not failed
