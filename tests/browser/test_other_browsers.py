"""Every view in Firefox and in WebKit, opened once in each: painted, read, pointed at, saved."""

from functools import cache

import pytest

from tests.browser.drivers import open_firefox, open_webkit
from tests.browser.shown import CONTRAST
from tests.browser.test_every_view import VIEWS
from tests.views.views import VIEWS as SMALL

pytestmark = pytest.mark.browser

WINDOW = {"width": 1100, "height": 1120}
LONG = ["cause"]  # the one that scrolls where it fills the screen
AROUND = [(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]
ALL = {**VIEWS, "cause": SMALL["cause"]}
OPEN = {"Firefox": open_firefox, "WebKit": open_webkit}
READY = '.seqviz[data-ready="true"][aria-busy="false"]:not([data-pending="true"])'
# Room as in a notebook, also for larger text. What goes wrong and what is saved, no driver tells.
HEAD = """<style>body { width: calc(832px * var(--larger, 1)); }</style><script>
window.wrong = [];
window.saved = [];
addEventListener('error', event => event.lineno && wrong.push(event.message));
addEventListener('unhandledrejection', event => wrong.push(String(event.reason)));
addEventListener('securitypolicyviolation', event => wrong.push(event.violatedDirective));
const blobs = new Map(), {createObjectURL} = URL;
URL.createObjectURL = blob => {
    const address = createObjectURL.call(URL, blob);
    blobs.set(address, blob);
    return address;
};
HTMLAnchorElement.prototype.click = async function () {
    const text = await blobs.get(this.href).slice(0, 99).text();
    saved.push([this.download, text]);
};
</script>"""
SEEN = """() => [document.querySelector('.say').textContent,
    document.querySelector('.seqviz').exported.csv()]"""
STATE = """async () => {
    await new Promise(requestAnimationFrame);
    const {theme, ...rest} = document.querySelector('.seqviz').dataset;
    const said = document.querySelector('.say').textContent;
    return JSON.stringify([said, Object.entries(rest).sort()]);
}"""
DRAWN = """async () => {
    await new Promise(requestAnimationFrame);
    return document.querySelector('.say').textContent + document.querySelector('.stage').innerHTML;
}"""
# Where the stage stands in the window, and how large its pixels are there.
STAGE = """() => {
    const {zoom} = getComputedStyle(document.querySelector('.seqviz'));
    const stage = document.querySelector('.stage'), {x, y} = stage.getBoundingClientRect();
    const scale = stage.currentCSSZoom ? 1 : zoom;
    return [x * scale, y * scale, Number(zoom)];
}"""
# Some small marks and names of the drawings, in order: where they stand in the stage.
PLACES = """() => {
    const stage = document.querySelector('.stage'), corner = stage.getBoundingClientRect();
    const found = [...stage.querySelectorAll('svg :is(text, rect, circle)')].map(node => {
        const {x, y, width, height} = node.getBoundingClientRect();
        return {at: [x - corner.x + width / 2, y - corner.y + height / 2], width};
    }).filter(({at: [x, y], width}) => x > 0 && y > 0 && y < 600 && width < 60);
    return [0.1, 0.35, 0.65, 0.9].map(part => found[Math.floor(part * found.length)].at);
}"""
LARGER = """by => {
    document.body.style.setProperty('--jp-content-font-size1', `${14 * by}px`);
    document.body.style.setProperty('--larger', by);
}"""
ZOOM = "Number(getComputedStyle(document.querySelector('.seqviz')).zoom)"
# How many colours a map has, how many nodes the drawings.
PAINTED = """() => {
    const stage = document.querySelector('.stage'), colours = new Set();
    for (const canvas of stage.querySelectorAll('canvas')) {
        if (!canvas.width || !canvas.height) continue;
        const pen = canvas.getContext('2d');
        const {data} = pen.getImageData(0, 0, canvas.width, canvas.height);
        for (let k = 0; k < data.length; k += 28) colours.add(data.slice(k, k + 4).join());
    }
    return colours.size + stage.querySelectorAll('svg *, span').length;
}"""
READABLE = f"""() => {{
    {CONTRAST}
    const {{color}} = getComputedStyle(document.querySelector('.say'));
    const {{backgroundColor}} = getComputedStyle(document.querySelector('.seqviz'));
    return contrast(numbers(color), numbers(backgroundColor));
}}"""
FULL = """() => {
    const root = document.querySelector('.seqviz'), zoom = Number(getComputedStyle(root).zoom);
    const {width, height} = root.getBoundingClientRect();
    const box = [width, height].map(v => Math.round(root.currentCSSZoom ? v : v * zoom));
    const over = [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
    return [zoom, over, box, [innerWidth, innerHeight]];
}"""
SAVE = """async kind => {
    const entries = [...document.querySelectorAll('.exports [role="menuitem"]')];
    entries.find(entry => entry.textContent.startsWith(kind)).click();
    while (!saved.length) await new Promise(requestAnimationFrame);
    return saved.pop();
}"""
LEGENDS = """() => [...document.querySelectorAll('legend span')].filter(words => {
    const first = words.closest('fieldset').querySelector('.seg span')?.getBoundingClientRect();
    if (!first) return false;
    const {width, height, top, bottom} = words.getBoundingClientRect();
    const hidden = getComputedStyle(words.parentNode).position === 'absolute';
    return !hidden && width && height && (bottom < first.top || top > first.bottom);
}).map(words => words.textContent)"""


@pytest.fixture(scope="module", params=OPEN)
def driver(request):
    with OPEN[request.param]() as driver:
        if driver is None:
            pytest.skip(f"{request.param} is not installed, or not what drives it: see .ci/run")
        driver.resize(*WINDOW.values())
        yield driver


@pytest.fixture(scope="module")
def told(browser, tmp_path_factory):
    """The file of a view's page, and what it says in the browser of all tests."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def told(name):
        file = folder / f"{name}.html"
        text = ALL[name]().to_html().replace("<head>", f"<head>{HEAD}", 1)
        file.write_text(text, encoding="ascii")
        page = browser.new_page(viewport=WINDOW)
        page.goto(file.as_uri())
        page.wait_for_selector(READY)
        seen = page.evaluate(SEEN)
        page.close()
        return file.as_uri(), seen

    return told


def pointed_at(driver, places, otherwise=()):
    """What the view says with the pointer at places of its stage.

    Where that was `otherwise` it may lie within four pixels: at the edge of what is pointed at.
    """
    driver.point(2, 2)
    driver.run(STATE)
    left, top, zoom = driver.run(STAGE)
    found = []
    for k, (x, y) in enumerate(places):
        for across, down in AROUND:
            driver.point(left + x * zoom + across, top + y * zoom + down)
            said = driver.run(STATE)
            if not otherwise or said == otherwise[k]:
                break
        found.append(said)
    return found


def moved(driver):
    """What is drawn after each of some keys."""
    driver.point(2, 2)
    driver.run("() => document.querySelector('.stage').focus()")
    for key in ("Home", "ArrowRight", "ArrowDown"):
        driver.press(key)
        yield driver.run(DRAWN)


@pytest.mark.parametrize("name", ALL)
def test_a_view_in(driver, told, name):
    address, seen = told(name)
    driver.open(address)
    driver.wait(f"() => document.querySelector('{READY}')")
    assert driver.run(PAINTED) > 40
    assert driver.run(SEEN) == seen, "it says what it does elsewhere"
    assert driver.run(LEGENDS) == []

    for theme in ("dark", "light"):
        driver.wait(f"() => document.querySelector('.seqviz').dataset.theme === '{theme}'")
        assert driver.run(READABLE) > 4.5
        driver.run("() => { document.body.dataset.jpThemeLight = 'true'; }")

    places = driver.run(PLACES)
    read = pointed_at(driver, places)
    assert len({*read}) > 1
    driver.run(LARGER, 1.3)
    driver.wait(f"() => {ZOOM} > 1.2")
    assert pointed_at(driver, places, read) == read, "larger, it lies elsewhere than it is seen"
    driver.run(LARGER, 1)
    assert len({*moved(driver)}) > 1

    assert driver.run(SAVE, "CSV")[0] == f"{name}.csv"
    assert driver.run(SAVE, "SVG")[1].startswith("<svg")
    assert driver.run(SAVE, "PNG")[1][1:4] == "PNG"

    driver.press("f")
    driver.wait("() => document.querySelector('.seqviz.full')")
    driver.settle()
    zoom, over, box, window = driver.run(FULL)
    assert zoom > 1.1
    assert max(over) <= 1 or name in LONG, "it scrolls"
    assert box == window, "it does not fill the screen"
    driver.press("f")
    driver.wait("() => !document.querySelector('.seqviz.full')")
    assert driver.run("() => wrong") == []
