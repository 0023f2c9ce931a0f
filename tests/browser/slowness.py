"""How slow the browser draws here and now: what a promise in milliseconds is held against.

A machine that is shared is at times half as fast, and a limit of its fast moments fails by chance.
"""

FASTEST = 6.0  # milliseconds of DRAW on the machine that the promises are for

DRAW = """() => {
    const make = (parent, name, attributes, text = '') => {
        const node = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
        node.textContent = text;
        return parent.appendChild(node);
    };
    let best = Infinity;
    for (let k = 0; k < 40; k++) {
        const start = performance.now();
        document.body.replaceChildren();
        const root = make(document.body, 'svg', {viewBox: '0 0 800 600'});
        for (let n = 0; n < 250; n++) {
            const x = n % 25 * 32, y = 60 * Math.floor(n / 25);
            make(root, 'rect', {x, y, width: 30, height: 20, fill: `rgb(${n} ${k} 0)`});
            make(root, 'text', {x, y: y + 15}, `.${n * k}`);
        }
        root.getBoundingClientRect();
        best = Math.min(best, performance.now() - start);
    }
    return best;
}"""


def slowness(browser):
    """How many times as long as there 500 marks of a picture take here, now; at least 1."""
    page = browser.new_page()
    took = page.evaluate(DRAW)
    page.close()
    return max(1, took / FASTEST)
