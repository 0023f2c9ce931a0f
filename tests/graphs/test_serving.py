"""A worker that answers in Python's place: state, messages, errors; a newer wish ends an older."""

import os

import pytest

from seqviz.views.shared import bundle
from tests.graphs.test_running import LOOKUP

pytestmark = pytest.mark.browser

WORKER = """
serve(({facts, nets, state}) => ({
  async hear(message, {signal, set, send}) {
    if ('fails' in message) throw new Error('text: there is none; give one');
    const ids = tensor([1, message.ids.length], message.ids);
    const {output} = await run(nets.pool, {ids}, {signal});
    if (message.rests) await new Promise(resolve => setTimeout(resolve, message.rests));
    set({facts: {...facts, of: message.run, were: state.controls}});
    const numbers = flat(output[0]);
    const view = new DataView(new ArrayBuffer(3));
    send({...message, problem: ''}, [numbers.buffer, numbers.subarray(1), view]);
  },
}));
"""
# Sends messages to a worker, a while apart; gives what came back until `count` messages are there.
TALK = """async ([code, start, messages, count]) => {
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    start.graphs.pool.numbers = new Uint8Array(start.graphs.pool.numbers).buffer;
    const heard = [];
    const done = new Promise((resolve, reject) => {
        worker.onerror = event => reject(new Error(event.message));
        worker.onmessage = ({data}) => {
            if (data.buffers) data.buffers = data.buffers.map(b => [...new Uint8Array(b)].length);
            heard.push(data);
            if (heard.filter(one => one.send).length === count) setTimeout(resolve, 100);
        };
    });
    worker.postMessage({start}, [start.graphs.pool.numbers]);
    for (const message of messages) worker.postMessage({message});
    await done;
    worker.terminate();
    return heard;
}"""


@pytest.fixture
def talk(browser, tmp_path):
    """What a worker answers to messages."""
    page = browser.new_page()
    entry = tmp_path / "answers.js"
    room = bundle.ROOMS / "shared" / "graph"
    files = {"serving": "serve", "running": "run", "tensors": "flat, tensor"}
    imports = [
        f"import {{{names}}} from '{os.path.relpath(room / file, tmp_path)}.js';\n"
        for file, names in files.items()
    ]
    entry.write_text("".join(imports) + WORKER)
    code = bundle.module(entry)

    def talk(*messages, count, version=1):
        told, numbers = LOOKUP
        graphs = {"pool": {"told": {**told, "version": version}, "numbers": list(numbers)}}
        start = {"facts": {"name": "pool"}, "graphs": graphs, "state": {"controls": {"layer": 2}}}
        return page.evaluate(TALK, [code, start, messages, count])

    yield talk
    page.close()


def test_a_message_is_answered_with_state_and_buffers(talk):
    message = {"run": 4, "ids": [0, 2, 5]}
    assert talk(message, count=1) == [
        {"set": {"facts": {"name": "pool", "of": 4, "were": {"layer": 2}}}},
        {"send": {**message, "problem": ""}, "buffers": [8, 4, 3]},
    ]


def test_a_newer_message_of_the_same_wish_ends_the_older(talk):
    messages = [
        {"run": 1, "ids": [1], "rests": 60},
        {"run": 2, "silence": 1, "ids": [2], "rests": 30},
        {"run": 3, "ids": [3], "rests": 5},
        {"fails": 1, "run": 4},
    ]
    heard = talk(*messages, count=3)
    sent = {one["send"]["run"]: one["send"]["problem"] for one in heard if "send" in one}
    assert sent == {2: "", 3: "", 4: "text: there is none; give one"}
    assert [one["set"]["facts"]["of"] for one in heard if "set" in one] == [3, 2]


def test_what_cannot_be_answered_says_why(talk):
    heard = talk({"ids": [9]}, {"silence": 1, "ids": [0]}, count=2)
    wrong, right = sorted((one["send"] for one in heard if "send" in one), key=len)
    assert "ids (1, 1): operation embedding of module embedding stopped" in wrong["problem"]
    assert right["problem"] == ""
    for told in talk({"ids": [0]}, {"silence": 1}, count=2, version=2):
        assert "version 2 came" in told["send"]["problem"]


def test_of_parts_each_is_a_wish_of_its_own(talk):
    heard = talk({"want": "a", "ids": [1], "rests": 30}, {"want": "b", "ids": [2]}, count=2)
    assert [one["send"]["want"] for one in heard if "send" in one] == ["b", "a"]
