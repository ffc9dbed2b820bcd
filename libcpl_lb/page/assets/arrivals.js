// Waiting apart from the own imbalance: in an exchange a component waits for another one once its last process has come.
// Pure functions, also run without a browser by the tests.

// The block counts exchanges only. isExchange: of each event of the component, where the page holds its list; else nobody
// asks for a single event.
function arrivalsOfBlock(block, data, isExchange) {
  const n = block.exchanges, [row] = decodeEvents({rows: [0], gap_bytes: block.gap_bytes, length_bytes: block.length_bytes}, data, n);
  const place = isExchange === null ? Array.from({length: n}, (_, k) => k) : isExchange.flatMap((yes, k) => yes ? [k] : []);
  const events = isExchange === null ? n : isExchange.length;
  const start = new Float64Array(events).fill(NaN), stop = new Float64Array(events).fill(NaN);
  row.key.forEach((k, i) => { start[place[k]] = row.start[i]; stop[place[k]] = row.stop[i]; });
  return {start, stop};
}
// Where the page holds the events of all processes of a component.
function arrivalsOfRows(model, id) {
  const keys = model.keys.has(id) ? model.keys.get(id).classes : [], start = new Float64Array(keys.length).fill(NaN), stop = new Float64Array(keys.length).fill(NaN);
  const waits = Uint8Array.from(keys, (c) => timeClassOf(model.classes[c][0]) <= 2 ? 1 : 0);
  model.rows.forEach((row, r) => {
    if (row.component.id !== id || model.events[r] === null) return;
    const {key, start: starts, stop: stops} = model.events[r];
    for (let i = 0; i < key.length; ++i) { // millions of times
      const k = key[i];
      if (waits[k] === 0) continue;
      if (!(starts[i] <= start[k])) start[k] = starts[i];
      if (!(stops[i] <= stop[k])) stop[k] = stops[i];
    }
  });
  return {start, stop};
}
// Processes leave an exchange one by one: where some of them have single events, their mean end instead of the last one.
function withMeanEnds({start, stop}, rows) {
  const sums = new Float64Array(start.length), counts = new Uint32Array(start.length);
  for (const row of rows) {
    row.key.forEach((k, i) => {
      sums[k] += Math.max(row.stop[i], start[k]);
      counts[k] += 1;
    });
  }
  return {start, stop: stop.map((last, k) => counts[k] > 0 ? sums[k] / counts[k] : last)};
}
// Intervals that do not overlap, ascending.
function united(start, stop) {
  const order = Array.from(start.keys()).filter((k) => stop[k] > start[k]).sort((a, b) => start[a] - start[b]);
  const from = [], to = [];
  for (const k of order) {
    if (to.length > 0 && start[k] <= to[to.length - 1]) to[to.length - 1] = Math.max(to[to.length - 1], stop[k]);
    else { from.push(start[k]); to.push(stop[k]); }
  }
  return {start: Float64Array.from(from), stop: Float64Array.from(to)};
}
function waitsInBins({start, stop}, t0, t1, bins) {
  const sums = new Float64Array(bins), bytes = new Uint8Array(bins);
  addCoverage(sums, bins, t0, t1, united(start, stop), () => 0);
  toBytes(sums, bytes, 0, bins);
  return bytes;
}
// Which part of the exchanges in a cell is waiting; in the rest the component's own last process had not come.
function waitingPart(shares, cell, waits, bin) {
  if (waits === null) return 1;
  const exchange = shares[0][cell] + shares[1][cell] + shares[2][cell];
  return exchange > waits[bin] ? waits[bin] / exchange : 1;
}
// One plane more than there are, for the own imbalance; the exchanges keep the waiting.
function splitPlanes(shares, waitsOf) {
  const n = shares[0].length, own = new Uint8Array(n), exchanges = shares.slice(0, 3).map(() => new Uint8Array(n));
  let waits = null, bins = 0;
  for (let cell = 0, bin = 0, row = 0; cell < n; ++cell, ++bin) {
    if (bin === bins) {
      if (cell > 0) ++row;
      waits = waitsOf(row);
      if (waits === null) return [...shares, own];
      bins = waits.length;
      bin = 0;
    }
    const part = waitingPart(shares, cell, waits, bin);
    let left = shares[0][cell] + shares[1][cell] + shares[2][cell];
    for (let c = 0; c < 3; ++c) left -= exchanges[c][cell] = Math.round(part * shares[c][cell]);
    own[cell] = Math.max(left, 0);
  }
  return [...shares.slice(0, 3).map((_, c) => exchanges[c]), ...shares.slice(3), own];
}
