// Series and distributions: a few thousand points at most, as SVG.
function niceStep(span, count) {
  const raw = span / Math.max(count, 1);
  const size = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * size).find((s) => s >= raw);
}
// series: [{name, colour, values, most}]; most: the largest of what shares a point, or none; x: ascending; ends: right end of each point's interval.
function seriesChart({x, ends, series, width, height, label, unit, click, title}) {
  const left = 64, right = 10, top = 8, bottom = 26;
  const x0 = x[0], x1 = ends[ends.length - 1];
  let high = 0;
  for (const s of series) for (const v of [...s.values, ...(s.most || [])]) if (known(v) && v > high) high = v;
  if (high === 0) high = 1;
  const px = (t) => left + (width - left - right) * (x1 > x0 ? (t - x0) / (x1 - x0) : 0);
  const py = (v) => top + (height - top - bottom) * (1 - v / high);
  const svg = drawn('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});
  const step = niceStep(high, height / 50);
  for (let v = 0; v <= high * 1.0001; v += step) {
    svg.append(drawn('line', {x1: left, x2: width - right, y1: py(v), y2: py(v), stroke: 'var(--line)'}));
    svg.append(drawn('text', {x: left - 6, y: py(v) + 4, 'text-anchor': 'end', class: 'soft'}, unit(v)));
  }
  const tick = niceStep(x1 - x0 || 1, width / 110);
  for (let t = Math.ceil(x0 / tick) * tick; t <= x1; t += tick)
    svg.append(drawn('text', {x: px(t), y: height - 8, 'text-anchor': 'middle', class: 'soft'}, digits(t) + ' s'));
  const dashes = ['', '5 3', '2 2'];
  const line = (values) => values.map((v, i) => !known(v) ? '' : (i === 0 || !known(values[i - 1]) ? 'M' : 'L') +
    `${px(x[i]).toFixed(1)} ${py(v).toFixed(1)}H${px(ends[i]).toFixed(1)}`).join('');
  series.forEach((s, n) => {
    if (s.most) svg.append(drawn('path', {class: 'most', d: line(s.most), fill: 'none', stroke: `var(--${s.colour})`, 'stroke-width': 0.8}));
    svg.append(drawn('path', {d: line(s.values), fill: 'none', stroke: `var(--${s.colour})`, 'stroke-width': 1.7, 'stroke-dasharray': dashes[n % 3]}));
  });
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const t = x0 + (x1 - x0) * ((event.clientX - box.left) * width / box.width - left) / (width - left - right);
    let i = 0;
    while (i + 1 < x.length && x[i + 1] <= t) ++i;
    return i;
  };
  const readout = make('p', {class: 'soft hint', 'aria-live': 'off'}, title);
  svg.addEventListener('pointermove', (event) => {
    const i = at(event);
    readout.textContent = `${duration(x[i])}: ` + series.map((s) => `${s.name} ${unit(s.values[i])}` +
      (s.most ? ` (at most ${unit(s.most[i])})` : '')).join(', ');
  });
  svg.addEventListener('pointerleave', () => { readout.textContent = title; });
  if (click) svg.addEventListener('click', (event) => click(at(event)));
  return make('div', {}, svg, readout);
}
function histogram(d, name, colour, width) {
  const height = 120, bottom = 22;
  const most = Math.max(...d.counts, 1);
  const svg = drawn('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label':
    `${name} of the steps: median ${duration(d.median)}, 95 of 100 below ${duration(d.p95)}, at most ${duration(d.max)}`});
  const w = width / d.counts.length;
  d.counts.forEach((n, i) => {
    const h = n > 0 ? Math.max(2, (height - bottom - 4) * n / most) : 0;
    const low = d.min + (d.max - d.min) * i / d.counts.length, high = d.min + (d.max - d.min) * (i + 1) / d.counts.length;
    const box = drawn('rect', {x: i * w, y: height - bottom - h, width: Math.max(w - 1, 1), height: h, fill: `var(--${colour})`});
    box.append(drawn('title', {}, `${plural(n, 'step')} from ${duration(low)} to ${duration(high)}`));
    svg.append(box);
  });
  svg.append(drawn('line', {x1: 0, x2: width, y1: height - bottom, y2: height - bottom, stroke: 'var(--line)'}));
  svg.append(drawn('text', {x: 0, y: height - 6, class: 'soft'}, duration(d.min)));
  svg.append(drawn('text', {x: width, y: height - 6, 'text-anchor': 'end', class: 'soft'}, duration(d.max)));
  return make('figure', {}, make('strong', {}, name), svg,
    make('figcaption', {}, `median ${duration(d.median)}, 95 of 100 below ${duration(d.p95)}`));
}
function drawSteps(data, jump) {
  const place = byId('steps-body');
  const info = data.info;
  const having = info.components.map((c, i) => ({c, s: data.steps[i]})).filter((one) => one.s && one.s.steps > 0);
  if (having.length === 0) return place.append(missing('No component has a coupling loop: an exchange must occur three times.'));
  const choice = make('select', {id: 'steps-of', 'aria-label': 'Component'},
    ...having.map((one, i) => make('option', {value: i}, one.c.name)));
  const body = make('div', {});
  const draw = () => body.replaceChildren(...chartsOf(having[+choice.value]));
  const chartsOf = ({c, s}) => {
    const width = Math.max(300, Math.min(1200, place.clientWidth || 900));
    const ends = s.start_s.map((t, i) => i + 1 < s.start_s.length ? s.start_s[i + 1] : t + s.length_s[i] * s.group);
    const most = s.most || {};
    const series = [{name: 'computing', colour: 'computing-line', values: s.computing_s, most: most.computing_s},
      {name: 'waiting', colour: 'receive', values: s.waiting_s, most: most.waiting_s},
      {name: 'jitter', colour: 'imbalance', values: s.jitter_s, most: most.jitter_s}];
    const what = s.group > 1 ? `Each point is the mean of ${digits(s.group)} steps, the thin lines are the largest of them. ` : '';
    return [make('div', {class: 'chart'},
      make('p', {}, ...series.map((one) => key(one.colour, word(one.name, one.name)))),
      seriesChart({x: s.start_s, ends, series, width, height: 200, unit: duration,
        label: `Computing, waiting and jitter of each coupling step of ${c.name}`,
        title: what + 'Point at the picture for figures; click to see the step in the timeline.',
        click: (i) => jump(s.start_s[i], ends[i])})),
      make('div', {class: 'plots'}, histogram(s.distribution.length_s, 'Length of a step', 'away', 300),
        histogram(s.distribution.waiting_s, 'Waiting in a step', 'receive', 300),
        histogram(s.distribution.jitter_s, 'Jitter in a step', 'imbalance', 300)),
      ...(s.in_one > 1 ? [missing(`Distributions and lengths: of ${digits(s.in_one)} steps together, as the run is long.`)] : []),
      irregularSteps(s, jump)];
  };
  choice.addEventListener('change', draw);
  place.append(make('p', {class: 'soft'}, 'Of each ', word('step', 'coupling step'), ':'), make('div', {class: 'bar tool'}, choice), body);
  draw();
  // Nobody can choose on paper: all components, as many as somebody would read.
  window.addEventListener('beforeprint', () => body.replaceChildren(...having.slice(0, 30).flatMap((one) => [make('h3', {}, one.c.name), ...chartsOf(one)])));
  window.addEventListener('afterprint', draw);
}
function irregularSteps(s, jump) {
  const {count, worst} = s.irregular;
  if (count === 0) return make('p', {}, `${plural(s.steps, 'step')}, none of an unusual length.`);
  const rows = [['Step', 'Starts at', ...(s.date ? ['Date'] : []), 'Length', 'Waiting', '']];
  for (const w of worst) {
    const button = make('button', {type: 'button'}, 'show');
    button.addEventListener('click', () => jump(w.start_s, w.start_s + w.length_s));
    rows.push([digits(w.step), duration(w.start_s), ...(s.date ? [dateText(w.date)] : []), duration(w.length_s), duration(w.waiting_s), button]);
  }
  return make('div', {}, make('p', {}, `${digits(count)} of ${plural(s.steps, 'step')} ${count === 1 ? 'has' : 'have'} an unusual length` +
    (count > worst.length ? `; the ${worst.length} most unusual:` : ':')), table(rows, '', []));
}
