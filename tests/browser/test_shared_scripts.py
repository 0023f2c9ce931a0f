"""What the views share, called as plain functions."""

import pytest

FOCUS = """(...steps) => {
    let changes = 0;
    const focus = focusLock(() => changes++);
    for (const [name, ...given] of steps) focus[name](...given);
    return [focus.over, focus.locked, changes];
}"""


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        ([["preview", 3]], [3, False, 1]),
        ([["preview", 3], ["preview", None]], [None, False, 2]),
        ([["preview", {"step": 1}], ["preview", {"step": 1}]], [{"step": 1}, False, 1]),
        ([["click", False], ["preview", 3]], [None, True, 0]),
        ([["click", False], ["click", False]], [None, True, 0]),
        ([["click", False], ["click", True]], [None, False, 0]),
        ([["click", True]], [None, True, 0]),
        ([["preview", 3], ["lock"]], [None, True, 1]),
        ([["lock"], ["free"], ["preview", 3]], [3, False, 1]),
    ],
)
def test_pointing_previews_until_a_click_locks(script, steps, state):
    assert script("shared/focus.js", FOCUS, *steps) == state


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
