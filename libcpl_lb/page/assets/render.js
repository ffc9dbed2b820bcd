// Paints rows of shares into an image. No elements, no events: columns of pixels from levels of detail or exact events.
function tracePath(context, [x, y], ...others) {
  context.beginPath();
  context.moveTo(x, y);
  for (const [toX, toY] of others) context.lineTo(toX, toY);
}
function strokeLine(context, from, to) {
  tracePath(context, from, to);
  context.stroke();
}
// Near to what they are a kind of: computing, or perhaps computing, and waiting.
const textures = {inmpi: ['computing-line', 'computing'], unseen: ['computing', 'paper'], ending: ['receive', 'paper']};
class Painter {
  constructor(model) { this.model = model; this.sums = new Float32Array(0); }
  colours(view, hidden) {
    const packed = (name) => rgb(theme.colour(name));
    this.base = packed('computing');
    this.idle = packed('idle');
    // Stripes of two colours, in one direction or the other.
    this.textures = view.categories.map((c) => textures[c.colour] ? textures[c.colour].map(packed) : null);
    this.palette = view.categories.map((c, i) => hidden.has(i) ? null : this.textures[i] ? this.textures[i][0] : packed(c.colour));
    this.anyTexture = this.textures.some((t, i) => t && this.palette[i]);
    this.leaning = view.categories.map((c) => c.colour === 'inmpi' ? -1 : 1);
    // An I/O server that waits for data is idle: stripes, as in the first picture.
    this.receive = view.categories.findIndex((c) => c.colour === 'receive');
    this.stripes = [packed('away'), packed('paper')];
  }
  // image: ImageData; range {t0, t1, y0, y1} of times and rows.
  paint(image, view, hidden, range) {
    const w = image.width, h = image.height;
    this.colours(view, hidden);
    this.pixels = new Uint32Array(image.data.buffer);
    this.pixels.fill(this.pack(this.idle));
    const perPixel = (range.y1 - range.y0) / h;
    const halvings = perPixel > 1 ? Math.floor(Math.log2(perPixel)) : 0;
    const perBin = (range.t1 - range.t0) / w / ((this.model.t1 - this.model.t0) / this.model.bins);
    const coarser = perBin > 1 ? Math.min(Math.floor(Math.log2(perBin)), 12) : 0;
    this.prepare(w, view.categories.length);
    const levelOf = (part) => this.looked(view.levelsOf(part).at(coarser, halvings), range, w);
    const perGroupBin = perBin * this.model.groupBins / this.model.bins;
    const groupLevel = () => this.looked(view.groupLevels().at(perGroupBin > 1 ? Math.floor(Math.log2(perGroupBin)) : 0, 0), range, w);
    this.paintGroups(groupLevel, range, w, h);
    if (perPixel > 0.5) this.paintLines(levelOf, halvings, range, w, h);
    else this.paintBands(view, levelOf, range, w, h, perBin < 0.75);
  }
  pack([r, g, b]) { return (255 << 24 | b << 16 | g << 8 | r) >>> 0; }
  prepare(w, categories) {
    this.binOf = new Map();
    if (this.sums.length < w * categories) this.sums = new Float32Array(w * categories);
    this.line = new Uint32Array(w);
  }
  of(component) { this.striped = component.is_io_server ? this.receive : -1; }
  colourAt(category, x, line) {
    if (this.textures[category]) return this.textures[category][(x + this.leaning[category] * line & 7) < 4 ? 0 : 1];
    return category === this.striped ? this.stripes[(x + line) % 6 < 2 ? 0 : 1] : this.palette[category];
  }
  // A level with the bin of each column of pixels; levels of equal length have the same.
  looked(level, range, w) {
    if (!this.binOf.has(level.bins)) this.binOf.set(level.bins, this.columns(level.bins, range, w));
    return {planes: level.planes, bins: level.bins, binOf: this.binOf.get(level.bins)};
  }
  columns(bins, range, w) {
    const {t0, t1} = this.model, binOf = new Int32Array(w);
    const scale = bins / (t1 - t0), step = (range.t1 - range.t0) / w;
    // Levels of odd lengths: the last bin is wider than what is left, which only moves it by part of a pixel.
    for (let x = 0; x < w; ++x) {
      const t = range.t0 + (x + 0.5) * step;
      binOf[x] = t < t0 || t >= t1 ? -1 : Math.min(Math.floor((t - t0) * scale), bins - 1);
    }
    return binOf;
  }
  // First and one past the last column in which the component runs.
  columnsOf(c, range, w) {
    const x = (s) => Math.round((s * 1e6 - range.t0) / (range.t1 - range.t0) * w);
    return [Math.max(0, known(c.init_s) ? x(c.init_s) : 0), Math.min(w, known(c.terminate_s) ? x(c.terminate_s) : w)];
  }
  sharesFromBins(level, row, w) {
    const at = row * level.bins, {binOf} = level;
    level.planes.forEach((plane, c) => {
      if (!this.palette[c]) return;
      const sums = this.sums, to = c * w;
      for (let x = 0; x < w; ++x) sums[to + x] = binOf[x] < 0 ? 0 : plane[at + binOf[x]] / 255;
    });
  }
  sharesFromEvents(view, row, range, w) {
    const model = this.model;
    const keys = model.keyOf(row).classes, events = model.events[row].key, pieces = model.pieces[row];
    const of = pieces.event ? (i) => view.categoryOf[keys[events[pieces.event[i]]]] : (i) => view.categoryOf[keys[events[i]]];
    const away = view.categories.findIndex((c) => c.colour === 'away'); // those are known as bins only
    for (let c = 0; c < view.categories.length; ++c)
      if (c !== away) this.sums.fill(0, c * w, (c + 1) * w);
    addCoverage(this.sums, w, range.t0, range.t1, pieces, (i) => { const c = of(i); return this.palette[c] ? c : -1; },
      view.early < 0 ? null : {category: this.palette[view.early] ? view.early : -1, until: model.arrivalsOfPieces(row)});
    this.betweenEvents(view, row, range, w);
  }
  // What is in MPI, or not seen, of the time that no event covers.
  betweenEvents(view, row, range, w) {
    const {model} = this, inside = model.inside[row], {inmpi, unseen} = view.between;
    if (inside === null) return;
    const busy = new Float32Array(w);
    addCoverage(busy, w, range.t0, range.t1, model.pieces[row], () => 0);
    for (let x = 0; x < w; ++x) {
      const t = range.t0 + (x + 0.5) / w * (range.t1 - range.t0), i = Math.floor((t - model.t0) / (model.t1 - model.t0) * inside.length);
      if (!(i >= 0 && i < inside.length)) continue;
      const left = Math.max(0, 1 - busy[x]);
      if (inside[i] === unseenByte) this.sums[unseen * w + x] = left;
      else if (inmpi !== undefined) this.sums[inmpi * w + x] = left * model.inMpi[row][i];
    }
  }
  mix(w, line, [from, to]) {
    const idle = this.pack(this.idle), base = this.pack(this.base), categories = this.palette.length;
    for (let x = 0; x < w; ++x) {
      if (x < from || x >= to) { this.line[x] = idle; continue; }
      // Tint by how busy, hue by what takes most: a true mixture of orange and blue would look like computing.
      let busy = 0, most = -1, largest = 0;
      for (let c = 0; c < categories; ++c) {
        if (!this.palette[c]) continue;
        const s = this.sums[c * w + x];
        busy += s;
        if (s > largest) { largest = s; most = c; }
      }
      if (most < 0) { this.line[x] = base; continue; }
      busy = Math.min(busy, 1);
      const colour = this.colourAt(most, x, line), left = 1 - busy;
      const r = left * this.base[0] + busy * colour[0], g = left * this.base[1] + busy * colour[1], b = left * this.base[2] + busy * colour[2];
      this.line[x] = (255 << 24 | b << 16 | g << 8 | r) >>> 0;
    }
  }
  // The means of groups, folded or open.
  paintGroups(groupLevel, range, w, h) {
    const y = (line) => Math.round((line - range.y0) / (range.y1 - range.y0) * h);
    for (const part of this.model.parts) {
      const top = Math.max(y(part.top), 0), end = y(part.top + part.head);
      if (part.group < 0 || end <= 0 || top >= h) continue;
      const bottom = Math.min(end, h) - (end - top >= 6 ? 1 : 0);
      this.sharesFromBins(groupLevel(), part.group, w);
      this.of(part.component);
      this.band(w, top, bottom, this.columnsOf(part.component, range, w));
    }
  }
  // Many rows to a line of pixels: the level that has about one.
  paintLines(levelOf, halvings, range, w, h) {
    for (let y = 0; y < h; ++y) {
      const line = Math.floor(range.y0 + (y + 0.5) / h * (range.y1 - range.y0));
      if (line < 0 || line >= this.model.height) continue;
      const {part, row} = this.model.at(line);
      if (row === null) continue;
      this.sharesFromBins(levelOf(part), (row - part.first) >> halvings, w);
      this.of(part.component);
      this.mix(w, y, this.columnsOf(part.component, range, w));
      this.pixels.set(this.line, y * w);
    }
  }
  // A band of pixels for each row.
  paintBands(view, levelOf, range, w, h, exact) {
    const y = (line) => Math.round((line - range.y0) / (range.y1 - range.y0) * h);
    const last = Math.min(Math.ceil(range.y1), this.model.height);
    const gap = h / (range.y1 - range.y0) >= 6 ? 1 : 0;
    for (let line = Math.max(0, Math.floor(range.y0)); line < last; ++line) {
      const top = Math.max(y(line), 0);
      const bottom = Math.min(y(line + 1), h) - gap;
      if (bottom <= top) continue;
      const {part, row} = this.model.at(line);
      if (row === null) continue;
      this.sharesFromBins(levelOf(part), row - part.first, w);
      if (exact && this.model.pieces[row]) this.sharesFromEvents(view, row, range, w);
      this.of(part.component);
      this.band(w, top, bottom, this.columnsOf(part.component, range, w));
    }
  }
  band(w, top, bottom, columns) {
    if (bottom - top >= 6) return this.stack(w, top, bottom, columns);
    for (let line = top; line < bottom; ++line) {
      if (line === top || this.striped >= 0 || this.anyTexture) this.mix(w, line, columns);
      this.pixels.set(this.line, line * w);
    }
  }
  // Shares as heights: what a column of pixels spends its time with, waiting at the bottom.
  stack(w, top, bottom, [from, to]) {
    const height = bottom - top;
    const base = this.pack(this.base);
    for (let line = top; line < bottom; ++line) this.pixels.fill(base, line * w + from, line * w + Math.max(from, to));
    const floor = new Float32Array(w);
    for (let c = 0; c < this.palette.length; ++c) {
      if (!this.palette[c]) continue;
      const packed = this.pack(this.palette[c]), striped = c === this.striped || this.textures[c] !== null;
      for (let x = from; x < to; ++x) {
        const s = this.sums[c * w + x];
        if (s <= 0) continue;
        const low = floor[x];
        floor[x] = Math.min(1, low + s);
        // Something that happened shows, even if it took no more than a part of a pixel.
        let first = bottom - Math.round(floor[x] * height);
        const end = bottom - Math.round(low * height);
        if (first === end && s * height > 0.2 && first > top) --first;
        for (let line = first; line < end; ++line) this.pixels[line * w + x] = striped ? this.pack(this.colourAt(c, x, line)) : packed;
      }
    }
  }
}
