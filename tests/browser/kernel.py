"""A page with a kernel: Python answers what the page asks when the test lets it."""

import base64

KERNEL = """async parts => {
    const host = document.querySelector('.seqviz-page'), {content} = host;
    const page = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
    const code = new Blob([await host.getText(content.script)], {type: 'text/javascript'});
    const view = await import(URL.createObjectURL(code));
    const first = {}, heard = [], state = {...content, ...page.controls, first};
    for (const name of page.first) first[name] = await host.getPart(name);
    const tell = (event, ...given) =>
        heard.filter(h => h[0] === event).forEach(h => h[1](...given));
    const model = window.model = {
        deaf: window.deaf,
        asked: [], gone: false, heard, state, parts,
        get: name => state[name], set(name, value) { state[name] = value; },
        on: (...given) => heard.push(given),
        off: (event, action) => heard.splice(heard.findIndex(h => h[1] === action), 1),
        save_changes() {},
        send(message) {
            if (model.gone) throw new Error('closed');
            if (!model.deaf) tell('msg:custom', {heard: true}, []);
            if ('there' in message) return;
            if ('want' in message) return setTimeout(() => model.give(message.want));
            model.asked.push(message);
        },
        give(name) {
            const bytes = Uint8Array.from(atob(model.parts[name]), c => c.charCodeAt(0));
            tell('msg:custom', {part: name}, [new DataView(bytes.buffer)]);
        },
        tell: message => tell('msg:custom', message, []),
        change(name, value) { state[name] = value; tell('change:' + name); },
    };
    document.querySelector('.seqviz').remove();
    window.end = view.default.render({model, el: document.body});
}"""


class Live:
    """The view on a page with a kernel whose answers the test lets come."""

    def __init__(self, show, view, *, deaf=False):
        self.view, self.shown = view, show(view)
        self.page = self.shown.page
        self.page.evaluate("deaf => { window.deaf = deaf; }", deaf)
        self.page.evaluate(KERNEL, self.parts)
        self.page.wait_for_selector('.seqviz[data-ready="true"]')

    @property
    def parts(self):
        view = self.view
        return {name: base64.b64encode(view.part(name)).decode() for name in view.parts}

    @property
    def asked(self):
        return self.page.evaluate("model.asked")

    def answer(self):
        """Let Python answer the last question."""
        messages, before = [], self.view.controls()
        self.view.send = lambda content, buffers=None: messages.append(content)
        self.view._answer(self.view, self.asked[-1], [])
        self.page.evaluate("parts => { model.parts = parts; }", self.parts)
        now = {"facts": self.view.facts, **self.view.controls()}
        for name, value in now.items():
            if before.get(name) != value:
                self.page.evaluate("given => model.change(...given)", [name, value])
        for message in messages:
            self.page.evaluate("message => model.tell(message)", message)

    def tell(self, **message):
        self.page.evaluate("message => model.tell(message)", message)
