// Series and distributions: a few thousand points at most, as SVG.
function niceStep(span, count) {
  const raw = span / Math.max(count, 1);
  const size = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * size).find((s) => s >= raw);
}
// series: [{name, colour, values, least, most}]; least, most: of what shares a point, or none; x: ascending; ends: right end of each
// point's interval; one: of what is shown, as 1 MiB.
function seriesChart({x, ends, series, width, height, label, unit, one = 1, click, title}) {
  const left = 64, right = 10, top = 8, bottom = 26;
  const x0 = x[0], x1 = ends[ends.length - 1];
  let high = 0;
  for (const s of series) for (const v of [...s.values, ...(s.most || [])]) if (known(v) && v > high) high = v;
  if (high === 0) high = 1;
  const px = (t) => left + (width - left - right) * (x1 > x0 ? (t - x0) / (x1 - x0) : 0);
  const py = (v) => top + (height - top - bottom) * (1 - v / high);
  const svg = drawn('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'application', tabindex: '0', 'aria-label': label, class: 'series'});
  const step = niceStep(high / one, height / 50) * one;
  for (let v = 0; v <= high * 1.0001; v += step) {
    svg.append(drawn('line', {x1: left, x2: width - right, y1: py(v), y2: py(v), stroke: 'var(--line)'}));
    svg.append(drawn('text', {x: left - 6, y: py(v) + 4, 'text-anchor': 'end', class: 'soft'}, unit(v)));
  }
  const tick = niceStep(x1 - x0 || 1, width / 90);
  const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(tick) + 1e-9)));
  for (let t = Math.ceil(x0 / tick) * tick; t <= x1; t += tick)
    svg.append(drawn('text', {x: Math.min(px(t), width), y: height - 8, 'text-anchor': px(t) > width - 35 ? 'end' : 'middle', class: 'soft'}, (decimals > 0 ? t.toFixed(decimals) : digits(Math.round(t))) + ' s'));
  const dashes = ['', '5 3', '2 2'];
  const line = (values) => values.map((v, i) => !known(v) ? '' : (i === 0 || !known(values[i - 1]) ? 'M' : 'L') +
    `${px(x[i]).toFixed(1)} ${py(v).toFixed(1)}H${px(ends[i]).toFixed(1)}`).join('');
  // From the least to the largest, each point a box; a line at the largest where the least is not known.
  const band = (least, most) => most.map((v, i) => {
    if (!known(v)) return '';
    const right = px(ends[i]).toFixed(1), top = `M${px(x[i]).toFixed(1)} ${py(v).toFixed(1)}H${right}`;
    return known(least[i]) ? `${top}V${py(least[i]).toFixed(1)}H${px(x[i]).toFixed(1)}Z` : top;
  }).join('');
  series.forEach((s, n) => {
    if (s.most) svg.append(drawn('path', {class: 'extremes', d: band(s.least || [], s.most), fill: `var(--${s.colour})`, 'fill-opacity': 0.25,
      stroke: `var(--${s.colour})`, 'stroke-width': 0.8}));
    svg.append(drawn('path', {d: line(s.values), fill: 'none', stroke: `var(--${s.colour})`, 'stroke-width': 1.7, 'stroke-dasharray': dashes[n % 3]}));
  });
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const t = x0 + (x1 - x0) * ((event.clientX - box.left) * width / box.width - left) / (width - left - right);
    let i = 0;
    while (i + 1 < x.length && x[i + 1] <= t) ++i;
    return i;
  };
  const readout = make('p', {class: 'soft hint', 'aria-live': 'polite'}, title);
  const range = (s, i) => !s.most ? '' : s.least && known(s.least[i]) ? ` (${unit(s.least[i])} to ${unit(s.most[i])})` : ` (at most ${unit(s.most[i])})`;
  const mark = drawn('line', {class: 'at', y1: top, y2: height - bottom, visibility: 'hidden'});
  svg.append(mark);
  let point = null; // of the keys
  const say = (i) => {
    mark.setAttribute('visibility', i === null ? 'hidden' : 'visible');
    readout.textContent = i === null ? title : `${duration(x[i])}: ` + series.map((s) => `${s.name} ${unit(s.values[i])}` + range(s, i)).join(', ');
    if (i === null) return;
    const middle = px((x[i] + ends[i]) / 2);
    mark.setAttribute('x1', middle);
    mark.setAttribute('x2', middle);
  };
  svg.addEventListener('pointermove', (event) => say(at(event)));
  svg.addEventListener('pointerleave', () => say(point));
  svg.addEventListener('blur', () => { point = null; say(null); });
  svg.addEventListener('keydown', (event) => {
    const many = Math.ceil(x.length / 20), now = point === null ? -1 : point;
    const next = {ArrowRight: now + 1, ArrowLeft: point === null ? x.length - 1 : now - 1, PageDown: now + many, PageUp: now - many, Home: 0, End: x.length - 1}[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' && click && point !== null) click(point);
    else if (next === undefined) return;
    else say(point = Math.min(Math.max(next, 0), x.length - 1));
    event.preventDefault();
  });
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
    svg.append(titled('rect', {x: i * w, y: height - bottom - h, width: Math.max(w - 1, 1), height: h, fill: `var(--${colour})`},
      `${plural(n, 'step')} from ${duration(low)} to ${duration(high)}`));
  });
  svg.append(drawn('line', {x1: 0, x2: width, y1: height - bottom, y2: height - bottom, stroke: 'var(--line)'}));
  svg.append(drawn('text', {x: 0, y: height - 6, class: 'soft'}, duration(d.min)));
  svg.append(drawn('text', {x: width, y: height - 6, 'text-anchor': 'end', class: 'soft'}, duration(d.max)));
  return make('figure', {}, make('strong', {}, name), svg,
    make('figcaption', {}, word('median', 'median'), ` ${duration(d.median)}, 95 of 100 below ${duration(d.p95)}`));
}
function drawSteps(data, jump) {
  const place = byId('steps-body');
  const info = data.info;
  const having = info.components.map((c, i) => ({c, s: data.steps[i]})).filter((one) => one.s && one.s.steps > 0);
  if (fromTimers(info)) return place.append(missing('n/a: the timers tell of the whole run, and not of its steps.'));
  if (having.length === 0) return place.append(missing('No component has a coupling loop: an exchange must occur three times.'));
  const choice = make('select', {id: 'steps-of', 'aria-label': 'Component'},
    ...having.map((one, i) => make('option', {value: i}, one.c.name)));
  const body = make('div', {});
  const draw = () => body.replaceChildren(...chartsOf(having[+choice.value]));
  const chartsOf = ({c, s}) => {
    const width = drawingWidth(place, 300, 1200);
    const ends = s.start_s.map((t, i) => i + 1 < s.start_s.length ? s.start_s[i + 1] : t + s.length_s[i] * s.group);
    const most = s.most || {}, least = s.least || {};
    const waiting = c.is_io_server ? 'idle' : 'waiting', barsWidth = paper.now ? 210 : 300; // three beside each other
    const series = [['computing', 'computing', 'computing-line'], ['waiting', waiting, c.is_io_server ? 'soft' : 'receive'], ['jitter', 'jitter', 'imbalance-line']].map(([figure, name, colour]) =>
      ({name, colour, values: s[figure + '_s'], least: least[figure + '_s'], most: most[figure + '_s']}));
    const what = s.group > 1 ? `Each point is the mean of ${digits(s.group)} steps, the pale band goes from the least to the largest of them. ` : '';
    return [make('div', {class: 'chart'},
      make('p', {}, ...series.map((one) => key(one.colour, word(one.name, one.name)))),
      seriesChart({x: s.start_s, ends, series, width, height: 200, unit: duration,
        label: `Computing, ${waiting} and jitter of each coupling step of ${c.name}`,
        title: what + 'Point at the picture for figures, or use ← and → when it has the focus; click, or Enter, shows the step in the timeline.',
        click: (i) => jump(s.start_s[i], ends[i])})),
      make('div', {class: 'plots'}, histogram(s.distribution.length_s, 'Length of a step', 'soft', barsWidth),
        histogram(s.distribution.waiting_s, (c.is_io_server ? 'Idle' : 'Waiting') + ' in a step', c.is_io_server ? 'soft' : 'receive', barsWidth),
        histogram(s.distribution.jitter_s, 'Jitter in a step', 'imbalance-line', barsWidth)),
      ...(s.in_one > 1 ? [missing(`The run is long: the distributions and the lengths are of ${digits(s.in_one)} steps together.`)] : []),
      irregularSteps(s, jump)];
  };
  choice.addEventListener('change', draw);
  place.append(make('p', {class: 'soft'}, 'Of each ', word('step', 'coupling step'), ':'), make('div', {class: 'bar tool'}, choice), body);
  draw();
  // Nobody can choose on paper: all components, as many as somebody would read.
  window.addEventListener('beforeprint', () => body.replaceChildren(...having.slice(0, 30).flatMap((one) => [make('h3', {}, one.c.name), ...chartsOf(one)]),
    ...(having.length > 30 ? [missing(`The first 30 of ${digits(having.length)} components.`)] : [])));
  window.addEventListener('afterprint', draw);
}
function irregularSteps(s, jump) {
  const {count, worst} = s.irregular;
  if (count === 0) return make('p', {}, `${plural(s.steps, 'step')}, none of an unusual length.`);
  const rows = [['Step', 'Starts at', ...(s.date ? ['Date'] : []), word('step', 'Length'), word('waiting', 'Waiting'), '']];
  for (const w of worst) {
    rows.push([digits(w.step), duration(w.start_s), ...(s.date ? [dateText(w.date)] : []), duration(w.length_s), duration(w.waiting_s),
      button('show', () => jump(w.start_s, w.start_s + w.length_s), {'aria-label': `Show step ${digits(w.step)} in the timeline`})]);
  }
  return make('div', {}, make('p', {}, `${digits(count)} of ${plural(s.steps, 'step')} ${count === 1 ? 'has' : 'have'} an `, word('unusual', 'unusual length'),
    count > worst.length ? `; the ${worst.length} most unusual:` : ':'), table(rows, '', []));
}
