// On paper a view or a figure keeps the width it has on the screen and is made smaller as a whole:
// a browser that prints waits for nothing.

const PAPER = {width: 640, height: 880}; // pixels of A4 or letter, a little less
const themes = new Map(); // of views, as on the screen
const hosts = () => document.querySelectorAll('.seqviz-page, .plotly-figure');
const views = () => document.querySelectorAll('.seqviz');
const redraw = view => view.dispatchEvent(new Event('resized'));

function toPaper(view) {
  themes.set(view, view.dataset.theme);
  view.dataset.theme = 'light';
  view.classList.add('pictured'); // without what is only for the hand
  redraw(view);
}
function toScreen(view) {
  view.dataset.theme = themes.get(view);
  view.classList.remove('pictured');
  redraw(view);
}
function shrink(host) {
  const {offsetWidth: width, offsetHeight: height} = host;
  host.style.width = `${width}px`;
  host.style.zoom = Math.min(1, PAPER.width / width, PAPER.height / height);
}
function grow(host) {
  host.style.width = '';
  host.style.zoom = '';
}
addEventListener('beforeprint', () => {
  views().forEach(toPaper);
  hosts().forEach(shrink);
});
addEventListener('afterprint', () => {
  hosts().forEach(grow);
  views().forEach(toScreen);
});
