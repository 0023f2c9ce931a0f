import sys

import pytest

from seqviz.view import unroll
from seqviz.views.shared import chromium


def test_a_browser_that_does_not_start_leads_to_the_menu(tmp_path, monkeypatch):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(chromium, "find", lambda: str(broken))
    with pytest.raises(RuntimeError, match=r"does not start.*Save menu"):
        chromium.png("<p>", 100, 1)


def test_without_a_browser_the_error_names_the_ways_to_get_one(monkeypatch):
    monkeypatch.setattr(chromium, "find", lambda: None)
    net = {"W_xh": [[1.0, 0.0]], "W_hh": [[1.0]], "b": [0.0], "W_hy": [[1.0], [0.0]], "b_y": [0, 0]}
    with pytest.raises(RuntimeError, match=r"playwright install chromium.*CHROME.*Save menu"):
        unroll(net, "ab", "ab").to_png()


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="fonts are found by fontconfig on Linux only")
def test_a_machine_without_a_font_is_told_to_install_one(tmp_path, monkeypatch):
    fonts = tmp_path / "fonts.conf"
    fonts.write_text("<fontconfig></fontconfig>", encoding="utf-8")
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    with pytest.raises(RuntimeError, match=r"install one.*Save menu"):
        chromium.png("<select class='seqviz' data-ready='true'><option>a</select>", 100, 1)


def test_a_named_browser_comes_first(tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    mine.write_text("", encoding="utf-8")
    mine.chmod(0o755)
    monkeypatch.setenv("CHROME", str(mine))
    assert chromium.find() == str(mine)
