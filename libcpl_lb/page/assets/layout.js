// Where the processes are: one box for each kind of node, with a square for each core that its processes have.
const mostSquares = 4096; // of a node: more is no picture
const mostLayoutColours = 7; // the others share the last one
// The components with most cores have colours of their own, in the order of the run.
function layoutColours(info) {
  const largest = info.components.map((c, i) => [coresOf(c), i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, mostLayoutColours).map(([, i]) => i).sort((a, b) => a - b);
  return info.components.map((_, i) => largest.includes(i) ? 'c' + largest.indexOf(i) : 'c' + mostLayoutColours);
}
// Squares in rows, as wide as high: columns, and the pixels of one. Few are large enough to be seen as what they are.
function layoutGrid(cores) {
  const columns = Math.max(2, 2 ** Math.ceil(Math.log2(Math.sqrt(Math.max(cores, 1) * 2))));
  return {columns, size: Math.max(3, Math.min(22, Math.floor(176 / columns)))};
}
// The outline of `count` processes of `threads` cores each, from core `first` on: cores of one process touch each other.
function layoutPath(first, count, threads, {columns, size}) {
  const gap = size > 5 ? 2 : 1;
  let path = '';
  for (let core = 0; core < count * threads; ++core) {
    const at = first + core, x = at % columns, joins = (core + 1) % threads !== 0 && x + 1 < columns;
    path += `M${x * size} ${Math.floor(at / columns) * size}h${size - (joins ? 0 : gap)}v${size - gap}h-${size - (joins ? 0 : gap)}z`;
  }
  return path;
}
function layoutWords(info, [component, processes]) {
  const c = info.components[component], threads = c.threads || 1;
  const each = threads === 1 ? '' : ` × ${c.most_threads > threads ? `${threads} to ${c.most_threads}` : threads} threads`;
  return `${c.name}: ${processes === null ? 'a number of processes that is not known' : plural(processes, 'process')}${each}`;
}
function layoutPicture(info, kind, colours) {
  const counted = kind.of.filter(([, processes]) => processes !== null);
  const used = counted.reduce((sum, [c, processes]) => sum + processes * (info.components[c].threads || 1), 0);
  const cores = used + (counted.length === kind.of.length && kind.idle_cores || 0);
  if (cores === 0 || cores > mostSquares) return null;
  const grid = layoutGrid(cores), width = grid.columns * grid.size, height = Math.ceil(cores / grid.columns) * grid.size;
  const svg = drawn('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': kind.of.map((one) => layoutWords(info, one)).join('; ')});
  let first = 0;
  for (const one of counted) {
    const [c, processes] = one, threads = info.components[c].threads || 1;
    svg.append(titled('path', {d: layoutPath(first, processes, threads, grid), fill: `var(--${colours[c]})`}, layoutWords(info, one)));
    first += processes * threads;
  }
  if (cores > used) svg.append(titled('path', {d: layoutPath(first, cores - used, 1, grid), fill: 'none', stroke: 'var(--c7)', 'stroke-opacity': 0.5},
    `${plural(cores - used, 'core')} without a process`));
  return svg;
}
// The kind of the nodes, with GPUs that its name does not tell, and cores that the job has and does not use.
function layoutHardware(kind) {
  const lines = kind.kind ? [kind.kind] : [];
  const kinds = [...new Set(kind.gpus)].map((gpu) => `${kind.gpus.filter((one) => one === gpu).length} x ${gpu}`).join(' + ');
  if (kinds && !(kind.kind || '').endsWith(kinds)) lines.push(kinds);
  if (kind.idle_cores > 0) lines.push(`${plural(kind.idle_cores, 'core')} of ${kind.count === 1 ? 'it' : 'each'} without a process`);
  return lines;
}
function layoutBox(info, kind, colours) {
  const names = kind.names.join(', ') + (kind.names_left_out > 0 ? ` and ${digits(kind.names_left_out)} more` : '');
  const head = kind.count === 1 ? names || 'one node' : `${digits(kind.count)} nodes like this`;
  return make('figure', {title: names || null}, make('figcaption', {}, make('strong', {}, head), ...(kind.count > 1 && names ? [make('div', {}, names)] : []),
    ...layoutHardware(kind).map((words) => make('div', {class: 'soft'}, words)),
    ...kind.of.map((one) => make('div', {}, make('span', {class: 'key'}, make('i', {style: `background:var(--${colours[one[0]]})`}), layoutWords(info, one))))),
  layoutPicture(info, kind, colours));
}
function drawLayout(data) {
  const place = byId('layout-body'), {layout, info} = data;
  if (layout.why_not) return place.append(missing(`n/a: ${layout.why_not}.`));
  const colours = layoutColours(info), nodes = layout.kinds.reduce((sum, kind) => sum + kind.count, 0);
  place.append(make('p', {class: 'soft'}, `${plural(nodes + layout.nodes_left_out, 'node')}; a square is a core, squares that touch each other are the threads of one process. ` +
    'On which core of its node each process ran was not recorded.'),
  make('div', {class: 'kinds'}, ...layout.kinds.map((kind) => layoutBox(info, kind, colours))));
  if (layout.nodes_left_out > 0) place.append(missing(`${plural(layout.nodes_left_out, 'more node')} with other processes.`));
  if (info.components.length > mostLayoutColours && layout.kinds.some((kind) => kind.of.some(([c]) => colours[c] === 'c' + mostLayoutColours)))
    place.append(missing(`The ${mostLayoutColours} components with the most cores have colours of their own, the others are grey.`));
  if (layout.in_turn) place.append(missing('Processes that run several components in turn stand once for each of them.'));
  if (layout.not_counted) place.append(missing('n/a: how many processes of each component a node has, where several share it: the file of this run does not tell it.'));
  if (layout.without.length > 0) place.append(missing(`n/a: the nodes of ${layout.without.slice(0, 5).join(', ')}` +
    (layout.without.length > 5 ? ` and ${digits(layout.without.length - 5)} more` : '') + ' are not in the file of this run.'));
  if (layout.unassigned_cores > 0) place.append(missing(`${plural(layout.unassigned_cores, 'core')} of the run ${layout.unassigned_cores === 1 ? 'has' : 'have'} no process.`));
}
