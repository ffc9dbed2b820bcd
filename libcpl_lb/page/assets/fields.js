// Each coupling field on its way from one component to another: what it cost in time, and how many bytes it was.
function drawFields(data) {
  const {fields} = data;
  if (fields.rows.length === 0) return removeSection('fields');
  const place = byId('fields-body'), bytesKnown = fields.rows.some((f) => known(f.bytes));
  const timesKnown = fields.rows.some((f) => known(f.put_s) || known(f.get_s));
  const rows = [[word('field', 'Field'), word('ways', 'From'), word('ways', 'To'), word('exchanges', 'Exchanges'), word('send', 'Send s'), word('receive', 'Receive s'),
    ...(bytesKnown ? [word('bytesent', 'Messages'), word('bytesent', 'MiB sent')] : [])]];
  for (const f of fields.rows) {
    rows.push([f.field, awaitedName(f.source), awaitedName(f.target), na(f.exchanges, digits(f.exchanges)), na(f.put_s, digits(f.put_s)), na(f.get_s, digits(f.get_s)),
      ...(bytesKnown ? [na(f.messages, digits(f.messages)), na(f.bytes, digits((f.bytes || 0) / 1048576))] : [])]);
  }
  place.append(longTable(rows, 'In the whole run, start-up and shut-down included; times from the arrival of a component’s last process until its last one leaves', [0, 1, 2]));
  if (fields.left_out > 0) place.append(missing(`${plural(fields.left_out, 'more field')} with shorter times.`));
  if (!timesKnown) place.append(missing('n/a, times: the events of this run are not known here.'));
  if (!bytesKnown) place.append(missing(`n/a, messages and bytes: ${fields.why_no_bytes}.`));
  else if (fields.rows.some((f) => !known(f.bytes))) place.append(missing('n/a: the sender was not recorded with cpl-lb-record, or sends nothing by messages of its own.'));
}
