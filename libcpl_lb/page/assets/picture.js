// The first screen: how much of the machine waits, in words and one picture.
function coresOf(c) { return c.processes * (c.threads || 1); }
function judged(info) { return info.components.filter((c) => known(c.loop_s) && c.loop_s > 0 && known(c.waiting_s)); }

// What has to be known before all else, where there is something.
function drawBanner(data) {
  const banner = byId('banner'), said = data.said_first || [];
  banner.hidden = said.length === 0;
  banner.replaceChildren(...said.map((sentence) => make('p', {}, ...withWords(unbroken(sentence)))));
}
function drawVerdict(data) {
  const share = data.waiting_share;
  const box = byId('share');
  // Without a figure there is no headline.
  box.hidden = box.parentElement.hidden = !known(share);
  box.textContent = known(share) ? percent(share) : '';
  box.className = known(share) && share < data.balanced_below ? 'share good' : 'share';
  const words = byId('words');
  byId('share-line').append(...withWords('of the core time in the coupling loop is '), word('share', 'lost to waiting'), ' for other components.');
  for (const sentence of data.words.slice(0, 1)) words.append(make('p', {}, make('strong', {}, ...withWords(unbroken(sentence)))));
  if (data.gain_words) words.append(make('p', {}, ...withWords(unbroken(data.gain_words))));
  for (const sentence of data.words.slice(known(share) ? 2 : 1)) words.append(make('p', {class: 'soft'}, ...withWords(unbroken(sentence))));
}
// What a component's loop consists of, computing first; the parts add up to the loop.
function partsOf(c) {
  const waits = Object.entries(c.waiting_for || {}).map(([name, w]) => ({name, s: (w.get_s || 0) + (w.put_s || 0)}))
    .filter((w) => w.s > 0).sort((a, b) => b.s - a.s);
  const away = known(c.away_s) ? c.away_s : 0, whole = c.waiting_s - waits.reduce((sum, w) => sum + w.s, 0);
  if (waits.length === 0 && whole > 0) waits.push({name: null, s: whole}); // timers that do not tell for whom
  return {computing: c.computing_s, waits, away};
}
function drawPicture(data) {
  const place = byId('picture');
  const all = judged({components: data.folded ? data.folded.components : data.info.components});
  if (all.length === 0) return;
  const most = 12;
  const shown = [...all].sort((a, b) => coresOf(b) * b.loop_s - coresOf(a) * a.loop_s).slice(0, most)
    .sort((a, b) => a.id - b.id);
  const width = drawingWidth(place, 320, 1100);
  const narrow = width < 600;
  const left = narrow ? 6 : 170, right = 6;
  const longest = Math.max(...shown.map((c) => c.loop_s));
  const x = (s) => (width - left - right) * s / longest;
  const cores = shown.reduce((sum, c) => sum + coresOf(c), 0);
  // Timers may tell neither processes nor their threads.
  const sized = shown.every((c) => c.processes > 0), unit = fromTimers(data.info) && !(data.info.run.cores > 0) ? 'process' : 'core';
  const title = narrow ? 20 : 0;
  const total = Math.min(300, 60 * shown.length);
  let y = 4;
  const svg = drawn('svg', {width, role: 'img', 'aria-label': 'Computing and waiting of each component: ' +
    shown.map((c) => `${c.name} ${c.is_io_server ? 'is idle' : 'waits'} ${percent(c.waiting_s / c.loop_s)}`).join(', ')});
  if (shown.some((c) => c.is_io_server)) svg.append(stripes());
  for (const c of shown) {
    const height = Math.max(26, sized ? total * coresOf(c) / cores : 0);
    const note = c.processes > 0 ? plural(coresOf(c), unit) : '';
    if (narrow) {
      svg.append(named(c.name, 26, {x: left, y: y + 14}, note && `, ${note}`));
    } else {
      svg.append(named(c.name, 20, {x: left - 10, y: y + height / 2 - 1, 'text-anchor': 'end'}));
      svg.append(drawn('text', {x: left - 10, y: y + height / 2 + 13, 'text-anchor': 'end', class: 'soft'}, note));
    }
    y += title;
    svg.append(loopBar(c, left, y, height, x));
    y += height + 6;
  }
  svg.setAttribute('height', y + 2);
  svg.setAttribute('viewBox', `0 0 ${width} ${y + 2}`);
  const figure = make('figure', {style: 'margin:0'}, svg, make('figcaption', {},
    key('computing', word('computing', 'computing')), key('receive', word('waiting', 'waiting')),
    ...(all.some((c) => c.is_io_server) ? [key('idle-bar', word('idle', 'idle: takes data only'))] : []),
    ...(all.some((c) => c.away_s > 0) ? [key('away', word('away', 'in another component'))] : []),
    'Width: the coupling loop.' + (sized ? ` Height: ${unit === 'core' ? 'cores' : 'processes'}. So the orange area is the part of the machine that waits.` : '') +
    (all.length > shown.length ? ` The ${shown.length} largest of ${digits(all.length)} components.` : '')));
  place.replaceChildren(figure);
}
// As --idle-bar: nobody waits for it, so it is no colour of its own.
function stripes() {
  return drawn('defs', {}, drawn('pattern', {id: 'idle-stripes', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
    drawn('rect', {width: 6, height: 6, fill: 'var(--paper)'}), drawn('rect', {width: 2, height: 6, fill: 'var(--away)'})));
}
function key(colour, text) {
  return make('span', {class: 'key'}, make('i', {style: `background:var(--${colour})`}), text);
}
// What a component does while it waits: an I/O server is idle.
function waitWords(c, w) {
  const share = percent(w.s / c.loop_s);
  if (w.name === null) return `${c.is_io_server ? 'idle' : 'waits'} ${share}`;
  if (!c.is_io_server) return `waits ${share} for ${awaitedName(w.name)}`;
  return `idle ${share} for data` + (w.name === notKnown ? '' : ` of ${w.name}`);
}
function loopBar(c, left, top, height, x) {
  const group = drawn('g', {});
  const parts = partsOf(c);
  let at = left;
  const add = (s, colour, text, way = '') => {
    const w = x(s);
    group.append(titled('rect', {x: at, y: top, width: Math.max(w - 1, 0.5), height, fill: colour === 'idle-bar' ? 'url(#idle-stripes)' : `var(--${colour})`},
      `${c.name}: ${text}, ${duration(s)}`));
    // As much as fits: the sentence, its beginning, the figure alone.
    const fits = Math.floor((w - 12) / 7.4);
    const label = [text, text.replace(/ for .*/, ''), text.replace(/^\D*([\d.]+ %).*/, '$1')].find((one) => one.length <= fits);
    if (label) group.append(drawn('text', {x: at + 6, y: top + height / 2 + 5, class: way}, label));
    at += w;
  };
  add(parts.computing, 'computing', `computing ${percent(c.computing_s / c.loop_s)}`);
  if (parts.away > 0) add(parts.away, 'away', `elsewhere ${percent(parts.away / c.loop_s)}`, 'on');
  for (const w of parts.waits) {
    add(w.s, c.is_io_server ? 'idle-bar' : 'receive', waitWords(c, w), c.is_io_server ? 'on-stripes' : 'on');
  }
  return group;
}
