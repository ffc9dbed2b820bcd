// Elements and numbers as text. Names of the run only ever become text nodes and attributes, never markup.
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}
function drawn(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
// A shape that says what it is to who points at it.
function titled(tag, attributes, title) { return drawn(tag, attributes, drawn('title', {}, title)); }
function button(text, press, attributes = {}) {
  const node = make('button', {type: 'button', ...attributes}, ...[].concat(text));
  node.addEventListener('click', press);
  return node;
}
const byId = (id) => document.getElementById(id);
// Of a run that has nothing to say there; its link, too.
function removeSection(name) {
  for (const one of document.querySelectorAll(`#${name}, nav a[href="#${name}"]`)) one.remove();
}
// Made from timers of the model: sums, and no timelines.
const fromTimers = (info) => (info.sources || []).length > 0;
const known = (x) => typeof x === 'number' && Number.isFinite(x);

// Three significant digits or more, no exponent where it can be avoided.
function digits(x) {
  if (!known(x)) return 'n/a';
  const size = Math.abs(x);
  if (size === 0) return '0';
  if (Number.isInteger(x) && size < 1000) return String(x);
  if (size >= 1e15 || size < 1e-6) return x.toExponential(2);
  if (size >= 1000) return x.toFixed(0).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return x.toFixed(Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(size)))));
}
function duration(s) {
  if (!known(s)) return 'n/a';
  const size = Math.abs(s);
  if (size >= 1000) return digits(s) + ' s';
  if (size >= 1 || size === 0) return digits(s) + ' s';
  if (size >= 1e-3) return digits(s * 1e3) + ' ms';
  return digits(s * 1e6) + ' µs';
}
// As in the text summary: "23 %", "1.3 %", "less than 0.1 %".
function percent(fraction) {
  if (!known(fraction)) return 'n/a';
  const p = 100 * fraction;
  if (p > 0 && p < 0.1) return 'less than 0.1 %';
  return (p >= 10 || p === 0 ? p.toFixed(0) : p.toFixed(1)) + ' %';
}
const unbroken = (text) => text.replace(/ %/g, '\u00a0%');
function bytes(b) {
  if (!known(b)) return 'n/a';
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let i = 0;
  for (; Math.abs(b) >= 1000 && i < units.length - 1; ++i) b /= 1000;
  return digits(b) + ' ' + units[i];
}
// Memory, as in load_balancing_info.txt: always the same unit.
function memoryText(b) {
  return known(b) ? digits(b / 1048576) + ' MiB' : 'n/a';
}
// Model dates are seconds since the start of the simulation.
function dateText(s) {
  const day = Math.floor(s / 86400);
  const rest = s - 86400 * day;
  const two = (n) => String(Math.floor(n)).padStart(2, '0');
  return `day ${day} ${two(rest / 3600)}:${two(rest / 60 % 60)}:${two(rest % 60)}`;
}
// "2 03:00:00", "day 2 03:00", "2": seconds, or null.
function dateFrom(text) {
  const found = /^\s*(?:day\s*)?(-?\d+)(?:[ ,T]+(\d+):(\d+)(?::(\d+))?)?\s*$/i.exec(text);
  if (!found) return null;
  return 86400 * +found[1] + 3600 * +(found[2] || 0) + 60 * +(found[3] || 0) + +(found[4] || 0);
}
function rgb(text) { // "#rrggbb"
  const n = parseInt(text.slice(1), 16);
  return [n >> 16 & 255, n >> 8 & 255, n & 255];
}
// Names of a run often differ at their end only: the middle is left out.
function shortened(name, length) {
  const tail = Math.floor(length / 3);
  return name.length <= length ? name : name.slice(0, length - 1 - tail) + '…' + name.slice(name.length - tail);
}
// A name in a picture; where it is cut, the whole one shows to who points at it.
function named(name, length, attributes, behind = '') {
  return drawn('text', attributes, shortened(name, length) + behind, ...(name.length > length ? [drawn('title', {}, name)] : []));
}
// The name in the data of whom a model did not name.
const notKnown = '(not known)';
function awaitedName(name) { return name === notKnown ? 'an unknown component' : name; }
function plural(n, word) {
  return `${digits(n)} ${word}${n === 1 ? '' : word.endsWith('s') ? 'es' : 's'}`;
}
// rows: arrays of strings or nodes; the first is the head. caption: text, or an array of texts and nodes. words: columns of text.
function table(rows, caption, words = []) {
  const cells = (row, tag) => row.map((cell, i) => make(tag, {
    class: words.includes(i) ? 'words' : null, scope: tag === 'th' ? 'col' : null,
  }, cell));
  const head = make('thead', {}, make('tr', {}, ...cells(rows[0], 'th')));
  const body = make('tbody', {}, ...rows.slice(1).map((row) => make('tr', {}, ...cells(row, 'td'))));
  const all = make('table', {}, head, body);
  const parts = [].concat(caption);
  if (caption) all.prepend(make('caption', {}, ...parts.map((part) => typeof part === 'string' ? part : part.cloneNode(true))));
  const label = parts.map((part) => typeof part === 'string' ? part : part.textContent).join('');
  return inScroller(label || 'table', all);
}
function inScroller(label, content) {
  const wide = make('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': label}, content), place = make('div', {}, wide);
  watchWide(wide);
  return place;
}
// Something short, and a button that puts the whole in its place.
function shortAtFirst(first, text, whole) {
  const place = make('div', {}, first, button(text, () => place.replaceChildren(whole()), {class: 'all-rows'}));
  return place;
}
// The first rows of a long table, the rest on demand.
function longTable(rows, caption, words, most = 50) {
  if (rows.length <= most + 1) return table(rows, caption, words);
  return shortAtFirst(table(rows.slice(0, most + 1), caption, words), `Show all ${digits(rows.length - 1)}`, () => table(rows, caption, words));
}
