"""What plotly adds to a figure can be seen on both papers."""

import nbformat
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from seqviz import site
from seqviz.execution import PLOTLY
from seqviz.views.shared.palette import use_in_plotly
from tests.browser.shown import CONTRAST
from tests.browser.test_site import run, shows

pytestmark = pytest.mark.browser

CONTRASTS = f"""() => {{
    {CONTRAST}
    const paper = numbers(getComputedStyle(document.body).backgroundColor);
    const of = (selector, paint) => [...document.querySelectorAll(selector)]
        .map(node => getComputedStyle(node)[paint]).filter(colour => colour !== 'none')
        .map(colour => contrast(numbers(colour), paper));
    return {{
        lines: of('.shapelayer path', 'stroke'), arrows: of('.annotation-arrow-g path', 'stroke'),
        notes: of('.annotation-text', 'fill'), ticks: of('.xtick text, .ytick text', 'fill'),
    }};
}}"""


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
