"""Phones that vote, slides and the lecturer's window, in the browser: under their own policies."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import listen
from tests.browser.shown import found_by_axe
from tests.browser.test_phone import TINY
from tests.browser.test_presenting import READY
from tests.test_presenting import code, text
from tests.test_voting import NAME, opened

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=alert(1)> `=1+1`"
ASKED = f"sv.ask('<b>Which</b> `gate`?', ['f', {MARKUP!r}], answer='f', because='so')"
HAND = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
VOTES = "../presenting/votes.js"


@pytest.fixture
def hall(browser):
    """A room, and what opens a page in a browser of its own; another request is a failure."""
    contexts, problems = [], []
    with opened(
        text("# Gates\n\nGates **keep**."), text("### A gate\n\n**So.**"), code(ASKED)
    ) as room:
        own = room.deck.split("/")[2]

        def visit(address, **look):
            context = browser.new_context(**look)
            contexts.append(context)
            context.on("page", lambda page: listen(page, problems, f"http://{own}/"))
            page = context.new_page()
            page.on("websocket", lambda line: own in line.url or problems.append(line.url))
            page.goto(address)
            return page

        yield room, visit
        for context in contexts:
            context.close()
    assert problems == []


@pytest.mark.chromium("no other is told of fingers")
def test_phones_vote_twice_and_the_lecturer_sees_it_at_once(hall):
    room, visit = hall
    wall = visit(f"{room.deck}#{NAME}", viewport={"width": 1280, "height": 720})
    wall.wait_for_selector(READY)
    phone, other = visit(room.address, **HAND), visit(room.address, **HAND)
    tally = wall.locator(".now .tally")
    expect(tally).to_have_text("0 votes · 2 phones")
    phone.get_by_role("button", name="f").tap()
    expect(phone.get_by_role("status")).to_have_text("Your vote is 1. You may change it.")
    second_tab = phone.context.new_page()
    second_tab.goto(room.address)
    second_tab.get_by_role("button", name="img").tap()
    expect(phone.get_by_role("status")).to_have_text("Your vote is 2. You may change it.")
    expect(tally).to_have_text("1 vote · 2 phones")
    other.keyboard.press("Tab")
    other.keyboard.press("Enter")
    with wall.expect_popup() as popup:
        wall.keyboard.press("s")
    notes = popup.value
    wall.keyboard.press("2")  # who has no phone
    expect(notes.locator(".hint")).to_have_text("33 % are right: explain it again")
    assert phone.locator("h1, .options").all_inner_texts() == [
        "<b>Which</b> gate?",
        "1\nf\n2\n<img src=x onerror=alert(1)> =1+1",
    ]
    assert phone.locator("main").evaluate(TINY) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    tree = phone.locator("main").aria_snapshot()
    for part in (
        'group "<b>Which</b> gate?"',
        'button "1 f"',
        'button "2 <img src=x onerror=alert(1)> =1+1" [pressed]',
        "status: Your vote is 2. You may change it.",
    ):
        assert part in tree, tree
    wall.keyboard.press("v")
    expect(phone.locator(".round")).to_have_text("Talk")
    expect(phone.get_by_role("button", name="f")).to_be_disabled()
    wall.keyboard.press("v")
    phone.get_by_role("button", name="f").tap()
    expect(tally).to_have_text("second vote · 1 vote · 2 phones")
    wall.keyboard.press("a")
    expect(phone.get_by_role("status")).to_have_text("You said 2, then 1. See the wall.")
    expect(wall.locator(".now .count").first).to_have_text("first 1second 1")
    with notes.expect_download() as saved:
        notes.get_by_role("button", name="save counts").click()
    lines = saved.value.path().read_text().splitlines()
    assert lines[1:] == [
        "04_gates,<b>Which</b> gate?,f,1,1",
        "04_gates,<b>Which</b> gate?,<img src=x onerror=alert(1)> =1+1,2,0",
    ]
    wall.keyboard.press("Home")
    expect(phone.get_by_role("heading")).to_have_text("No question is open.")


@pytest.mark.chromium("no other is told of fingers")
def test_the_address_is_drawn_and_a_line_that_breaks_is_mended(hall):
    room, visit = hall
    wall = visit(f"{room.deck}#{NAME}", viewport={"width": 1280, "height": 720})
    wall.wait_for_selector(READY)
    phone = visit(room.address, bypass_csp=True, **HAND)
    wall.keyboard.press("q")
    expect(wall.locator(".join b")).to_have_text(room.address.removeprefix("http://"))
    expect(wall.locator(".join svg")).to_be_in_viewport()
    expect(wall.locator(".join .here")).to_have_text("1 here")
    wall.keyboard.press("Escape")
    expect(wall.locator(".join")).not_to_be_visible()
    phone.get_by_role("button", name="f").tap()
    expect(wall.locator(".now .tally")).to_have_text("1 vote · 1 phone")
    assert found_by_axe(phone, "main") == []
    for line in [*room.phones, *room.desks]:
        room.soon(line.close)
    expect(phone.get_by_role("status")).to_have_text("Not connected. Trying again …")
    expect(wall.locator(".toast")).to_contain_text("Phones cannot vote")
    expect(phone.get_by_role("status")).to_have_text("Your vote is 1. You may change it.")
    expect(wall.locator(".toast")).to_have_text("")


def test_a_hint_by_the_share_that_is_right(script):
    for right, hint in ((34, "explain it again"), (35, "let them talk"), (71, "go on")):
        ballot = {"round": "first", "counts": [100 - right, right], "sum": 100}
        assert script(VOTES, "hintOf", ballot, 1) == f"{right} % are right: {hint}"
    assert script(VOTES, "hintOf", {"round": "first", "counts": [0, 0], "sum": 0}, 1) == ""
    for passed, left in ((0, "1:00"), (13_000, "0:47"), (99_000, "0:00")):
        assert script(VOTES, "talkText", {"talk": 5}, 5 + passed) == left


def test_counts_by_hand_are_whole_and_no_cell_is_a_formula(script):
    slide = {"id": "a", "options": 2, "question": "=1+1", "texts": ["@f", "i"], "right": 0}
    for typed, kept in ((-3, 0), (None, 0), (12, 12), (1e9, 9999)):
        state = script(VOTES, "counted", {"votes": {}}, slide, "first", 1, typed)
        assert state["votes"] == {"a": {"first": [0, kept]}}
    ballots = script(VOTES, "ballotOf", state, {"a": {"first": [1, 1]}}, slide)
    table = script(VOTES, "votesTable", "-04", [slide], [ballots])
    assert table.splitlines()[1:] == ["'-04,'=1+1,'@f,1,0", "'-04,'=1+1,i,10000,0"]
