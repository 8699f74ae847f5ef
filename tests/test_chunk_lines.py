"""Chunks of long studies survive a kill in the middle of a line."""

import json

import pytest

from pycompare.base.parallel.place import working
from validation import study
from validation.chunk_lines import append_line, read_lines


def test_half_a_last_line_is_taken_away_and_made_again(tmp_path):
    path = tmp_path / "chunks.jsonl"
    assert read_lines(path) == []
    for seed in range(3):
        append_line(path, {"seed": seed})
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"seed": 3, "cou')
    assert read_lines(path) == [{"seed": 0}, {"seed": 1}, {"seed": 2}]
    assert path.read_bytes() == whole
    append_line(path, {"seed": 3})
    assert read_lines(path)[-1] == {"seed": 3}


def test_a_last_line_without_its_end_is_not_trusted(tmp_path):
    path = tmp_path / "chunks.jsonl"
    path.write_text('{"seed": 0}\n{"runs": 12}')  # may have been {"runs": 12345}
    assert read_lines(path) == [{"seed": 0}]


@pytest.mark.parametrize("line", ["{", "3", "", "null"])
def test_any_other_line_that_is_no_chunk_is_refused_by_its_number(tmp_path, line):
    path = tmp_path / "chunks.jsonl"
    path.write_text(f'{{"seed": 0}}\n{line}\n{{"seed": 1}}\n')
    with pytest.raises(ValueError, match="line 2 is no finished chunk"):
        read_lines(path)


@pytest.fixture
def here():
    """Cells are done in this process."""
    with working(1):
        yield


@pytest.mark.usefixtures("here")
def test_a_killed_study_goes_on_behind_half_a_line(tmp_path):
    made = []

    def chunk(seed):
        made.append(seed)
        return {"square": seed**2}

    one = study.Study(
        "squares", chunk, lambda found: str(sum(c["square"] for c in found))
    )
    told = study.run(one, tmp_path)
    path = tmp_path / "squares.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:20]) + lines[20][:8])
    made.clear()
    assert study.run(one, tmp_path) == told
    assert made == list(range(20, study.CHUNKS))
    assert [json.loads(x) for x in path.read_text().splitlines()] == [
        json.loads(x) for x in lines
    ]
