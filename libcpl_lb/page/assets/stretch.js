// A stretch of the timeline that the reader chose, and its table: what each component did in it.

// Sums of microseconds of one kind of time each; waits: by counterpart.
function emptySums() {
  return {computing: 0, waiting: 0, imbalance: 0, mapping: 0, files: 0, other: 0, ending: 0, away: 0, inmpi: 0, unseen: 0, waits: new Map()};
}
function addWaiting(sums, counterpart, time) {
  if (!(time > 0)) return;
  sums.waiting += time;
  sums.waits.set(counterpart, (sums.waits.get(counterpart) || 0) + time);
}
// How long a component's processes run between two times.
function runningTime(component, t0, t1) {
  const from = known(component.init_s) ? Math.max(t0, component.init_s * 1e6) : t0;
  const to = known(component.terminate_s) ? Math.min(t1, component.terminate_s * 1e6) : t1;
  return Math.max(0, to - from);
}
// From the single events of a row.
function addRow(sums, model, row, t0, t1) {
  const pieces = model.pieces[row], arrived = model.arrivalsOf(row);
  let busy = 0;
  for (let i = firstAfter(pieces, t0); i < pieces.start.length && pieces.start[i] < t1; ++i) {
    const from = Math.max(pieces.start[i], t0), to = Math.min(pieces.stop[i], t1);
    if (!(to > from)) continue;
    const [kind, , counterpart] = model.classes[model.classOf(row, i)];
    busy += to - from;
    if (timeClassOf(kind) <= 2) {
      const last = arrived === null ? from : Math.min(Math.max(arrived[model.events[row].key[model.eventOf(row, i)]], from), to);
      sums.imbalance += last - from;
      addWaiting(sums, counterpart, to - last);
    } else {
      sums[timeClasses[timeClassOf(kind)]] += to - from;
    }
  }
  const {inmpi, unseen} = model.betweenShares(row, t0, t1, false);
  addBetween(sums, Math.max(0, runningTime(model.rows[row].component, t0, t1) - busy), inmpi * (t1 - t0), unseen * (t1 - t0));
}
// What no event covers: in MPI, not seen, and the rest.
function addBetween(sums, free, inmpi, unseen) {
  const unknown = Math.min(free, unseen), inside = Math.min(free - unknown, inmpi);
  sums.unseen += unknown;
  sums.inmpi += inside;
  sums.computing += free - unknown - inside;
}
// From shares of bins, of `weight` processes. Who is waited for: the counterpart of what fills most of a bin.
function addBins(sums, model, {shares, dominant, waits, row, bins, between}, weight, t0, t1, component) {
  const width = (model.t1 - model.t0) / bins;
  let busy = 0, inmpi = 0, unseen = 0;
  const first = Math.max(0, Math.floor((t0 - model.t0) / width)), last = Math.min(bins, Math.ceil((t1 - model.t0) / width));
  for (let bin = first; bin < last; ++bin) {
    const left = model.t0 + bin * width, cell = row * bins + bin;
    const time = weight * (Math.min(t1, left + width) - Math.max(t0, left)) / 255;
    const exchange = shares[0][cell] + shares[1][cell] + shares[2][cell];
    const waiting = waits ? Math.min(exchange, waits[bin]) : exchange;
    const whole = between(bin);
    inmpi += time * whole.inmpi;
    unseen += time * whole.unseen;
    sums.imbalance += time * (exchange - waiting);
    addWaiting(sums, dominant[cell] ? model.classes[dominant[cell] - 1][2] : 0, time * waiting);
    busy += time * exchange;
    for (let c = 3; c < timeClasses.length; ++c) {
      sums[timeClasses[c]] += time * shares[c][cell];
      busy += time * shares[c][cell];
    }
  }
  addBetween(sums, Math.max(0, weight * runningTime(component, t0, t1) - busy), inmpi, unseen);
}
// What a component did between two times, a mean of its processes: {sums, processes, exact}.
function stretchOf(model, component, t0, t1) {
  const sums = emptySums(), parts = model.parts.filter((p) => p.component === component);
  let processes = 0, exact = true;
  for (const part of parts) {
    processes += part.count;
    for (let row = part.first; row < part.first + part.count; ++row) {
      if (model.pieces[row] && !model.embedded) addRow(sums, model, row, t0, t1);
      else if (part.group >= 0) break;
      else {
        exact = false;
        addBins(sums, model, model.cellsOf(part, row), 1, t0, t1, component);
      }
    }
    if (part.group < 0 || !model.embedded) continue;
    exact = false;
    addBins(sums, model, model.cellsOf(part, null), part.count, t0, t1, component);
  }
  for (const name of Object.keys(sums)) if (name !== 'waits') sums[name] /= processes;
  sums.waits.forEach((time, who) => sums.waits.set(who, time / processes));
  return {sums, processes, exact};
}
function whoWords(model, waits) {
  const most = [...waits].sort((a, b) => b[1] - a[1]).slice(0, 4);
  return most.map(([who, time]) => `${who ? model.info.component_names[who - 1] : 'an unknown component'} ${duration(time / 1e6)}`).join(', ') +
    (waits.size > 4 ? ', …' : '') || '–';
}
function drawStretch(timeline) {
  const {model, stretch} = timeline, place = byId('stretch');
  place.hidden = stretch === null;
  if (stretch === null) return place.replaceChildren();
  const [t0, t1] = stretch, length = t1 - t0;
  const components = [...new Set(model.parts.map((p) => p.component))];
  const all = components.map((c) => ({c, ...stretchOf(model, c, t0, t1)}));
  const away = all.some(({sums}) => sums.away > 0);
  const shown = [['inmpi', 'insidempi', 'In MPI'], ['unseen', 'unseen', 'Not known'], ['ending', 'ending', 'At the end']].filter(([name]) => all.some(({sums}) => sums[name] > 0));
  const cell = (time) => time > 0 ? `${duration(time / 1e6)} (${percent(time / length)})` : '–';
  const rows = [['Component', word(model.allRecorded ? 'computing' : 'between', 'Computing'), word('waiting', 'Waiting'), 'for whom', word('imbalance', 'Own imbalance'),
    word('mapping', 'Mapping'), word('output', 'Files'), word('other', 'Other'), ...shown.map(([, name, title]) => word(name, title)), ...(away ? [word('away', 'Elsewhere')] : [])]];
  for (const {c, sums} of all) {
    rows.push([c.name, cell(sums.computing), cell(sums.waiting), whoWords(model, sums.waits), cell(sums.imbalance), cell(sums.mapping),
      cell(sums.files), cell(sums.other), ...shown.map(([name]) => cell(sums[name])), ...(away ? [cell(sums.away)] : [])]);
  }
  const told = components.every((c) => model.waitsOf(c, 1) !== null);
  place.replaceChildren(make('h3', {}, `From ${duration(t0 / 1e6)} to ${duration(t1 / 1e6)}: ${duration(length / 1e6)}`),
    longTable(rows, 'Mean of each component’s processes in this stretch', [0, 3], 20),
    ...(all.every((one) => one.exact) ? [] : [missing('These figures are estimates from bins of time. “For whom” is what fills most of each bin.')]),
    ...(told ? [] : [missing('Own imbalance is not separated from waiting here: the page does not hold when the last process of a component came.')]),
    make('div', {class: 'bar tool'}, button('Zoom to it', () => timeline.show(t0, t1)), button('Close', () => timeline.select(null))));
}
