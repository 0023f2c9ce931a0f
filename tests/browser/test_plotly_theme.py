"""What plotly adds to a figure can be seen on both papers."""

import nbformat
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from seqviz import site
from seqviz.execution import PLOTLY
from seqviz.views.shared.palette import use_in_plotly
from tests.browser.test_site import run, shows

pytestmark = pytest.mark.browser

CONTRASTS = """() => {
    const light = rgb => rgb.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    const paper = light(getComputedStyle(document.body).backgroundColor);
    const of = (selector, paint) => [...document.querySelectorAll(selector)]
        .map(node => getComputedStyle(node)[paint]).filter(colour => colour !== 'none')
        .map(colour => [light(colour), paper])
        .map(pair => (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05));
    return {
        lines: of('.shapelayer path', 'stroke'), arrows: of('.annotation-arrow-g path', 'stroke'),
        notes: of('.annotation-text', 'fill'), ticks: of('.xtick text, .ytick text', 'fill'),
    };
}"""


def test_lines_and_notes_can_be_seen(open_page, monkeypatch):
    monkeypatch.setattr(pio.templates, "default", pio.templates.default)
    use_in_plotly()
    figure = go.Figure(go.Scatter(y=[1, 2])).add_hline(1.5, annotation_text="chance")
    figure.add_vrect(0.2, 0.4).add_annotation(x=1, y=2, text="here", ax=-60, ay=30)
    data = {PLOTLY: nbformat.from_dict(figure.to_plotly_json()), "text/plain": "a line"}
    shown = open_page(site.page(run(shows(data))), width=833)
    shown.wait_for_selector(".annotation-text")
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        found = shown.evaluate(CONTRASTS)
        assert [len(found["lines"]), len(found["notes"])] == [2, 2]
        assert found["arrows"]
        assert min(ratio for ratios in found.values() for ratio in ratios) >= 3, (scheme, found)
