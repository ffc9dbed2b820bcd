// Paper, or light or dark: what the system asks for until the reader chooses.
const paper = {width: 680, now: false}; // of a sheet, in pixels of the page
// How wide a picture is drawn there: on paper not smaller in its letters than the text.
function drawingWidth(place, least, most) {
  return paper.now ? paper.width : Math.max(least, Math.min(most, place.clientWidth || 900));
}
const theme = {
  listeners: [],
  now() { return document.documentElement.dataset.theme; },
  set(name) {
    document.documentElement.dataset.theme = name;
    byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
    for (const listener of this.listeners) listener();
  },
  colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  },
  start() {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    let chosen = false;
    this.set(system.matches ? 'dark' : 'light');
    system.addEventListener('change', () => { if (!chosen) this.set(system.matches ? 'dark' : 'light'); });
    byId('theme').addEventListener('click', () => {
      chosen = true;
      this.set(this.now() === 'dark' ? 'light' : 'dark');
    });
    // Paper is white.
    let before = null;
    window.addEventListener('beforeprint', () => { paper.now = true; before = this.now(); this.set('light'); });
    window.addEventListener('beforeprint', () => document.querySelectorAll('#components .all-rows').forEach((button) => button.click()));
    window.addEventListener('afterprint', () => { paper.now = false; if (before) this.set(before); });
  },
};
function rgb(text) { // "#rrggbb"
  const n = parseInt(text.slice(1), 16);
  return [n >> 16 & 255, n >> 8 & 255, n & 255];
}
