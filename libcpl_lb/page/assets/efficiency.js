// Where every core hour goes: a bar from 100 % of the core time down to the useful time, where MPI was recorded.
const lossSteps = [
  {name: 'useful', colour: 'c0', deep: true, words: 'computing, in no call of MPI'},
  {name: 'load balance', colour: 'c1', words: 'on average the processes do useful work for less time than the busiest one'},
  {name: 'communication', colour: 'c2', words: 'MPI inside the component that load balance does not explain'},
  {name: 'coupling', colour: 'c5', words: 'waiting for other components'},
];
const insideStep = {name: 'inside', colour: 'c3', words: 'load balance and communication together, of all components'};

// Ends of the parts between 0 and 1, each with the efficiency that its loss belongs to. Without a coupling loop the
// whole is the computing time.
function lossParts(e) {
  const coupling = known(e.coupling) ? e.coupling : 1;
  const useful = coupling * e.inside;
  const parts = [{step: lossSteps[0], from: 0, to: useful, share: useful}];
  if (known(e.load_balance)) {
    const busiest = coupling * e.communication;
    parts.push({step: lossSteps[1], from: useful, to: busiest, share: e.load_balance});
    parts.push({step: lossSteps[2], from: busiest, to: coupling, share: e.communication});
  } else {
    parts.push({step: insideStep, from: useful, to: coupling, share: e.inside});
  }
  if (known(e.coupling)) parts.push({step: lossSteps[3], from: coupling, to: 1, share: coupling});
  return parts;
}
// Above 1 a part goes backwards: nothing of it is drawn, the table has the number.
function lossBar(name, e, left, width, y) {
  const bar = drawn('g', {});
  const x = (share) => left + (width - left - 6) * Math.min(Math.max(share, 0), 1);
  for (const {step, from, to, share} of lossParts(e)) {
    const wide = x(to) - x(from);
    if (!(wide > 0)) continue;
    bar.append(titled('rect', {x: x(from), y, width: wide, height: 26, fill: `var(--${step.colour})`, stroke: 'var(--paper)'},
      `${name}: ${step.name} ${percent(step === lossSteps[0] ? share : to - from)}`));
    if (wide > 60) bar.append(drawn('text', {x: (x(from) + x(to)) / 2, y: y + 18, 'text-anchor': 'middle', class: step.deep ? 'on deep' : 'on'},
      percent(to - from)));
  }
  return bar;
}
function drawEfficiency(data) {
  const recorded = data.info.components.filter((c) => c.mpi && c.mpi.useful && c.mpi.useful.count > 0);
  const told = data.info.components.filter((c) => c.mpi && c.mpi.why_not);
  if (recorded.length + told.length === 0) return removeSection('efficiency'); // most runs: nothing to say
  const place = byId('efficiency-body');
  const all = [...recorded.map((c) => ({name: c.name, e: c.efficiency})), {name: 'All cores', e: data.info.run.efficiency || {}}];
  const shown = all.filter((one) => known(one.e.inside));
  const width = drawingWidth(place, 320, 1100);
  const narrow = width < 600, left = narrow ? 6 : 170, high = narrow ? 52 : 34;
  const svg = drawn('svg', {width, height: high * shown.length + 4, viewBox: `0 0 ${width} ${high * shown.length + 4}`, role: 'img', 'aria-label': 'Useful share of the core time: ' +
    shown.map((one) => `${one.name} ${percent(known(one.e.total) ? one.e.total : one.e.inside)}`).join(', ')});
  shown.forEach(({name, e}, i) => {
    const y = i * high + 4;
    svg.append(narrow ? named(name, 26, {x: left, y: y + 13}) : named(name, 20, {x: left - 10, y: y + 18, 'text-anchor': 'end'}));
    svg.append(lossBar(name, e, left, width, y + (narrow ? 18 : 0)));
  });
  const steps = [...lossSteps, ...(recorded.length > 0 ? [insideStep] : [])];
  const per = (x) => na(x, digits(100 * x));
  place.append(svg, make('ul', {class: 'plain'}, ...steps.map((s) => make('li', {}, key(s.colour, s.name), s.words))),
    longTable([['Component', word('total', 'Total %'), word('coupling', 'Coupling %'), word('inside', 'Inside %'),
      word('balance', 'Load balance %'), word('communication', 'Communication %')],
      ...all.map(({name, e}) => [name, per(e.total), per(e.coupling), per(e.inside), per(e.load_balance), per(e.communication)])],
    'Efficiencies: total = coupling × inside, inside = load balance × communication', [0]), mpiTable(recorded), ...trafficMaps(recorded));
  for (const c of recorded.filter((one) => one.mpi.of_whole_run))
    place.append(missing(`${c.name} has no coupling loop: its figure for inside is of the whole run, ${duration(c.mpi.length_s)}.`));
  for (const c of told) place.append(missing(`n/a: inside ${c.name}: ${c.mpi.why_not}.`));
  if (all.some(({e}) => e.inside > 1.005 || e.communication > 1.005)) {
    place.append(missing('Above 100 %: waiting is counted until the last process of a component has its message, but other processes went on earlier.'));
  }
}
// Who talks to whom inside a component: a row for each group of senders, a column for each group of receivers.
const trafficFigures = {bytes: ['bytes', memoryText], messages: ['messages', digits], waited_s: ['time waited', duration]};
const mostTraffic = 24;
function groupWords(group, groups, processes) {
  const first = Math.ceil(group * processes / groups), last = Math.ceil((group + 1) * processes / groups) - 1;
  return first === last ? `process ${first}` : `processes ${first}–${last}`;
}
function trafficPicture(c, figure) {
  const t = c.mpi.traffic, [name, text] = trafficFigures[figure], cell = Math.max(5, Math.min(24, Math.floor(320 / t.groups))), side = cell * t.groups;
  const most = t[figure].reduce((m, v) => Math.max(m, v), 0);
  const words = (i) => `${groupWords(t.from[i], t.groups, c.processes)} to ${groupWords(t.to[i], t.groups, c.processes)}: ${plural(t.messages[i], 'message')}, ${memoryText(t.bytes[i])}; ` +
    `the receivers waited ${duration(t.waited_s[i])}`;
  const at = t[figure].indexOf(most);
  const svg = drawn('svg', {width: side + 2, height: side + 2, viewBox: `-1 -1 ${side + 2} ${side + 2}`, role: 'img', class: 'traffic',
    'aria-label': `${name} inside ${c.name}` + (most > 0 ? `, most from ${words(at)}` : ': none')});
  svg.append(drawn('rect', {x: -0.5, y: -0.5, width: side + 1, height: side + 1, fill: 'none', stroke: 'var(--line)'}));
  for (let i = 0; i < t.from.length; ++i) {
    if (!(t[figure][i] > 0)) continue;
    svg.append(titled('rect', {x: cell * t.to[i], y: cell * t.from[i], width: cell, height: cell, fill: 'var(--receive)', 'fill-opacity': (0.12 + 0.88 * t[figure][i] / most).toFixed(3)}, words(i)));
  }
  return make('figure', {}, make('strong', {}, c.name), svg, make('figcaption', {}, most > 0 ? `Darkest, ${text(most)}: ${words(at)}.` : `No ${name}.`));
}
function trafficMaps(recorded) {
  const all = recorded.filter((c) => c.processes > 1 && c.mpi.traffic && c.mpi.traffic.groups > 0 && c.mpi.traffic.from.length > 0);
  if (all.length === 0) return [];
  const choice = make('select', {id: 'traffic-of', class: 'tool', 'aria-label': 'What the squares show'},
    ...Object.entries(trafficFigures).map(([name, [words]]) => make('option', {value: name}, words)));
  const plots = make('div', {class: 'plots maps'});
  const show = () => plots.replaceChildren(...all.slice(0, mostTraffic).map((c) => trafficPicture(c, choice.value || 'bytes')));
  choice.addEventListener('change', show);
  show();
  const waits = all.flatMap((c) => c.mpi.traffic.waited_for.map((w) => [c.name, digits(w.process), digits(w.by), digits(w.waits), digits(w.waited_s), digits(w.with_others_s),
    digits(100 * w.in_loop_s / (c.processes * c.mpi.length_s))]));
  return [make('h3', {}, 'Who talks to whom inside a component'),
    make('p', {class: 'soft'}, 'Messages point to point in the whole run. Rows send to columns, processes in their order' +
      (all.some((c) => c.mpi.traffic.groups < c.processes) ? ', in groups of consecutive ones.' : '.')),
    make('div', {class: 'bar tool'}, make('label', {for: 'traffic-of', class: 'tool'}, 'Show'), choice), plots,
    ...(all.length > mostTraffic ? [missing(`The first ${mostTraffic} of ${digits(all.length)} components.`)] : []),
    ...(waits.length > 0 ? [longTable([['Component', 'Process', 'Waited for by', 'Waits', 'Seconds', 'Together with others s', 'In the loop, at least % of the core time'], ...waits],
      'Processes for whose messages others wait longest', [0])] : [])];
}
function mpiTable(recorded) {
  const rows = [['Component', 'What', word('inmpi', 'Least s'), word('inmpi', 'Mean s'), word('inmpi', 'Most s'), word('inmpi', '% of the time'), word('inmpi', 'Calls in the run')]];
  const words = {useful: 'useful', exchanges: 'exchanges', point_to_point: 'point to point', collective: 'collective', one_sided: 'one-sided', files: 'files'};
  for (const c of recorded) {
    for (const [name, what] of Object.entries(words)) {
      const s = c.mpi[name];
      if (!s || s.calls === 0) continue;
      rows.push([c.name, what, digits(s.min), digits(s.mean), digits(s.max), digits(100 * s.mean / c.mpi.length_s), known(s.calls) ? digits(s.calls) : '']);
    }
  }
  return longTable(rows, 'Time in MPI, seconds of one process', [0, 1]);
}
