"""A page with a kernel: it answers what the page asks when the test lets it."""

import base64

KERNEL = """async ({deaf, gives}) => {
    const host = document.querySelector('.seqviz-page'), {content} = host;
    const page = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
    const code = new Blob([await host.getText(content.script)], {type: 'text/javascript'});
    const view = await import(URL.createObjectURL(code));
    const parts = {}, first = {}, heard = [], sent = [];
    for (const name of Object.keys(content.parts)) parts[name] = await host.getPart(name);
    for (const name of page.first) first[name] = parts[name];
    const state = {...content, ...page.controls, first};
    const tell = (event, ...given) =>
        heard.filter(h => h[0] === event).forEach(h => h[1](...given));
    const answer = name => tell('msg:custom', {part: name}, [parts[name]]);
    const model = {
        deaf, asked: [], gone: false,
        get: name => state[name], set(name, value) { state[name] = value; },
        on: (...given) => heard.push(given),
        off: (event, action) => heard.splice(heard.findIndex(h => h[1] === action), 1),
        save_changes() {},
        send(message) {
            if (model.gone) throw new Error('closed');
            if (!model.deaf) model.tell({heard: true});
            if ('want' in message) {
                sent.push(message.want);
                if (gives) setTimeout(() => answer(message.want));
            } else if (!('there' in message)) model.asked.push(message);
        },
        tell: message => tell('msg:custom', message, []),
        take(texts, {first, ...changes}) {
            for (const [name, text] of Object.entries(texts)) {
                const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
                parts[name] = new DataView(bytes.buffer);
            }
            if (first) changes.first = Object.fromEntries(first.map(name => [name, parts[name]]));
            Object.assign(state, changes);
            Object.keys(changes).forEach(name => tell('change:' + name));
        },
    };
    const fromPython = (name, value) => model.take({}, {[name]: value});
    const style = document.head.appendChild(document.createElement('style'));
    style.textContent = await host.getText(content.style);
    host.remove();
    Object.assign(window, {model, sent, heard, answer, fromPython});
    window.end = view.default.render({model, el: document.body});
}"""


def other_kernel(page, *, deaf=True, gives=False):
    """Draw the view over a model that Python changes and that answers when it is told to."""
    page.evaluate(KERNEL, {"deaf": deaf, "gives": gives})
    page.wait_for_selector('.seqviz[data-ready="true"]')


class Live:
    """The view on a page with a kernel whose answers the test lets come."""

    def __init__(self, show, view):
        self.view, self.shown = view, show(view)
        self.page = self.shown.page
        other_kernel(self.page, deaf=False, gives=True)

    @property
    def state(self):
        """What of the view travels, parts as bytes."""
        view = self.view
        names = {"facts", "problem"} & {*view.trait_names()}
        return {**{name: getattr(view, name) for name in names}, **view.controls()}

    @property
    def asked(self):
        return self.page.evaluate("model.asked")

    def answer(self):
        """Let Python answer the last question."""
        messages, before, first = [], self.state, dict(self.view.first)
        self.view.send = lambda content, buffers=None: messages.append(content)
        self.view._answer(self.view, self.asked[-1], [])
        new = {name: value for name, value in self.state.items() if value != before.get(name)}
        if self.view.first != first:
            new["first"] = list(self.view.first)
        parts = {
            name: base64.b64encode(self.view.part_of(name)).decode() for name in self.view.parts
        }
        self.page.evaluate("given => model.take(...given)", [parts, new])
        for message in messages:
            self.page.evaluate("message => model.tell(message)", message)

    def tell(self, **message):
        self.page.evaluate("message => model.tell(message)", message)
