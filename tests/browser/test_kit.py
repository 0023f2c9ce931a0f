"""The lesson in a browser: a coin, questions, text or view, questions, a file to hand in."""

import json

import pytest
from playwright.sync_api import expect

from seqviz.kit import analysing, page
from tests.browser.conftest import listen
from tests.browser.shown import found_by_axe

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("coin", "arm"), [(0, "text"), (1, "view")])
def test_a_student_walks_the_lesson_and_saves_what_they_answered(browser, tmp_path, coin, arm):
    file = tmp_path / "lesson.html"
    file.write_text(page(), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    context.add_init_script(f"crypto.getRandomValues = array => array.fill({coin})")
    shown, problems = context.new_page(), []
    listen(shown, problems, file.as_uri())
    shown.goto(file.as_uri())
    shown.get_by_role("button", name="Begin").press("Enter")
    for k in range(20):
        expect(shown.locator(".ask h2")).to_have_text(f"Question {k + 1} of 20")
        if k == 7:
            shown.reload()  # it goes on where it was
        shown.locator(".options button").nth(k % 3).press("Enter")
    other = {"text": "view", "view": "text"}[arm]
    expect(shown.locator(f".study .{arm}")).to_be_visible()
    expect(shown.locator(f".study .{other}")).to_be_hidden()
    if arm == "view":
        expect(shown.locator('.seqviz[data-ready="true"]')).to_be_visible()
    assert found_by_axe(shown, "main") == []
    shown.get_by_role("button", name="To the questions").click()
    for _ in range(20):
        shown.locator(".options button").nth(1).click()
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Save my answers").click()
    arms, choices = analysing.read([download.value.path()])
    assert arms == [arm]
    assert choices[0].tolist() == [[k % 3 for k in range(20)], [1] * 20]
    saved = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert {*saved} == {"version", "code", "arm", "before", "after"}
    shown.get_by_role("button", name="The next student begins").click()
    expect(shown.get_by_role("button", name="Begin")).to_be_visible()
    context.close()
    assert not problems
