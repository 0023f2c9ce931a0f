"""What .ci/address.py writes when the course gets its place, tried on a copy of the files."""

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

TOP = Path(__file__).parents[1]
HOME = "https://github.com/an-owner/a.course"
NOTEBOOKS = {path.relative_to(TOP).as_posix() for path in TOP.glob("notebooks/*.ipynb")}

spec = importlib.util.spec_from_file_location("address", TOP / ".ci" / "address.py")
address = importlib.util.module_from_spec(spec)
spec.loader.exec_module(address)


@pytest.fixture
def copy(tmp_path):
    for name in address.FILES:
        shutil.copy(TOP / name, tmp_path)
    return tmp_path


def texts(folder):
    return {name: (folder / name).read_text(encoding="utf-8") for name in address.FILES}


def test_the_readme_opens_every_notebook_and_shows_its_pictures(copy):
    address.main(HOME, copy)
    readme, opened = texts(copy)["README.md"], []
    for row in readme.splitlines():
        if found := address.NOTEBOOK.match(row):
            binder, colab = re.findall(r"\]\((https?://[^)]+)\)", row)[:2]
            assert parse_qs(urlsplit(binder).query) == {"labpath": [found[2]]}
            assert urlsplit(binder)[1:3] == ("mybinder.org", "/v2/gh/an-owner/a.course/HEAD")
            start = "https://colab.research.google.com/github/an-owner/a.course/blob/HEAD/"
            assert colab == start + found[2]
            opened.append(found[2])
    assert sorted(opened) == sorted(NOTEBOOKS)
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", readme)
    assert len(pictures) >= 2
    for picture in pictures:
        assert picture.startswith(f"{HOME}/raw/HEAD/.github/")
        assert (TOP / picture.removeprefix(f"{HOME}/raw/HEAD/")).is_file()


def test_the_package_and_the_citation_name_the_repository(copy):
    before = tomllib.loads(texts(copy)["pyproject.toml"])
    address.main(HOME, copy)
    project = tomllib.loads(texts(copy)["pyproject.toml"])
    urls = project["project"].pop("urls")
    before["project"].pop("urls", None)
    assert project == before
    assert urls["Repository"] == HOME
    assert (TOP / urls["Changelog"].removeprefix(f"{HOME}/blob/HEAD/")).is_file()
    assert yaml.safe_load(texts(copy)["CITATION.cff"])["repository-code"] == HOME


def test_another_address_takes_the_place_of_the_first(copy):
    address.main("https://github.com/first/one.git", copy)
    address.main(f"{HOME}/", copy)
    once = texts(copy)
    assert not any("first/one" in text for text in once.values())
    address.main(HOME, copy)
    assert texts(copy) == once


def test_what_colab_cannot_open_is_refused(copy):
    before = texts(copy)
    for wrong in ("", "a.course", "http://github.com/a/b", f"{HOME}/tree/main"):
        with pytest.raises(ValueError, match=r"wants https://github\.com/OWNER/NAME"):
            address.main(wrong, copy)
    assert texts(copy) == before


def test_all_three_files_name_the_same_place_or_none(copy):
    urls = tomllib.loads(texts(TOP)["pyproject.toml"])["project"].get("urls")
    if urls:
        address.main(urls["Repository"], copy)
        assert texts(copy) == texts(TOP), "run: python .ci/address.py REPOSITORY"
    else:
        assert "mybinder.org" not in texts(TOP)["README.md"]
        assert "repository-code" not in texts(TOP)["CITATION.cff"]
