"""What the worker of a page says to messages, beside what Python says."""

import json

import numpy as np
import pytest

TAP = """globalThis.workers = [];
globalThis.said = [];
globalThis.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        this.addEventListener('message', ({data}) => said.push(data));
    }
    postMessage(message, ...more) {
        super.postMessage(message, ...more);
        if ('start' in message) workers.push(this);
    }
};"""
ASK = """async messages => {
    const start = performance.now();
    const wait = () => new Promise((done, late) => {
        const over = performance.now() - start > 60000;
        const told = () => late(new Error(`no answer to ${JSON.stringify(messages)}`));
        setTimeout(over ? told : done, 5);
    });
    while (!workers.length) await wait();
    const from = said.length;
    for (const message of messages) workers.at(-1).postMessage({message});
    const number = ({asked, ask, run}) => asked ?? ask ?? run;
    const ends = (send, message) => 'want' in message
        ? [send.part, send.want].includes(message.want)
        : number(send) === number(message) && !('done' in send);
    const answerTo = message => said.slice(from).find(({send}) => send && ends(send, message));
    while (!answerTo(messages.at(-1))) await wait();
    while (messages.some(message => 'want' in message && !answerTo(message))) await wait();
    const bytes = buffers => buffers?.length ? [...new Uint8Array(buffers[0])] : null;
    return {
        answers: messages.map(answerTo)
            .map(one => [one?.send.problem ?? '', one && bytes(one.buffers)]),
        said: said.slice(from).map(({send}) => send).filter(Boolean),
        facts: said.findLast(({set}) => set)?.set.facts,
        time: performance.now() - start,
    };
}"""


def ask(page, *messages):
    """Ask the last worker: what it answers, (problem, bytes) each, what it said and told, when."""
    return page.evaluate(ASK, list(messages))


def read(part):
    """A part's arrays and values by name, as codec.js reads it."""
    part = bytes(part)
    start = 4 + int.from_bytes(part[:4], "little")
    return {
        name: one["is"]
        if "is" in one
        else np.frombuffer(part, "<" + one["kind"], one["count"], start + one["from"])
        for name, one in json.loads(part[4:start]).items()
    }


def same(ours, theirs, told=""):
    """Compare parts: names, texts and whole numbers are equal, others nearly so."""
    ours, theirs = read(ours), read(theirs)
    assert [*ours] == [*theirs], told
    for name, one in ours.items():
        if getattr(one, "dtype", np.dtype(int)).kind == "f" or isinstance(one, float):
            np.testing.assert_allclose(theirs[name], one, 1e-4, 1e-6, err_msg=f"{told} {name}")
        elif name == "back":
            for back, other in zip(one, theirs[name], strict=True):
                assert back == {key: pytest.approx(value, rel=1e-4) for key, value in other.items()}
        else:
            assert list(np.ravel(theirs[name])) == list(np.ravel(one)), f"{told} {name}"
