"""A page of feedback shows what a student wrote, and nothing in it runs, loads or leads away."""

import base64
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import nbformat
import pytest

pytest.importorskip("nbgrader")

from PIL import Image

from seqviz.grading import feedback as feedbacks
from seqviz.grading.classes import with_tests
from seqviz.grading.cleaning import BYTES, PROSE, TEXT, markdown, picture, plain
from seqviz.grading.feedback import feedback
from seqviz.grading.recording import EXECUTED, MENDED, record
from seqviz.site import formulas
from seqviz.views.shared import chromium
from tests.conftest import give_up
from tests.grading.toy import cell, released, solved, source

HIDDEN = "double, -3", "-6)", "2.5", "HIDDEN", "SOLUTION", "return x / 2", "because it is so"
RIGHT = "<img src=x onerror=alert(1)>"  # a student's name
EVIL = "http://192.0.2.1/x"
ATTACKS = [
    "<script>alert(1)</script>",
    "<script",
    "</script></style></title></textarea>-->]]><script>alert(1)</script>",
    f"<img src={EVIL} onerror=alert(1)>",
    "<IMG SRC=x ONERROR=alert(1)//",
    f"<div style='position:fixed;inset:0;background:url({EVIL})'>over</div>",
    f"<style>@import '{EVIL}'; body {{ display: none }}</style>",
    f"<link rel=stylesheet href={EVIL}>",
    f"<link rel=dns-prefetch href={EVIL}>",
    f"<meta http-equiv=refresh content='0;url={EVIL}'>",
    f"<base href={EVIL}>",
    f"<form action={EVIL}><button autofocus onfocus=alert(1)>send</button></form>",
    f"<iframe srcdoc='<script>alert(1)</script>' src={EVIL}></iframe>",
    f"<object data={EVIL}></object><embed src={EVIL}>",
    f"<svg onload=alert(1)><image href={EVIL} /><a href='javascript:alert(1)'>x</a></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table>",
    f"<math href='{EVIL}'><maction actiontype='statusline#{EVIL}'>x</maction></math>",
    f"<video poster={EVIL} autoplay><source src={EVIL} onerror=alert(1)></video>",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<details><summary onclick=alert(1)>x</summary></details>",
    "</div></section></main></body><h1>30 of 30 points</h1>",
    "[a](javascript:alert(1)) [b](JaVa&#115;cript:alert(1)) [c](data:text/html,<script>1</script>)",
    f'[a]({EVIL} "x\\" onmouseover=alert(1) \\"") ![b]({EVIL} "onerror=alert(1)")',
    f'![x" onerror="alert(1)]({EVIL}) ![<img src=x onerror=alert(1)>](attachment:none)',
    f"[a][r] ![b][r] <{EVIL}> {EVIL}\n\n[r]: javascript:alert(1) '\"><img src=x onerror=alert(1)>'",
    '```html"><img src=x onerror=alert(1)>\n<script>alert(1)</script>\n```',
    "```mermaid\n</pre><img src=x onerror=alert(1)>\n```",
    "`<img src=x onerror=alert(1)>` **<b onclick=alert(1)>x</b>**",
    "# <img src=x onerror=alert(1)>\n\n| <img src=x onerror=alert(1)> |\n|:-:|\n| <a href=x> |",
    "- [ ] <input onfocus=alert(1) autofocus>\n- [x] done",
    r"$\text{<img src=x onerror=alert(1)>}$ $$\mbox{<script>alert(1)</script>}$$",
    r"$\href{javascript:alert(1)}{x}$ $\style{position:fixed;inset:0}{x}$",
    r'$\class{x" onclick="alert(1)}{x}$ $\color{red" onclick="alert(1)}{x}$',
    r"$\unicode{3C;script}$ $\unicode{x3C;img src=x onerror=alert(1)}$",
    rf"$\color{{url({EVIL})}}{{x}}$ $\hspace{{99999em}}x$",
    r"$\tag{</math><img src=x onerror=alert(1)>}$",
    r"\begin{matrix}\text{</mtext></math><img src=x onerror=alert(1)>}\end{matrix}",
    "$a<img src=x onerror=alert(1)>$ $&lt;img src=x onerror=alert(1)&gt;$",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
    f"\x1b]8;;{EVIL}\x1b\\<a href=javascript:alert(1)>\x1b]8;;\x1b\\ \x1b[31m<script>\x1b[0m",
    "\ud800<b>\x00\x08</b>\u202e<i>",
    "[" * 400 + "<script>" + ">" * 400 + "{" * 2000,
]
TAGS = re.compile(
    "html|head|meta|title|style|body|main|header|section|div|p|h[1-6]|b|em|strong|del|bdi|span|a|"
    "ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|details|summary|pre|code|br|hr|blockquote|img|"
    + formulas.TAGS.pattern
)
ATTRIBUTES = re.compile(f"class|id|alt|scope|start|{formulas.NAMES.pattern}")


SLOW = [nbformat.v4.new_markdown_cell(f"{k}" + "\\\\[" * 4900) for k in range(9)]
LONG = [nbformat.v4.new_code_cell("y" * 14_000) for _ in range(30)]


class Held(HTMLParser):
    """Collects the tags of a page."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    handle_startendtag = handle_starttag


def is_clean(text, frame=False):
    for tag, attributes in Held(text).found:
        assert TAGS.fullmatch(tag), tag
        for name, value in attributes.items():
            assert value is not None, name
            if name == "href":
                assert re.fullmatch(r"#part-\d+", value)
            elif name == "src":
                assert re.fullmatch(r"data:image/(png|jpeg);base64,[\w+/=]*", value)
            elif name == "style":
                assert re.fullmatch(r"text-align:(left|right|center)", value)
            elif name in {"lang", "charset", "http-equiv", "content", "name"}:
                assert frame
            else:
                assert ATTRIBUTES.fullmatch(name), name
    return True


def drawn(kind="PNG", size=(4, 4), noise=False):
    image = Image.effect_noise(size, 90) if noise else Image.new("L", size)
    packed = io.BytesIO()
    image.save(packed, kind)
    return base64.b64encode(packed.getvalue()).decode()


def test_no_text_becomes_markup():
    for attack in ATTACKS:
        assert is_clean(markdown(attack)), attack
        assert is_clean(str(feedbacks.text(attack))), attack
        assert is_clean(picture(attack, attack)), attack
        assert is_clean(picture(drawn(), attack)), attack


def test_only_a_picture_is_shown():
    others = {
        "a GIF": drawn("GIF"),
        "a half": drawn()[:60],
        "an SVG": base64.b64encode(b"<svg onload='alert(1)'/>").decode(),
        "an address": "javascript:alert(1)",
        "more than two megabytes": drawn(size=(1600, 1600), noise=True),
        "a small file of many pixels": drawn(size=(20_001, 1000)),
        "letters": "A" * 3 * BYTES,
        "nothing": "",
    }
    for what, data in others.items():
        assert "<img" not in picture(data, "a net"), what
        assert "a net" in picture(data, "a net"), what
    for kind in ("PNG", "JPEG"):
        assert '<img alt="a net"' in picture(drawn(kind), "a net")


def test_text_is_what_a_terminal_shows_and_long_text_is_cut():
    for typed, read in (
        ("a\r10%\rdone", "done"),
        ("\x1b[1;31mred\x1b[0m \x1b]0;title\x07x", "red x"),
        ("a\x00b\ud800", "ab"),
        ("line\r\nline", "line\nline"),
    ):
        assert plain(typed) == read
    for most, shorten in ((TEXT, plain), (PROSE, markdown)):
        assert len(shorten("y" * 10**7)) < most + 100
        assert "10,000,000 letters" in shorten("y" * 10**7)


def test_ordinary_text_is_shown_well():
    for typed, held in (
        ("$x^2$", "<msup>"),
        ("$\\nonsense{$", "<code>"),
        (
            "<details><summary>Hint</summary>\n\n*x*\n\n</details>",
            "<details><summary>Hint</summary>",
        ),
        ("[paper](https://example.org/a?b&c)", "paper <span"),
        ("a < b & c", "a &lt; b &amp; c"),
    ):
        assert held in markdown(typed), typed


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Graded submissions, whose outputs are written here instead of by a run."""
    course, copy = released(tmp_path_factory.mktemp("course"))
    for student, edit in STUDENTS.items():
        mended = solved(copy)
        run = with_tests(mended, source())
        notes = edit(mended, run) or []
        for stage, notebook in (("submitted", mended), (MENDED, mended), (EXECUTED, run)):
            path = course.notebook(stage, "A9", student)
            path.parent.mkdir(parents=True)
            text = json.dumps(notebook)
            path.write_text(text, encoding="utf-8")
        record(course, "A9", student)
        note = course.root / "notes" / "A9" / f"{student}.json"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(json.dumps({"notes": notes}), encoding="utf-8")
    with course.gradebook() as grades:
        for comment in grades.find_submission("A9", "hostile").notebooks[0].comments:
            comment.manual_comment = "\n\n".join(map(plain, ATTACKS))
        grades.find_comment("words", "A9_toy", "A9", "wrong").manual_comment = "Say *why*."
        by_hand = grades.find_grade("words", "A9_toy", "A9", "wrong")
        by_hand.manual_score, by_hand.needs_manual_grade = 1.5, False
        grades.db.commit()
    return course


def _error(name, value):
    return nbformat.v4.new_output("error", ename=name, evalue=value, traceback=[value])


def _wrong(mended, run):
    printed = nbformat.v4.new_output("stream", text="✗ double(2) gave 3.\n")
    cell(run, "double-test").outputs = [printed, _error("AssertionError", "double(2) gave 3.")]
    cell(run, "half-test").outputs = [_error("AssertionError", "half(5) gave 7, expected 2.5")]
    png = {"image/png": drawn(), "text/plain": "<Figure>"}
    drew = nbformat.v4.new_output("display_data", png)
    cell(mended, "half").outputs = [drew, nbformat.v4.new_output("stream", text="y" * 10**6)]
    spied = nbformat.v4.new_output("stream", text="seen: double, -3")  # met in a hidden test
    cell(run, "half").outputs = [spied, _error("ValueError", "double, -3")]
    return ["cell half-test is locked and was changed: ours was run"]


def _hostile(mended, run):
    everything = "\n\n".join(map(plain, ATTACKS))
    for notebook in (mended, run):
        notebook.cells += [nbformat.v4.new_markdown_cell(plain(one)) for one in ATTACKS]
        cell(notebook, "words").source = everything
        cell(notebook, "double").source = everything
    cell(run, "double").outputs = [
        *(nbformat.v4.new_output("stream", text=plain(one)) for one in ATTACKS[:9]),
        _error(everything, everything),
    ]
    shown = {"text/plain": everything, "text/html": everything, "image/svg+xml": everything}
    cell(mended, "half").outputs = [
        nbformat.v4.new_output("display_data", shown),
        nbformat.v4.new_output("display_data", shown | {"image/png": everything}),
        nbformat.v4.new_output("display_data", shown | {"image/png": drawn()}),
    ]
    cell(run, "half-test").outputs = [_error("AssertionError", everything)]
    return ATTACKS[:-3]


def _ended(_, run):
    for name in ("double-test", "half-test"):
        cell(run, name).outputs = [_error("NotRun", "the process died")]


STUDENTS = {
    "wrong": _wrong,
    "ended": _ended,
    "hostile": _hostile,
    RIGHT: lambda *_: None,
}


@pytest.fixture(scope="module")
def pages(course):
    paths, problems = feedback(course, "A9")
    assert problems == {}
    return {path.parts[-3]: path for path in paths}


def test_a_page_tells_points_reasons_and_comments(pages):
    wrong = pages["wrong"].read_text(encoding="utf-8")
    for told in ("half-test is locked and was changed", "double(2) gave 3.", "<em>why</em>"):
        assert wrong.count(told) == 1
    assert feedbacks.UNTOLD in wrong
    assert "Because." in wrong
    assert "data:image/png" in wrong
    assert "[cut: " in wrong
    assert "ValueError, when all cells were run" in wrong
    assert "<b>1.5</b> of 9 points" in wrong
    assert "a part of the points" in wrong
    right = pages[RIGHT].read_text(encoding="utf-8")
    assert "<b>5</b> of 9 points" in right
    assert "waits for your lecturer" in right
    assert "the process died" in pages["ended"].read_text(encoding="utf-8")


def test_no_page_holds_a_hidden_test_or_a_solution(pages):
    for path in pages.values():
        page = path.read_text(encoding="utf-8")
        assert "check(double, 2, 4)" in page
        for told in HIDDEN:
            assert told not in page.partition("</style>")[2], told


def test_a_page_is_clean_and_says_so(pages):
    assert len(pages) == len(STUDENTS)
    for path in pages.values():
        page = path.read_text(encoding="utf-8")
        assert is_clean(page, frame=True)
        assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:;" in page


def test_a_browser_asks_for_nothing_and_runs_nothing(pages):
    try:
        with ThreadPoolExecutor(1) as apart:  # another browser may be open in this thread
            apart.submit(look_at, pages).result()
    except RuntimeError as problem:
        give_up(str(problem))


def look_at(pages):
    with chromium.open_browser() as browser:
        for bypass in (False, True):  # the policy is a second wall: the first one holds alone
            found = []
            context = browser.new_context(bypass_csp=bypass)
            context.on("request", lambda one, f=found: f.append(one.url))
            page = context.new_page()
            page.on("dialog", lambda one, f=found: (f.append(one.message), one.dismiss()))
            page.on("console", lambda one, f=found: f.append(one.text))
            page.on("pageerror", lambda one, f=found: f.append(str(one)))
            for student in ("hostile", RIGHT):
                page.goto(pages[student].as_uri())
                opened = page.evaluate(
                    """() => { for (const one of document.querySelectorAll('details'))
                    one.open = true; return document.querySelectorAll('body > *').length }"""
                )
                assert opened == 1
                page.wait_for_timeout(300)
            pictures = [one for one in found if not one.startswith(("file:", "data:image/"))]
            assert pictures == []
            assert sum(one.startswith("file:") for one in found) == 2
            context.close()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "NotJSON"),
        (nbformat.writes(nbformat.v4.new_notebook(cells=SLOW)), "it takes more than"),
        (nbformat.writes(nbformat.v4.new_notebook(cells=LONG)), "it would have"),
    ],
    ids=["broken", "slow", "long"],
)
def test_one_student_stops_nobody(course, pages, monkeypatch, content, reason):
    monkeypatch.setattr(feedbacks, "SECONDS", 1.0)
    monkeypatch.setattr(feedbacks, "LARGEST", 300_000)
    old = pages["wrong"].read_bytes()
    for place in ("feedback/gone/A9", "feedback/gone/A8", "feedback/gone2/A9"):
        (course.root / place).mkdir(parents=True, exist_ok=True)
    path = course.notebook("autograded", "A9", "wrong")
    kept = path.read_bytes()
    path.chmod(0o644)
    path.write_text(content, encoding="utf-8")
    written, problems = feedback(course, "A9")
    path.write_bytes(kept)
    assert len(written) == len(STUDENTS) - 1
    assert list(problems) == ["wrong"]
    assert reason in problems["wrong"]
    assert pages["wrong"].read_bytes() == old
    left = {path.relative_to(course.root).as_posix() for path in course.root.glob("feedback/*/*")}
    assert "feedback/gone/A8" in left
    assert not left & {"feedback/gone/A9", "feedback/gone2/A9"}
