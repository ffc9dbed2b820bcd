// Levels of detail: shares of each category for each process and bin of time, finest first.
// Pure functions, also run without a browser by the tests.

// Events cut into pieces that do not overlap, each of the innermost event around it: {event, start, stop}.
function flattened(events) {
  const n = events.start.length;
  let order = null;
  let nested = false;
  for (let i = 1; i < n; ++i) {
    if (events.start[i] < events.stop[i - 1]) nested = true;
    if (events.start[i] < events.start[i - 1] ||
        (events.start[i] === events.start[i - 1] && events.stop[i] > events.stop[i - 1])) {
      order = Uint32Array.from({length: n}, (_, k) => k)
        .sort((a, b) => events.start[a] - events.start[b] || events.stop[b] - events.stop[a] || a - b);
      nested = true;
      break;
    }
  }
  if (!nested) return {event: null, start: events.start, stop: events.stop};
  const event = [], start = [], stop = [], open = [];
  let done = -Infinity;
  const emit = (k, until) => {
    const from = Math.max(done, events.start[k]);
    if (until > from) { event.push(k); start.push(from); stop.push(until); }
    done = Math.max(done, until);
  };
  for (let i = 0; i < n; ++i) {
    const k = order ? order[i] : i;
    while (open.length && events.stop[open[open.length - 1]] <= events.start[k]) {
      const last = open.pop();
      emit(last, events.stop[last]);
    }
    if (open.length) emit(open[open.length - 1], events.start[k]);
    open.push(k);
  }
  while (open.length) {
    const last = open.pop();
    emit(last, events.stop[last]);
  }
  return {event: Uint32Array.from(event), start: Float64Array.from(start), stop: Float64Array.from(stop)};
}
// First piece that ends after t.
function firstAfter(pieces, t) {
  let low = 0, high = pieces.stop.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces.stop[middle] > t) high = middle;
    else low = middle + 1;
  }
  return low;
}
// Adds the pieces between t0 and t1 to `sums` [category * columns + column], in columns of time. early: {category,
// until(i)}: another category for what lies before a time of the piece.
function addCoverage(sums, columns, t0, t1, pieces, categoryOf, early = null) {
  const scale = columns / (t1 - t0), starts = pieces.start, stops = pieces.stop, n = starts.length;
  for (let i = firstAfter(pieces, t0); i < n && starts[i] < t1; ++i) {
    const from = (starts[i] - t0) * scale, to = (stops[i] - t0) * scale;
    const until = early === null ? NaN : (early.until(i) - t0) * scale;
    if (!(until > from)) addSpan(sums, columns, categoryOf(i), from, to);
    else {
      addSpan(sums, columns, early.category, from, Math.min(until, to));
      if (to > until) addSpan(sums, columns, categoryOf(i), until, to);
    }
  }
}
// One category from one place to another, in columns; called millions of times.
function addSpan(sums, columns, category, from, to) {
  if (category < 0) return;
  if (from < 0) from = 0;
  if (to > columns) to = columns;
  if (!(to > from)) return;
  const first = from | 0, last = to >= columns ? columns - 1 : to | 0, at = category * columns;
  if (first === last) {
    sums[at + first] += to - from;
    return;
  }
  sums[at + first] += first + 1 - from;
  for (let x = first + 1; x < last; ++x) sums[at + x] += 1;
  sums[at + last] += to - last;
}
function toBytes(sums, target, offset, bins) {
  for (let b = 0; b < bins; ++b) target[offset + b] = Math.min(255, Math.round(255 * sums[b]));
}
// What no event covers: planes of shares in, one plane out.
function freeOf(planes) {
  const free = new Uint8Array(planes[0] ? planes[0].length : 0).fill(255);
  for (const plane of planes) for (let i = 0; i < free.length; ++i) free[i] = Math.max(0, free[i] - plane[i]);
  return free;
}
// A row's free time in MPI and not seen. inside: coarser bins, of which free has a multiple; what was in MPI there lies in their
// free parts. Returns which part of those it is.
function splitFree(free, inside, inmpi, unseen) {
  const wide = free.length / inside.length, parts = new Float32Array(inside.length);
  for (let i = 0; i < inside.length; ++i) {
    const from = i * wide, to = from + wide;
    if (inside[i] === unseenByte) { for (let b = from; b < to; ++b) unseen[b] = free[b]; continue; }
    let sum = 0;
    for (let b = from; b < to; ++b) sum += free[b];
    if (inside[i] === 0 || sum === 0) continue;
    parts[i] = Math.min(1, inside[i] / insideWhole * 255 * wide / sum);
    for (let b = from; b < to; ++b) inmpi[b] = Math.round(parts[i] * free[b]);
  }
  return parts;
}
// The same of means of groups; null: nothing of that is known.
function splitMeans(free, means) {
  if (means === null) return [new Uint8Array(free.length), new Uint8Array(free.length)];
  const inmpi = means[0].map((v, i) => Math.min(v, free[i]));
  return [inmpi, means[1].map((v, i) => Math.min(v, free[i] - inmpi[i]))];
}
// Half as many bins: two become one; an odd last one stays as it is.
function halvedBins(plane, rows, bins) {
  const half = (bins + 1) >> 1;
  const result = new Uint8Array(rows * half);
  for (let r = 0; r < rows; ++r) {
    const from = r * bins, to = r * half;
    for (let b = 0; b < bins >> 1; ++b) result[to + b] = (plane[from + 2 * b] + plane[from + 2 * b + 1] + 1) >> 1;
    if (bins & 1) result[to + half - 1] = plane[from + bins - 1];
  }
  return result;
}
// Two rows become one, inside each component: counts are its rows before.
function halvedRows(plane, counts, bins) {
  const total = counts.reduce((sum, n) => sum + ((n + 1) >> 1), 0);
  const result = new Uint8Array(total * bins);
  let from = 0, to = 0;
  for (const n of counts) {
    for (let r = 0; r < n; r += 2) {
      const a = (from + r) * bins, b = r + 1 < n ? a + bins : a, at = to * bins;
      for (let i = 0; i < bins; ++i) result[at + i] = (plane[a + i] + plane[b + i] + 1) >> 1;
      ++to;
    }
    from += n;
  }
  return result;
}
class Levels {
  // planes: for each category rows x bins bytes. counts: rows of each component.
  constructor(planes, counts, bins) {
    this.cache = new Map([['0,0', {planes, counts, bins}]]);
    this.finest = bins;
  }
  // time: halvings of the bins; rows: of the processes.
  at(time, rows) {
    const name = `${time},${rows}`;
    if (!this.cache.has(name)) {
      const from = time > 0 ? this.at(time - 1, rows) : this.at(0, rows - 1);
      const total = from.counts.reduce((a, b) => a + b, 0);
      this.cache.set(name, time > 0
        ? {planes: from.planes.map((p) => halvedBins(p, total, from.bins)), counts: from.counts,
          bins: (from.bins + 1) >> 1}
        : {planes: from.planes.map((p) => halvedRows(p, from.counts, from.bins)),
          counts: from.counts.map((n) => (n + 1) >> 1), bins: from.bins});
    }
    return this.cache.get(name);
  }
}
