"""The shipped files of a data set are what its make.py writes."""

import filecmp
import shutil

import pytest

from seqviz.data.loaders import SHIPPED
from tests.data.making import DATASETS, run_make

MADE = {path.parent.name: path.parent for path in DATASETS.glob("*/make.py")}


def test_each_set_with_items_is_made():
    assert {*MADE} == {name.replace("-", "_") for name in SHIPPED}


@pytest.mark.parametrize("name", sorted(MADE))
def test_the_files_are_what_make_writes(name, tmp_path):
    for path in MADE[name].glob("*.py"):
        shutil.copy(path, tmp_path)
    run_make(tmp_path, as_script=True)
    files = {path.name for path in MADE[name].glob("*.jsonl")}
    assert {path.name for path in tmp_path.glob("*.jsonl")} == files
    _, different, missing = filecmp.cmpfiles(tmp_path, MADE[name], files, shallow=False)
    assert (different, missing) == ([], [])
