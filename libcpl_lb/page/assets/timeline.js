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
    this.whole();
  }
  start() {
    this.setMode('kind');
    theme.listeners.push(() => this.drawNow());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }
  whole() {
    this.t0 = this.model.t0;
    this.t1 = this.model.t1;
    this.y0 = 0;
    this.y1 = Math.max(this.model.rows.length, 1);
  }
  setMode(mode) {
    this.mode = mode;
    if (!this.views.has(mode)) this.views.set(mode, this.model.view(mode));
    this.hidden = new Set();
    drawLegend(this.view, this.hidden, () => this.draw());
    this.draw();
  }
  get view() { return this.views.get(this.mode); }
  get gutter() { return this.canvas.clientWidth < 600 ? 64 : 120; }
  get plotWidth() { return Math.max(this.canvas.clientWidth - this.gutter, 10); }
  get plotHeight() { return Math.max(this.canvas.clientHeight - axisHeight, 10); }
  timeAt(x) { return this.t0 + (x - this.gutter) / this.plotWidth * (this.t1 - this.t0); }
  rowAt(y) { return Math.floor(this.y0 + y / this.plotHeight * (this.y1 - this.y0)); }
  // Keeps the shown part inside the run, and never narrower than ten microseconds or one row.
  show(t0, t1, y0 = this.y0, y1 = this.y1) {
    const {model} = this;
    const wide = Math.min(Math.max(t1 - t0, Math.min(10, model.t1 - model.t0)), model.t1 - model.t0);
    const high = Math.min(Math.max(y1 - y0, 1), Math.max(model.rows.length, 1));
    this.t0 = Math.min(Math.max(t0, model.t0), model.t1 - wide);
    this.t1 = this.t0 + wide;
    this.y0 = Math.min(Math.max(y0, 0), Math.max(model.rows.length, 1) - high);
    this.y1 = this.y0 + high;
    this.draw();
  }
  zoom(factor, x = this.gutter + this.plotWidth / 2) {
    const t = this.timeAt(x);
    this.show(t - (t - this.t0) * factor, t + (this.t1 - t) * factor);
  }
  zoomRows(factor, y = this.plotHeight / 2) {
    const row = this.y0 + y / this.plotHeight * (this.y1 - this.y0);
    this.show(this.t0, this.t1, row - (row - this.y0) * factor, row + (this.y1 - row) * factor);
  }
  draw() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.drawNow(); });
  }
  drawNow() {
    const began = performance.now();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
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
    this.drawCursor(context);
    this.frames.push(performance.now() - began);
    if (this.frames.length > 200) this.frames.shift();
    byId('timeline-state').textContent = this.inWords();
  }
  inWords() {
    const first = Math.floor(this.y0) + 1, last = Math.min(Math.ceil(this.y1), this.model.rows.length);
    return `From ${duration(this.t0 / 1e6)} to ${duration(this.t1 / 1e6)} of ${duration(this.model.t1 / 1e6)}; rows ${digits(first)} to ` +
      `${digits(last)} of ${digits(this.model.rows.length)}` + (this.dateAt(this.t0 / 1e6) === null ? '.' : `; from ${dateText(this.dateAt(this.t0 / 1e6))} on.`);
  }
  drawAxis(context) {
    const top = this.plotHeight, span = (this.t1 - this.t0) / 1e6;
    const step = niceStep(span, this.plotWidth / 110);
    context.strokeStyle = theme.colour('line');
    context.fillStyle = theme.colour('soft');
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'center';
    const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
    for (let n = Math.ceil(this.t0 / 1e6 / step); n * step <= this.t1 / 1e6; ++n) {
      const x = this.gutter + (n * step - this.t0 / 1e6) / span * this.plotWidth;
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + 5);
      context.stroke();
      if (x > this.gutter + 12 && x < this.canvas.clientWidth - 24) context.fillText((n * step).toFixed(decimals) + ' s', x, top + 17);
      if (this.dateAt(n * step) !== null && x > this.gutter + 40 && x < this.canvas.clientWidth - 50)
        context.fillText(dateText(this.dateAt(n * step)).replace(/:\d\d$/, ''), x, top + 31);
    }
  }
  // Names of components beside their rows, a line between two of them.
  drawNames(context) {
    let row = 0;
    context.textAlign = 'right';
    context.font = '12px system-ui, sans-serif';
    const y = (r) => (r - this.y0) / (this.y1 - this.y0) * this.plotHeight;
    this.model.counts.forEach((n) => {
      const top = y(row), bottom = y(row + n);
      if (n > 0 && bottom > 0 && top < this.plotHeight) {
        context.strokeStyle = theme.colour('soft');
        context.beginPath();
        context.moveTo(0, Math.round(top) + 0.5);
        context.lineTo(this.canvas.clientWidth, Math.round(top) + 0.5);
        if (row > 0) context.stroke();
        const middle = (Math.max(top, 0) + Math.min(bottom, this.plotHeight)) / 2;
        context.fillStyle = theme.colour('ink');
        const one = (bottom - top) / n;
        if (one >= 16) this.drawProcesses(context, row, n, y, one);
        else if (bottom - top >= 11) context.fillText(shortened(this.model.rows[row].component.name, this.gutter < 100 ? 8 : 16), this.gutter - 6, middle + 4);
      }
      row += n;
    });
  }
  drawProcesses(context, row, n, y, height) {
    for (let r = Math.max(row, Math.floor(this.y0)); r < row + n && y(r) < this.plotHeight; ++r) {
      const {component, process} = this.model.rows[r];
      const name = `${shortened(component.name, this.gutter < 100 ? 5 : 12)} ${process}`;
      context.fillText(name, this.gutter - 6, y(r) + height / 2 + 4);
    }
  }
  drawCursor(context) {
    if (!this.cursor) return;
    const x = this.gutter + (this.cursor.t - this.t0) / (this.t1 - this.t0) * this.plotWidth;
    const y = (this.cursor.row - this.y0) / (this.y1 - this.y0) * this.plotHeight;
    const height = Math.max(this.plotHeight / (this.y1 - this.y0), 3);
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
  // What happens at a time in a row, in words.
  describe(row, t) {
    const {model} = this;
    const {component, process, rank} = model.rows[row];
    const head = `${component.name}, process ${process}` + (known(rank) ? ` (rank ${rank})` : '');
    const pieces = model.pieces[row];
    if (!pieces) return head + '\n' + this.describeBin(row, t);
    const slack = (this.t1 - this.t0) / this.plotWidth * 2;
    let i = firstAfter(pieces, t - slack);
    while (i < pieces.start.length && pieces.stop[i] <= t && i + 1 < pieces.start.length && pieces.start[i + 1] <= t) ++i;
    if (i >= pieces.start.length || pieces.start[i] > t + slack) {
      const from = i > 0 ? pieces.stop[i - 1] : component.init_s * 1e6;
      const to = i < pieces.start.length ? pieces.start[i] : component.terminate_s * 1e6;
      if (t < component.init_s * 1e6 || t > component.terminate_s * 1e6) return head + '\nnot running';
      return `${head}\ncomputing, ${duration((to - from) / 1e6)}\nat ${duration(t / 1e6)}`;
    }
    return head + '\n' + this.describeEvent(row, model.eventOf(row, i));
  }
  describeEvent(row, event) {
    const {model} = this;
    const own = model.events[row], keys = model.keyOf(row), k = own.key[event];
    const [kind, field, counterpart] = model.classes[keys.classes[k]];
    const way = wayWords[kind] || ', with ';
    const date = keys.dates[k];
    return kindWords[kind] + (field ? ' ' + model.info.field_names[field - 1] : '') +
      (counterpart ? way + model.info.component_names[counterpart - 1] : '') +
      (Number.isNaN(date) ? '' : `\ndate ${dateText(date)}`) +
      `\n${duration((own.stop[event] - own.start[event]) / 1e6)}, from ${(own.start[event] / 1e6).toFixed(6)} s`;
  }
  describeBin(row, t) {
    const {model} = this;
    const width = (model.t1 - model.t0) / model.bins;
    const bin = Math.min(Math.max(Math.floor((t - model.t0) / width), 0), model.bins - 1), cell = row * model.bins + bin;
    const parts = timeClasses.map((name, c) => [classWords[name], model.shares[c][cell]]).filter((p) => p[1] > 0)
      .map(([name, v]) => `${name} ${percent(v / 255)}`);
    const most = model.dominant[cell];
    let text = `in ${duration(width / 1e6)} from ${duration((model.t0 + bin * width) / 1e6)}: ` + (parts.join(', ') || 'computing only');
    if (most) {
      const [kind, field, counterpart] = model.classes[most - 1];
      text += `\nmost of it: ${kindWords[kind]}` + (field ? ' ' + model.info.field_names[field - 1] : '') +
        (counterpart ? (wayWords[kind] || ' from ') + model.info.component_names[counterpart - 1] : '');
    }
    return text;
  }
}
