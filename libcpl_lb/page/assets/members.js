// Members of an ensemble: each group as one component with the means of its members, unfolded by a click.
function groupsByMember(info) {
  const groups = new Map();
  for (const group of info.members || []) for (const member of group.of) groups.set(member.component, group);
  return groups;
}
// What members wait for their own ice and ocean is waiting for the groups of these.
function meanWaits(all, groups) {
  const waits = {};
  for (const c of all) {
    for (const [name, w] of Object.entries(c.waiting_for || {})) {
      const whom = groups.has(name) ? groups.get(name).name : name;
      waits[whom] = waits[whom] || {get_s: 0, put_s: 0, sync_s: 0};
      for (const part of ['get_s', 'put_s', 'sync_s']) waits[whom][part] += (w[part] || 0) / all.length;
    }
  }
  return waits;
}
function meanMember(group, all, groups) {
  const mean = {...all[0], name: `${group.name} × ${all.length}`, process_waiting_s: {}, waiting_for: meanWaits(all, groups)};
  for (const [name, value] of Object.entries(all[0])) {
    if (name === 'id' || name === 'threads' || (typeof value !== 'number' && value !== null)) continue;
    const sum = all.every((c) => known(c[name])) ? all.reduce((before, c) => before + c[name], 0) : null;
    mean[name] = sum === null || name === 'processes' || name === 'events' ? sum : sum / all.length;
  }
  return mean;
}
// A group stands in the place of its first member.
function folded(info) {
  const groups = groupsByMember(info), byName = new Map(info.components.map((c) => [c.name, c]));
  const shown = [], met = new Set();
  for (const c of info.components) {
    const group = groups.get(c.name);
    if (!group) shown.push(c);
    else if (!met.has(group)) shown.push(meanMember(group, group.of.map((m) => byName.get(m.component)), groups));
    if (group) met.add(group);
  }
  return shown;
}
// tableOf(components); a button shows all members where some are folded.
function foldedTable(info, tableOf) {
  const few = folded(info);
  if (few.length === info.components.length) return tableOf(info.components);
  const place = make('div', {}, tableOf(few));
  const button = make('button', {type: 'button', class: 'all-rows'}, 'Show each member');
  button.addEventListener('click', () => place.replaceChildren(tableOf(info.components)));
  place.append(button);
  return place;
}
// Spread and cost of each group, and its members, the latest first.
function drawMembers(place, info) {
  if (!info.members || info.members.length === 0) return;
  const spread = (one) => known(one.min) ? `${digits(one.min)} to ${digits(one.max)}` : na(null);
  const named = (g, step_s) => {
    if (!known(step_s)) return na(null);
    const alike = g.of.filter((m) => Math.abs(m.step_s - step_s) <= 1e-6 * step_s);
    return alike.length === 1 ? alike[0].component : `${digits(alike.length)} alike`;
  };
  const rows = [['Group', 'Members', 'Computing of a step s', 'Waiting s', 'Slowest', 'Fastest', 'Meet at', 'Waiting for the last: core hours', '% of core time']];
  for (const g of info.members) {
    rows.push([g.name, digits(g.of.length), spread(g.step_s), spread(g.waiting_s), named(g, g.step_s.max), named(g, g.step_s.min), g.meet_at || 'the end of the job',
      na(g.cost_core_s, digits(g.cost_core_s / 3600)), na(g.cost_share, digits(100 * g.cost_share))]);
  }
  place.append(longTable(rows, 'Members of ensembles: components that are the same model many times', [0, 4, 5, 6]));
  for (const g of info.members) {
    if (!g.meeting_points || g.meeting_points.length < 2) continue;
    place.append(longTable([['Meeting point', 'Meetings', 'Waiting for the last: core hours', '% of core time', 'Mostly last', '% of this waiting'],
      ...g.meeting_points.map((p) => [p.where, digits(p.meetings), digits(p.cost_core_s / 3600), na(p.cost_share, digits(100 * p.cost_share)),
        known(p.last) ? g.of[p.last].component : na(null), na(p.last_share, digits(100 * p.last_share))])],
      `Where members of ${g.name} wait for each other`, [0, 4]));
  }
  const nodesKnown = (m) => info.components.some((c) => c.name === m.component && c.nodes > 0);
  for (const g of info.members) {
    const late = [...g.of].sort((a, b) => (b.late_s || 0) - (a.late_s || 0));
    place.append(longTable([['Member', 'Steps', 'Computing of a step s', 'Late where they meet s', 'Cut across nodes'],
      ...late.map((m) => [m.component, digits(m.steps), na(m.step_s, digits(m.step_s)), na(m.late_s, digits(m.late_s)), nodesKnown(m) ? (m.is_cut ? 'yes' : 'no') : na(null)])],
      `Members of ${g.name}, the latest first`, [0], 5));
    if (g.why_no_cost) place.append(missing(`${g.name}: what members wait for the last one is n/a, because ${g.why_no_cost}.`));
  }
}
