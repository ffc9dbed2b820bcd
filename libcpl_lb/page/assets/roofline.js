// What the machine allows each region to do. cpl-lb report --machine adds it: a run does not know its machine's ceilings.
function drawRoofline(data) {
  const place = byId('roofline-body');
  const roofline = data.roofline;
  if (!roofline) {
    const hasWork = (r) => Boolean(r.annotations) || (r.counters || []).length > 0;
    if (data.info.components.some((c) => (c.regions || []).some(hasWork))) return place.append(missing('cpl-lb report DIR --machine NAME adds it.'));
    return removeSection('roofline');
  }
  if (roofline.why_not) return place.append(missing(`n/a: ${roofline.why_not}.`));
  if (roofline.words) place.append(make('p', {}, unbroken(roofline.words).replace(/(\d) s\b/g, '$1\u00a0s')));
  place.append(rooflineTable(roofline), rooflinePicture(roofline));
  place.append(missing('Least time: what computing at the flop rate, or moving the bytes at the bandwidth, takes on this machine. Dots: ' +
    'the regions, hollow if their time was not measured; the dashed line up to the ceiling is what is left to gain.' +
    (roofline.threads > 1 ? ` The figures assume that each of the ${roofline.threads} cores at work does what one core did in the run.` : '')));
  for (const remark of roofline.remarks.slice(0, 5)) place.append(missing(`Note: ${remark}.`));
}
function rooflineTable(roofline) {
  const rows = [[word('region', 'Region'), word('limit', 'Limited by'), word('intensity', 'Operations for each byte'), word('attained', 'GFLOP/s'),
    word('ceiling', 'Ceiling GFLOP/s'), word('fastest', 'Time s'), word('least', 'Least time s'), word('ceiling', 'Share of ceiling'), word('work', 'W and Q from')]];
  const s = (x, text) => na(x, text === undefined ? digits(x) : text);
  const giga = (x) => s(x, known(x) ? digits(x * 1e-9) : '');
  for (const r of roofline.regions) {
    rows.push([r.region, r.limited_by || make('span', {class: 'na'}, 'n/a: ' + r.why_not), s(r.intensity), giga(r.attained_flop_per_s),
      giga(r.ceiling_flop_per_s), s(r.seconds), s(r.least_s), s(r.share, percent(r.share)), r.from || 'n/a']);
  }
  return longTable(rows, `On ${roofline.machine}`, [0, 1]);
}
function rooflinePicture(roofline) {
  const picture = document.adoptNode(new DOMParser().parseFromString(roofline.svg, 'image/svg+xml').documentElement);
  picture.setAttribute('aria-label', `Roofline on ${roofline.machine}: operations in a second over operations for each byte; the table has the figures`);
  return inScroller('Picture of the roofline', picture);
}
