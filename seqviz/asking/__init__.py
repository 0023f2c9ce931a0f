"""What asks: predict, order the lines, and what comes back; the browser keeps the answers."""

from pathlib import Path

from seqviz.asking.asked import style
from seqviz.asking.ordering import Order, order
from seqviz.asking.questions import Question, ask, marked, question_of
from seqviz.asking.remembering import Recap, recap
from seqviz.asking.returning import TABLE, Again, again, table

KNOW = str(Path(__file__).with_name("know.js"))
PAGE = str(Path(__file__).with_name("page.js"))  # the script of a page that asks

__all__ = [
    "KNOW",
    "PAGE",
    "TABLE",
    "Again",
    "Order",
    "Question",
    "Recap",
    "again",
    "ask",
    "marked",
    "order",
    "question_of",
    "recap",
    "style",
    "table",
]
