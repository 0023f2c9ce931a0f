// A view's worker in node: reads what it is given and the messages, writes what it answers.

import {Buffer} from 'node:buffer';
import {readFileSync, writeFileSync} from 'node:fs';
import {runInThisContext} from 'node:vm';

const bytes = path => Uint8Array.from(readFileSync(path)).buffer;
const text = view => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64');
const texts = parts =>
  Object.fromEntries(Object.entries(parts ?? {}).map(([name, view]) => [name, text(view)]));

const {script, facts, graphs, state, messages} = JSON.parse(readFileSync(0));
const opened = Object.entries(graphs).map(([name, {told, numbers}]) => [
  name,
  {told, numbers: bytes(numbers)},
]);
let hear;
const self = (globalThis.self = {postMessage: data => hear(data)});
runInThisContext(script);
const ask = message =>
  new Promise(resolve => {
    const came = {};
    hear = ({set, send}) => {
      Object.assign(came, set);
      if (send) resolve({...came, first: texts(came.first), sent: send});
    };
    self.onmessage({data: {message}});
  });
self.onmessage({data: {start: {facts, graphs: Object.fromEntries(opened), state}}});
const found = [];
for (const message of messages) found.push(await ask(message));
writeFileSync(1, JSON.stringify(found));
