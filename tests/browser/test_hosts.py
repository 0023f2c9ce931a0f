"""Views in pages that others made: their colours, their handling of nodes, their silence."""

import base64
import sys
from itertools import starmap
from types import SimpleNamespace

import pytest
from anywidget import AnyWidget, _util

from seqviz.views.shared.page import fragment
from tests.browser.shown import CONTRAST, settled
from tests.browser.test_every_view import net
from tests.views.views import VIEWS

pytestmark = pytest.mark.browser

# What Jupyter's own widgets bring to VS Code's notebooks, to html-manager's pages and to the
# classic notebook: light, whatever the system is.
WIDGETS = {
    "--jp-layout-color0": "white",
    "--jp-layout-color1": "white",
    "--jp-layout-color2": "#eeeeee",
    "--jp-border-color2": "#e0e0e0",
    "--jp-ui-font-color0": "rgba(0, 0, 0, 1)",
    "--jp-ui-font-color2": "rgba(0, 0, 0, 0.5)",
}
NIGHT = {
    "--jp-layout-color0": "#111111",
    "--jp-layout-color1": "#212121",
    "--jp-layout-color2": "#424242",
    "--jp-border-color2": "#616161",
    "--jp-ui-font-color0": "rgba(255, 255, 255, 1)",
    "--jp-ui-font-color2": "rgba(255, 255, 255, 0.54)",
}
HOSTS = {
    "none": ({}, None),
    "widgets": (WIDGETS, "light"),
    # as @vscode/jupyter-ipywidgets8 has them: some are of variables that are not there
    "VS Code, dark": (
        {**WIDGETS, "--jp-layout-color2": "var(--md-grey-200)", "background": "#1f1f1f"},
        "light",
    ),
    "night": (NIGHT, "dark"),
    "grey": ({**WIDGETS, "--jp-layout-color0": "#808080"}, None),
    "clear": ({"--jp-layout-color0": "transparent", "background": "#1e1e1e"}, "dark"),
    "veil": ({"--jp-layout-color0": "rgba(0, 0, 0, 0.04)", "background": "white"}, "light"),
    "ink alone": ({"--jp-ui-font-color0": "white", "--jp-ui-font-color2": "#ddd"}, None),
    "surface alone": ({"--jp-layout-color0": "#1e1e1e"}, "dark"),
    "odd panel": ({**NIGHT, "--jp-layout-color1": "white", "--jp-layout-color2": "white"}, "dark"),
}
# The least contrast of texts that stand on the surface of the view or of a control.
LEAST = f"""root => {{
    {CONTRAST}
    const pen = document.createElement('canvas').getContext('2d', {{willReadFrequently: true}});
    const mixed = colours => {{
        pen.clearRect(0, 0, 1, 1);
        for (const colour of colours) {{ pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }}
        return [...pen.getImageData(0, 0, 1, 1).data];
    }};
    const under = node => node ? [...under(node.parentElement),
        getComputedStyle(node).backgroundColor] : ['white'];
    root.querySelector('.say').append(document.createElement('b'));
    root.querySelector('.say b').textContent = 'in focus';
    root.querySelector('.problem').textContent = 'a problem';
    const kinds = 'h2, .say, .say b, .problem, .foot, label, .bar button';
    const texts = [...root.querySelectorAll(kinds)].filter(node => node.getClientRects().length);
    return Math.min(...texts.map(node => contrast(
        mixed(under(node)), mixed([...under(node), getComputedStyle(node).color]))));
}}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light system", "dark system"])
def test_texts_can_be_read_on_the_surface_of_any_host_and_when_it_turns(open_page, dark):
    page = open_page(fragment(net()), dark=dark)
    root = page.locator(".seqviz")
    own = "dark" if dark else "light"
    for place in ("body", "documentElement"):
        for name, (look, theme) in [*HOSTS.items(), ("none", HOSTS["none"])]:
            style = "; ".join(f"{name}: {value}" for name, value in look.items())
            page.evaluate(f"look => document.{place}.setAttribute('style', look)", style)
            settled(page)
            assert root.evaluate(LEAST) >= 4.5, (place, name)
            theme = own if name == "none" else theme
            assert theme in (None, root.get_attribute("data-theme")), (place, name)


LISTENERS = """() => {
    const counts = [0];
    for (const target of [window, document]) {
        const add = target.addEventListener.bind(target);
        target.addEventListener = (kind, action, options) => {
            add(kind, action, options);
            if (!options?.signal) return; // the browser's driver
            counts[0] += 1;
            options.signal.addEventListener('abort', () => { counts[0] -= 1; });
        };
    }
    window.listening = () => counts[0];
}"""


# What takes a view out of its page, and what puts it back there.
TAKEN = [
    ("host.remove()", "document.body.append(host)"),
    ("host.replaceChildren()", "host.append(...content)"),
    ("place.replaceChildren()", "place.append(root)"),
    ("root.remove()", "place.append(root)"),
]


@pytest.fixture
def placed(browser):
    """Put fragments into a page that counts who listens."""
    page = browser.new_page()
    page.set_default_timeout(15_000)
    page.set_content("<p>a page</p>")
    page.evaluate(f"({LISTENERS})()")

    def place(*views):
        page.evaluate(
            """all => {
                window.hosts = all.map(html => {
                    document.body.append(document.createRange().createContextualFragment(html));
                    return document.body.lastElementChild;
                });
                window.host = hosts[0];
            }""",
            [fragment(view) for view in views],
        )
        return page

    yield place
    page.close()


DRAWN = "document.querySelectorAll('.seqviz[data-ready=true]').length === hosts.length"
ALL_CSV = "hosts.map(host => host.querySelector('.seqviz').exported.csv())"
# What takes a view out of its page, and what puts it back there, for all hosts of a page.
EACH = """act => hosts.forEach((host, k) => {
    const {root, place, content} = views[k];
    new Function('host', 'root', 'place', 'content', act)(host, root, place, content);
})"""
NAMED = """() => {
    window.views = hosts.map(host => {
        const root = host.querySelector('.seqviz');
        return {root, place: root.parentNode, content: [...host.childNodes]};
    });
}"""


EVERY = [(list(VIEWS.values()), TAKEN[:1]), ([net], TAKEN)]


@pytest.mark.parametrize(("makes", "ways"), EVERY, ids=["every view", "every way"])
def test_views_that_left_their_page_end_and_begin_again_where_they_come_back(placed, makes, ways):
    page = placed(*(make() for make in makes))
    page.wait_for_function(DRAWN)
    before = page.evaluate(ALL_CSV)
    for take, back in ways:
        assert page.evaluate("listening()") > 0
        page.evaluate(NAMED)
        page.evaluate(EACH, take)
        page.wait_for_function("listening() === 0")
        page.wait_for_timeout(50)
        assert page.locator(".seqviz").count() == page.evaluate("listening()") == 0
        page.evaluate(EACH, back)
        page.wait_for_function(DRAWN)
        assert page.evaluate(ALL_CSV) == before
        page.evaluate(EACH, "document.body.append(host)")  # another place, at once
        page.wait_for_timeout(50)
        assert page.locator(".seqviz").count() == len(makes)


DEEP = """() => {
    const under = node => {
        const child = node.appendChild(document.createElement('div'));
        shadows.push(child.attachShadow({mode: 'open'}));
        return shadows.at(-1);
    };
    window.shadows = [document.body];
    under(under(document.body)).append(host);
}"""


def test_a_view_that_was_moved_into_shadows_ends_with_any_of_their_hosts(placed):
    page = placed(net())
    page.wait_for_selector('.seqviz[data-ready="true"]')
    page.evaluate(DEEP)
    for k in (1, 2):
        page.wait_for_timeout(50)
        assert page.evaluate("listening()") > 0
        page.evaluate("k => { shadows[k].host.remove(); }", k)
        page.wait_for_function("listening() === 0")
        page.evaluate("k => { shadows[k - 1].append(shadows[k].host); }", k)
        page.wait_for_function("listening() > 0")


def test_a_view_that_left_before_it_was_drawn_is_drawn_where_it_comes_back(placed):
    page = placed(net())
    page.evaluate("host.remove()")
    page.wait_for_timeout(300)
    page.evaluate("document.body.append(host)")
    page.wait_for_selector('.seqviz[data-ready="true"]')


# A host with a kernel that loses what is said before it is ready, as VS Code does of what is out of
# sight (vscode-jupyter#17132). The host is
# a stand-in, Python is the real one.
LOSING = """async views => {
    window.lost = true;
    for (const {name, esm, css, state} of views) {
        const el = document.body.appendChild(document.createElement('div'));
        el.style.marginTop = '1500px';
        el.appendChild(document.createElement('style')).textContent = css;
        const heard = new Map();
        const tell = (event, ...values) =>
            [...(heard.get(event) ?? [])].forEach(action => action(...values));
        const bytes = text => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt()).buffer);
        for (const key in state.first) state.first[key] = bytes(state.first[key]);
        const model = {
            get: key => state[key],
            set: (key, value) => {
                if (state[key] === value) return;
                state[key] = value;
                tell('change:' + key, model, value);
            },
            on: (event, action) => heard.set(event, [...(heard.get(event) ?? []), action]),
            off: (event, action) =>
                heard.set(event, (heard.get(event) ?? []).filter(other => other !== action)),
            save_changes: () => {},
            send: async message => {
                if (window.lost) return;
                for (const [told, buffers] of await window.python(name, message)) {
                    tell('msg:custom', told, buffers.map(bytes));
                }
            },
        };
        const address = URL.createObjectURL(new Blob([esm], {type: 'text/javascript'}));
        (await import(address)).default.render({model, el});
    }
}"""
LACKS = """told => [...document.querySelectorAll('.seqviz')]
    .filter(root => told ? root.querySelector('.problem').textContent
        : root.getAttribute('aria-busy') === 'true' || !root.dataset.ready)
    .map(root => root.dataset.view)"""
SHOWN = """root => [root.dataset.ready, root.getAttribute('aria-busy'),
    root.querySelector('.problem').textContent]"""


def sent(part):
    return base64.b64encode(part).decode()


def opened(name, view):
    """A view as such a host has it."""
    own = view.keys - AnyWidget.class_traits().keys()
    state = {key: getattr(view, key) for key in own} | {"start": {}}
    state["first"] = {key: sent(part) for key, part in view.first.items()}
    return {"name": name, "esm": str(view._esm), "css": str(view._css), "state": state}


def test_what_a_host_lost_is_told_after_a_second_and_asked_for_again_in_sight(browser, monkeypatch):
    views = {name: make() for name, make in VIEWS.items()}
    views["attention"].layer = 1  # of which nothing was sent along
    said = []

    def python(name, message):
        said.clear()
        views[name]._hear(None, message, [])
        return [[told, [*map(sent, buffers)]] for told, buffers in said]

    for view in views.values():
        monkeypatch.setattr(view, "send", lambda told, buffers=(): said.append((told, buffers)))
    page = browser.new_page(viewport={"width": 833, "height": 900})
    page.set_content("<p>a page</p>")
    page.expose_function("python", python)
    page.evaluate(LOSING, [*starmap(opened, views.items())])
    page.wait_for_timeout(1300)
    lacking, told = page.evaluate(LACKS, False), page.evaluate(LACKS, True)
    assert set(lacking) <= set(told)
    assert {"attention", "cause", "machine"} <= set(told)
    page.evaluate("window.lost = false")
    for name in views:
        root = page.locator(f'.seqviz[data-view="{name}"]')
        root.scroll_into_view_if_needed()
        page.wait_for_timeout(150)
        assert root.evaluate(SHOWN) == ["true", "false", ""], name
    page.close()


def test_colab_is_asked_for_the_manager_of_widgets_that_are_not_its_own(monkeypatch):
    class Output:
        """What Colab's module has; Colab itself is not here."""

        asked, _widgets = 0, SimpleNamespace(_installed_url="https://colab/manager.js")

        def enable_custom_widget_manager(self):
            self.asked += 1

    output, view = Output(), net()
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    _util.enable_custom_widget_manager_once.cache_clear()
    data, metadata = view._repr_mimebundle_()
    _util.enable_custom_widget_manager_once.cache_clear()
    (told,) = metadata.values()
    assert output.asked == 1
    assert "colab" in told
    assert data["text/plain"] == view.alt
