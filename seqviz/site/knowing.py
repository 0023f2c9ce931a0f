"""The page of all questions that come back, and of all that a reader predicted."""

from markupsafe import Markup

from seqviz.asking import KNOW, style, table
from seqviz.site import frame
from seqviz.site.frame import Place
from seqviz.views.shared.bundle import module

ADDRESS = "know.html"
TITLE = "What do I still know?"
ABOUT = (
    "Six questions a day. What was right comes back later each time, what was wrong tomorrow. "
    "Your answers stay in this browser."
)


def know_page(texts: tuple[tuple[str, str], ...]) -> str:
    """Return the page; `texts` are the pages of the site's plain texts."""
    asked = [
        (lecture, Markup(one.body(f"From {lecture}.")))
        for lecture, questions in table().items()
        for one in questions
    ]
    return (
        frame.templates()
        .get_template("know.html.j2")
        .render(
            title=TITLE,
            about=ABOUT,
            questions=asked,
            style=Markup(style("asking.css")),
            script=Markup(module(KNOW)),
            frame=frame.common(),
            place=Place(alone=False, texts=texts),
        )
    )
