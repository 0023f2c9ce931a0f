"""Write where the course lives into README.md, pyproject.toml and CITATION.cff.

usage: python .ci/address.py https://github.com/OWNER/NAME

README's pictures get absolute addresses, which a package index shows too. Beside each notebook come
links that open it in Binder and in Colab. A second run, with the same or another address, replaces
what the first one wrote.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git|/)?")
PICTURE = re.compile(r"\]\((?:https://\S+?/raw/HEAD/)?(\.github/[\w.-]+)\)")
LINKS = r"(?: · \[(?:Binder|Colab)\]\(https://\S+\))*"
NOTEBOOK = re.compile(rf"^(\| [^|\n]*\| \[\w+\]\((notebooks/\w+\.ipynb)\)){LINKS}", re.MULTILINE)
URLS = re.compile(r"\[project\.urls\]\n(?:\w+ = .*\n)+\n")
CITED = re.compile(r"^repository-code: .*\n", re.MULTILINE)


def repository(address: str) -> str:
    """Return OWNER/NAME of an address."""
    if found := GITHUB.fullmatch(address):
        return found[1]
    raise ValueError(f"wants https://github.com/OWNER/NAME, which Colab can open, got {address!r}")


def readme(text: str, name: str) -> str:
    """Return README.md with the addresses of its pictures and of its notebooks."""
    text = PICTURE.sub(rf"](https://github.com/{name}/raw/HEAD/\1)", text)
    return NOTEBOOK.sub(
        rf"\1 · [Binder](https://mybinder.org/v2/gh/{name}/HEAD?labpath=\2)"
        rf" · [Colab](https://colab.research.google.com/github/{name}/blob/HEAD/\2)",
        text,
    )


def pyproject(text: str, name: str) -> str:
    """Return pyproject.toml with the project's addresses before its scripts."""
    home = f"https://github.com/{name}"
    urls = {"Repository": "", "Issues": "/issues", "Changelog": "/blob/HEAD/CHANGELOG.md"}
    lines = [f'{label} = "{home}{path}"\n' for label, path in urls.items()]
    table = "".join(["[project.urls]\n", *lines, "\n[project.scripts]\n"])
    return URLS.sub("", text).replace("[project.scripts]\n", table)


def citation(text: str, name: str) -> str:
    """Return CITATION.cff with the repository after the licence."""
    line = f"repository-code: https://github.com/{name}\n"
    return re.sub(r"^license: .*\n", rf"\g<0>{line}", CITED.sub("", text), flags=re.MULTILINE)


FILES: dict[str, Callable[[str, str], str]] = {
    "README.md": readme,
    "pyproject.toml": pyproject,
    "CITATION.cff": citation,
}


def main(address: str, top: Path = Path(__file__).parents[1]) -> None:
    """Write an address into the files of a checkout."""
    name = repository(address)
    for file, told in FILES.items():
        path = top / file
        text = told(path.read_text(encoding="utf-8"), name)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except ValueError as problem:
        sys.exit(str(problem))
