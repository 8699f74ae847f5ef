"""Folders are read through links, and no folder is left out without a word."""

import pytest

from pycompare.base.errors import InputError
from pycompare.data.folder_files import files_below


def test_links_to_folders_are_followed(tmp_path):
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep" / "a").write_text("")
    (tmp_path / "elsewhere" / ".hidden").write_text("")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    assert files_below(root, hidden=".") == [root / "link" / "deep" / "a"]


def test_a_link_to_a_folder_that_holds_it_is_refused(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path)
    with pytest.raises(InputError, match="link to a folder that contains it"):
        files_below(tmp_path, hidden=".")
