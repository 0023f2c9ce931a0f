// The theme: the reader's choice, else the system's; paper is always light.
{
  const KEY = 'seqviz-theme';
  const system = matchMedia('(prefers-color-scheme: dark)');
  const paper = matchMedia('print');
  let printing = false; // said before the media change, so that views can be drawn anew
  let chosen = '';
  try {
    chosen = localStorage.getItem(KEY) ?? '';
  } catch (problem) {
    console.info('The choice of a theme is not kept here.', problem);
  }
  const wanted = () => chosen || (system.matches ? 'dark' : 'light');
  const follow = () => {
    const dark = !printing && !paper.matches && wanted() === 'dark';
    for (const sheet of document.querySelectorAll('.dark')) {
      sheet.media = dark ? 'screen' : 'not all';
    }
    document.body.dataset.jpThemeLight = String(!dark); // what views follow
  };
  const choose = theme => {
    chosen = theme;
    follow();
    try {
      localStorage.setItem(KEY, theme);
    } catch (problem) {
      console.info('The choice of a theme is not kept here.', problem);
    }
  };
  system.addEventListener('change', follow);
  paper.addEventListener('change', follow);
  const print = on => () => {
    printing = on;
    follow();
  };
  addEventListener('beforeprint', print(true));
  addEventListener('afterprint', print(false));
  follow();
  document.addEventListener('DOMContentLoaded', () => {
    const select = document.querySelector('.theme select');
    select.value = chosen;
    select.addEventListener('change', () => choose(select.value));
  });
}
