// Sections that are tables.
function missing(why) { return make('p', {class: 'soft'}, why); }
function na(value, text) { return known(value) ? text : make('span', {class: 'na'}, 'n/a'); }

// Mean, least and most of what each process itself waited; summaries of older versions do not know.
function ownWaiting(c) {
  const own = c.process_waiting_s || {};
  return known(own.mean) ? make('span', {}, digits(own.mean) + ' ', make('span', {class: 'soft'}, `(${digits(own.min)} to ${digits(own.max)})`)) : na(null);
}
// Members of an ensemble: their mean, from the least to the most.
function ranged(data, c, name) {
  const range = data.folded && (data.folded.ranges[c.name] || {})[name];
  return na(c[name], digits(c[name]) + (range && known(range[0]) ? ` (${digits(range[0])} to ${digits(range[1])})` : ''));
}
// tableOf(components): members of an ensemble as one, until a click on the button.
function foldedTable(data, tableOf) {
  if (!data.folded) return tableOf(data.info.components);
  return shortAtFirst(tableOf(data.folded.components), 'Show each member', () => tableOf(data.info.components));
}
// Of each column: the word that has its meaning, its title and its cell.
function componentColumns(data, operations) {
  const s = (name) => (c) => ranged(data, c, name), of = (name, title) => [name, title + ' s', s(name + '_s')];
  return [['processes', 'Processes', (c) => c.processes > 0 ? digits(c.processes) : na(null)], of('loop', 'Loop'), of('computing', 'Computing'),
    ['waiting', 'Waiting s', (c) => c.is_io_server && known(c.waiting_s) ? 'idle ' + digits(c.waiting_s) : s('waiting_s')(c)],
    ['waiting', 'Waiting %', (c) => na(c.coupling_cost, digits(100 * c.coupling_cost))], ['ownwaiting', 'Of a process s', ownWaiting], ['away', 'Elsewhere s', s('away_s')],
    of('imbalance', 'Imbalance'), of('jitter', 'Jitter'), ...operations.map(([name, title]) => of(name, title)), of('startup', 'Start-up'), of('shutdown', 'Shut-down'),
    ['events', 'Events', (c) => digits(c.events)]];
}
const operations = [['mapping', 'Mapping'], ['output', 'Output'], ['restart', 'Restart']];
function componentRows(columns, components) {
  return [['Component', ...columns.map(([name, title]) => word(name, title))], ...components.map((c) => [c.name, ...columns.map(([, , cell]) => cell(c))])];
}
function drawComponents(data) {
  const place = byId('components-body');
  const info = data.info;
  if (info.components.length === 0) return place.append(missing('No component was recorded.'));
  if (fromTimers(info)) return drawTimers(place, data);
  // What is 0 for all would push the last columns out of sight.
  const spent = ([name]) => info.components.some((c) => c[name + '_s'] !== 0), none = operations.filter((one) => !spent(one)).map(([name]) => name).join(', ');
  const columns = componentColumns(data, operations.filter(spent)).filter(([name]) => name !== 'away' || info.components.some((c) => c.away_s > 0));
  place.append(foldedTable(data, (components) => longTable(componentRows(columns, components), 'Seconds of one process, mean over the processes', [0])));
  place.append(make('p', {class: 'soft'}, 'Loop: whole coupling steps, without the first. Waiting: in an exchange, from the ' +
    'moment the last process of the component came to it until the last one leaves, so it may exceed what any process waited. Of a ' +
    'process: mean, least and most of what each process itself waited, from its own arrival until it leaves, also for late ' +
    'processes of its own component. Imbalance: the component’s own processes waiting for their last one ' +
    'at exchanges. Jitter: the same, summed over all exchanges, so one late process may count several times.' +
    (none ? ` No component spent time in: ${none}.` : '')));
  drawChanges(place, info.run.changes || []);
  const why = info.components.filter((c) => c.why_no_window);
  for (const c of why.slice(0, 5)) place.append(missing(`${c.name}: no figures of the loop, because ${c.why_no_window}.`));
  if (why.length > 5) place.append(missing(`and ${digits(why.length - 5)} more without figures of the loop.`));
}
// Rows without the columns of which no row has a value; the first stays.
function withoutEmpty(rows) {
  const has = (cell) => typeof cell === 'string' && cell !== '' && cell !== 'n/a';
  return rows.map((row) => row.filter((cell, i) => i === 0 || rows.slice(1).some((other) => has(other[i]))));
}
// Only what the timers tell: what no file has takes no column.
function drawTimers(place, data) {
  const {info} = data, columns = componentColumns(data, operations).filter(([name]) => !['ownwaiting', 'away', 'events'].includes(name));
  const waits = info.components.some((c) => known(c.waiting_s));
  place.append(foldedTable(data, (components) => longTable(withoutEmpty(componentRows(columns, components)), 'Seconds, as the timers below tell them: means over processes, or those of the slowest', [0])),
    make('p', {class: 'soft'}, 'Loop: the run without start-up and shut-down. Computing: the component’s own work in it.' +
      (waits ? '' : ' How long components wait, the timers do not tell.')),
    longTable([['Figure', 'Timer that told it'], ...info.sources.map((one) => [one.figure, one.from])], 'Which timer told each figure', [0, 1], 8));
}
// Parts of the loop in which a component computes alike, and patterns.
function drawChanges(place, changes) {
  if (changes.length === 0) return;
  const patterns = changes.some((c) => known(c.every)), changing = word('changing', 'Steps');
  const rows = [['Component', changing, word('changing', 'From s'), word('changing', 'To s'), word('changing', 'Computing of a step s'),
    ...(patterns ? [word('changing', 'Of the others s')] : [])]];
  for (const c of changes) {
    const steps = known(c.every) ? `${digits(c.steps)} of every ${digits(c.every)}` : `${digits(c.first_step)} to ${digits(c.last_step)}`;
    rows.push([c.component, steps, known(c.every) ? '' : na(c.start_s, digits(c.start_s)), known(c.every) ? '' : na(c.stop_s, digits(c.stop_s)),
      na(c.computing_s, digits(c.computing_s)), ...(patterns ? [known(c.every) ? na(c.otherwise_s, digits(c.otherwise_s)) : ''] : [])]);
  }
  place.append(longTable(rows, 'Computing that changes during the run', [0, 1]));
}
// A matrix where it can be read, else the longest waits.
function drawWho(data) {
  const place = byId('who-body');
  const waits = [];
  for (const c of judged(data.info))
    for (const [name, w] of Object.entries(c.waiting_for || {})) waits.push({c, name, get: w.get_s || 0, put: w.put_s || 0, sync: w.sync_s || 0});
  if (waits.length === 0 && fromTimers(data.info)) return place.append(missing('n/a: the timers do not tell who waits for whom.'));
  if (waits.length === 0) return place.append(missing('No component exchanged a coupling field inside its coupling loop.'));
  // Rows and columns in the order of the run; whom nobody knows comes last.
  const order = new Map(data.info.component_names.map((name, i) => [name, i]));
  const at = (name) => order.has(name) ? order.get(name) : order.size;
  const awaited = [...new Set(waits.map((w) => w.name))].sort((a, b) => at(a) - at(b));
  const waiters = [...new Set(waits.map((w) => w.c))];
  if (awaited.length <= 12 && waiters.length <= 30) {
    const rows = [['', ...awaited.map((n) => 'for ' + awaitedName(n))]];
    for (const c of waiters) {
      rows.push([c.name + (c.is_io_server ? ' is idle' : ' waits'), ...awaited.map((name) => {
        const w = waits.find((one) => one.c === c && one.name === name);
        return w ? heat(w) : make('span', {class: 'na'}, '–');
      })]);
    }
    place.append(table(rows, ['Share of the loop of the component on the left; seconds to ', word('receive', 'receive'), ' and to ', word('send', 'send'),
      ...(waits.some((w) => w.sync > 0) ? [', and in a ', word('collective', 'collective operation')] : [])], [0]));
  } else {
    waits.sort((a, b) => (b.get + b.put) * coresOf(b.c) - (a.get + a.put) * coresOf(a.c));
    place.append(longTable([['Component', 'waits for', word('receive', 'Receive s'), word('send', 'Send s'), word('share', '% of its loop'), word('coreseconds', 'Core seconds')],
      ...waits.map((w) => [w.c.name, (w.c.is_io_server ? 'idle for ' : '') + awaitedName(w.name), digits(w.get), digits(w.put), digits(100 * (w.get + w.put) / w.c.loop_s),
        digits((w.get + w.put) * coresOf(w.c))])], 'Longest waits in core time first', [0, 1]));
  }
}
function shareBar(share, colour) {
  return make('div', {style: `height:.5rem;border-radius:2px;background:var(--${colour});width:${(100 * Math.min(share, 1)).toFixed(1)}%`,
    'aria-hidden': 'true'});
}
function heat(w) {
  const share = (w.get + w.put) / w.c.loop_s;
  return make('div', {}, make('strong', {}, percent(share)), shareBar(share, w.c.is_io_server ? 'idle-bar' : 'receive'),
    make('span', {class: 'soft'}, `${duration(w.get - w.sync)} receive, ${duration(w.put)} send` +
      (w.sync > 0 ? `, ${duration(w.sync)} collective` : '')));
}
// Which components decide how long the loop takes.
function drawPath(data) {
  const place = byId('path-body');
  const path = data.critical_path;
  if (!path) return place.append(missing('n/a: the critical path was not computed.'));
  if (path.why_not) return place.append(missing('n/a: ' + path.why_not + '.'));
  const whole = path.components.reduce((sum, c) => sum + c.seconds, 0);
  const on = [...path.components].sort((a, b) => b.seconds - a.seconds);
  if (fromTimers(data.info))
    place.append(make('p', {}, 'By the rules of the model’s layout, ', make('strong', {}, data.info.run.layout), ', not by what happened when.'));
  else place.append(make('p', {}, 'The ', word('path', 'chain of computing'), ' that decides how long the coupling loop takes ' +
    (on[0].seconds === whole ? 'runs through ' : 'runs mostly through '), make('strong', {}, on[0].name),
    ` (${percent(on[0].seconds / path.loop_s)} of the loop)` + (path.changes > 0 ? ` and changes component ${path.changes === 1 ? 'once' : digits(path.changes) + ' times'}.` : '.') +
    ' Only a component on it makes the loop shorter when it becomes faster.'));
  place.append(longTable([['Component', word('path', 'On the path s'), word('path', 'Share of the loop')], ...on.map((c) => [c.name, digits(c.seconds),
    make('div', {class: 'share-of-path'}, percent(c.seconds / path.loop_s), shareBar(c.seconds / path.loop_s, 'c0'))])],
  'Seconds of the coupling loop', [0], 20));
  if (fromTimers(data.info)) return;
  if (whole < 0.9 * path.loop_s) {
    place.append(missing(`The path explains ${percent(whole / path.loop_s)} of the ${duration(path.loop_s)} measured; the rest is ` +
      'time in which nobody on it computes: data are under way, or who gets them is slow to wake up.'));
  }
  place.append(make('p', {class: 'soft'}, 'The path is of the ', word('common', 'common loop'), `, ${duration(path.loop_s)}: what the components’ own coupling ` +
    'loops have in common' + (data.info.components.some((c) => c.is_io_server) ? ', without I/O servers.' : '.')));
  if (path.examined < 1) place.append(missing(`A long loop: the path was followed in ${percent(path.examined)} of it, in evenly spread pieces.`));
  if (path.left_out.length > 0) {
    const names = path.left_out.slice(0, 5).join(', ') + (path.left_out.length > 5 ? ` and ${digits(path.left_out.length - 5)} more` : '');
    place.append(missing(`Not coupled, so left out: ${names}.`));
  }
}
function drawRegions(data) {
  const place = byId('regions-body');
  const regions = data.info.components.flatMap((c) => (c.regions || []).map((r) => [c, r]));
  const messages = regions.some(([, r]) => r.messages && r.messages.count > 0); // MPI was recorded
  const rows = [[word('region', 'Region'), 'Component', word('calls', 'Calls'), word('processes', 'Processes'), word('fastest', 'Fastest s'),
    word('fastest', 'Mean s'), word('fastest', 'Slowest s'), word('uneven', 'Imbalance %'),
    ...(messages ? [word('sent', 'Messages sent'), word('sent', 'Bytes in them')] : [])]];
  for (const [c, r] of regions) {
    const mean = (spread) => na(spread ? spread.mean : null, digits((spread && spread.mean) || 0));
    const one = fromTimers(data.info) && r.processes === 1; // of all its processes: nobody knows who is slower
    const share = known(r.mean_s) && r.max_s > 0 && !one ? 1 - r.mean_s / r.max_s : null;
    rows.push([r.name, c.name, r.calls > 0 ? digits(r.calls) : na(null), r.processes > 0 ? digits(r.processes) : na(null), na(one ? null : r.min_s, digits(r.min_s)), na(r.mean_s, digits(r.mean_s)),
      na(one ? null : r.max_s, digits(r.max_s)), na(share, digits(100 * share)),
      ...(messages ? [mean(r.messages), mean(r.message_bytes)] : [])]);
  }
  if (rows.length === 1 && fromTimers(data.info)) return place.append(missing('n/a: the timers tell nothing of parts of the components.'));
  if (fromTimers(data.info)) return place.append(longTable(withoutEmpty(rows), 'Time inside each region, as the model’s timers tell it', [0, 1]));
  if (rows.length === 1) return place.append(missing('The model named no regions. Mark them with cpl_lb_region, cpl_lb_region_begin and cpl_lb_region_end.'));
  place.append(longTable(rows, 'Time inside each region, of one process; imbalance: by how much the mean is below the slowest' +
    (messages ? '; messages: point to point, means of the processes' : ''), [0, 1]));
}
function drawCpmip(data) {
  const rows = [[word('metric', 'Metric'), 'Value', 'Unit', 'What it means']];
  for (const row of data.cpmip) {
    rows.push([row.label, known(row.value) ? digits(row.value) : make('span', {class: 'na'}, 'n/a'), row.unit,
      make('div', {}, row.meaning, ...(row.why_not ? [make('div', {class: 'soft'}, 'n/a: ' + row.why_not)] : []))]);
  }
  byId('cpmip-body').append(table(rows, 'Metrics of Balaji et al. 2017 (doi:10.5194/gmd-10-19-2017)', [0, 2, 3]));
}
function drawProvenance(data) {
  const {run, clock, remarks} = data.info;
  const dropped = data.info.components.reduce((sum, c) => sum + (c.dropped_events || 0), 0);
  const rows = [['What', ''], ['Run', run.id || 'without a name'], ['Written by', 'cpl_lb ' + data.version],
    ['Submitted', run.submitted || 'n/a'], ['Started', timeOfDay(data.info, run.started)], ['Ended', timeOfDay(data.info, run.ended)],
    ['Wall clock time', duration(run.wall_s)], ['Simulated', known(run.simulated_s) ? dateSpan(run.simulated_s) : 'n/a'],
    ['Processes', run.processes > 0 ? digits(run.processes) : 'n/a'], ['Cores', known(run.cores) && run.cores > 0 ? `${digits(run.cores)} (${run.cores_from || 'not said'})` : 'n/a'],
    ['Machine', data.info.cpmip.platform || 'n/a'],
    ...(fromTimers(data.info) ? [] : [['For other viewers', 'timeline_<component>.nc: in ncview and Ferret open kind_dominant, which is the picture above; timer_strt is only a ramp']]),
    ...(fromTimers(data.info) ? [] : [[word('clockerror', 'Clock'), `${clock.source || 'not said'}, ${plural(clock.nodes || 1, 'node')}, error at most ${duration(clock.error_bound_s)}`],
      [word('order', 'Exchanges that ended before they began'), digits(clock.order_violations)],
      [word('dropped', 'Dropped events'), digits(dropped)]]), ['Time of the analysis', duration(data.info.analysis_s)]];
  byId('provenance-body').append(table(rows, '', [0, 1]));
  const list = byId('provenance-body');
  if (remarks && remarks.length > 0) {
    list.append(make('h3', {}, 'Remarks'), make('ul', {class: 'plain'}, ...remarks.map((r) => make('li', {}, r))));
  }
}
// Models write the time of the machine that they run on.
function timeOfDay(info, time) {
  return !time ? 'n/a' : fromTimers(info) && !time.endsWith('Z') ? time + ' (the machine’s local time)' : time;
}
function dateSpan(s) {
  return s >= 86400 ? plural(s / 86400, 'day') : duration(s);
}
