// The timelines in memory: rows, exact events where there are some, planes of bins by category.
const timeClasses = ['receive', 'send', 'sync', 'mapping', 'files', 'other', 'away'];
const classWords = {receive: 'receive (GET)', send: 'send (PUT)', sync: 'collective (SYNC)', mapping: 'mapping', files: 'files and restarts',
  other: 'other operations', away: 'in another component'};
const kindWords = ['undefined', 'send', 'receive', 'mapping', 'output to file', 'input from file', 'restart',
  'partial restart', 'partition definition', 'end of definition', 'terminate', 'collective'];
const wayWords = {1: ' to ', 2: ' from ', 11: ', last came '}; // before the counterpart
function timeClassOf(kind) {
  if (kind === 2) return 0;
  if (kind === 1) return 1;
  if (kind === 11) return 2;
  if (kind === 3) return 3;
  return kind >= 4 && kind <= 7 ? 4 : 5;
}
class Model {
  constructor(data) {
    const t = data.timeline;
    this.info = data.info;
    this.classes = t.classes;
    this.t0 = t.extent_s[0] * 1e6; // microseconds from here on
    this.t1 = t.extent_s[1] * 1e6;
    this.blocks = t.blocks;
    this.rows = [];
    this.counts = [];
    for (const part of t.rows) {
      const component = this.info.components.find((c) => c.id === part.component);
      this.counts.push(part.processes.length);
      part.processes.forEach((process, i) => this.rows.push({component, process, rank: part.ranks[i], of: part.of}));
    }
    this.embedded = t.bins > 0;
    // Where all events are here, the bins are made of them: as many as an 8 MiB plane holds, or one for each process.
    this.bins = this.embedded ? t.bins : Math.max(64, Math.min(8192, 2 ** Math.floor(Math.log2(8388608 / Math.max(this.rows.length, 1)))));
    this.keys = new Map();
    this.events = new Array(this.rows.length).fill(null);
    this.pieces = new Array(this.rows.length).fill(null);
    this.dominant = null;
    this.shares = null;
  }
  async load() {
    const n = this.rows.length * this.bins;
    if (this.embedded) {
      this.shares = timeClasses.map(() => new Uint8Array(n));
      this.dominant = new Uint16Array(n);
    }
    for (const block of this.blocks) {
      const data = await blockBytes(block.id);
      if (block.what === 'keys') this.keys.set(block.component, decodeKeys(block, data));
      if (block.what === 'bins') this.takeBins(block, data);
      if (block.what === 'events') {
        for (const row of decodeEvents(block, data, this.keys.get(block.component).classes.length)) {
          this.events[row.row] = row;
          this.pieces[row.row] = flattened(row);
        }
      }
    }
  }
  takeBins(block, data) {
    const n = block.rows * this.bins, at = block.first_row * this.bins;
    this.shares.forEach((plane, c) => plane.set(data.subarray(c * n, (c + 1) * n), at));
    const low = timeClasses.length * n, high = low + n;
    for (let i = 0; i < n; ++i) this.dominant[at + i] = data[low + i] + 256 * data[high + i];
  }
  keyOf(row) { return this.keys.get(this.rows[row].component.id); }
  // The event of a piece: its number among the row's events.
  eventOf(row, piece) {
    const pieces = this.pieces[row];
    return pieces.event ? pieces.event[piece] : piece;
  }
  classOf(row, piece) {
    return this.keyOf(row).classes[this.events[row].key[this.eventOf(row, piece)]];
  }
  // What a class counts as: a number that stands for a kind of time, a field or a counterpart.
  groupOf(eventClass, mode) {
    const [kind, field, counterpart] = this.classes[eventClass];
    if (mode === 'kind') return timeClassOf(kind);
    return mode === 'field' ? field : counterpart;
  }
  groupName(group, mode) {
    if (mode === 'kind') return classWords[timeClasses[group]];
    if (group === 0) return mode === 'field' ? 'no field' : 'no counterpart';
    return (mode === 'field' ? this.info.field_names : this.info.component_names)[group - 1];
  }
  // Time of each group over all rows, in bins or microseconds.
  totals(mode) {
    const sums = new Map();
    const add = (group, time) => sums.set(group, (sums.get(group) || 0) + time);
    if (this.embedded && mode === 'kind') {
      this.shares.forEach((plane, c) => { let sum = 0; for (const v of plane) sum += v; if (sum > 0) add(c, sum); });
      return sums;
    }
    const byClass = new Float64Array(this.classes.length);
    if (this.embedded) {
      for (let i = 0; i < this.dominant.length; ++i) if (this.dominant[i]) byClass[this.dominant[i] - 1] += this.busy(i);
    } else {
      this.pieces.forEach((p, row) => {
        for (let i = 0; i < p.start.length; ++i) byClass[this.classOf(row, i)] += p.stop[i] - p.start[i];
      });
    }
    byClass.forEach((time, c) => { if (time > 0) add(this.groupOf(c, mode), time); });
    return sums;
  }
  busy(cell) {
    let sum = 0;
    for (let c = 0; c < 5; ++c) sum += this.shares[c][cell];
    return Math.min(sum, 255);
  }
  // {categories: [{name, colour}], categoryOf: by class, levels}. At most seven groups and the rest.
  view(mode) {
    const totals = [...this.totals(mode)].sort((a, b) => mode === 'kind' ? a[0] - b[0] : b[1] - a[1]);
    const shown = totals.slice(0, totals.length > 8 ? 7 : 8).map(([group]) => group);
    const categories = shown.map((group, i) => ({name: this.groupName(group, mode),
      colour: mode === 'kind' ? timeClasses[group] : 'c' + i}));
    if (totals.length > shown.length) categories.push({name: plural(totals.length - shown.length, 'other'), colour: 'c7'});
    const categoryOf = Int16Array.from(this.classes, (_, c) => {
      const at = shown.indexOf(this.groupOf(c, mode));
      return at >= 0 ? at : categories.length - 1;
    });
    return {mode, categories, categoryOf, levels: new Levels(this.planes(mode, shown, categoryOf, categories.length),
      this.counts, this.bins)};
  }
  planes(mode, shown, categoryOf, count) {
    if (this.embedded && mode === 'kind') return shown.map((c) => this.shares[c]);
    const planes = Array.from({length: count}, () => new Uint8Array(this.rows.length * this.bins));
    if (this.embedded) {
      for (let i = 0; i < this.dominant.length; ++i)
        if (this.dominant[i]) planes[categoryOf[this.dominant[i] - 1]][i] = this.busy(i);
      return planes;
    }
    const sums = new Float32Array(count * this.bins);
    this.pieces.forEach((pieces, row) => {
      sums.fill(0);
      addCoverage(sums, this.bins, this.t0, this.t1, pieces, (i) => categoryOf[this.classOf(row, i)]);
      for (let c = 0; c < count; ++c)
        toBytes(sums.subarray(c * this.bins, (c + 1) * this.bins), planes[c], row * this.bins, this.bins);
    });
    return planes;
  }
}
