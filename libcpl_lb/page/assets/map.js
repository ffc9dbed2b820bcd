// The map: what each process did, as a colour at its place in the grid, on the globe, or in rows.
const mapFigures = {
  computing: {name: 'computing', value: duration, words: 'computing in the coupling loop'},
  inside: {name: 'MPI inside the component', value: duration, words: 'MPI inside the component, in the coupling loop'},
  late: {name: 'late at exchanges', value: duration, words: 'how late a process comes to exchanges, on the average, after the earliest one'},
  memory: {name: 'memory', value: memoryText, words: 'high-water mark of memory'},
};
const mostMaps = 24;
// What the switch calls a figure; regions go by their names.
function keyOf(figure) { return figure.name === 'region' ? 'region ' + figure.region : figure.name; }
function howShown(figure) {
  if (figure.name !== 'region') return mapFigures[figure.name];
  return {name: figure.region, value: duration, words: `time in region ${figure.region}, in the whole run`};
}

// Cells {process, x, y, w, h} in units of the layout, width and height of it, and what a unit is.
function rowsLayout(processes, order) {
  const columns = Math.min(processes, Math.max(8, Math.ceil(Math.sqrt(3 * processes)))), cells = [];
  for (let i = 0; i < processes; ++i) cells.push({process: order ? order[i] : i, x: i % columns, y: Math.floor(i / columns), w: 1, h: 1});
  return {form: 'rows', width: columns, height: Math.ceil(processes / columns), cells};
}
// numbers: first and count in direction i, then in j, of all processes. j points upwards.
function blockLayout(size, numbers, processes) {
  const [width, height] = size, of = (n, p) => numbers[n * processes + p];
  const having = [...Array(processes).keys()].filter((p) => of(1, p) > 0 && of(3, p) > 0);
  if (width === 1 || height === 1) {
    const along = width === 1 ? 2 : 0;
    return {...rowsLayout(having.length, having.sort((a, b) => of(along, a) - of(along, b))), ordered: true};
  }
  return {form: 'block', width, height, cells: having.map((p) => ({process: p, x: of(0, p) - 1, y: height - (of(2, p) - 1) - of(3, p), w: of(1, p), h: of(3, p)}))};
}
// numbers: of each process how many pieces it has; then first and count in direction i, then in j, of all pieces, one process
// after the other. Larger pieces lie below smaller ones: boxes around several may hold points of others.
function piecesLayout(size, numbers, processes, pieces) {
  const [width, height] = size, of = (n, k) => numbers[processes + n * pieces + k], owners = [];
  for (let p = 0; p < processes; ++p) for (let n = 0; n < numbers[p]; ++n) owners.push(p);
  if (width === 1 || height === 1) {
    const along = width === 1 ? 2 : 0, first = new Map();
    owners.forEach((p, k) => first.set(p, Math.min(first.has(p) ? first.get(p) : Infinity, of(along, k))));
    return {...rowsLayout(first.size, [...first.keys()].sort((a, b) => first.get(a) - first.get(b))), ordered: true};
  }
  const cells = owners.map((p, k) => ({process: p, x: of(0, k) - 1, y: height - (of(2, k) - 1) - of(3, k), w: of(1, k), h: of(3, k)}));
  return {form: 'block', width, height, cells: cells.sort((a, b) => b.w * b.h - a.w * a.h)};
}
// numbers: west, east, south, north, mean longitude and latitude in 65535ths, and whether there are points. Larger boxes lie below
// smaller ones; those that cross the date line are drawn at both ends of a map of the whole globe.
function globeLayout(numbers, processes) {
  const of = (n, p) => n === 2 || n === 3 || n === 5 ? numbers[n * processes + p] / 65535 * 180 - 90 : numbers[n * processes + p] / 65535 * 720 - 180;
  const having = [...Array(processes).keys()].filter((p) => numbers[6 * processes + p] > 0);
  const least = (n) => having.reduce((m, p) => Math.min(m, of(n, p)), Infinity), most = (n) => having.reduce((m, p) => Math.max(m, of(n, p)), -Infinity);
  let west = least(0), east = most(1), south = least(2), north = most(3);
  const whole = east - west > 300;
  if (whole) [west, east] = [-180, 180];
  const room = Math.max(0.02 * Math.max(east - west, north - south), 0.5);
  if (!whole) [west, east] = [west - room, east + room];
  [south, north] = [Math.max(south - room, -90), Math.min(north + room, 90)];
  const cells = [];
  for (const p of having) {
    const box = {process: p, x: of(0, p) - west, y: north - of(3, p), w: of(1, p) - of(0, p), h: of(3, p) - of(2, p)};
    cells.push(box);
    if (whole && of(1, p) > 180) cells.push({...box, x: box.x - 360});
  }
  cells.sort((a, b) => b.w * b.h - a.w * a.h);
  return {form: 'globe', width: east - west, height: north - south, west, east, south, north, cells};
}
// The distance from the mean that has the full colour: that of the farthest process, and at least a twentieth of the mean.
function farthest(figure) {
  return Math.max(figure.most.value - figure.mean, figure.mean - figure.least.value, figure.mean / 20);
}
// From -1 to 1 against the mean; null: not known.
function againstMean(figure, value) {
  if (value === null || !known(figure.mean)) return null;
  return farthest(figure) > 0 ? (value - figure.mean) / farthest(figure) : 0;
}
function mapValue(figure, byte) {
  return byte === 255 ? null : figure.least.value + byte / 254 * (figure.most.value - figure.least.value);
}
function differenceWords(figure, value) {
  if (!known(figure.mean) || figure.mean === 0) return '';
  const share = value / figure.mean - 1;
  if (share >= 1) return `, ${(share + 1).toPrecision(2)} times the mean`;
  return Math.abs(share) < 0.001 ? ', the mean' : `, ${percent(Math.abs(share))} ${share > 0 ? 'more' : 'less'} than the mean`;
}
// 190 E is 170 W.
function degrees(d, plus, minus) {
  const turned = Math.round(d > 180 ? d - 360 : d);
  return `${Math.abs(turned)}°` + (turned === 0 ? '' : ` ${turned > 0 ? plus : minus}`);
}
class ComponentMap {
  // layouts: {grid, globe}; globe: null, if the component has only one.
  constructor(component, map, layouts, values) {
    Object.assign(this, {component, map, layouts, layout: layouts.grid, values, chosen: null});
    this.canvas = make('canvas', {tabindex: '0', role: 'img', class: 'map'});
    this.readout = make('p', {class: 'soft hint', 'aria-live': 'polite'});
    this.caption = make('figcaption', {});
    this.scale = make('p', {class: 'map-scale soft'});
    this.title = make('strong', {});
    this.node = make('figure', {}, this.title, this.canvas, this.scale, this.readout, this.caption);
    this.canvas.addEventListener('pointermove', (event) => this.choose(this.processAt(event)));
    this.canvas.addEventListener('pointerleave', () => this.choose(null));
    this.canvas.addEventListener('blur', () => this.choose(null));
    this.canvas.addEventListener('keydown', (event) => {
      const last = component.processes - 1, now = this.chosen;
      const next = {ArrowRight: now === null ? 0 : now + 1, ArrowLeft: now === null ? last : now - 1, Home: 0, End: last}[event.key];
      if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      this.choose(Math.min(Math.max(next, 0), last));
      event.preventDefault();
    });
  }
  show(name, where) {
    this.layout = where === 'globe' && this.layouts.globe || this.layouts.grid;
    this.figure = this.map.figures.find((f) => keyOf(f) === name) || null;
    this.node.hidden = !this.figure;
    if (!this.figure) return;
    this.title.textContent = `${this.component.name}: ${howShown(this.figure).name}`;
    this.draw();
    this.choose(null);
  }
  // The layout's cells in pixels; what is thinner than 3 is made visible.
  placed(cell) {
    const sx = this.width / this.layout.width, sy = this.height / this.layout.height;
    const w = Math.max(cell.w * sx, this.layout.form === 'globe' ? 3 : 0), h = Math.max(cell.h * sy, this.layout.form === 'globe' ? 3 : 0);
    return {x: (cell.x + cell.w / 2) * sx - w / 2, y: (cell.y + cell.h / 2) * sy - h / 2, w, h};
  }
  processAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) * this.width / box.width, y = (event.clientY - box.top) * this.height / box.height;
    for (let i = this.layout.cells.length - 1; i >= 0; --i) {
      const at = this.placed(this.layout.cells[i]);
      if (x >= at.x && x < at.x + at.w && y >= at.y && y < at.y + at.h) return this.layout.cells[i].process;
    }
    return null;
  }
  valueOf(process) { return this.figure ? mapValue(this.figure, this.values.get(keyOf(this.figure))[process]) : null; }
  colourOf(process) {
    const t = againstMean(this.figure, this.valueOf(process));
    if (t === null) return this.colours.none;
    const end = t < 0 ? this.colours.less : this.colours.more, share = Math.min(Math.abs(t), 1);
    return `rgb(${this.colours.mean.map((c, i) => Math.round(c + (end[i] - c) * share)).join(',')})`;
  }
  draw() {
    const {canvas, layout, component} = this, place = this.node.parentNode;
    const ratio = paper.now ? 3 : Math.min(window.devicePixelRatio || 1, 2);
    this.width = Math.min(drawingWidth(place, 280, 1100), place.children.length > 1 ? 520 : 820);
    const tallest = layout.form === 'rows' ? 24 * layout.height : 420;
    this.height = Math.max(Math.min(this.width * layout.height / layout.width, tallest), Math.min(60, tallest));
    canvas.style.width = this.width + 'px';
    canvas.style.height = this.height + 'px';
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    if (!this.figure) return this.say();
    this.colours = {less: rgb(theme.colour('send')), more: rgb(theme.colour('receive')), mean: rgb(theme.colour('panel')), none: theme.colour('line')};
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    if (layout.form === 'globe') this.drawDegrees(context);
    for (const cell of layout.cells) {
      const at = this.placed(cell), border = at.w > 5 && at.h > 5 ? 0.5 : 0;
      context.fillStyle = this.colourOf(cell.process);
      // Neighbours meet at whole pixels, or a line would show between them.
      const [x0, y0, x1, y1] = [at.x, at.y, at.x + at.w, at.y + at.h].map((v) => Math.round(v * ratio) / ratio);
      context.fillRect(x0 + border, y0 + border, Math.max(x1 - x0, 1 / ratio) - 2 * border, Math.max(y1 - y0, 1 / ratio) - 2 * border);
    }
    if (layout.form === 'globe') this.drawDegrees(context, true);
    if (this.chosen !== null) this.drawChosen(context);
    canvas.setAttribute('aria-label', `Map of ${component.name}: ${this.inWords()}`);
    this.say();
  }
  drawChosen(context) {
    context.strokeStyle = theme.colour('ink');
    context.lineWidth = 2;
    for (const cell of this.layout.cells) {
      if (cell.process !== this.chosen) continue;
      const at = this.placed(cell);
      context.strokeRect(at.x, at.y, at.w, at.h);
    }
  }
  // Lines at whole degrees, some four in each direction, below the boxes; their numbers above.
  drawDegrees(context, numbers = false) {
    const {west, east, south, north} = this.layout;
    context.strokeStyle = theme.colour('line');
    context.lineWidth = 1;
    const line = (x0, y0, x1, y1) => { context.beginPath(); context.moveTo(x0, y0); context.lineTo(x1, y1); context.stroke(); };
    const each = (from, to, draw) => {
      const step = [0.5, 1, 2, 5, 10, 30, 60].find((s) => (to - from) / s <= 6) || 60;
      for (let d = Math.ceil(from / step) * step; d <= to; d += step) draw(d);
    };
    const number = (text, x, y) => {
      if (x < 20 || x > this.width - 20 || y < 8 || y > this.height) return;
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    };
    if (numbers) Object.assign(context, {font: '11px sans-serif', textAlign: 'center', lineWidth: 3, strokeStyle: theme.colour('paper'), fillStyle: theme.colour('ink')});
    each(west, east, (d) => { const x = (d - west) / (east - west) * this.width; numbers ? number(degrees(d, 'E', 'W'), x, this.height - 4) : line(x, 0, x, this.height); });
    each(south, north, (d) => { const y = (north - d) / (north - south) * this.height; numbers ? number(degrees(d, 'N', 'S'), 22, y + 4) : line(0, y, this.width, y); });
  }
  inWords() {
    const f = this.figure, how = howShown(f);
    if (!(f.known > 0)) return `${how.words} is not known`;
    const one = (e) => `process ${e.process}` + (e.rank === e.process ? '' : ` (rank ${e.rank})`) + `, ${how.value(e.value)}${differenceWords(f, e.value)}`;
    if (f.most.value - f.least.value <= f.mean / 1000) return `${how.words}: ${how.value(f.mean)} on each process`;
    return `${how.words}: mean ${how.value(f.mean)}; most: ${one(f.most)}; least: ${one(f.least)}`;
  }
  say() {
    const {component, map, layout, figure} = this;
    const where = layout.form === 'block' ? `A grid of ${digits(layout.width)} × ${digits(layout.height)} points: i to the right, j upwards.` + (map.why_no_globe ? ` Not on the globe: ${map.why_no_globe}.` : '')
      : layout.form === 'globe' ? `Boxes around the points of each process, from ${degrees(layout.west, 'E', 'W')} to ${degrees(layout.east, 'E', 'W')} and ${degrees(layout.south, 'N', 'S')} to ${degrees(layout.north, 'N', 'S')}.`
        : layout.ordered ? `A grid of one direction: the processes in rows, in the order of their ${map.parts.form === 'pieces' ? 'first ' : ''}points.`
          : map.why_not ? `Its processes in rows. No map: ${map.why_not}.` : 'Its processes in rows: the model did not say which part of its grid each has.';
    const coarse = layout.form === 'block' && map.parts.coarse || 0;
    const boxes = coarse > 0 ? ` Coarser than it is: of ${plural(coarse, 'process')} several pieces are drawn as the box around them. Where such boxes lie over each other, the smaller one is on top.` : '';
    const left = layout.form !== 'globe' && map.parts && map.parts.left_out || 0;
    const holes = left > 0 ? ` The model leaves out ${plural(left, 'point')} of it.` : '';
    const without = figure ? component.processes - figure.known : 0;
    const words = figure ? this.inWords() + '. ' : '';
    this.caption.textContent = unbroken(words.charAt(0).toUpperCase() + words.slice(1)) + where + holes + boxes +
      (without > 0 && figure ? ` Grey: ${plural(without, 'process')} without a figure.` : '');
    const how = figure && howShown(figure), far = figure && known(figure.mean) ? farthest(figure) : NaN;
    this.scale.hidden = !known(far);
    if (known(far)) this.scale.replaceChildren(`− ${how.value(far)}`, make('i', {}), `+ ${how.value(far)} against the mean`);
  }
  choose(process) {
    if (process === null && this.chosen === null && this.readout.textContent !== '') return;
    const changed = process !== this.chosen;
    this.chosen = process;
    if (changed) this.draw();
    if (process === null) { this.readout.textContent = 'Point at the map for a process, or use ← and → when it has the focus.'; return; }
    const value = this.valueOf(process), how = this.figure && howShown(this.figure);
    this.readout.textContent = `Process ${process}: ` + (value === null ? 'not known' : how.value(value) + differenceWords(this.figure, value));
  }
}
async function mapOf(component, map) {
  const values = new Map();
  for (const f of map.figures) values.set(keyOf(f), await blockBytes(f.id));
  const n = component.processes, d = map.parts;
  const rows = {grid: rowsLayout(n, null), globe: null};
  if (!d) return new ComponentMap(component, map, rows, values);
  const bytes = await blockBytes(d.id);
  const layout = d.form === 'block' ? blockLayout(d.size, unshuffled(bytes, 0, 4 * n, d.width), n)
    : d.form === 'pieces' ? piecesLayout(d.size, unshuffled(bytes, 0, n + 4 * d.pieces, d.width), n, d.pieces)
      : globeLayout(unshuffled(bytes, 0, 7 * n, 2), n);
  if (layout.cells.length === 0) return new ComponentMap(component, map, rows, values);
  const globe = map.globe ? globeLayout(unshuffled(await blockBytes(map.globe), 0, 7 * n, 2), n) : null;
  return new ComponentMap(component, map, {grid: layout, globe}, values);
}
async function drawMaps(data) {
  const place = byId('map-body'), named = (m) => data.info.components.find((c) => c.id === m.component);
  const having = (data.maps || []).filter((m) => m.figures.length > 0 && named(m));
  if (having.length === 0) { // files of older versions, of other programs, and runs without a coupling loop
    for (const one of document.querySelectorAll('#map, nav a[href="#map"]')) one.remove();
    return;
  }
  const several = having.filter((m) => named(m).processes > 1), maps = [];
  for (const m of several.slice(0, mostMaps)) maps.push(await mapOf(named(m), m));
  const there = Object.keys(mapFigures).filter((name) => several.some((m) => m.figures.some((f) => f.name === name)));
  const regions = new Map();
  for (const m of several) for (const f of m.figures) if (f.name === 'region') regions.set(keyOf(f), f.region);
  const inGroup = [...regions].map(([value, region]) => make('option', {value}, region));
  const choice = make('select', {id: 'map-of', class: 'tool', 'aria-label': 'What the map shows'}, ...there.map((name) => make('option', {value: name}, mapFigures[name].name)),
    ...(inGroup.length > 0 ? [make('optgroup', {label: 'time in a region'}, ...inGroup)] : []));
  const where = make('select', {id: 'map-where', class: 'tool', 'aria-label': 'Where the map shows it'}, make('option', {value: 'grid'}, 'in its grid'), make('option', {value: 'globe'}, 'on the globe'));
  const bar = make('div', {class: 'bar tool'});
  if (there.length + regions.size > 1) bar.append(make('label', {for: 'map-of', class: 'tool'}, 'Show'), choice);
  if (maps.some((m) => m.layouts.globe)) bar.append(where);
  if (bar.children.length > 0) place.append(bar);
  const plots = make('div', {class: 'plots maps'}, ...maps.map((m) => m.node));
  place.append(plots);
  for (const m of having.filter((one) => named(one).processes === 1)) place.append(missing(`${named(m).name}: no map, because it is one process.`));
  if (several.length > mostMaps) place.append(missing(`The first ${mostMaps} of ${digits(several.length)} components.`));
  const show = () => { for (const m of maps) m.show(choice.value, where.value); };
  choice.addEventListener('change', show);
  where.addEventListener('change', show);
  theme.listeners.push(show);
  show();
}
