// For all pages: light or dark, as the system asks until the reader chooses, and a hint where something scrolls.
const theme = {
  listeners: [],
  now() { return document.documentElement.dataset.theme; },
  set(name) {
    document.documentElement.dataset.theme = name;
    document.getElementById('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
    for (const listener of this.listeners) listener();
  },
  colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  },
  start() {
    const system = window.matchMedia('(prefers-color-scheme: dark)'), button = document.getElementById('theme');
    let chosen = false;
    button.hidden = false;
    this.set(system.matches ? 'dark' : 'light');
    system.addEventListener('change', () => { if (!chosen) this.set(system.matches ? 'dark' : 'light'); });
    button.addEventListener('click', () => {
      chosen = true;
      this.set(this.now() === 'dark' ? 'light' : 'dark');
    });
    // Paper is white.
    let before = null;
    window.addEventListener('beforeprint', () => { before = this.now(); this.set('light'); });
    window.addEventListener('afterprint', () => { if (before) this.set(before); });
  },
};
// Above what is wider than the window: it may look whole where it ends between two columns.
function watchWide(wide) {
  const hint = document.createElement('p');
  hint.className = 'wide-hint';
  hint.textContent = `The ${wide.querySelector('table') ? 'table' : 'picture'} is wider than the window: move it sideways.`;
  hint.hidden = true;
  if (wide.firstElementChild.id) hint.id = wide.firstElementChild.id + '-hint';
  wide.before(hint);
  const look = () => { hint.hidden = wide.scrollWidth <= wide.clientWidth + 1; };
  const observer = new ResizeObserver(look);
  observer.observe(wide);
  for (const inside of wide.children) observer.observe(inside);
  return hint;
}
