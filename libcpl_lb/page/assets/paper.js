// What a sheet of paper needs: pictures as wide as it is, and tables whose letters can be read.
const paper = {width: 680, now: false}; // of a sheet, in pixels of the page
window.addEventListener('beforeprint', () => { paper.now = true; });
window.addEventListener('afterprint', () => { paper.now = false; });
// How wide a picture is drawn there: on paper not smaller in its letters than the text.
function drawingWidth(place, least, most) {
  return paper.now ? paper.width : Math.max(least, Math.min(most, place.clientWidth || 900));
}
const mostColumns = 8; // of a table on a sheet
// The columns of a wide table in groups of about equally many, each behind the first column.
function columnGroups(columns) {
  const groups = Math.ceil((columns - 1) / (mostColumns - 1)), ends = [];
  for (let g = 1; g <= groups; ++g) ends.push(1 + Math.round((columns - 1) * g / groups));
  return ends.map((end, g) => [g === 0 ? 1 : ends[g - 1], end]);
}
function columnsOf(table, [from, to], isFirst) {
  const part = table.cloneNode(true);
  for (const row of part.rows) [...row.cells].forEach((cell, i) => { if (i > 0 && (i < from || i >= to)) cell.remove(); });
  const caption = part.caption;
  if (caption && !isFirst) caption.append(' (more columns)');
  return part;
}
// A table with many columns stands on paper as several, below each other, instead of one in small letters.
function splitTables() {
  for (const table of document.querySelectorAll('main .wide > table')) {
    if (!table.rows.length || table.rows[0].cells.length <= mostColumns) continue;
    const wide = table.parentElement, parts = document.createElement('div');
    parts.className = 'on-paper';
    parts.append(...columnGroups(table.rows[0].cells.length).map((group, i) => columnsOf(table, group, i === 0)));
    wide.after(parts);
    wide.classList.add('not-on-paper');
  }
}
function joinTables() {
  for (const parts of document.querySelectorAll('.on-paper')) parts.remove();
  for (const wide of document.querySelectorAll('.not-on-paper')) wide.classList.remove('not-on-paper');
}
