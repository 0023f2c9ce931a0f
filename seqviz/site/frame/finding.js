// Search over all pages: an index that stands in a file beside them, read when it is first needed.

const MOST = 12; // results that are shown
const AROUND = 60; // characters before and after a match

const box = document.querySelector('search input');
if (box) start(box, document.getElementById('found'), document.querySelector('search .said'));

function start(input, list, said) {
  let pages = null;
  const find = async () => {
    pages ??= load(input.dataset.pages);
    const words = split(input.value);
    const found = words.length ? ranked(await pages, words) : [];
    if (words.join() !== split(input.value).join()) return; // the reader has typed on
    show(list, found, words, input.dataset.home);
    said.textContent = words.length ? counted(found.length) : '';
  };
  input.addEventListener('input', find);
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') move(event, list, 0);
    if (event.key === 'Enter') list.querySelector('a')?.click();
    if (event.key === 'Escape') close(input, list, said);
  });
  list.addEventListener('keydown', event => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'ArrowDown') move(event, list, at + 1);
    if (event.key === 'ArrowUp') {
      if (at > 0) move(event, list, at - 1);
      else input.focus();
    }
    if (event.key === 'Escape') close(input, list, said);
  });
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.target.closest('input, textarea, select, .seqviz')) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', event => {
    if (!event.target.closest('search')) list.hidden = true;
  });
}

/** The sections of all pages: [address, page, section, text]. */
function load(address) {
  return new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', () => done(globalThis.seqvizSections));
    script.addEventListener('error', () => failed(new Error(`${address} could not be read`)));
    document.head.append(script);
  });
}

const split = text => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Sections that hold every word: first where a title does, then where the words stand together. */
function ranked(sections, words) {
  const phrase = words.join(' ');
  const found = [];
  for (const [address, page, title, text] of sections) {
    const head = `${page} ${title}`.toLowerCase();
    const body = text.toLowerCase();
    if (!words.every(word => head.includes(word) || body.includes(word))) continue;
    const points = 4 * title.toLowerCase().includes(phrase) + 2 * body.includes(phrase);
    found.push({address, page, title, text, points: points + head.includes(words[0])});
  }
  return found.sort((one, other) => other.points - one.points);
}

const counted = n => (n === 1 ? '1 section' : `${n || 'no'} sections`);

function show(list, found, words, home) {
  list.hidden = !found.length;
  list.replaceChildren(
    ...found.slice(0, MOST).map(({address, page, title, text}) => {
      const link = document.createElement('a');
      link.href = home + address;
      const name = document.createElement('b');
      name.textContent = title || page;
      const where = document.createElement('span');
      where.textContent = ` ${title ? page : ''}`;
      const line = document.createElement('p');
      line.append(...marked(around(text, words), words));
      link.append(name, where, line);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
}

/** The piece of a text about the first word that is found. */
function around(text, words) {
  const low = text.toLowerCase();
  const phrase = low.indexOf(words.join(' '));
  const places = words.map(word => low.indexOf(word)).filter(place => place >= 0);
  const at = phrase >= 0 ? phrase : Math.min(...places, low.length);
  const from = Math.max(0, at - AROUND);
  const piece = text.slice(from, at + 2 * AROUND);
  return (from ? '… ' : '') + piece + (at + 2 * AROUND < text.length ? ' …' : '');
}

/** The text as nodes, the words that were looked for in <mark>. */
function marked(text, words) {
  const nodes = [];
  const low = text.toLowerCase();
  let from = 0;
  while (from < text.length) {
    const next = words
      .map(word => ({word, at: low.indexOf(word, from)}))
      .filter(({at}) => at >= 0)
      .sort((one, other) => one.at - other.at)[0];
    if (!next) break;
    const mark = document.createElement('mark');
    mark.textContent = text.slice(next.at, next.at + next.word.length);
    nodes.push(text.slice(from, next.at), mark);
    from = next.at + next.word.length;
  }
  return [...nodes, text.slice(from)];
}

function move(event, list, at) {
  event.preventDefault();
  list.querySelectorAll('a')[at]?.focus();
}

function close(input, list, said) {
  input.value = '';
  said.textContent = '';
  list.hidden = true;
  input.focus();
}
