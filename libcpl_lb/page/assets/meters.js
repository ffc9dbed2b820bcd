// Memory and energy: figures and their course in time, or why there are none.
function drawMeters(data) {
  const place = byId('meters-body');
  const {info} = data;
  const rows = [['Component', 'High-water mark', 'Energy']];
  for (const c of info.components)
    rows.push([c.name, na(c.hwm_B, bytes(c.hwm_B)), na(c.energy_J, energyText(c.energy_J))]);
  const any = info.components.some((c) => known(c.hwm_B) || known(c.energy_J));
  if (any) place.append(longTable(rows, 'Memory: sum over the processes of their largest resident sets', [0]));
  else place.append(missing('Memory and energy were not measured in this run.'));
}
function energyText(J) {
  return known(J) ? (J >= 1e6 ? digits(J / 1e6) + ' MJ' : digits(J) + ' J') : 'n/a';
}
