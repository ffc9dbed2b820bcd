// The map: what each process did, as a colour at its place in the grid, or in rows.
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
// The most uneven figure is shown first: computing, or the region, whose slowest process is farthest above the mean.
function mostUneven(maps) {
  const time = maps.flatMap((m) => m.figures).filter((f) => (f.name === 'computing' || f.name === 'region') && f.known > 0);
  const above = (f) => f.most.value - f.mean;
  return time.length > 0 ? keyOf(time.reduce((a, b) => above(b) > above(a) ? b : a)) : null;
}

// Cells {process, x, y, w, h} in units of the layout, and width and height of it.
function rowsLayout(processes, order) {
  const columns = Math.min(processes, Math.max(8, Math.ceil(Math.sqrt(3 * processes)))), cells = [];
  for (let i = 0; i < processes; ++i) cells.push({process: order ? order[i] : i, x: i % columns, y: Math.floor(i / columns), w: 1, h: 1});
  return {form: 'rows', width: columns, height: Math.ceil(processes / columns), cells};
}
// numbers: of each process how many pieces it has; then first and count in direction i, then in j, of all pieces, one process
// after the other. j points upwards. Larger pieces lie below smaller ones: boxes around several may hold points of others.
function piecesLayout(size, numbers, processes, pieces) {
  const [width, height] = size, of = (n, k) => numbers[processes + n * pieces + k], owners = [];
  for (let p = 0; p < processes; ++p) for (let n = 0; n < numbers[p]; ++n) owners.push(p);
  if (width === 1 || height === 1) {
    const along = width === 1 ? 2 : 0, first = new Map();
    owners.forEach((p, k) => first.set(p, Math.min(first.has(p) ? first.get(p) : Infinity, of(along, k))));
    return {...rowsLayout(first.size, [...first.keys()].sort((a, b) => first.get(a) - first.get(b))), ordered: true};
  }
  const cells = owners.map((p, k) => ({process: p, x: of(0, k) - 1, y: height - (of(2, k) - 1) - of(3, k), w: of(1, k), h: of(3, k)}));
  return {form: 'grid', width, height, cells: cells.sort((a, b) => b.w * b.h - a.w * a.h)};
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
class ComponentMap {
  constructor(component, map, layout, values) {
    Object.assign(this, {component, map, layout, values, chosen: null});
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
  show(name) {
    this.figure = this.map.figures.find((f) => keyOf(f) === name) || null;
    this.node.hidden = !this.figure;
    if (!this.figure) return;
    this.title.textContent = `${this.component.name}: ${howShown(this.figure).name}`;
    this.draw();
    this.choose(null);
  }
  placed(cell) { // in pixels
    const sx = this.width / this.layout.width, sy = this.height / this.layout.height;
    return {x: cell.x * sx, y: cell.y * sy, w: cell.w * sx, h: cell.h * sy};
  }
  processAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) * this.layout.width / box.width, y = (event.clientY - box.top) * this.layout.height / box.height;
    const on = this.layout.cells.filter((c) => x >= c.x && x < c.x + c.w && y >= c.y && y < c.y + c.h);
    return on.length > 0 ? on[on.length - 1].process : null;
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
    Object.assign(canvas.style, {width: this.width + 'px', height: this.height + 'px'});
    Object.assign(canvas, {width: Math.round(this.width * ratio), height: Math.round(this.height * ratio)});
    this.colours = {less: rgb(theme.colour('send')), more: rgb(theme.colour('receive')), mean: rgb(theme.colour('panel')), none: theme.colour('line')};
    const context = canvas.getContext('2d'); // empty, for its size was set
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const cell of layout.cells) {
      const at = this.placed(cell), border = at.w > 5 && at.h > 5 ? 0.5 : 0;
      context.fillStyle = this.colourOf(cell.process);
      // Neighbours meet at whole pixels, or a line would show between them.
      const [x0, y0, x1, y1] = [at.x, at.y, at.x + at.w, at.y + at.h].map((v) => Math.round(v * ratio) / ratio);
      context.fillRect(x0 + border, y0 + border, Math.max(x1 - x0, 1 / ratio) - 2 * border, Math.max(y1 - y0, 1 / ratio) - 2 * border);
    }
    Object.assign(context, {strokeStyle: theme.colour('ink'), lineWidth: 2});
    for (const at of layout.cells.filter((c) => c.process === this.chosen).map((c) => this.placed(c))) context.strokeRect(at.x, at.y, at.w, at.h);
    canvas.setAttribute('aria-label', `Map of ${component.name}: ${this.inWords()}`);
    this.say();
  }
  inWords() {
    const f = this.figure, how = howShown(f);
    if (!(f.known > 0)) return `${how.words} is not known`;
    const one = (e) => `process ${e.process}` + (e.rank === e.process ? '' : ` (rank ${e.rank})`) + `, ${how.value(e.value)}${differenceWords(f, e.value)}`;
    if (f.most.value - f.least.value <= f.mean / 1000) return `${how.words}: ${how.value(f.mean)} on each process`;
    return `${how.words}: mean ${how.value(f.mean)}; most: ${one(f.most)}; least: ${one(f.least)}`;
  }
  say() {
    const {map, layout, figure} = this, of = map.parts || {}, how = howShown(figure), without = this.component.processes - figure.known;
    const where = layout.form === 'grid' ? `A grid of ${digits(layout.width)} × ${digits(layout.height)} points: i to the right, j upwards.`
      : layout.ordered ? 'A grid of one direction: the processes in rows, in the order of their first points.'
        : map.why_not ? `Its processes in rows. No map: ${map.why_not}.` : 'Its processes in rows: the model did not say which part of its grid each has.';
    const holes = of.left_out > 0 ? ` The model leaves out ${plural(of.left_out, 'point')} of it.` : '';
    const boxes = layout.form === 'grid' && of.coarse > 0 ? ` Coarser than it is: of ${plural(of.coarse, 'process')} several pieces are drawn as the box around them. ` +
      'Where such boxes lie over each other, the smaller one is on top.' : '';
    const words = this.inWords();
    this.caption.textContent = unbroken(`${words.charAt(0).toUpperCase()}${words.slice(1)}. ${where}${holes}${boxes}`) + (without > 0 ? ` Grey: ${plural(without, 'process')} without a figure.` : '');
    const far = known(figure.mean) ? farthest(figure) : NaN;
    this.scale.hidden = !known(far);
    if (known(far)) this.scale.replaceChildren(`− ${how.value(far)}`, make('i', {}), `+ ${how.value(far)} against the mean`);
  }
  choose(process) {
    const changed = process !== this.chosen;
    this.chosen = process;
    if (changed) this.draw();
    const value = process === null ? null : this.valueOf(process);
    this.readout.textContent = process === null ? 'Point at the map for a process, or use ← and → when it has the focus.'
      : `Process ${process}: ` + (value === null ? 'not known' : howShown(this.figure).value(value) + differenceWords(this.figure, value));
  }
}
async function mapOf(component, map) {
  const values = new Map(), n = component.processes, d = map.parts;
  for (const f of map.figures) values.set(keyOf(f), await blockBytes(f.id));
  const layout = d && piecesLayout(d.size, unshuffled(await blockBytes(d.id), 0, n + 4 * d.pieces, d.width), n, d.pieces);
  return new ComponentMap(component, map, layout && layout.cells.length > 0 ? layout : rowsLayout(n, null), values);
}
async function drawMaps(data) {
  const place = byId('map-body'), named = (m) => data.info.components.find((c) => c.id === m.component);
  const having = (data.maps || []).filter((m) => m.figures.length > 0 && named(m));
  if (having.length === 0) return removeSection('map'); // files of older versions, of other programs, and runs without a coupling loop
  const several = having.filter((m) => named(m).processes > 1), maps = [], figures = several.flatMap((m) => m.figures);
  for (const m of several.slice(0, mostMaps)) maps.push(await mapOf(named(m), m));
  const there = Object.keys(mapFigures).filter((name) => figures.some((f) => f.name === name));
  const regions = new Map(figures.filter((f) => f.name === 'region').map((f) => [keyOf(f), f.region]));
  const inGroup = [...regions].map(([value, region]) => make('option', {value}, region));
  const choice = make('select', {id: 'map-of', class: 'tool', 'aria-label': 'What the map shows'}, ...there.map((name) => make('option', {value: name}, mapFigures[name].name)),
    ...(inGroup.length > 0 ? [make('optgroup', {label: 'time in a region'}, ...inGroup)] : []));
  choice.value = mostUneven(several) || choice.value;
  if (there.length + regions.size > 1) place.append(make('div', {class: 'bar tool'}, make('label', {for: 'map-of', class: 'tool'}, 'Show'), choice));
  place.append(make('div', {class: 'plots maps'}, ...maps.map((m) => m.node)));
  for (const m of having.filter((one) => named(one).processes === 1)) place.append(missing(`${named(m).name}: no map, because it is one process.`));
  if (several.length > mostMaps) place.append(missing(`The first ${mostMaps} of ${digits(several.length)} components.`));
  const show = () => { for (const m of maps) m.show(choice.value); };
  choice.addEventListener('change', show);
  theme.listeners.push(show);
  show();
}
