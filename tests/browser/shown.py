"""A view on a page, as a person meets it."""

from axe_playwright_python.sync_playwright import Axe

HOSTILE = ["<script>window.hit=1</script>", "<img/src=x/onerror=hit=1>", "שלום", "👍🏽", "=1+1"]
TWO_FRAMES = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
# How well a colour is seen on another, each as red, green and blue to 255: WCAG's contrast ratio.
CONTRAST = """const light = rgb => rgb.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
const contrast = (...pair) => {
    const [low, high] = pair.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
};
const numbers = rgb => rgb.match(/[\\d.]+/g).map(Number);"""
# Text of less than 12 pixels, HTML and SVG, as it is seen; of what is shown only.
SMALL = """root => [...root.querySelectorAll('*')].flatMap(node => {
    const own = [...node.childNodes].filter(child => child.nodeType === 3)
        .map(child => child.textContent.trim()).join('');
    const style = getComputedStyle(node);
    if (!own || !node.getClientRects().length || style.visibility === 'hidden') return [];
    const drawn = node.ownerSVGElement && node.getScreenCTM();
    const shrunk = drawn ? Math.hypot(drawn.a, drawn.b) / node.currentCSSZoom : 1;
    const size = parseFloat(style.fontSize) * shrunk;
    return size < 11.95 ? [`${size.toFixed(2)} ${own}`] : [];
})"""
# Texts of a drawing that lie over one another, but for slanted ones, whose boxes are wider.
OVERLAPS = """s => {
    const slants = text => text.getAttribute('transform')?.startsWith('rotate');
    const level = text => text.textContent.trim() && !slants(text);
    const texts = [...s.querySelectorAll('text')].filter(level), wrong = [];
    const boxes = texts.map(t => t.getBoundingClientRect());
    for (const [i, a] of boxes.entries()) for (const [j, b] of boxes.entries()) {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (i < j && x > 1 && y > 4) wrong.push([texts[i].textContent, texts[j].textContent]);
    }
    return wrong;
}"""
# How far a view scrolls Firefox tells: it rounds both heights.
LOOK = """root => ({
    full: root.classList.contains('full'),
    folded: root.classList.contains('folded'),
    zoom: root.currentCSSZoom,
    over: Math.floor(root.scrollLeftMax ?? root.scrollWidth - root.clientWidth),
    under: Math.floor(root.scrollTopMax ?? root.scrollHeight - root.clientHeight),
    box: (({width, height}) => [width, height])(root.getBoundingClientRect()),
    focus: document.activeElement.className,
})"""
SLIDE = """async name => {
    const slider = document.querySelector(`.seqviz input[aria-label="${name}"]`);
    const root = document.querySelector('.seqviz'), drawn = new Set(), best = [];
    const low = Number(slider.min), by = Number(slider.step) || 1;
    const places = Math.round((Number(slider.max) - low) / by) + 1;
    for (let round = 0; round < 6; round++) {        // what else the machine does only adds
        for (let k = 0; k < places; k++) {
            const place = k * 37 % places;
            slider.value = low + place * by;
            const start = performance.now();
            slider.dispatchEvent(new Event('input'));
            await null;                              // some are drawn a moment later
            await null;
            document.querySelector('.stage').getBoundingClientRect();
            if (round) best[place] = Math.min(best[place] ?? Infinity, performance.now() - start);
            if (round === 5) drawn.add(root.outerHTML);
            await new Promise(requestAnimationFrame);
        }
    }
    const p95 = best.sort((a, b) => a - b)[Math.ceil(0.95 * places) - 1];
    return [p95, drawn.size, places];
}"""

REPAINT = """keys => {
    const stage = document.querySelector('.stage'), times = [];
    for (let k = 0; k < 60; k++) {
        const start = performance.now();
        const key = keys[Math.floor(k / 5) % keys.length];
        stage.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        stage.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[30];
}"""


WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def settled(page):
    for _ in range(2):
        page.evaluate(TWO_FRAMES)


def found_by_axe(page, context, more=()):
    """What breaks a rule of WCAG 2.2 AA: all in the light, what colours can break in the dark."""
    told = []
    for scheme, rules in (
        ("light", {"tag": [*WCAG, *more]}),
        ("dark", {"rule": ["color-contrast"]}),
    ):
        page.emulate_media(color_scheme=scheme)
        settled(page)
        [(kind, values)] = rules.items()
        options = {"runOnly": {"type": kind, "values": values}, "preload": False}
        found = Axe().run(page, context=context, options=options).response["violations"]
        told += [(scheme, one["id"], one["nodes"][0]["html"][:200]) for one in found]
    return told


def save_as(root, kind):
    """Choose an entry of the Save menu of a view, by keyboard."""
    root.get_by_role("button", name="Save", exact=True).press("Enter")
    root.get_by_role("menuitem", name=kind).press("Enter")


DECODES = """async text => {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
    await image.decode();
    return image.width > 900;
}"""
PIXELS = """async (s, row) => {
    const image = new Image();
    image.src = s.querySelector('image').getAttribute('href');
    await image.decode();
    const pen = document.createElement('canvas').getContext('2d');
    pen.drawImage(image, 0, 0);
    return [image.width, image.height, ...pen.getImageData(0, row, 3, 1).data];
}"""


class Page:
    """What every view shows."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".seqviz").first
        self.stage = page.locator(".stage").first

    def __getitem__(self, name):
        return self.root.get_attribute(f"data-{name}")

    def at_widths(self, *widths):
        """Make the page so wide, one width after another, and wait until the view is drawn."""
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.evaluate(TWO_FRAMES)
            yield width

    def slide_through(self, slider):
        """Milliseconds in which 95 % of a slider's places are drawn; how many pictures, places."""
        return self.page.evaluate(SLIDE, slider)

    def repainting(self, *keys):
        """Milliseconds that the picture takes for a key, five times each, half of the time."""
        return self.page.evaluate(REPAINT, keys)

    def press(self, *keys):
        self.stage.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def slide(self, label, value):
        self.root.get_by_label(label, exact=True).fill(str(value))

    def tremble(self, x, y):
        """Click with a hand that shakes."""
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 1, y)
        self.page.evaluate("new Promise(requestAnimationFrame)")
        self.page.mouse.up()

    def choose(self, name):
        """Take one of the buttons in a row."""
        self.root.get_by_role("radio", name=name, exact=True).check(force=True)

    def set(self, **controls):
        """As Python does, over the model of `other_kernel`."""
        for name, value in controls.items():
            self.page.evaluate("given => fromPython(...given)", [name, value])

    def again(self):
        """Begin anew: nothing under the pointer, nothing locked, the controls as at the start."""
        self.page.set_viewport_size({"width": 1000, "height": 900})
        self.page.mouse.move(2, 2)
        self.press("Escape", "r")
        self.page.evaluate(TWO_FRAMES)
        return self

    def has_no_markup(self):
        """Whether hostile texts stay texts, on the page and in the drawing that is saved."""
        assert self.page.evaluate("window.hit") is None
        drawing = self.root.evaluate("root => root.exported.svg()")
        nodes = self.root.locator("script, img, h2 b").count()
        return nodes == 0 and "<script" not in drawing and self.page.evaluate(DECODES, drawing)

    def pixels(self, row):
        """Width and height of the first painted picture, and three pixels of a row."""
        return self.stage.evaluate(PIXELS, row)

    @property
    def heard(self):
        """What was said after the last key beside the sentence."""
        self.page.wait_for_timeout(200)  # it waits for the next key
        return self.root.locator(".spoken output").text_content()

    @property
    def spoken(self):
        """Where the tables stand that nobody sees, once they are written."""
        return self.root.locator('.spoken [aria-busy="false"]')

    @property
    def csv(self):
        return self.root.evaluate("root => root.exported.csv()")

    def middle(self, text, pane=".stage"):
        """The middle of a text in the drawing, or in a part of it."""
        return self.root.locator(pane).first.evaluate(
            """(pane, text) => {
                const found = [...pane.querySelectorAll('text')].find(t => t.textContent === text);
                const box = found.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }""",
            text,
        )

    @property
    def height(self):
        return self.root.bounding_box()["height"]

    @property
    def sentence(self):
        return self.root.locator(".say").inner_text().replace("\u00a0", " ")

    @property
    def drawn(self):
        return self.stage.evaluate("s => [...s.querySelectorAll('text')].map(t => t.textContent)")


class Grid(Page):
    """A view over a grid of settings."""

    @property
    def value(self):
        return self.root.locator("output.value").inner_text()
