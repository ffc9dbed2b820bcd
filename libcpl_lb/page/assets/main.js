// Everything in order: words first, the timeline when its data has been unpacked.
async function start() {
  theme.start();
  const data = JSON.parse(byId('data').textContent);
  const {run} = data.info;
  document.title = 'Load balance: ' + (data.title || run.id || 'coupled run');
  byId('title').textContent = 'Load balance of ' + (data.title || run.id || 'a coupled run');
  const told = [[plural(data.info.components.length, 'component')], run.processes > 0 ? [plural(run.processes, 'process')] : [], known(run.wall_s) ? [duration(run.wall_s)] : [],
    known(run.sypd) ? [digits(run.sypd) + ' ', word('sypd', 'SYPD')] : [], known(run.chsy) ? [digits(run.chsy) + ' ', word('chsy', 'CHSY')] : [],
    run.ended ? [run.ended] : []].filter((part) => part.length > 0);
  byId('subtitle').append(...told.flatMap((part, i) => i > 0 ? [' · ', ...part] : part));
  let timeline = null;
  const jump = (from, to) => {
    if (!timeline) return;
    timeline.showStep(from, to);
    byId('timeline').scrollIntoView({block: 'start'});
  };
  drawBanner(data);
  drawVerdict(data);
  drawPicture(data);
  drawComponents(data);
  drawLayout(data);
  drawWho(data);
  drawPath(data);
  drawFields(data);
  await drawMaps(data);
  drawEfficiency(data);
  drawSteps(data, jump);
  drawMeters(data);
  drawRegions(data);
  drawRoofline(data);
  drawCpmip(data);
  drawProvenance(data);
  drawGlossary();
  for (const turn of ['beforeprint', 'afterprint']) {
    window.addEventListener(turn, () => {
      drawPicture(data);
      for (const [id, draw] of [['meters-body', drawMeters], ['efficiency-body', drawEfficiency]]) {
        if (!byId(id)) continue;
        byId(id).replaceChildren();
        draw(data);
      }
    });
  }
  window.addEventListener('beforeprint', () => {
    document.querySelectorAll('#components .all-rows').forEach((button) => button.click());
    splitTables();
  });
  window.addEventListener('afterprint', joinTables);
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth !== width) drawPicture(data);
    width = window.innerWidth;
  });
  timeline = await startTimeline(data);
  document.documentElement.dataset.ready = performance.now().toFixed(0);
}
async function startTimeline(data) {
  const notes = byId('timeline-notes');
  for (const note of data.timeline.notes) notes.append(missing(note));
  if (data.timeline.why_not || data.timeline.rows.every((part) => part.processes.length === 0)) {
    byId('timeline-body').remove();
    if (!data.timeline.notes.includes(data.timeline.why_not)) notes.prepend(missing('No timeline: ' + (data.timeline.why_not || 'it is too large for a page') + '.'));
    return null;
  }
  const model = new Model(data);
  await model.load(data.arrivals);
  const timeline = new Timeline(model, data);
  timeline.start();
  timeline.drawNow();
  navigate(timeline);
  const shown = model.rows.length, all = data.timeline.rows.reduce((sum, part) => sum + part.of, 0);
  if (shown < all) notes.append(missing(`${digits(shown)} of ${plural(all, 'process')} are shown, evenly chosen; cpl-lb report shows more of a large run.`));
  if (!model.tellsImbalance) notes.append(missing('This picture does not separate own imbalance from waiting: the run has too many events for a page.'));
  const exact = model.events.filter((e) => e !== null).length;
  if (exact < shown) {
    notes.append(missing(`Single events are in this page for ${digits(exact)} of ${plural(shown, 'process')}, the others show shares of ` +
      `${duration((model.t1 - model.t0) / 1e6 / model.bins)} each.`));
  }
  const path = data.critical_path;
  if (path && path.line && !path.line_is_whole) notes.append(missing('The line of the critical path ends early: it changes component too often for a page.'));
  const without = (data.exchanges || []).length - timeline.overlay.exchanges.length;
  if (without > 0) notes.append(missing(`${plural(without, 'exchange')} without arrows: one side has several events for one event of the other side.`));
  window.cplLbTimeline = timeline; // for those who want to script it
  return timeline;
}
start().catch((error) => {
  byId('timeline-notes').append(missing('This page could not be drawn completely: ' + error.message));
  throw error;
});
