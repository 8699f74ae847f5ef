"""An option with one value is refused if it is given twice; none is taken silently."""

import click
import pytest

import pycompare as pc
from pycompare.apps.cli.app import cli
from pycompare.apps.cli.compare import compare


def commands(group=cli, path=()):
    """Yield every command with its path, those of groups included."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


SINGLE = [
    (path, command, one)
    for path, command in commands()
    for one in command.params
    if isinstance(one, click.Option) and not (one.multiple or one.is_flag)
]


def test_all_commands_were_walked():
    walked = {path[0] for path, _ in commands()}
    assert walked == set(cli.list_commands(click.Context(cli)))
    assert len(SINGLE) > 200


@pytest.mark.parametrize("spelling", ["apart", "="])
def test_every_option_with_one_value_is_refused_if_given_twice(spelling):
    for path, command, one in SINGLE:
        for name in one.opts:
            first, second = (
                [f"{word}{i}" for i in range(one.nargs)] for word in ("first", "other")
            )
            if spelling == "=" and one.nargs == 1:
                given = [f"{name}={first[0]}", f"{name}={second[0]}"]
            else:
                given = [name, *first, name, *second]
            with pytest.raises(click.UsageError) as refused:
                command.make_context(path[-1], given)
            told = refused.value.message
            assert " ".join(first) in told and " ".join(second) in told, (path, name)
            assert one.opts[0] in told and "give it once" in told, (path, name)


EXAMPLE = ("compare", pc.example_path(), "--wide", "--metric", "accuracy:higher")
TWICE = [
    (("mrmc", "x.csv", "--positive", 1, "--positive", 0), ("'1'", "'0'")),
    ((*EXAMPLE, "--control", "C4.5", "--control", "CN2"), ("'C4.5'", "'CN2'")),
    ((*EXAMPLE, "--alpha", 0.05, "--alpha", 0.05), ("'0.05'",)),
    ((*EXAMPLE, "--date", "2026-11-22", "--date", "2026-11-23"), ("2026-11-22", "23")),
    ((*EXAMPLE, "--metric", "accuracy"), ("accuracy:higher and accuracy;",)),
    ((*EXAMPLE, "--margin", "a=1", "--margin", "a=2"), ("'a=1'", "'a=2'")),
    (("power", "paired-t", "--sd", 0.04, "--sd", 0.08), ("'0.04'", "'0.08'")),
    (
        ("measure", "x.csv", "--undefined", "f1=0", "--undefined", "f1=1"),
        ("f1=0 and f1=1",),
    ),
]


@pytest.mark.parametrize(("arguments", "values"), TWICE)
def test_both_values_are_shown(arguments, values, pycompare, tmp_path):
    status, said, told = pycompare(*arguments, "--out", tmp_path / "out")
    assert (status, said) == (2, "") and told.count("\n") == 1
    for value in values:
        assert value in told
    assert not (tmp_path / "out").exists()


def test_two_folders_for_a_report_write_neither(pycompare, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    status, _, told = pycompare(*EXAMPLE, "--out", one, "--out", two)
    assert status == 2 and str(one) in told and str(two) in told
    assert not list(tmp_path.iterdir())


def test_flags_and_repeatable_options_may_be_given_again():
    words = "x.csv --wide --wide --adjust holm --adjust fdr --n-folds a=3 --n-folds b=4"
    context = compare.make_context("compare", [*words.split(), "--out", "o"])
    assert context.params["wide"] is True
    assert context.params["adjust"] == ("holm", "fdr")
    assert context.params["n_folds"] == {"a": 3, "b": 4}
