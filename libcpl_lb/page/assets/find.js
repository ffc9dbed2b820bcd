// To a time, a date, a coupling step or the next event of a field.

// "step 12", "step 12 of ocean": {start, stop} in seconds, or null. Long runs list groups of steps.
function findStep(data, text) {
  const found = /^\s*step\s+(\d+)(?:\s+of\s+(.+?))?\s*$/i.exec(text);
  if (!found) return null;
  const having = data.info.components.map((c, i) => ({c, s: data.steps[i]})).filter(({s}) => s && s.steps > 0);
  const named = found[2] ? having.filter(({c}) => c.name.toLowerCase() === found[2].toLowerCase()) : having;
  const [best] = named.sort((a, b) => b.s.steps - a.s.steps);
  const step = +found[1];
  if (!best || step < 1 || step > best.s.steps) return null;
  const {s} = best, i = Math.floor((step - 1) / s.group), start = s.start_s[i] + (step - 1 - i * s.group) * s.length_s[i];
  return {start, stop: start + s.length_s[i]};
}
// The field with that name; else the only or first one whose name has the text in it. Its number from 1, or 0.
function findField(names, text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return 0;
  const equal = names.findIndex((n) => n.toLowerCase() === wanted);
  return (equal >= 0 ? equal : names.findIndex((n) => n.toLowerCase().includes(wanted))) + 1;
}
// The first event of a field after a time, in the first row with single events of each component: {row, event}.
function nextOfField(model, field, after) {
  let best = null;
  const seen = new Set();
  model.rows.forEach(({component}, row) => {
    if (model.events[row] === null || seen.has(component.id)) return;
    const {key, start} = model.events[row], keys = model.keyOf(row).classes;
    let had = false;
    for (let i = 0; i < key.length; ++i) {
      if (model.classes[keys[key[i]]][1] !== field) continue;
      had = true;
      if (start[i] > after && (best === null || start[i] < model.events[best.row].start[best.event])) best = {row, event: i};
    }
    if (had) seen.add(component.id);
  });
  return best;
}
// "12.5 s" or "12.5" is a time of the run; "day 2 03:00" or, where there are dates, "2 03:00" is a date: seconds or null.
function findTime(timeline, text) {
  const time = /^\s*(-?[\d.]+(?:e-?\d+)?)\s*(s|ms)?\s*$/i.exec(text);
  const date = timeline.data.dates.length > 1 ? dateFrom(text) : null;
  let s = null;
  if (time && (time[2] || date === null || text.includes('.'))) s = +time[1] * (time[2] === 'ms' ? 1e-3 : 1);
  else if (date !== null) s = timeline.timeOf(date);
  return s !== null && Number.isFinite(s) ? s : null;
}
// Returns what to say where it cannot; else '', and the picture is there.
function goTo(timeline, text) {
  const {model} = timeline;
  const wide = Math.min(timeline.t1 - timeline.t0, (model.t1 - model.t0) / 20);
  const s = findTime(timeline, text), step = s === null ? findStep(timeline.data, text) : null;
  if (s !== null || step !== null) {
    timeline.putCursor((s === null ? step.start : s) * 1e6);
    if (s !== null) timeline.show(s * 1e6 - wide / 2, s * 1e6 + wide / 2);
    else timeline.showStep(step.start, step.stop);
    return '';
  }
  const field = findField(model.info.field_names, text);
  if (field === 0) {
    return 'Cannot find that: give a time such as 12.5 s, ' + (timeline.data.dates.length > 1 ? 'a date such as day 2 03:00, ' : '') +
      'a step such as step 12, or a field.';
  }
  const name = model.info.field_names[field - 1];
  const from = timeline.found && timeline.found.field === field ? timeline.found.start : -Infinity;
  const next = nextOfField(model, field, from) || nextOfField(model, field, -Infinity);
  if (next === null) return `No single event of ${name} is in this page.`;
  const {start, stop} = model.events[next.row];
  timeline.found = {field, start: start[next.event]};
  const middle = (start[next.event] + stop[next.event]) / 2, room = Math.max(wide / 2, 2 * (stop[next.event] - start[next.event]));
  timeline.cursor = {row: next.row, piece: Math.max(0, firstAfter(model.pieces[next.row], start[next.event])), t: middle};
  timeline.show(middle - room, middle + room);
  return '';
}
function jumpTo(timeline, text) {
  const problem = goTo(timeline, text);
  byId('jump').setAttribute('aria-invalid', String(problem !== ''));
  byId('timeline-said').textContent = problem !== '' || !timeline.cursor ? problem
    : timeline.describeRow(timeline.cursor.row, timeline.cursor.t).replaceAll('\n', ', ');
}
function offerJumps(timeline) {
  const {data, model} = timeline;
  const step = data.steps.some((s) => s && s.steps > 0) ? ', step 12' : '', field = model.info.field_names.length > 0 ? ', a field' : '';
  byId('jump').setAttribute('placeholder', (data.dates.length > 1 ? 'day 2 03:00, 12.5 s' : '12.5 s') + step + field);
  byId('jump-fields').append(...model.info.field_names.slice(0, 500).map((name) => make('option', {value: name})));
  const go = () => jumpTo(timeline, byId('jump').value);
  byId('jump-go').addEventListener('click', go);
  byId('jump').addEventListener('keydown', (event) => { if (event.key === 'Enter') go(); });
}
