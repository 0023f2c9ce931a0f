// The kernel's side of a view in a page without a kernel: get, set, on, off, save_changes, send.
'use strict'; // names of a block stay in it: other views on the page have theirs
{
  const code = document.currentScript;
  const host = code.parentElement;
  const page = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
  const packed = host.querySelectorAll('script[type="text/plain"]:not([data-block])');

  // ---- what the page holds
  function bytes({textContent: text}) {
    const letters = atob(text);
    const all = new Uint8Array(letters.length);
    for (let i = 0; i < all.length; i++) all[i] = letters.charCodeAt(i);
    return all;
  }
  async function unpack(element) {
    const all = Uint8Array.fromBase64?.(element.textContent) ?? bytes(element);
    if (!page.deflated) return all.buffer;
    return new Response(
      new Response(all).body.pipeThrough(new DecompressionStream('deflate')),
    ).arrayBuffer();
  }
  const unpacked = new Map();
  // A piece: the number of its block, where it starts in there, its size.
  async function piece([block, start, size]) {
    if (!unpacked.has(block)) unpacked.set(block, unpack(packed[block]));
    return new DataView(await unpacked.get(block), start, size);
  }
  // What is not in the page of a picture comes from Python, which takes it: see chromium.py.
  async function asked(name) {
    return new DataView(bytes({textContent: await globalThis.seqvizPart(name)}).buffer);
  }
  host.getPart = name =>
    name in host.content.parts || !page.asks ? piece(host.content.parts[name]) : asked(name);
  host.getText = async place => new TextDecoder().decode(await piece(place));
  host.unpack = unpack;

  // A page of its own, as page.py writes it, with the controls as they stand now, and with what
  // answers in it: see answers/.
  function whole(state) {
    const alt = host
      .querySelector('.say')
      .textContent.replace(/[&<>"'\u0080-\u{10ffff}]/gu, c => `&#${c.codePointAt()};`);
    const controls = Object.fromEntries(
      Object.keys(page.controls).map(name => [name, state[name]]),
    );
    const {now, elements = []} = host.copied?.() ?? {};
    const safe = JSON.stringify({...page, controls, now}).replace(
      /[<\u0080-\uffff]/g,
      c => '\\u' + c.charCodeAt().toString(16).padStart(4, '0'),
    );
    const [head, body, end] = page.around;
    return [
      head,
      alt,
      body,
      '<div class="seqviz-page">',
      `<noscript><p>${alt}</p></noscript>`,
      // eslint-disable-next-line no-useless-escape -- this script would end here
      `<script type="application/json">${safe}<\/script>`,
      ...[...packed, ...elements, code].map(({outerHTML}) => outerHTML),
      '</div>',
      end,
    ];
  }

  // ---- the model: what anywidget gives a view
  function modelOf(state) {
    const heard = new Map();
    const actions = event => heard.get(event) ?? [];
    const tell = (event, ...values) => [...actions(event)].forEach(action => action(...values));
    const model = {
      kernel: false,
      asks: page.asks,
      get: name => state[name],
      set(name, value) {
        if (state[name] === value) return;
        state[name] = value;
        tell('change:' + name, model, value);
      },
      on: (event, action) => heard.set(event, [...actions(event), action]),
      off: (event, action) =>
        heard.set(
          event,
          actions(event).filter(other => other !== action),
        ),
      save_changes() {},
      send(message) {
        if ('want' in message) {
          host.getPart(message.want).then(part => tell('msg:custom', {part: message.want}, [part]));
        }
        if ('page' in message) {
          setTimeout(() => tell('msg:custom', {page: true}, whole(state)));
        }
      },
    };
    return {model, tell};
  }

  // ---- the view over it
  async function imported(text) {
    const address = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
    const module = await import(address);
    URL.revokeObjectURL(address);
    return module.default;
  }
  async function show() {
    if (page.deflated && !globalThis.DecompressionStream) {
      host.append(
        'This browser cannot unpack the page. Open it in one from 2023 or later, or write it with to_html(path, deflate=False).',
      );
      return;
    }
    const content = (host.content = JSON.parse(await host.getText(page.content)));
    const [view, css, ...first] = await Promise.all([
      host.getText(content.script).then(imported),
      host.getText(content.style),
      ...page.first.map(async name => [name, await host.getPart(name)]),
    ]);
    const {facts, choices} = content;
    const state = {facts, choices, ...page.controls, first: Object.fromEntries(first)};
    const style = document.createElement('style');
    style.textContent = css;
    const el = document.createElement('div');
    host.append(style, el);
    const told = modelOf(state);
    const relay = content.answers && (await host.getText(content.answers.relay).then(imported));
    relay?.({host, page, state, ...told, again: () => again()});
    const again = live(() => view.render({model: told.model, el}), el);
  }
  // What takes a view out of its page, or its root out of its place, tells nobody: it ends, so that
  // nothing listens on, and is drawn again when what was taken comes back. What watches for that
  // goes with what was taken.
  function live(render, el) {
    let [end, root, taken] = [null, null, el];
    const leaving = new MutationObserver(() => setTimeout(look));
    const coming = new ResizeObserver(look);
    const trees = new Set(); // that are watched: of the root and of what it stands in
    function look() {
      if (end && !root.isConnected) root = el.querySelector('.seqviz') ?? root; // made anew
      if (end && !root.isConnected) {
        leaving.disconnect();
        trees.clear();
        end();
        end = null;
        taken = el.isConnected ? root : el;
        coming.observe(taken);
      } else if (!end && taken.isConnected) {
        coming.disconnect();
        root?.remove();
        end = render();
        root = el.querySelector('.seqviz');
      }
      // it may stand in another tree by now
      for (let node = end && root; node; node = node.getRootNode().host) {
        const tree = node.getRootNode();
        if (!trees.has(tree)) leaving.observe(tree, {childList: true, subtree: true});
        trees.add(tree);
      }
    }
    if (el.isConnected) look();
    else coming.observe(el);
    return () => {
      if (!end) return;
      end();
      [end, taken] = [null, el];
      look();
    };
  }
  show();
}
