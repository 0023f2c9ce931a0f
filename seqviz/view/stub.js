// The kernel's side of a view in a page without a kernel: get, set, on, off, save_changes, send.
(async () => {
  const code = document.currentScript, host = code.parentElement, unpacked = new Map();
  const content = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
  const packed = host.querySelectorAll('script[type="text/plain"]');

  // 13 bits in two of 91 letters, from # to ~ without <
  const digit = code => code - (code > 60 ? 36 : 35);
  function bytes({textContent: text, dataset: {size}}) {
    const all = new Uint8Array(size);
    for (let at = 0, i = 0, held = 0, bits = 0; at < all.length; i += 2) {
      held = held << 13 | 91 * digit(text.charCodeAt(i)) + digit(text.charCodeAt(i + 1));
      for (bits += 13; bits >= 8 && at < all.length; at++) all[at] = held >> (bits -= 8);
      held &= (1 << bits) - 1;
    }
    return all;
  }
  async function unpack(element) {
    const all = bytes(element);
    if (!content.deflated) return all.buffer;
    return new Response(new Blob([all]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
  }
  // A piece: the number of its block, where it starts in there, its size.
  async function piece([block, start, size]) {
    if (!unpacked.has(block)) unpacked.set(block, unpack(packed[block]));
    return new DataView(await unpacked.get(block), start, size);
  }
  host.getPart = name => piece(content.parts[name]);
  host.getText = async place => new TextDecoder().decode(await piece(place));

  if (content.deflated && !globalThis.DecompressionStream) {
    host.append('This browser cannot unpack the page. Open it in one from 2023 or later, or write it with to_html(path, deflate=False).');
    return;
  }
  // A page of its own, as page.py writes it, with the controls as they stand now.
  function whole() {
    const alt = host.querySelector('.say').textContent.replace(/[&<>"'\u0080-\u{10ffff}]/gu, c => `&#${c.codePointAt()};`);
    const now = Object.fromEntries(Object.keys(content.state).map(name => [name, state[name]]));
    const safe = JSON.stringify({...content, state: now}).replace(/[<\u0080-\uffff]/g, c => '\\u' + c.charCodeAt().toString(16).padStart(4, '0'));
    const [head, body, end] = content.around;
    return [head, alt, body, '<div class="seqviz-page">', `<noscript><p>${alt}</p></noscript>`,
      `<script type="application/json">${safe}<\/script>`, ...[...packed, code].map(({outerHTML}) => outerHTML), '</div>', end];
  }

  const first = await Promise.all(content.first.map(async name => [name, await host.getPart(name)]));
  const state = {...content.state, first: Object.fromEntries(first)}, heard = new Map();
  const tell = (event, ...values) => [...heard.get(event) ?? []].forEach(action => action(...values));
  const model = {
    kernel: false,
    get: name => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      tell('change:' + name, model, value);
    },
    on: (event, action) => heard.set(event, [...heard.get(event) ?? [], action]),
    off: (event, action) => heard.set(event, (heard.get(event) ?? []).filter(other => other !== action)),
    save_changes() {},
    send(message) {
      if ('want' in message) host.getPart(message.want).then(part => tell('msg:custom', {part: message.want}, [part]));
      if ('page' in message) setTimeout(() => tell('msg:custom', {page: true}, whole()));
    },
  };
  const style = document.createElement('style');
  style.textContent = await host.getText(content.style);
  const el = document.createElement('div');
  host.append(style, el);
  const address = URL.createObjectURL(new Blob([await host.getText(content.script)], {type: 'text/javascript'}));
  const view = await import(address);
  URL.revokeObjectURL(address);
  view.default.render({model, el});
})();
