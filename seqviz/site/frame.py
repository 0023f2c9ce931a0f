"""What stands around every page: its head, the bar on top, and where its styles come from."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from nbconvert import HTMLExporter
from plotly.offline import get_plotlyjs

from seqviz.asking import PAGE as ASKING
from seqviz.views.shared import palette
from seqviz.views.shared.bundle import module
from seqviz.views.shared.page import POLICY, PRINTING

FOLDER = Path(__file__).with_name("frame")
SCRIPTS = ("contents.js", "copying.js", "finding.js")  # run when a page is there, as PRINTING
SHARED = "shared"  # the folder beside the pages
# Pages with files beside them may load those, and no others.
POLICY_BESIDE = POLICY.replace("script-src ", "script-src 'self' file: ").replace(
    "style-src ", "style-src 'self' file: "
)


@dataclass(frozen=True)
class Place:
    """Where a page stands among the others.

    Attributes
    ----------
    alone : bool
        Whether the page holds all that it needs, and knows of no other page.
    home : str
        The way to the folder of `index.html`: "" or "../".
    before, after : tuple of str, or None
        The pages before and after it: (address, title).
    texts : tuple of tuple of str
        The texts that stand beside the notebooks, each (address, title).
    """

    alone: bool = True
    home: str = ""
    before: tuple[str, str] | None = None
    after: tuple[str, str] | None = None
    texts: tuple[tuple[str, str], ...] = ()

    @property
    def shared(self) -> str:
        """The way to the shared files."""
        return f"{self.home}{SHARED}"


def text(name: str) -> str:
    """Return one of the frame's files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def templates(folder: Path = FOLDER) -> Environment:
    """Return the templates of a folder; those of the pages that are not notebooks."""
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )


@cache
def styles() -> dict[str, str]:
    """Return the style sheets by file name, in the order in which they apply."""
    light, dark = (f"html {{\n{declared}}}\n" for declared in palette.declarations())
    return {
        "lab.css": _lab_style("index.css") + _lab_style("theme-light.css"),
        "site.css": light + text("site.css"),
        "dark.css": _lab_style("theme-dark.css") + dark + text("dark.css"),
    }


def plotly() -> str:
    """Return the script that draws figures."""
    return get_plotlyjs().replace("</script", r"<\/script")


def common() -> dict:
    """Return what every template is given."""
    return {
        "policy": POLICY,
        "policy_beside": POLICY_BESIDE,
        "styles": styles(),
        "theme_script": text("theme.js"),
        "scripts": [*map(text, SCRIPTS), PRINTING.read_text(encoding="utf-8"), module(ASKING)],
    }


def _lab_style(name: str) -> str:
    for folder in HTMLExporter().template_paths:
        if (sheet := Path(folder) / "static" / name).is_file():
            return sheet.read_text(encoding="utf-8")
    raise FileNotFoundError(f"nbconvert's lab template has no {name}: reinstall nbconvert")
