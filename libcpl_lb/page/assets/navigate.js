// Wheel, drag, keys, hover and the controls above the timeline.
function navigate(timeline) {
  const {canvas} = timeline, hover = byId('hover');
  let scrolledAt = 0, drag = null, dragged = false, pointer = null, selecting = false;
  window.addEventListener('scroll', () => { scrolledAt = performance.now(); }, {passive: true});
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };
  const showHover = (text, x, y) => {
    hover.textContent = text;
    hover.style.display = 'block';
    const room = canvas.clientWidth;
    hover.style.left = Math.max(0, Math.min(x + 14, room - hover.offsetWidth - 4)) + 'px';
    hover.style.top = Math.max(0, Math.min(y + 14, canvas.clientHeight - hover.offsetHeight - 4)) + 'px';
  };
  canvas.addEventListener('wheel', (event) => {
    // Who scrolls the page past the picture does not want to zoom.
    if (performance.now() - scrolledAt < 300 && document.activeElement !== canvas) return;
    event.preventDefault();
    const {x, y} = place(event);
    const turn = event.deltaY || event.deltaX;
    const factor = Math.exp(Math.max(-100, Math.min(100, turn)) * 0.004);
    if (event.shiftKey) timeline.zoomRows(factor, y);
    else timeline.zoom(factor, x);
  }, {passive: false});
  canvas.addEventListener('pointerdown', (event) => {
    dragged = false;
    drag = {...place(event), t0: timeline.t0, t1: timeline.t1, y0: timeline.y0, y1: timeline.y1, marks: selecting || event.shiftKey};
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add('dragging');
  });
  const release = () => {
    if (drag && drag.marks && timeline.marked) timeline.select(timeline.marked);
    timeline.marked = null;
    drag = null;
    canvas.classList.remove('dragging');
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointermove', (event) => {
    const {x, y} = place(event);
    if (drag) {
      dragged = dragged || Math.hypot(x - drag.x, y - drag.y) > 4;
      hover.style.display = 'none';
      pointer = null;
      if (drag.marks) {
        const inside = (at) => Math.min(Math.max(timeline.timeAt(at), timeline.t0), timeline.t1);
        timeline.marked = dragged ? [inside(Math.min(drag.x, x)), inside(Math.max(drag.x, x))] : null;
        timeline.draw();
        return;
      }
      const dt = (drag.x - x) / timeline.plotWidth * (drag.t1 - drag.t0);
      const dy = (drag.y - y) / timeline.plotHeight * (drag.y1 - drag.y0);
      timeline.show(drag.t0 + dt, drag.t1 + dt, drag.y0 + dy, drag.y1 + dy);
      return;
    }
    pointer = {x, y};
    follow();
  });
  // What is said goes with the picture: under the pointer, else at the cursor.
  function follow() {
    hover.style.display = 'none';
    if (drag) return;
    if (pointer) {
      const {x, y} = pointer, row = timeline.rowAt(y);
      if (y > timeline.plotHeight || row < 0 || row >= timeline.model.height) return;
      if (x < timeline.gutter) return showHover(timeline.describe(row, timeline.t0).split('\n')[0], x, y); // names may be cut there
      const mark = timeline.overlay.markAt(x, y);
      showHover((mark ? mark + '\n' : '') + timeline.describe(row, timeline.timeAt(x)), x, y);
    } else if (timeline.cursor) {
      const {x, y} = timeline.cursorPlace();
      if (x >= timeline.gutter && x <= canvas.clientWidth && y >= 0 && y <= timeline.plotHeight)
        showHover(timeline.describeRow(timeline.cursor.row, timeline.cursor.t), x, y);
    }
  }
  timeline.drawn = follow;
  canvas.addEventListener('pointerleave', () => { pointer = null; follow(); });
  // A click that was no drag: the mean of a group opens it and folds it; so does its name, and beside it any row.
  canvas.addEventListener('click', (event) => {
    const {x, y} = place(event), line = timeline.rowAt(y);
    if (event.detail > 1 || dragged || y > timeline.plotHeight || line < 0 || line >= timeline.model.height) return;
    const {part, row} = timeline.model.at(line);
    if (part.group >= 0 && (row === null || x < timeline.gutter)) timeline.open(part.isOpen ? null : part);
  });
  canvas.addEventListener('dblclick', () => { timeline.whole(); timeline.draw(); });
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!key_(event)) return;
    event.preventDefault();
  });
  // Shared by the keys and the buttons.
  function key_(event) {
    const wide = timeline.t1 - timeline.t0, high = timeline.y1 - timeline.y0;
    const move = (dt, dy) => timeline.show(timeline.t0 + dt, timeline.t1 + dt, timeline.y0 + dy, timeline.y1 + dy);
    switch (event.key) {
      case 'ArrowLeft': move(-wide / 8, 0); return true;
      case 'ArrowRight': move(wide / 8, 0); return true;
      case 'ArrowUp': move(0, -Math.max(high / 8, 1)); return true;
      case 'ArrowDown': move(0, Math.max(high / 8, 1)); return true;
      case '+': case '=': case '*':
        if (event.shiftKey && event.key === '*') timeline.zoomRows(0.5);
        else timeline.zoom(0.5);
        return true;
      case '-': timeline.zoom(2); return true;
      case '_': timeline.zoomRows(2); return true;
      case 'Home': case '0': timeline.whole(); timeline.draw(); return true;
      case 'Enter': return openOrFold();
      case 's': timeline.select([timeline.t0, timeline.t1]); return true;
      case 'Escape':
        if (timeline.stretch) timeline.select(null);
        else if (timeline.model.groups > 0) timeline.open(null);
        else timeline.cursor = null;
        timeline.draw();
        return true;
      case '.': step(1); return true;
      case ',': step(-1); return true;
      default: return false;
    }
  }
  // The group in the middle of the picture, or that of the cursor.
  function openOrFold() {
    const {model, cursor} = timeline;
    if (model.groups === 0) return false;
    const {part} = cursor ? model.rows[cursor.row] : model.at(Math.min(timeline.rowAt(timeline.plotHeight / 2), model.height - 1));
    if (part.group >= 0) timeline.open(part.isOpen ? null : part);
    return true;
  }
  // From event to event of one row: for those who cannot point.
  function step(by) {
    const {model} = timeline;
    const seen = (r) => model.pieces[r] !== null && model.rows[r].part.isOpen;
    const middle = timeline.cursor ? timeline.cursor.row : model.at(Math.min(timeline.rowAt(timeline.plotHeight / 2), model.height - 1)).row;
    const row = middle !== null && seen(middle) ? middle : model.pieces.findIndex((_, r) => seen(r));
    if (row < 0 || !model.pieces[row] || model.pieces[row].start.length === 0) return;
    const pieces = model.pieces[row];
    const from = timeline.cursor && timeline.cursor.row === row ? timeline.cursor.piece + by : firstAfter(pieces, (timeline.t0 + timeline.t1) / 2);
    const piece = Math.min(Math.max(from, 0), pieces.start.length - 1);
    timeline.cursor = {row, piece, t: (pieces.start[piece] + pieces.stop[piece]) / 2};
    const wide = timeline.t1 - timeline.t0;
    if (timeline.cursor.t < timeline.t0 || timeline.cursor.t > timeline.t1) timeline.show(timeline.cursor.t - wide / 2, timeline.cursor.t + wide / 2);
    timeline.drawNow();
    // Not in the line that every redraw writes: the next one would take the words away.
    const words = timeline.describeRow(row, timeline.cursor.t);
    byId('timeline-said').textContent = words.replaceAll('\n', ', ');
  }
  if (timeline.model.groups > 0) offerGroups(timeline);
  byId('zoom-in').addEventListener('click', () => timeline.zoom(0.5));
  byId('zoom-out').addEventListener('click', () => timeline.zoom(2));
  byId('zoom-all').addEventListener('click', () => { timeline.whole(); timeline.draw(); });
  byId('colour-by').addEventListener('change', (event) => timeline.setMode(event.target.value));
  byId('select').addEventListener('click', (event) => {
    selecting = !selecting;
    event.target.setAttribute('aria-pressed', String(selecting));
    canvas.classList.toggle('selecting', selecting);
  });
  offerJumps(timeline);
  offerLines(timeline);
}
// For pages whose rows fold: what a row is, and a list of the groups for those who cannot point.
function offerGroups(timeline) {
  const {model} = timeline, list = byId('open-group'), folding = model.parts.filter((p) => p.group >= 0);
  list.append(make('option', {value: ''}, 'all folded'),
    ...folding.map((p) => make('option', {value: p.group}, `${p.component.name} ${p.firstProcess}–${p.lastProcess}`)));
  for (const id of ['open-group', 'open-group-label', 'timeline-groups']) byId(id).hidden = false;
  const most = Math.max(...folding.map((p) => p.lastProcess - p.firstProcess + 1));
  byId('timeline-groups').textContent = `A row marked ▸ is the mean of ${digits(most)} processes. Press it to see them one by one; press it again, or Esc, to fold it.`;
  list.addEventListener('change', () => timeline.open(list.value === '' ? null : folding.find((p) => p.group === +list.value)));
  timeline.opened = (part) => {
    list.value = part === null ? '' : part.group;
    byId('timeline-said').textContent = part === null ? '' : contentsOf(model, part);
  };
}
// How much of an open group the page holds.
function contentsOf(model, part) {
  const all = part.lastProcess - part.firstProcess + 1;
  let events = 0;
  for (let row = part.first; row < part.first + part.count; ++row) if (model.events[row]) ++events;
  const left = part.count < all ? `; the other ${digits(all - part.count)} are not in this page` : '';
  const rows = `${processesOf(part)}: ${digits(part.count)} of ${digits(all)} are below${left}. `;
  const shares = `shares of ${duration((model.t1 - model.t0) / 1e6 / model.bins)} each`;
  if (events === part.count) return rows + 'All their events are in this page.';
  return rows + (events > 0 ? `Single events are in this page for ${digits(events)} of them, the others show ${shares}.`
    : `Their single events are not in this page; rows show ${shares}.`);
}
