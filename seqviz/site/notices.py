"""The licences of what the pages hold."""

from importlib.metadata import distribution

THIRD_PARTY = (
    ("plotly.js", "plotly", "draws the figures; MIT licence"),
    ("JupyterLab's style sheets", "jupyterlab", "the look of the pages; BSD 3-clause licence"),
    ("nbconvert's lab template", "nbconvert", "the frame of the pages; BSD 3-clause licence"),
    ("pdoc's templates", "pdoc", "the reference; MIT-0 licence"),
)


def licences() -> str:
    """Return the notices of what the pages hold, from the installed packages."""
    parts = ["The pages in this folder hold parts of the following works.\n"]
    for name, package, role in THIRD_PARTY:
        files = distribution(package).files or []
        texts = [f.read_text(encoding="utf-8") for f in files if f.stem.upper() == "LICENSE"]
        parts.append(f"{'=' * 72}\n{name}: {role}\n{'=' * 72}\n\n" + "\n".join(texts))
    return "\n".join(parts)
