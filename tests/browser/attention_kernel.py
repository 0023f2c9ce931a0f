"""An explorer with a kernel: a stand-in for anywidget's model, behind which Python answers."""

import base64

from tests.browser.attention_shown import Shown

# It answers at once, or when the test says so. Parts come as DataViews at an odd byte, as Jupyter
# sends them.
MODEL = """(known) => {
    const bytes = text => {
        const plain = Uint8Array.from(atob(text), c => c.charCodeAt(0));
        const all = new Uint8Array(plain.length + 3);
        all.set(plain, 3);
        return new DataView(all.buffer, 3, plain.length);
    };
    const unpacked = first =>
        Object.fromEntries(Object.entries(first).map(([n, t]) => [n, bytes(t)]));
    const state = {...known, first: unpacked(known.first)}, heard = [];
    const tell = (event, ...given) =>
        heard.filter(h => h[0] === event).forEach(h => h[1](...given));
    return {
        asked: [], wishes: [], written: [], gone: false, held: null, heard,
        get: name => state[name],
        set(name, value) {
            if (state[name] === value) return;
            state[name] = value;
            this.written.push([name, value]);
            tell('change:' + name);
        },
        on: (event, action) => heard.push([event, action]),
        off: (event, action) => {
            const at = heard.findIndex(h => h[0] === event && h[1] === action);
            if (at >= 0) heard.splice(at, 1);
        },
        save_changes() { if (this.gone) throw new Error('closed'); },
        send(message) {
            if (this.gone) throw new Error('closed');
            if (!('want' in message)) {
                this.wishes.push(message);
                return;
            }
            const name = message.want;
            this.asked.push(name);
            const answer = () => pythonPart(name)
                .then(text => tell('msg:custom', {part: name}, [bytes(text)]));
            if (this.held) this.held.push(answer);
            else answer();
        },
        answer() {
            const answers = this.held.splice(0).map(answer => answer());
            this.held = null;
            return Promise.all(answers);
        },
        came(changes) {      // what Python sets, in one message as hold_sync sends it
            const names = Object.keys(changes);
            if (changes.first) changes.first = unpacked(changes.first);
            Object.assign(state, changes);
            names.forEach(name => tell('change:' + name));
        },
        reply: (message, ...parts) => tell('msg:custom', message, parts.map(bytes)),
    };
}"""

OPEN = """async ([script, known]) => {
    const address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    window.view = await import(address);
    window.model = makeModel(known);
    window.end = view.default.render({model, el: document.getElementById('here')});
}"""


class Kernel:
    """Python's side: it answers wishes when it is told to."""

    def __init__(self, view, page):
        self.view, self.page, self.told = view, page, None

    def state(self):
        first = {n: base64.b64encode(part).decode() for n, part in self.view.first.items()}
        told, self.told = self.told, self.view.facts
        anew = {} if told is self.told else {"facts": self.told}
        return {**self.view.controls(), "choices": self.view.choices, "first": first, **anew}

    def runs(self, count=None):
        """Answer the first wishes, all if no number is given."""
        wishes = self.page.evaluate("n => model.wishes.splice(0, n ?? model.wishes.length)", count)
        for name, value in self.page.evaluate("model.written.splice(0)"):
            if name != "said":
                self.view.set_state({name: value})
        for wish in wishes:
            sent = []
            self.view.send = lambda message, buffers=None, sent=sent: sent.append(message)
            self.view._answer(self.view, wish, [])
            self.page.evaluate("changes => model.came(changes)", self.state())
            self.page.evaluate("message => model.reply(message)", sent[-1])
        return wishes

    @property
    def asked(self):
        """Parts that the page has asked for."""
        return self.page.evaluate("model.asked")


def with_kernel(open_page, view, **options):
    """Show a view with a kernel: the page, and what answers it."""
    page = open_page(f'<div id="here"></div><style>{view._css}</style>', **options)
    page.expose_function("pythonPart", lambda name: base64.b64encode(view.part_of(name)).decode())
    view._repr_mimebundle_()  # as Jupyter shows it
    kernel = Kernel(view, page)
    page.evaluate(f"() => {{ window.makeModel = {MODEL}; }}")
    page.evaluate(OPEN, [str(view._esm), kernel.state()])
    page.wait_for_selector('.seqviz[data-ready="true"]')
    return Shown(page), kernel
