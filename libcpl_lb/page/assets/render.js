// Paints rows of shares into an image. No elements, no events: columns of pixels from levels of detail or exact events.
class Painter {
  constructor(model) { this.model = model; this.sums = new Float32Array(0); }
  colours(view, hidden) {
    const packed = (name) => { const [r, g, b] = rgb(theme.colour(name)); return [r, g, b]; };
    this.base = packed('computing');
    this.idle = packed('idle');
    this.palette = view.categories.map((c, i) => hidden.has(i) ? null : packed(c.colour));
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
    const level = view.levels.at(coarser, halvings);
    this.prepare(w, view.categories.length, level, range);
    if (perPixel > 0.5) this.paintLines(view, level, halvings, range, w, h);
    else this.paintBands(view, level, range, w, h, perBin < 0.75);
  }
  pack([r, g, b]) { return (255 << 24 | b << 16 | g << 8 | r) >>> 0; }
  prepare(w, categories, level, range) {
    const {t0, t1} = this.model;
    this.binOf = new Int32Array(w);
    const scale = level.bins / (t1 - t0), step = (range.t1 - range.t0) / w;
    // Levels of odd lengths: the last bin is wider than what is left, which only moves it by part of a pixel.
    for (let x = 0; x < w; ++x) {
      const t = range.t0 + (x + 0.5) * step;
      this.binOf[x] = t < t0 || t >= t1 ? -1 : Math.min(Math.floor((t - t0) * scale), level.bins - 1);
    }
    if (this.sums.length < w * categories) this.sums = new Float32Array(w * categories);
    this.line = new Uint32Array(w);
  }
  // First and one past the last column in which the row's component runs.
  columnsOf(row, range, w) {
    const c = this.model.rows[row].component;
    const x = (s) => Math.round((s * 1e6 - range.t0) / (range.t1 - range.t0) * w);
    return [Math.max(0, known(c.init_s) ? x(c.init_s) : 0), Math.min(w, known(c.terminate_s) ? x(c.terminate_s) : w)];
  }
  sharesFromBins(level, row, w) {
    const at = row * level.bins;
    level.planes.forEach((plane, c) => {
      if (!this.palette[c]) return;
      const sums = this.sums, to = c * w;
      for (let x = 0; x < w; ++x) sums[to + x] = this.binOf[x] < 0 ? 0 : plane[at + this.binOf[x]] / 255;
    });
  }
  sharesFromEvents(view, row, range, w) {
    const model = this.model;
    const keys = model.keyOf(row).classes, events = model.events[row].key, pieces = model.pieces[row];
    const of = pieces.event ? (i) => view.categoryOf[keys[events[pieces.event[i]]]] : (i) => view.categoryOf[keys[events[i]]];
    const away = view.categories.findIndex((c) => c.colour === 'away'); // those are known as bins only
    for (let c = 0; c < view.categories.length; ++c)
      if (c !== away) this.sums.fill(0, c * w, (c + 1) * w);
    addCoverage(this.sums, w, range.t0, range.t1, pieces, (i) => { const c = of(i); return this.palette[c] ? c : -1; });
  }
  mix(w, [from, to]) {
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
      const colour = this.palette[most], left = 1 - busy;
      const r = left * this.base[0] + busy * colour[0], g = left * this.base[1] + busy * colour[1], b = left * this.base[2] + busy * colour[2];
      this.line[x] = (255 << 24 | b << 16 | g << 8 | r) >>> 0;
    }
  }
  // Many rows to a line of pixels: the level that has about one.
  paintLines(view, level, halvings, range, w, h) {
    const starts = [], reduced = [];
    let row = 0, at = 0;
    this.model.counts.forEach((n, i) => { starts.push(row); reduced.push(at); row += n; at += level.counts[i]; });
    for (let y = 0; y < h; ++y) {
      const r = Math.floor(range.y0 + (y + 0.5) / h * (range.y1 - range.y0));
      if (r < 0 || r >= this.model.rows.length) continue;
      let i = starts.length - 1;
      while (starts[i] > r || this.model.counts[i] === 0) --i;
      this.sharesFromBins(level, reduced[i] + ((r - starts[i]) >> halvings), w);
      this.mix(w, this.columnsOf(r, range, w));
      this.pixels.set(this.line, y * w);
    }
  }
  // A band of pixels for each row.
  paintBands(view, level, range, w, h, exact) {
    const y = (row) => Math.round((row - range.y0) / (range.y1 - range.y0) * h);
    const last = Math.min(Math.ceil(range.y1), this.model.rows.length);
    const gap = h / (range.y1 - range.y0) >= 6 ? 1 : 0;
    for (let row = Math.max(0, Math.floor(range.y0)); row < last; ++row) {
      const top = Math.max(y(row), 0);
      const bottom = Math.min(y(row + 1), h) - gap;
      if (bottom <= top) continue;
      this.sharesFromBins(level, row, w);
      if (exact && this.model.pieces[row]) this.sharesFromEvents(view, row, range, w);
      const columns = this.columnsOf(row, range, w);
      if (bottom - top >= 6) this.stack(w, top, bottom, columns);
      else {
        this.mix(w, columns);
        for (let line = top; line < bottom; ++line) this.pixels.set(this.line, line * w);
      }
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
      const packed = this.pack(this.palette[c]);
      for (let x = from; x < to; ++x) {
        const s = this.sums[c * w + x];
        if (s <= 0) continue;
        const low = floor[x];
        floor[x] = Math.min(1, low + s);
        // Something that happened shows, even if it took no more than a part of a pixel.
        let first = bottom - Math.round(floor[x] * height);
        const end = bottom - Math.round(low * height);
        if (first === end && s * height > 0.2 && first > top) --first;
        for (let line = first; line < end; ++line) this.pixels[line * w + x] = packed;
      }
    }
  }
}
