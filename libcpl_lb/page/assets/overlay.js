// Lines over the timeline: messages between components, the critical path, the ends of the coupling loops.
const mostArrows = 150, mostPathStretches = 400;

// Events of each class, in the order of the component's list: one pass over all.
function eventsByClass(keys, count) {
  const lists = Array.from({length: count}, () => []);
  keys.classes.forEach((c, k) => lists[c].push(k));
  return lists;
}
// The events of one end of an exchange (as cpl-lb export joins them): of a kind and a field, with that counterpart or none.
function endOf(classes, lists, kind, field, other) {
  const found = [];
  classes.forEach(([k, f, counterpart], c) => {
    if (k === kind && f === field && (kind === 11 || counterpart === 0 || counterpart === other)) found.push(lists[c]);
  });
  return found.length === 1 ? found[0] : found.flat().sort((a, b) => a - b);
}
// Pairs of events [from, to] of an exchange. who: class of an event of the target, by its number.
function pairsOf(x, from, to, who) {
  const pairs = [];
  for (let n = 0; n < from.length && n + x.lag < to.length; ++n)
    if (!x.sync || who(to[n]) === x.source) pairs.push([from[n], to[n + x.lag]]);
  return pairs;
}
// The place of event `k` in a row's list, or -1: it took no part.
function placeOfEvent(events, k) {
  let low = 0, high = events.key.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (events.key[middle] === k) return middle;
    if (events.key[middle] < k) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
class Overlay {
  constructor(timeline) {
    this.timeline = timeline;
    this.model = timeline.model;
    this.shown = {arrows: true, path: true, loops: true};
    this.arrows = null;
    const path = timeline.data.critical_path;
    this.path = path && path.line ? path.line : [];
    // One after the other without a collective: some of them happen several times for each of the other side.
    this.exchanges = (timeline.data.exchanges || []).filter((x) => x.sync || (x.puts < 2 * x.gets && x.gets < 2 * x.puts));
    this.rowsOf = new Map(); // by component: rows with single events, from top to bottom
    this.model.rows.forEach((row, r) => {
      if (this.model.events[r] === null) return;
      if (!this.rowsOf.has(row.component.id)) this.rowsOf.set(row.component.id, []);
      this.rowsOf.get(row.component.id).push(r);
    });
  }
  // As many as can be told apart in a picture of this width.
  get most() { return paper.now ? mostArrows : Math.max(20, Math.min(mostArrows, Math.round(this.timeline.plotWidth / 6))); }
  get possible() { return this.exchanges.some((x) => this.rowsOf.has(x.source) && this.rowsOf.has(x.target)); }
  // Pairs in the order of time, with the times of the first process that took part.
  findArrows() {
    this.arrows = [];
    const lists = new Map(), listsOf = (id) => {
      if (!lists.has(id)) lists.set(id, eventsByClass(this.model.keys.get(id), this.model.classes.length));
      return lists.get(id);
    };
    for (const x of this.exchanges) {
      if (!this.rowsOf.has(x.source) || !this.rowsOf.has(x.target)) continue;
      const classes = this.model.classes, target = this.model.keys.get(x.target).classes;
      const pairs = pairsOf(x, endOf(classes, listsOf(x.source), x.sync ? 11 : 1, x.field, x.target),
        endOf(classes, listsOf(x.target), x.sync ? 11 : 2, x.field, x.source), (k) => classes[target[k]][2]);
      for (const [from, to] of pairs) {
        const a = this.endAt(x.source, from), b = this.endAt(x.target, to);
        if (a && b && !(x.sync && a.start <= b.start)) this.arrows.push({x, from, to, start: a.start, stop: b.stop});
      }
    }
    this.arrows.sort((a, b) => a.start - b.start);
  }
  // An event in the first of the rows that took part in it, nearest first where `near` says from where.
  endAt(component, k, near = null) {
    const rows = this.rowsOf.get(component);
    const first = near === null ? 0 : near < this.model.lineOf(rows[0]) ? 0 : rows.length - 1;
    const by = first === 0 ? 1 : -1;
    for (let n = 0, i = first; n < rows.length && n < 64; ++n, i += by) {
      const events = this.model.events[rows[i]], at = placeOfEvent(events, k);
      if (at >= 0) return {row: rows[i], start: events.start[at], stop: events.stop[at]};
    }
    return null;
  }
  // Those of the shown part, or how many they are where they are too many to be told apart.
  arrowsIn(t0, t1) {
    if (this.arrows === null) {
      const all = this.exchanges.reduce((sum, x) => sum + Math.min(x.puts, x.gets - x.lag), 0);
      const there = all * (t1 - t0) / (this.model.t1 - this.model.t0);
      if (there > 4 * this.most) return {count: Math.round(there), arrows: []};
      this.findArrows();
    }
    const seen = this.arrows.filter((a) => a.start < t1 && a.stop > t0);
    return {count: seen.length, arrows: seen.length <= this.most ? seen : []};
  }
  // Stretches [component, start, stop] of the shown part, one list for each part of the loop that was followed.
  pathIn(t0, t1) {
    return this.path.map((line) => {
      const seen = [];
      for (let i = 0; i < line.length; i += 3)
        if (line[i + 1] < t1 && line[i + 1] + line[i + 2] > t0) seen.push([line[i], line[i + 1], line[i + 1] + line[i + 2]]);
      return seen;
    }).filter((seen) => seen.length > 0);
  }
  draw(context) {
    const {timeline} = this, {t0, t1, plotHeight} = timeline;
    this.said = [];
    context.save();
    context.beginPath();
    context.rect(timeline.gutter, 0, timeline.plotWidth, plotHeight);
    context.clip();
    if (this.shown.loops) this.drawLoops(context);
    if (this.shown.path) this.drawPath(context, this.pathIn(t0, t1));
    if (this.shown.arrows && this.possible) this.drawArrows(context, this.arrowsIn(t0, t1));
    context.restore();
    return this.said.join(' ');
  }
  // Two strokes, so that it shows on every colour.
  stroke(context, width) {
    context.lineJoin = 'round';
    for (const [colour, wide] of [['paper', width + 2], ['ink', width]]) {
      context.strokeStyle = theme.colour(colour);
      context.lineWidth = wide;
      context.stroke();
    }
    context.lineWidth = 1;
  }
  drawArrows(context, {count, arrows}) {
    if (count > arrows.length) this.said.push(`Zoom in to see the ${digits(count)} messages of this part as arrows.`);
    for (const arrow of arrows) {
      const a0 = this.endAt(arrow.x.source, arrow.from), b0 = this.endAt(arrow.x.target, arrow.to);
      const a = this.endAt(arrow.x.source, arrow.from, this.model.lineOf(b0.row));
      const b = this.endAt(arrow.x.target, arrow.to, this.model.lineOf(a0.row));
      const [x0, y0, x1, y1] = [this.timeline.xOf(a.start), this.timeline.yOf(this.model.lineOf(a.row) + 0.5), this.timeline.xOf(b.stop), this.timeline.yOf(this.model.lineOf(b.row) + 0.5)];
      const length = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / length, uy = (y1 - y0) / length;
      tracePath(context, [x0, y0], [x1, y1]);
      for (const side of [-1, 1]) {
        context.moveTo(x1, y1);
        context.lineTo(x1 - 8 * ux + side * 4 * uy, y1 - 8 * uy - side * 4 * ux);
      }
      this.stroke(context, 1);
    }
  }
  // The lines of the picture that a component has, as far as they are shown.
  bandOf(component) {
    const parts = this.model.parts.filter((p) => p.component.id === component);
    if (parts.length === 0) return null;
    const last = parts[parts.length - 1];
    return [this.timeline.yOf(parts[0].top), this.timeline.yOf(last.top + last.height)];
  }
  middleOf(component) {
    const band = this.bandOf(component);
    if (band === null) return null;
    const [top, bottom] = band, high = this.timeline.plotHeight;
    if (bottom <= 0) return -10;
    return top >= high ? high + 10 : (Math.max(top, 0) + Math.min(bottom, high)) / 2;
  }
  drawPath(context, lines) {
    const count = lines.reduce((sum, line) => sum + line.length, 0);
    if (count > mostPathStretches) {
      this.said.push(`Zoom in to see the critical path: it changes component ${digits(count)} times here.`);
      return;
    }
    for (const line of lines) {
      context.beginPath();
      line.forEach(([component, start, stop], i) => {
        const y = this.middleOf(component);
        if (y === null) return;
        if (i === 0) context.moveTo(this.timeline.xOf(start), y);
        else context.lineTo(this.timeline.xOf(start), y);
        context.lineTo(this.timeline.xOf(stop), y);
      });
      this.stroke(context, 3);
    }
  }
  // Begin and end of each component's coupling loop, in microseconds.
  loops() {
    return this.timeline.data.info.components.filter((c) => known(c.loop_s) && known(c.startup_s))
      .map((c) => ({c, from: (c.init_s + c.startup_s) * 1e6, to: (c.init_s + c.startup_s + c.loop_s) * 1e6}));
  }
  drawLoops(context) {
    const thin = 4; // pixels: there the marks would hide the rows
    if (this.timeline.plotHeight / (this.timeline.y1 - this.timeline.y0) * this.model.height / this.model.components < thin) {
      this.said.push('Zoom in with Shift to see the ends of the loops.');
      return;
    }
    for (const {c, from, to} of this.loops()) {
      const band = this.bandOf(c.id);
      if (band === null || band[1] <= 0 || band[0] >= this.timeline.plotHeight) continue;
      for (const [t, way] of [[from, 1], [to, -1]]) {
        const x = Math.round(this.timeline.xOf(t)) + 0.5;
        context.setLineDash([6, 4]);
        tracePath(context, [x, band[0]], [x, band[1]]);
        this.stroke(context, 1.5);
        context.setLineDash([]);
        tracePath(context, [x, band[0]], [x + way * 9, band[0] + 5], [x, band[0] + 10]);
        context.closePath();
        this.stroke(context, 1);
        context.fillStyle = theme.colour('ink');
        context.fill();
      }
    }
  }
  // In words, where the pointer is on a mark.
  markAt(x, y) {
    if (!this.shown.loops) return null;
    for (const {c, from, to} of this.loops()) {
      const band = this.bandOf(c.id);
      if (band === null || y < band[0] || y > band[1]) continue;
      if (Math.abs(this.timeline.xOf(from) - x) < 4) return `${c.name}: the coupling loop begins`;
      if (Math.abs(this.timeline.xOf(to) - x) < 4) return `${c.name}: the coupling loop ends`;
    }
    return null;
  }
}
// Switches above the picture; those of which the page holds nothing are not there.
function offerLines(timeline) {
  const {overlay} = timeline;
  const there = {arrows: overlay.possible, path: overlay.path.length > 0 && overlay.path[0].length > 0, loops: overlay.loops().length > 0};
  for (const name of ['messages', 'path', 'ends']) byId('about-' + name).title = glossary[name][1];
  for (const name of Object.keys(there)) {
    const box = byId('show-' + name);
    box.parentNode.hidden = !there[name];
    overlay.shown[name] = there[name];
    box.addEventListener('change', () => { overlay.shown[name] = box.checked; timeline.draw(); });
  }
}
