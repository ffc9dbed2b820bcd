// Colours of the timeline: each is a button that hides and shows what it stands for.
function drawLegend(view, hidden, changed) {
  const place = byId('legend');
  const buttons = view.categories.map((category, i) => {
    const one = button([make('i', {style: `background:var(--${category.colour})`}), shortened(category.name, 32)], () => {
      if (!hidden.delete(i)) hidden.add(i);
      one.setAttribute('aria-pressed', String(!hidden.has(i)));
      changed();
    }, {'aria-pressed': String(!hidden.has(i)), title: (category.name.length > 32 ? category.name + ': ' : '') + (category.help || category.name)});
    return one;
  });
  place.replaceChildren(key('computing', word('between', view.base)), ...(view.stripes ? [key('idle-bar', word('idle', 'idle: an I/O server'))] : []), ...buttons);
  if (view.categories.length < 2) return;
  for (const name of ['all', 'none']) place.append(button(name, () => {
    hidden.clear();
    if (name === 'none') view.categories.forEach((_, i) => hidden.add(i));
    drawLegend(view, hidden, changed);
    changed();
  }, {class: 'tool'}));
}
// The timeline: what part of it is shown, and the picture of that part with its axis and names.
const axisHeight = 34;
class Timeline {
  constructor(model, data) {
    this.model = model;
    this.data = data;
    this.canvas = byId('timeline-canvas');
    this.painter = new Painter(model);
    this.hidden = new Set();
    this.views = new Map();
    this.mode = 'kind';
    this.wanted = false;
    this.frames = [];
    this.cursor = null;
    this.stretch = null;
    this.overlay = new Overlay(this);
    this.whole();
  }
  start() {
    // Rows of a folded run are high enough for their names.
    if (this.model.groups > 0) this.canvas.style.height = Math.min(Math.max(460, axisHeight + 13 * this.model.height), 660) + 'px';
    this.setMode('kind');
    theme.listeners.push(() => {
      this.canvas.style.width = paper.now ? paper.width + 'px' : '';
      this.drawNow();
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }
  whole() {
    this.t0 = this.model.t0;
    this.t1 = this.model.t1;
    this.y0 = 0;
    this.y1 = Math.max(this.model.height, 1);
  }
  setMode(mode) {
    this.mode = mode;
    if (!this.views.has(mode)) this.views.set(mode, this.model.view(mode));
    this.hidden = new Set();
    drawLegend(this.view, this.hidden, () => this.draw());
    this.draw();
  }
  get view() { return this.views.get(this.mode); }
  get gutter() { return this.canvas.clientWidth < 600 ? 64 : this.model.groups > 0 ? 190 : 120; }
  get plotWidth() { return Math.max(this.canvas.clientWidth - this.gutter, 10); }
  get plotHeight() { return Math.max(this.canvas.clientHeight - axisHeight, 10); }
  timeAt(x) { return this.t0 + (x - this.gutter) / this.plotWidth * (this.t1 - this.t0); }
  xOf(t) { return this.gutter + (t - this.t0) / (this.t1 - this.t0) * this.plotWidth; }
  yOf(line) { return (line - this.y0) / (this.y1 - this.y0) * this.plotHeight; }
  rowAt(y) { return Math.floor(this.y0 + y / this.plotHeight * (this.y1 - this.y0)); }
  // Keeps the shown part inside the run, and never narrower than ten microseconds or one row.
  show(t0, t1, y0 = this.y0, y1 = this.y1) {
    const {model} = this;
    const wide = Math.min(Math.max(t1 - t0, Math.min(10, model.t1 - model.t0)), model.t1 - model.t0);
    const high = Math.min(Math.max(y1 - y0, 1), Math.max(model.height, 1));
    this.t0 = Math.min(Math.max(t0, model.t0), model.t1 - wide);
    this.t1 = this.t0 + wide;
    this.y0 = Math.min(Math.max(y0, 0), Math.max(model.height, 1) - high);
    this.y1 = this.y0 + high;
    this.draw();
  }
  // In seconds, with some room at both ends.
  showStep(from, to) { this.show((from - 0.1 * (to - from)) * 1e6, (to + 0.1 * (to - from)) * 1e6); }
  zoom(factor, x = this.gutter + this.plotWidth / 2) {
    const t = this.timeAt(x);
    this.show(t - (t - this.t0) * factor, t + (this.t1 - t) * factor);
  }
  zoomRows(factor, y = this.plotHeight / 2) {
    const row = this.y0 + y / this.plotHeight * (this.y1 - this.y0);
    this.show(this.t0, this.t1, row - (row - this.y0) * factor, row + (this.y1 - row) * factor);
  }
  // A stretch of time with its table below the picture; null: none.
  select(stretch) {
    this.stretch = stretch;
    drawStretch(this);
    this.draw();
  }
  // To the event at a time, in the first row shown that has single events.
  putCursor(t) {
    const {model} = this;
    const seen = (r) => model.pieces[r] !== null && model.pieces[r].start.length > 0 && model.rows[r].part.isOpen;
    const shown = (r) => model.lineOf(r) + 1 > this.y0 && model.lineOf(r) < this.y1;
    const row = model.pieces.findIndex((_, r) => seen(r) && shown(r));
    this.cursor = row < 0 ? null : {row, piece: Math.min(firstAfter(model.pieces[row], t), model.pieces[row].start.length - 1), t};
  }
  // Opens a group, and only that one; null folds all.
  async open(part) {
    if (part !== null) await this.model.unpack(part);
    for (const other of this.model.parts) other.isOpen = other.group < 0 || other === part;
    this.model.arrange();
    if (this.cursor && !this.model.rows[this.cursor.row].part.isOpen) this.cursor = null;
    const [y0, y1] = part === null ? [0, this.model.height] : [part.top, part.top + part.height];
    this.show(this.t0, this.t1, y0, y1);
    if (this.opened) this.opened(part);
  }
  draw() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.drawNow(); });
  }
  drawNow() {
    const began = performance.now();
    const ratio = paper.now ? 3 : Math.min(window.devicePixelRatio || 1, 2);
    const {canvas} = this;
    const w = Math.round(canvas.clientWidth * ratio), h = Math.round(canvas.clientHeight * ratio);
    if (w === 0 || h === 0) return;
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.colour('paper');
    context.fillRect(0, 0, w, h);
    const iw = Math.round(this.plotWidth * ratio), ih = Math.round(this.plotHeight * ratio);
    if (!this.image || this.image.width !== iw || this.image.height !== ih) this.image = new ImageData(iw, ih);
    this.painter.paint(this.image, this.view, this.hidden, this);
    context.putImageData(this.image, Math.round(this.gutter * ratio), 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawAxis(context);
    this.drawNames(context);
    const said = this.overlay.draw(context);
    this.drawStretch(context);
    this.drawCursor(context);
    this.frames.push(performance.now() - began);
    if (this.frames.length > 200) this.frames.shift();
    byId('timeline-state').textContent = this.inWords() + (said ? ' ' + said : '');
    if (this.drawn) this.drawn();
  }
  drawStretch(context) {
    const stretch = this.marked || this.stretch;
    if (!stretch) return;
    const [from, to] = stretch.map((t) => this.gutter + Math.min(Math.max((t - this.t0) / (this.t1 - this.t0), -0.01), 1.01) * this.plotWidth);
    context.save();
    context.beginPath();
    context.rect(this.gutter, 0, this.plotWidth, this.plotHeight);
    context.clip();
    context.globalAlpha = 0.2;
    context.fillStyle = theme.colour('ink');
    context.fillRect(from, 0, to - from, this.plotHeight);
    context.restore();
    context.strokeStyle = theme.colour('link');
    context.lineWidth = 2;
    for (const x of [from, to]) {
      if (x < this.gutter) continue;
      strokeLine(context, [x, 0], [x, this.plotHeight]);
    }
    context.lineWidth = 1;
  }
  // Where the cursor is in the picture.
  cursorPlace() {
    return {x: this.xOf(this.cursor.t), y: this.yOf(this.model.lineOf(this.cursor.row) + 0.5)};
  }
  inWords() {
    const first = Math.floor(this.y0) + 1, last = Math.min(Math.ceil(this.y1), this.model.height);
    const open = this.model.parts.find((p) => p.group >= 0 && p.isOpen);
    const rows = open ? 'open: ' + processesOf(open) : this.model.groups > 0 ? plural(this.model.groups, 'group') + ' of processes'
      : `rows ${digits(first)} to ${digits(last)} of ${digits(this.model.height)}`;
    return `From ${duration(this.t0 / 1e6)} to ${duration(this.t1 / 1e6)} of ${duration(this.model.t1 / 1e6)}; ${rows}` +
      (this.dateAt(this.t0 / 1e6) === null ? '.' : `; from ${dateText(this.dateAt(this.t0 / 1e6))} on.`);
  }
  drawAxis(context) {
    const top = this.plotHeight, span = (this.t1 - this.t0) / 1e6;
    const step = niceStep(span, this.plotWidth / 80);
    context.strokeStyle = theme.colour('line');
    context.fillStyle = theme.colour('soft');
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'center';
    const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
    for (let n = Math.ceil(this.t0 / 1e6 / step); n * step <= this.t1 / 1e6; ++n) {
      const x = this.gutter + (n * step - this.t0 / 1e6) / span * this.plotWidth;
      strokeLine(context, [x, top], [x, top + 5]);
      if (x > this.gutter + 12 && x < this.canvas.clientWidth - 24) context.fillText((n * step).toFixed(decimals) + ' s', x, top + 17);
      if (this.dateAt(n * step) !== null && x > this.gutter + 40 && x < this.canvas.clientWidth - 50)
        context.fillText(dateText(this.dateAt(n * step)).replace(/:\d\d$/, ''), x, top + 31);
    }
  }
  // Names of components beside their rows, a line between two of them; names of groups and processes where they fit.
  drawNames(context) {
    const y = (line) => this.yOf(line), one = this.yOf(1) - this.yOf(0), {parts} = this.model, wide = this.gutter >= 100;
    context.font = '12px system-ui, sans-serif';
    for (let i = 0; i < parts.length;) {
      const {component} = parts[i], first = i, names = wide && parts[i].group >= 0;
      while (i < parts.length && parts[i].component === component) ++i;
      const top = y(parts[first].top), bottom = y(parts[i - 1].top + parts[i - 1].height);
      if (bottom <= 0 || top >= this.plotHeight) continue;
      context.strokeStyle = theme.colour('soft');
      // Else the lines would hide the rows.
      if (first > 0 && bottom - top >= 4) strokeLine(context, [0, Math.round(top) + 0.5], [this.canvas.clientWidth, Math.round(top) + 0.5]);
      context.fillStyle = theme.colour('ink');
      context.textAlign = 'right';
      if (names) this.drawGroups(context, parts.slice(first, i), y, one);
      const scale = one < 16 && !names && Math.min(bottom, this.plotHeight) - Math.max(top, 0) >= 44;
      if (one >= 16 || names || scale) this.drawProcesses(context, parts.slice(first, i), y, one, scale);
      if (names || one < 16) this.drawComponent(context, component, Math.max(top, 0), Math.min(bottom, this.plotHeight), names || scale);
    }
  }
  // In the middle of its rows; beside names of groups, at their top.
  drawComponent(context, component, top, bottom, atTop) {
    if (bottom - top < 11) return;
    context.textAlign = atTop ? 'left' : 'right';
    if (atTop) context.fillText(shortened(component.name, this.gutter < 100 ? 8 : 12), 2, top + 12);
    else context.fillText(shortened(component.name, this.gutter < 100 ? 8 : 16), this.gutter - 6, (top + bottom) / 2 + 4);
  }
  // Which processes a group has, and whether it is open; where rows are thin, of every second group or fewer.
  drawGroups(context, parts, y, one) {
    const stride = Math.ceil(12 / one);
    parts.forEach((part, i) => {
      const at = y(part.top) + one * part.head / 2;
      if ((i % stride !== 0 && !part.isOpen) || at < 4 || at > this.plotHeight) return;
      context.fillText(`${part.isOpen ? '▾' : '▸'} ${part.firstProcess}–${part.lastProcess}`, this.gutter - 6, at + 4);
    });
  }
  // The number of each process, or of every second, fourth, ... where rows are thin: there, below the component's name.
  drawProcesses(context, parts, y, height, scale) {
    const stride = height >= 16 ? 1 : 2 ** Math.ceil(Math.log2(20 / height));
    context.textAlign = 'right';
    for (const part of parts) {
      if (!part.isOpen) continue;
      const below = part.top + part.head, name = part.group >= 0 || scale ? '' : shortened(part.component.name, this.gutter < 100 ? 5 : 12) + ' ';
      const from = Math.max(0, Math.ceil((this.y0 - below) / stride)) * stride;
      for (let r = from; r < part.count && y(below + r) < this.plotHeight; r += stride) {
        const at = y(below + r) + height / 2, text = name + this.model.rows[part.first + r].process;
        if (!scale) context.fillText(text, this.gutter - 6, y(below + r) + Math.max(height / 2, 6) + 4);
        else if (at > Math.max(y(part.top), 0) + 20 && at < this.plotHeight - 4) {
          context.fillText(text, this.gutter - 8, at + 4);
          context.fillRect(this.gutter - 5, Math.round(at), 5, 1);
        }
      }
    }
  }
  drawCursor(context) {
    if (!this.cursor) return;
    const x = this.xOf(this.cursor.t), y = this.yOf(this.model.lineOf(this.cursor.row)), height = Math.max(this.yOf(1) - this.yOf(0), 3);
    if (x < this.gutter || x > this.canvas.clientWidth || y + height < 0 || y > this.plotHeight) return;
    context.strokeStyle = theme.colour('ink');
    context.lineWidth = 2;
    context.strokeRect(x - 3, y, 6, height);
    context.lineWidth = 1;
  }
  // Between two known dates the date goes on evenly; null before and after them.
  dateAt(s) {
    const dates = this.data.dates;
    if (dates.length < 2 || s < dates[0][0] || s > dates[dates.length - 1][0]) return null;
    let i = 1;
    while (i + 1 < dates.length && dates[i][0] <= s) ++i;
    const [a, b] = [dates[i - 1], dates[i]];
    return Math.round(a[1] + (s - a[0]) / (b[0] - a[0] || 1) * (b[1] - a[1]));
  }
  timeOf(date) {
    const dates = this.data.dates;
    let i = 1;
    while (i + 1 < dates.length && dates[i][1] < date) ++i;
    const [a, b] = [dates[i - 1], dates[i]];
    return a[0] + (date - a[1]) / (b[1] - a[1] || 1) * (b[0] - a[0]);
  }
  // What happens at a time in a line of the picture, in words.
  describe(line, t) {
    const {part, row} = this.model.at(line);
    return row === null ? this.describeGroup(part, t) : this.describeRow(row, t);
  }
  describeGroup(part, t) {
    const {model} = this;
    return `${processesOf(part)}: mean of ${digits(part.count)}\n${this.describeBin(model.cellsOf(part, null), t, part.component)}` +
      `\npress to ${part.isOpen ? 'fold' : 'open'}`;
  }
  describeRow(row, t) {
    const {model} = this;
    const {component, process, rank, part} = model.rows[row];
    const head = `${component.name}, process ${process}` + (known(rank) ? ` (rank ${rank})` : '');
    const pieces = model.pieces[row];
    if (!pieces) return head + '\n' + this.describeBin(model.cellsOf(part, row), t, component);
    const slack = (this.t1 - this.t0) / this.plotWidth * 2;
    let i = firstAfter(pieces, t - slack);
    while (i < pieces.start.length && pieces.stop[i] <= t && i + 1 < pieces.start.length && pieces.start[i + 1] <= t) ++i;
    if (i >= pieces.start.length || pieces.start[i] > t + slack) {
      const from = i > 0 ? pieces.stop[i - 1] : component.init_s * 1e6;
      const to = i < pieces.start.length ? pieces.start[i] : component.terminate_s * 1e6;
      if (t < component.init_s * 1e6 || t > component.terminate_s * 1e6) return head + '\nnot running';
      return `${head}\n${this.describeBetween(row, from, to, t)}\nat ${duration(t / 1e6)}`;
    }
    return head + '\n' + this.describeEvent(row, model.eventOf(row, i));
  }
  // A time without events.
  describeBetween(row, from, to, t) {
    const {model} = this, length = duration((to - from) / 1e6);
    if (model.betweenShares(row, t, t + 1, true).unseen > 0) return `not known, ${length}: it takes no part in what its component exchanges, and MPI was not recorded`;
    if (!model.rows[row].recorded) return `${model.wordsBetween(false)}, ${length}`;
    const {inmpi} = model.betweenShares(row, from, to, true);
    return `${length}: computing ${percent(1 - inmpi)}, in MPI inside the component ${percent(inmpi)}`;
  }
  describeEvent(row, event) {
    const {model} = this;
    const own = model.events[row], keys = model.keyOf(row), k = own.key[event];
    const date = keys.dates[k];
    const waiting = Math.min(Math.max(own.stop[event] - model.arrivalsOf(row)?.[k], 0), own.stop[event] - own.start[event]);
    return model.classInWords(keys.classes[k], ', with ') +
      (Number.isNaN(date) ? '' : `\ndate ${dateText(date)}`) +
      `\n${duration((own.stop[event] - own.start[event]) / 1e6)}, from ${(own.start[event] / 1e6).toFixed(6)} s` +
      (Number.isNaN(waiting) ? '' : `\nown imbalance ${duration((own.stop[event] - own.start[event] - waiting) / 1e6)}, then waiting ${duration(waiting / 1e6)}`);
  }
  describeBin({shares, dominant, waits, row, bins, between: betweenOf}, t, component) {
    const {model} = this;
    const width = (model.t1 - model.t0) / bins;
    const bin = Math.min(Math.max(Math.floor((t - model.t0) / width), 0), bins - 1), cell = row * bins + bin;
    const waiting = waitingPart(shares, cell, waits, bin);
    const own = (1 - waiting) * (shares[0][cell] + shares[1][cell] + shares[2][cell]);
    const free = 255 - timeClasses.reduce((sum, _, c) => sum + shares[c][cell], 0), between = betweenOf(bin);
    const parts = [...timeClasses.map((name, c) => [model.wordsOf(name), shares[c][cell] * (c < 3 ? waiting : 1)]), [classWords.imbalance, own],
      ...betweenClasses.map((name) => [classWords[name], Math.min(between[name], free)])]
      .filter((p) => p[1] >= 0.5)
      .map(([name, v]) => `${name} ${percent(v / 255)}`);
    const most = dominant[cell];
    const text = `in ${duration(width / 1e6)} from ${duration((model.t0 + bin * width) / 1e6)}: ` + (parts.join(', ') || model.wordsBetween(model.recordedOf(component)) + ' only');
    return most ? `${text}\nmost of it: ${model.classInWords(most - 1, ' from ')}` : text;
  }
}
function processesOf(part) {
  return `${part.component.name}, processes ${part.firstProcess} to ${part.lastProcess}`;
}
