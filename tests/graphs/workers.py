"""A view's worker without its page: asked as the view asks, it answers as Python would."""

import base64

import numpy as np

WORK = """async ({script, facts, graphs, state, messages}) => {
    const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
    const address = URL.createObjectURL(new Blob([script]));
    const worker = new Worker(address);
    const answered = ({data}) => data.send && !data.send.heard;
    const ask = message => new Promise((resolve, fail) => {
        const came = {};
        worker.onerror = ({message: text}) => fail(new Error(text));
        worker.onmessage = event => {
            Object.assign(came, event.data.set ?? {});
            const {send: sent, buffers = []} = event.data;
            if (answered(event)) resolve({...came, sent, buffers});
        };
        worker.postMessage({message});
    });
    const opened = Object.entries(graphs).map(([name, {told, numbers}]) =>
        [name, {told, numbers: bytes(numbers)}]);
    worker.postMessage({start: {facts, graphs: Object.fromEntries(opened), state}});
    const found = [];
    for (const message of messages) found.push(await ask(message));
    worker.terminate();
    const text = view => {
        const all = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
        let letters = '';
        for (const byte of all) letters += String.fromCharCode(byte);
        return btoa(letters);
    };
    const bytesOf = part => ArrayBuffer.isView(part) ? part : new Uint8Array(part);
    return found.map(one => ({...one,
        buffers: one.buffers.map(part => text(bytesOf(part))),
        first: Object.fromEntries(
            Object.entries(one.first ?? {}).map(([name, view]) => [name, text(view)]))}));
}"""


def begun(answering, view, messages, numbers) -> dict:
    """What a worker begins with; `numbers` gives those of a graph by its name."""
    return {
        "script": answering.script,
        "facts": answering.facts,
        "graphs": {
            name: {"told": one.told, "numbers": numbers(name)}
            for name, one in answering.graphs.items()
        },
        "state": {"facts": view.facts, "first": {}, **view.controls()},
        "messages": messages,
    }


def arrays(found: list[dict]) -> list[dict]:
    """The same, its parts as arrays."""
    for one in found:
        one["first"] = {
            name: np.frombuffer(base64.b64decode(text), "u1" if "thumbs" in name else "<f4")
            for name, text in one["first"].items()
        }
    return found


def asked(page, view, *messages, precision="full") -> list[dict]:
    """What a view's worker answers to messages: the state that it sets, and what it `sent`.

    `buffers` are the bytes that came with it.
    """
    answering = view._answering(precision)
    texts = {k: base64.b64encode(one.numbers).decode() for k, one in answering.graphs.items()}
    found = page.evaluate(WORK, begun(answering, view, messages, texts.get))
    for one in found:
        one["buffers"] = [base64.b64decode(text) for text in one["buffers"]]
    return arrays(found)
