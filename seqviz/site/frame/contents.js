// The contents follow the reader; on a phone they are folded.

const PHONE = '(max-width: 760px)';
const READ = 120; // pixels from the top: what stands higher is being read

const nav = document.querySelector('.contents');
if (nav) start(nav);

function start(contents) {
  const links = [...contents.querySelectorAll('a[href^="#"]')];
  const places = links.map(link => place(link.hash.slice(1)));
  let drawn = 0;
  const follow = () => {
    drawn = 0;
    mark(contents, links, here(places));
  };
  addEventListener(
    'scroll',
    () => {
      drawn ||= requestAnimationFrame(follow);
    },
    {passive: true},
  );
  if (matchMedia(PHONE).matches) contents.querySelector('details').open = false;
  follow();
}

/** What an address leads to; nbconvert writes an id as it stands in an address. */
function place(name) {
  return document.getElementById(name) ?? document.getElementById(decodeURIComponent(name));
}

/** The last heading that has been reached; -1 before the first. */
function here(places) {
  const {scrollHeight, clientHeight, scrollTop} = document.documentElement;
  if (scrollTop && scrollTop + clientHeight > scrollHeight - 2) return places.length - 1;
  return places.findLastIndex(one => one.getBoundingClientRect().top < READ);
}

function mark(contents, links, at) {
  links.forEach((link, k) => {
    if (k === at) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  });
  if (at < 0 || getComputedStyle(contents).position !== 'fixed') return;
  const link = links[at].getBoundingClientRect();
  const box = contents.getBoundingClientRect();
  if (link.top < box.top || link.bottom > box.bottom) {
    contents.scrollTop += link.top - box.top - box.height / 2;
  }
}
