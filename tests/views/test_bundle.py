"""The one module of a view: its files in order, nothing lost, nothing with two meanings."""

import re

import pytest

from seqviz.views.shared import bundle, page


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Write files into a room of their own; return the module of `view.js`."""
    monkeypatch.setattr(bundle, "ROOMS", tmp_path)

    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return bundle.module("view.js")

    return write


def test_each_file_stands_once_and_after_what_it_imports(room):
    assert room(
        base="// what all need\n/**\n * One.\n * @type {number}\n */\nexport const one = 1;\n",
        more="import {one} from './base.js';\n\nexport const two = () => one + 1;\n",
        view="import {\n  one,\n} from './base.js';\nimport {two} from './more.js';\n"
        "function render() {\n  // sum\n  return one + two();\n}\nexport default {render};\n",
    ) == (
        "const one = 1;\nconst two = () => one + 1;\n"
        "function render() {\nreturn one + two();\n}\nexport default {render};\n"
    )


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"a": "const y = 1;\n", "view": "import {y} from './a.js';\n"},
            r"view.js imports 'y', which ./a.js does not export",
        ),
        (
            {
                "a": "import {y} from './view.js';\nexport const x = 1;\n",
                "view": "import {x} from './a.js';\nexport const y = 1;\n",
            },
            "view.js imports a.js imports view.js: move what both need",
        ),
        (
            {
                "a": "export const x = 1;\nfunction f() {}\n",
                "view": "import {x} from './a.js';\nasync function f() {}\n",
            },
            "view.js: 'f' has two meanings",
        ),
        ({"view": "import * as a from './a.js';\n"}, "expected imports of names in braces"),
        ({"view": "const a = `\n  b`;\n"}, "a template spans lines"),
    ],
)
def test_what_a_module_cannot_hold_is_refused(room, files, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        room(**files)


def test_every_script_is_part_of_a_view():
    entries = [*bundle.ROOMS.glob("*/view.js"), *bundle.ROOMS.glob("*/answers.js")]
    entries += [*(bundle.ROOMS / "shared" / "graph").glob("*ing.js")]  # what an answers.js takes
    entries += [
        bundle.ROOMS / "shared" / "splitting" / f"{name}.js" for name in ("readers", "sides")
    ]
    entries += [bundle.ROOMS / "shared" / "answers" / "relay.js"]  # of pages that answer
    used = {file for entry in entries for file in bundle.in_order(entry, ())}
    assert {*bundle.ROOMS.rglob("*.js")} - used == {page.PRINTING, page.STUB}
