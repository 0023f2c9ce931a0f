// Export of what is on screen, for every view: SVG, PNG and CSV.

const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'opacity', 'paint-order',
  'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'visibility', 'white-space', 'image-rendering'];
function picture(root) {
  const stage = root.querySelector('.stage'), tone = palette(root), pad = 16, box = stage.getBoundingClientRect();
  const font = getComputedStyle(root).fontFamily, sentence = root.querySelector('.say').textContent;
  const lines = wrapped(sentence, box.width, measurer(`18px ${font}`)), lead = 20 + 24 * lines.length;
  const width = box.width + 2 * pad, height = box.height + lead + 2 * pad;
  const page = svg(null, 'svg', {xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`});
  svg(page, 'rect', {width, height, fill: tone.bg});
  svg(page, 'title', {}, sentence);
  lines.forEach((line, k) => svg(page, 'text', {x: pad, y: pad + 20 + 24 * k, fill: tone.ink, 'font-size': 18, 'font-family': font}, line));
  for (const drawn of stage.querySelectorAll('svg, canvas.painted')) {
    const at = drawn.getBoundingClientRect(), place = {x: pad + at.x - box.x, y: pad + lead + at.y - box.y, width: at.width, height: at.height};
    const parent = scrolled(page, drawn, place, box, pad, pad + lead);
    if (drawn.tagName === 'CANVAS') {
      svg(parent, 'image', {...place, href: drawn.toDataURL()});
      continue;
    }
    const copy = drawn.cloneNode(true);
    const originals = [drawn, ...drawn.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((node, k) => {
      const style = getComputedStyle(originals[k]);
      for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
      node.removeAttribute('class');
      node.removeAttribute('style');
    });
    put(parent, copy, place);
  }
  return new XMLSerializer().serializeToString(page);
}
// Of what scrolls, only what is in sight.
function scrolled(page, drawn, place, box, left, top) {
  const fall = drawn.closest('.fall');
  if (!fall) return page;
  const at = fall.getBoundingClientRect(), x = left + at.x - box.x, y = top + at.y - box.y;
  Object.assign(place, {x: place.x - x, y: place.y - y});
  return svg(page, 'svg', {x, y, width: at.width, height: at.height});
}
// A cell that a spreadsheet would run as a formula is made text.
function csv(rows) {
  const digits = value => Math.abs(value) < 1e21 ? value.toFixed(6) : BigInt(value) + '.000000';
  const cell = value => typeof value === 'number' ? digits(value) : quoted(/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value) ? "'" + value : value);
  const quoted = text => /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  return rows.map(row => row.map(cell).join(',') + '\n').join('');
}
async function raster(source, scale = 2) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([source], {type: 'image/svg+xml'}));
  await image.decode();
  const canvas = html(null, 'canvas', {width: image.width * scale, height: image.height * scale});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}
function save(blob, name) {
  const link = html(null, 'a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
function exportButtons(bar, root, table) {
  const group = html(bar, 'span', {class: 'exports', role: 'group', 'aria-label': 'save what is on screen'});
  const button = (kind, blob) => html(group, 'button', {type: 'button', title: `save as ${kind}`}, kind).addEventListener('click',
    async () => save(await blob(), `${root.dataset.view}.${kind.toLowerCase()}`));
  button('PNG', () => raster(picture(root)));
  button('SVG', () => new Blob([picture(root)], {type: 'image/svg+xml'}));
  button('CSV', () => new Blob([csv(table())], {type: 'text/csv'}));
  root.exported = {svg: () => picture(root), csv: () => csv(table())};
}
