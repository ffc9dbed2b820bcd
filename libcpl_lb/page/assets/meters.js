// Memory and energy: figures and their course in time, or why there are none.
function energyText(J) {
  if (!known(J)) return 'n/a';
  return J >= 1e6 ? digits(J / 1e6) + ' MJ' : digits(J) + ' J';
}
function powerText(W) { return known(W) ? digits(W) + ' W' : 'n/a'; }
function drawMeters(data) {
  const place = byId('meters-body');
  const {info} = data, meters = info.meters || {};
  const memory = info.components.some((c) => known(c.hwm_B)), energy = info.components.some((c) => known(c.energy_J));
  if (memory || energy) {
    const rows = [['Component', word('hwm', 'High-water mark, sum'), word('hwm', 'of one process: least'), word('hwm', 'mean'), word('hwm', 'most'), word('energy', 'Energy')]];
    for (const c of info.components) {
      const of = (c.memory && c.memory.hwm_B) || {};
      rows.push([c.name, ...[c.hwm_B, of.min, of.mean, of.max].map((b) => na(b, memoryText(b))),
        na(c.energy_J, energyText(c.energy_J) + (c.energy && c.energy.is_estimate ? ' (estimate by core share)' : ''))]);
    }
    place.append(longTable(rows, 'Largest resident set of each process; energy of the component’s nodes', [0]));
  }
  const width = drawingWidth(place, 300, 1200);
  const add = (title, help, series, unit, one = 1) => {
    if (series.length === 0) return;
    place.append(make('div', {class: 'chart'}, make('h3', {}, help ? word(help, title) : title), make('p', {}, ...series.map((s) => key(s.colour, s.name))),
      seriesChart({x: series[0].x, ends: series[0].ends, series, width, height: 180, unit, one, label: title,
        title: 'Point at the picture for figures, or use ← and → when it has the focus.'})));
  };
  const shown = info.components.filter((c) => c.memory && hasPoints(c.memory.rss_series_B)).slice(0, 7);
  // Their grids of time are the run's, so all have the same points but for their number.
  const longest = shown.map((c) => timesOf(c.memory.rss_series_B, info.run.wall_s)).sort((a, b) => b.x.length - a.x.length)[0];
  add('Resident set of one process, mean over the component', 'rss', shown.map((c, i) => ({name: c.name, colour: 'c' + i, ...longest,
    values: c.memory.rss_series_B.mean.slice(0, longest.x.length)})), memoryText, 1048576);
  for (const [name, title, help, unit, one] of [['node_memory_B', 'Memory in use on a node', 'nodememory', memoryText, 1048576],
    ['node_power_W', 'Power of a node', 'power', powerText, 1]]) {
    if (!hasPoints(meters[name])) continue;
    const at = timesOf(meters[name], info.run.wall_s);
    add(title, help, [{name: 'mean of the nodes', colour: 'c0', ...at, values: meters[name].mean.slice(0, at.x.length)},
      {name: 'highest node', colour: 'c1', ...at, values: meters[name].max.slice(0, at.x.length)}], unit, one);
  }
  const others = meters.others || [];
  if (others.length > 0) place.append(longTable(withHelp(otherRows(others)), 'Other meters: over the run and its processes or nodes', [0, 1, 2, 3]));
  for (const m of others) {
    if (!hasPoints(m.series)) continue;
    const at = timesOf(m.series, info.run.wall_s), title = `${m.meter}: ${m.quantity}${m.measure === 'counter' ? ' per second' : ''}`;
    add(title, '', [{name: `mean of the ${m.of === 'node' ? 'nodes' : 'processes'}`, colour: 'c0', ...at, values: m.series.mean},
      {name: `highest ${m.of}`, colour: 'c1', ...at, values: m.series.max}], (v) => inUnit(v, m.unit));
  }
  const told = meters.not_there || [];
  const why = told.length > 0 ? told : [...new Set(info.components.map((c) => c.energy && c.energy.why_not).filter(Boolean))];
  if (fromTimers(info)) return place.append(missing('n/a: the timers tell nothing of memory and energy.'));
  if (!memory) place.append(missing(meters.memory_wanted === false ? 'Memory was not measured: it was switched off (ln_rss).' : 'Memory was not measured in this run.'));
  if (!energy) place.append(missing(meters.energy_wanted === false ? 'Energy was not measured: it was switched off (ln_energy).' : 'Energy was not measured in this run.'));
  if (why.length > 0) place.append(make('ul', {class: 'plain soft'}, ...why.slice(0, 20).map((w) => make('li', {}, w))));
}
const inUnit = (v, unit) => digits(v) + (known(v) && unit && unit !== '1' ? ' ' + unit : '');
// Meters that have no figures of their own above: one row for each quantity.
function otherRows(others) {
  const rows = [['Meter', 'Quantity', 'Of each', '', 'Least', 'Mean', 'Most', 'Sum', 'Per second']];
  for (const m of others) {
    const counts = m.measure === 'counter', of = m.over || {};
    rows.push([m.meter, m.quantity, m.of, m.why_missing && !(of.count > 0) ? m.why_missing : '',
      ...[of.min, of.mean, of.max].map((v) => inUnit(v, m.unit)), counts ? inUnit(of.sum, m.unit) : '',
      counts ? inUnit((m.rate_per_s || {}).mean, m.unit) : '']);
  }
  return rows;
}
function withHelp([head, ...rows]) {
  return [head.map((name, i) => i > 3 ? word(name === 'Per second' ? 'persecond' : 'reading', name) : name), ...rows];
}
function hasPoints(series) {
  return Boolean(series) && known(series.step_s) && Array.isArray(series.mean) && series.mean.some(known);
}
// The last interval of a series may reach beyond the run: the axis ends with the run.
function timesOf(series, wall_s) {
  const end = known(wall_s) ? wall_s : Infinity;
  const x = series.mean.map((_, i) => i * series.step_s).filter((t, i) => i === 0 || t < end);
  return {x, ends: x.map((t) => Math.min(t + series.step_s, Math.max(end, x[0] + series.step_s / 1000)))};
}
