// The kernel's side of a view in a page without a kernel: get, set, on, off, save_changes, send.
(() => {
  const host = document.currentScript.parentElement;
  const content = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
  const bytes = text => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
  const state = {...content.state, first: Object.fromEntries(content.first.map(name => [name, bytes(content.parts[name])]))};
  const heard = new Map();
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
      if ('want' in message) queueMicrotask(() => tell('msg:custom', {part: message.want}, [bytes(content.parts[message.want])]));
    },
  };
  const style = document.createElement('style');
  style.textContent = content.style;
  const el = document.createElement('div');
  host.append(style, el);
  const address = URL.createObjectURL(new Blob([content.script], {type: 'text/javascript'}));
  import(address).then(view => {
    URL.revokeObjectURL(address);
    view.default.render({model, el});
  });
})();
