"""What the views share, called as plain functions."""

import numpy as np
import pytest

from seqviz.telling import printable
from seqviz.views.shared.codec import packed

FOCUS = """(...steps) => {
    let changes = 0;
    const focus = focusLock(() => changes++);
    for (const [name, ...given] of steps) focus[name](...given);
    return [focus.over, focus.locked, changes];
}"""


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        ([["preview", 3], ["preview", None]], [None, False, 2]),
        ([["preview", {"step": 1}], ["preview", {"step": 1}]], [{"step": 1}, False, 1]),
        ([["click", False], ["click", False]], [None, True, 0]),
        ([["click", False], ["click", True]], [None, False, 0]),
        ([["preview", 3], ["lock"]], [None, True, 1]),
        ([["lock"], ["free"], ["preview", 3]], [3, False, 1]),
    ],
)
def test_pointing_previews_until_a_click_locks(script, steps, state):
    assert script("shared/focus.js", FOCUS, *steps) == state


def test_a_text_that_is_cut_closes_what_isolates_its_direction(script):
    cut_to = "(text, room) => cutTo(readable(text), room, t => t.replace(/\\p{Cf}/gu, '').length)"
    assert script("shared/texts.js", cut_to, "שלום עולם", 4) == "\u2068שלו…\u2069"
    assert script("shared/texts.js", cut_to, "hello world", 4) == "hel…"


def test_a_text_is_measured_in_the_fonts_of_its_view(script):
    widths = """() => {
        document.body.style.fontFamily = 'monospace';
        document.body.style.setProperty('--sv-mono', 'monospace');
        const measure = measuring(document.body)();
        return [measure('mm'), measure('mm', '24px'), measure('mm', '12px mono')];
    }"""
    plain, large, mono = script("shared/measuring.js", widths)
    assert plain > 0
    assert large == pytest.approx(2 * plain, rel=0.01)  # a font rounds its advances
    assert mono == plain


def test_a_control_shows_what_it_is_told_and_says_what_was_chosen(script):
    use = """() => {
        const bar = document.body.appendChild(document.createElement('div'));
        const said = [];
        const settings = [
            {name: 'width', values: [1, 2, 4], texts: ['1', '2', '4']},
            {name: 'cell', values: ['rnn', 'lstm'], texts: ['RNN', 'LSTM']},
            {name: 'long', values: ['a', 'b'], texts: ['a'.repeat(30), 'b'.repeat(30)]},
        ];
        const show = settingControls(bar, settings, (...turned) => said.push(turned));
        show({width: 4, cell: 'lstm', long: 'b'});
        const range = bar.querySelector('[type=range]');
        const shown = [range.value, bar.querySelector('output').textContent,
            bar.querySelector('[type=radio]:checked').value, bar.querySelector('select').value];
        range.value = 1;
        range.dispatchEvent(new Event('input'));
        bar.querySelector('[type=radio]').click();
        return [shown, said];
    }"""
    shown, said = script("shared/controls.js", use)
    assert shown == ["2", "4", "1", "1"]
    assert said == [["width", 2, True], ["cell", "rnn", False]]


def test_what_came_later_is_saved_with_the_notebook_the_last_of_it(script):
    save = """(sizes, used) => {
        const first = {own: new DataView(new ArrayBuffer(9e6))};
        const save = saver(first);
        sizes.forEach((size, k) => save(`part ${k}`, new DataView(new ArrayBuffer(size))));
        for (const name of used) save(name, first[name] ?? new DataView(new ArrayBuffer(1)));
        return Object.keys(first);
    }"""
    for sizes, used, kept in (
        ([8, 8], [], ["own", "part 0", "part 1"]),
        ([3e6, 3e6, 3e6], [], ["own", "part 1", "part 2"]),
        ([3e6, 3e6, 3e6, 3e6], ["part 2"], ["own", "part 3", "part 2"]),
        ([1e7], [], ["own", "part 0"]),  # it is on screen
        ([], ["own"], ["own"]),
    ):
        assert script("shared/opened.js", save, sizes, used) == kept


def test_a_view_that_lacks_its_picture_opens_with_the_first(script):
    open_it = """(...cases) => Promise.all(cases.map(async ([now, touched]) => {
        const root = document.body.appendChild(document.createElement('div'));
        const problem = root.appendChild(document.createElement('p'));
        problem.className = 'problem';
        const start = {written: [], k: 3}, state = {start, written: [4], k: 3, ...now};
        const heard = [], life = new AbortController(), seen = [];
        const model = {get: name => state[name], set(name, value) { state[name] = value; },
            on: (...given) => heard.push(given),
            off: (_, f) => heard.splice(heard.findIndex(h => h[1] === f), 1)};
        const look = () => seen.push([state.written, problem.textContent.slice(0, 12)]);
        openAnyhow(root, model, life.signal);
        root.setAttribute('aria-busy', true);
        await new Promise(resolve => setTimeout(resolve, 1500));
        look();
        Object.assign(state, touched);
        heard.forEach(([, f]) => f({part: 'after 4'}));
        look();
        life.abort();
        root.remove();
        return [seen, heard.length];
    }))"""
    said, first = "The notebook", {"written": []}
    late, moved, same = script(
        "shared/opened.js", open_it, [{}, {}], [{}, {"written": [7]}], [first, {}]
    )
    assert late == [[[[], said], [[4], ""]], 0], "the kernel was busy"
    assert moved == [[[[], said], [[7], said]], 0], "somebody went on"
    assert same == [[[[], ""], [[], ""]], 0], "it is the first already"


def test_a_key_that_composes_a_letter_is_no_key_of_the_views(script):
    pressed = """given => {
        const field = document.body.appendChild(document.createElement('input'));
        const life = new AbortController(), heard = [];
        onKeys(field, {Enter: () => heard.push('Enter')}, life.signal);
        const event = new KeyboardEvent('keydown', {key: 'Enter', cancelable: true, ...given});
        field.dispatchEvent(event);
        life.abort();
        field.remove();
        return [heard.length, event.defaultPrevented];
    }"""
    assert script("shared/keys.js", pressed, {"isComposing": True}) == [0, False]
    assert script("shared/keys.js", pressed, {}) == [1, True]


def test_letters_are_heard_in_a_shadow_root_but_where_text_is_written(script):
    typed = """(inside, alone) => {
        const host = document.body.appendChild(document.createElement('div'));
        const root = host.attachShadow({mode: 'open'}).appendChild(document.createElement('div'));
        const node = root.appendChild(document.createElement(inside));
        const life = new AbortController(), heard = [];
        onTyping(root, {s: () => heard.push('s')}, life.signal, () => alone);
        const given = {key: 's', bubbles: true, composed: true, cancelable: true};
        node.dispatchEvent(new KeyboardEvent('keydown', given));
        life.abort();
        host.remove();
        return heard.length;
    }"""
    for alone in (False, True):
        assert script("shared/keys.js", typed, "button", alone) == 1
        assert script("shared/keys.js", typed, "input", alone) == 0


def test_shift_and_enter_run_the_cell_but_where_a_view_takes_them(script):
    kept = """(inside, key, shiftKey) => {
        const root = document.body.appendChild(document.createElement('div'));
        const [tag, attribute] = inside.split(' ');
        const node = root.appendChild(document.createElement(tag));
        if (attribute) node.setAttribute(attribute, '');
        const life = new AbortController();
        keepPlainKeys(root, life.signal);
        onKeys(node, {Enter: () => {}, M: () => {}, Escape: () => {}}, life.signal);
        const given = {key, shiftKey, bubbles: true, cancelable: true};
        const taken = !node.dispatchEvent(new KeyboardEvent('keydown', given));
        life.abort();
        root.remove();
        return [taken, node.hasAttribute('data-lm-suppress-shortcuts')];
    }"""
    for inside, key, shift, ours in (
        ("button", "Enter", True, False),
        ("button", "Enter", False, True),
        ("button", "M", True, True),  # merges cells
        ("button", "Escape", False, True),
        ("input", "Enter", True, True),
        ("div data-shift-enter", "Enter", True, True),
    ):
        assert script("shared/keys.js", kept, inside, key, shift) == [ours, ours], (inside, key)


BACK = """bytes => {
    const held = new Uint8Array([9, ...bytes]); // a part need not begin where its buffer does
    const values = unpacked(new DataView(held.buffer, 1));
    return Object.fromEntries(Object.entries(values).map(([name, value]) =>
        [name, ArrayBuffer.isView(value) ? [value.constructor.name, [...value]] : value]));
}"""


def test_a_part_holds_arrays_and_words_by_name(script):
    given = {
        "floats": np.array([[0.5, -1.25], [3.0, 1e30]]),
        "shades": np.array([0, 7, 255], np.uint8),
        "words": ["<b>", "é", "\U0001f642", ""],
        "ids": np.array([-1, 2**31 - 1]),
        "truths": np.array([True, False, True]),
        "none": np.zeros((0, 4)),
    }
    found = script("shared/codec.js", BACK, list(packed(**given)))
    assert found == {
        "floats": ["Float32Array", [0.5, -1.25, 3.0, pytest.approx(1e30, rel=1e-6)]],
        "shades": ["Uint8Array", [0, 7, 255]],
        "words": given["words"],
        "ids": ["Int32Array", [-1, 2**31 - 1]],
        "truths": ["Uint8Array", [1, 0, 1]],
        "none": ["Float32Array", []],
    }
    exact = script("shared/codec.js", BACK, list(packed(exact=True, third=np.array([1 / 3]))))
    assert exact == {"third": ["Float64Array", [1 / 3]]}


def test_numbers_as_people_read_them(script):
    for value, text in [
        *[(0.125, "0.13"), (-0.125, "−0.13"), (-0.001, "0.00"), (-12.345, "−12.35")],
        (1e9, "1000000000.00"),
    ]:
        assert script("shared/texts.js", "signed", value) == text
    for p, text in [
        *[(0, ".00"), (1e-9, "<.01"), (0.005, ".01"), (0.5, ".50"), (0.994, ".99")],
        *[(0.996, ">.99"), (1, "1.00")],  # never a round one that it is not
    ]:
        assert script("shared/texts.js", "share", p) == text


def test_what_has_no_shape_gets_one(script):
    for text, read in [
        *[("word", "word"), ("two words", "two words"), ("", "∅"), ("  ", "␣␣")],
        *[("a\nb\tc", "a↵b⇥c"), ("\x00", "␀"), ("\u200b", "U+200B"), ("\u0301", "◌\u0301")],
        *[("\uffff", "U+FFFF"), ("x" * 50, "x" * 39 + "…"), ("שלום", "\u2068שלום\u2069")],
    ]:
        assert script("shared/texts.js", "text => readable(text)", text) == read


EMPTY = "\u00ad\u034f\u115f\u1160\u17b4\u180b\u200b\u2060\u2065\u2800\u3164\ufe0f\uffa0\ufff0"
INSIDE = ["a\u200b", "a\u00ad", "a\u2060", "a\ufe0f", "\u202ea", "c\u00a0", "a\u2066", "c "]
LOOK = ["U+200B", "‹U+200B›", *"↵␣⇥␀∅"]  # like the marks of others
WHOLE = ["👨🏿\u200d🚀", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "1\ufe0f\u20e3", "🏴\U000e0067\U000e007f"]
WHOLE += ["क्\u200dष", "辻\U000e0100"]


def test_no_two_tokens_differ_by_what_nobody_sees(script):
    tokens = [*INSIDE, *LOOK, *EMPTY, *"\n\t\0 ac\U000e0041\U000e0100", "", "a\U000e0041"]
    read = script("shared/texts.js", "texts => texts.map(text => readable(text))", tokens)
    assert len(set(read)) == len(tokens)
    for token, text in zip(tokens, read, strict=True):
        assert not set(text) & {*EMPTY, " ", "\u00a0", "\u202e", "\u2066", *"\U000e0041\U000e0100"}
        if token and token in EMPTY:
            assert text == f"U+{ord(token):04X}" == printable(token)
    whole = [
        "👨🏿‍🚀",
        "❤️",
        "🏳️‍🌈",
        "1️⃣",
        "🏴\U000e0067\U000e0062\U000e007f",
        "क्\u200dष",
        "辻\U000e0100",
    ]
    assert script("shared/texts.js", "texts => texts.map(text => readable(text))", whole) == whole


def test_a_part_that_a_page_packs_has_pythons_bytes(script):
    given = {
        "words": ["the", 'ä"\\\n', "\x7f\u2028😀"],
        "p": np.array([0.1, 0.5, 1e-9], "f4"),
        "bytes": np.arange(9, dtype="u1"),
        "ids": np.array([[3, -1]]),
        "none": np.zeros(0),
    }
    same = """part => {
        const {words, p, bytes, ids, none} = unpacked(part);
        const made = new Uint8Array(packed({words, p, bytes, ids, none}));
        const {buffer, byteOffset, byteLength} = part;
        return String(made) === String(new Uint8Array(buffer, byteOffset, byteLength));
    }"""
    assert script("shared/codec.js", same, packed(**given))
    assert not script("shared/codec.js", same, packed(**given, more=1))
