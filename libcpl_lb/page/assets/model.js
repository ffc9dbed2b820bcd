// The timelines in memory: rows, exact events where there are some, planes of bins by category.
const timeClasses = ['receive', 'send', 'sync', 'mapping', 'files', 'other', 'ending', 'away'];
// Shown apart from the waiting where the page knows when the last process came.
const shownClasses = [...timeClasses, 'imbalance'];
// What the page knows of the time between events (InsideBins): shown beside the classes, whatever the colours stand for.
const betweenClasses = ['inmpi', 'unseen'];
const unseenByte = 255, insideWhole = 254;
const classWords = {receive: 'waiting to receive (GET)', send: 'waiting to send (PUT)', sync: 'waiting in a collective (SYNC)', mapping: 'mapping',
  files: 'files and restarts', other: 'other operations', ending: 'waiting at the end', inmpi: 'in MPI, inside the component', unseen: 'not known', away: 'in another component', imbalance: 'own imbalance'};
const classWordsTogether = {...classWords, receive: 'receive (GET)', send: 'send (PUT)', sync: 'collective (SYNC)'};
// Where the list of words has them.
const classGlossary = {receive: 'receive', send: 'send', sync: 'collective', mapping: 'mapping', files: 'output', other: 'other', ending: 'ending', inmpi: 'insidempi', unseen: 'unseen', away: 'away', imbalance: 'imbalance'};
const kindWords = ['undefined', 'send', 'receive', 'mapping', 'output to file', 'input from file', 'restart',
  'partial restart', 'partition definition', 'end of definition', 'terminate', 'collective'];
const wayWords = {1: ' to ', 2: ' from ', 11: ', last came '}; // before the counterpart
function timeClassOf(kind) {
  if (kind === 2) return 0;
  if (kind === 1) return 1;
  if (kind === 11) return 2;
  if (kind === 3) return 3;
  return kind >= 4 && kind <= 7 ? 4 : kind === 10 ? 6 : 5;
}
// Rows that stand together in the picture: a group of processes, which may be folded into its mean, or all rows of a
// small component. Rows first to first + count - 1 of the page; group: its number among all groups, or -1.
class Part {
  constructor(component, first, group) {
    Object.assign(this, {component, first, count: 0, group, isOpen: group < 0, shares: null, dominant: null, block: null, insideBlock: null});
  }
  // Lines of the picture: the group's mean, and if it is open all its rows below. There the mean must not be too thin.
  get head() { return this.group < 0 ? 0 : this.isOpen ? Math.ceil(this.count / 24) : 1; }
  get height() { return this.head + (this.isOpen ? this.count : 0); }
}
class Model {
  constructor(data) {
    const t = data.timeline;
    this.info = data.info;
    this.classes = t.classes;
    this.t0 = t.extent_s[0] * 1e6; // microseconds from here on
    this.t1 = t.extent_s[1] * 1e6;
    this.blocks = t.blocks;
    this.embedded = t.bins > 0;
    this.rows = [];
    this.parts = [];
    this.groups = 0;
    for (const part of t.rows) this.addRows(part);
    // Where all events are here, the bins are made of them: as many as an 8 MiB plane holds, or one for each process.
    this.bins = this.embedded ? t.bins : Math.max(64, Math.min(8192, 2 ** Math.floor(Math.log2(8388608 / Math.max(this.rows.length, 1)))));
    this.groupBins = t.group_bins;
    this.keys = new Map();
    this.events = new Array(this.rows.length).fill(null);
    this.pieces = new Array(this.rows.length).fill(null);
    this.inside = new Array(this.rows.length).fill(null); // bytes of InsideBins; null: all 0, or in a group that was not opened
    this.inMpi = new Array(this.rows.length).fill(null); // of each of those bins: how much of what is left by events is in MPI, 0 to 1
    this.insideBins = t.inside_bins || 0;
    this.groupInside = null; // planes: in MPI, not seen
    this.between = new Set(); // which of betweenClasses there are
    this.groupShares = null;
    this.groupDominant = null;
    this.arrivals = new Map(); // by component: {start, stop} by event, when its last process came and went; NaN: no exchange
    this.waits = new Map();
    this.arrange();
  }
  addRows(part) {
    const component = this.info.components.find((c) => c.id === part.component);
    let now = null, number = -1;
    part.processes.forEach((process, i) => {
      const group = part.group > 0 ? Math.floor(process / part.group) : 0;
      if (now === null || group !== number) {
        now = new Part(component, this.rows.length, part.group > 0 ? this.groups++ : -1);
        now.firstProcess = part.group > 0 ? group * part.group : 0;
        now.lastProcess = part.group > 0 ? Math.min(now.firstProcess + part.group, part.of) - 1 : part.of - 1;
        this.parts.push(now);
        number = group;
      }
      now.count += 1;
      this.rows.push({component, process, rank: part.ranks[i], of: part.of, part: now, recorded: part.mpi_recorded === true});
    });
  }
  get components() { return new Set(this.parts.map((part) => part.component)).size; }
  // Where each part stands in the picture.
  arrange() {
    this.height = 0;
    for (const part of this.parts) {
      part.top = this.height;
      this.height += part.height;
    }
  }
  // What stands in a line of the picture: {part, row}; row is null for the mean of a group.
  at(line) {
    let low = 0, high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.parts[middle].top <= line) low = middle;
      else high = middle - 1;
    }
    const part = this.parts[low], within = line - part.top - part.head;
    return {part, row: within < 0 ? null : part.first + within};
  }
  lineOf(row) {
    const {part} = this.rows[row];
    return part.isOpen ? part.top + part.head + row - part.first : part.top;
  }
  async load(arrivals) {
    for (const block of this.blocks) {
      if (block.what === 'bins') {
        const {part} = this.rows[block.first_row];
        if (part.group >= 0) part.block = block; // unpacked when it is opened
        else this.takeBins(part, block, await blockBytes(block.id));
        continue;
      }
      const data = await blockBytes(block.id);
      if (block.what === 'inside') {
        this.noteBetween(data);
        if (this.embedded && this.rows[block.first_row].part.group >= 0) this.rows[block.first_row].part.insideBlock = {block, data};
        else this.takeInside(block, data);
      }
      if (block.what === 'groups_inside') this.groupInside = [0, 1].map((p) => data.slice(p * block.groups * this.groupBins, (p + 1) * block.groups * this.groupBins));
      if (block.what === 'keys') this.keys.set(block.component, decodeKeys(block, data));
      if (block.what === 'groups') [this.groupShares, this.groupDominant] = planesOf(data, block.groups * this.groupBins);
      if (block.what === 'events') {
        for (const row of decodeEvents(block, data, this.keys.get(block.component).classes.length)) {
          this.events[row.row] = row;
          this.pieces[row.row] = flattened(row);
        }
      }
    }
    if (this.embedded) for (const block of arrivals || []) {
      const keys = this.keys.get(block.component), isExchange = keys ? Array.from(keys.classes, (c) => timeClassOf(this.classes[c][0]) <= 2) : null;
      this.arrivals.set(block.component, arrivalsOfBlock(block, await blockBytes(block.id), isExchange));
    }
    else for (const {component} of this.parts) this.arrivals.set(component.id, arrivalsOfRows(this, component.id));
  }
  // Whether waiting is told apart from the own imbalance in all of the page.
  get tellsImbalance() { return this.parts.every((part) => this.arrivals.has(part.component.id)); }
  wordsOf(name) { return (this.tellsImbalance ? classWords : classWordsTogether)[name]; }
  // When the last process came to each event of a row's component; null: not known.
  arrivalsOf(row) {
    const known_ = this.arrivals.get(this.rows[row].component.id);
    return known_ ? known_.start : null;
  }
  // The same for each piece of a row, as a function: it is asked for millions of pieces.
  arrivalsOfPieces(row) {
    const start = this.arrivalsOf(row), {key} = this.events[row], {event} = this.pieces[row];
    if (start === null) return () => NaN;
    return event === null ? (i) => start[key[i]] : (i) => start[key[event[i]]];
  }
  // How much of each bin a process waits, on average, after the component's last one has come, 255: all of it; null: not
  // known.
  waitsOf(component, bins) {
    const name = `${component.id},${bins}`;
    if (!this.waits.has(name)) {
      const arrivals = this.arrivals.get(component.id);
      const rows = this.events.filter((events, r) => events !== null && this.rows[r].component === component);
      this.waits.set(name, arrivals ? waitsInBins(withMeanEnds(arrivals, rows), this.t0, this.t1, bins) : null);
    }
    return this.waits.get(name);
  }
  noteBetween(data) {
    if (data.some((v) => v > 0 && v !== unseenByte)) this.between.add('inmpi');
    if (data.includes(unseenByte)) this.between.add('unseen');
  }
  takeInside(block, data) {
    for (let r = 0; r < block.rows; ++r) this.inside[block.first_row + r] = data.subarray(r * this.insideBins, (r + 1) * this.insideBins);
  }
  // In words, what no event covers.
  wordsBetween(recorded) { return recorded ? 'computing' : 'computing, or anything else outside the coupler'; }
  recordedOf(component) { return this.rows.some((row) => row.component === component && row.recorded); }
  get allRecorded() { return this.rows.every((row) => row.recorded); }
  // A small component's bins may come in several blocks.
  takeBins(part, block, data) {
    const n = part.count * this.bins, at = (block.first_row - part.first) * this.bins;
    if (part.shares === null) {
      part.shares = timeClasses.map(() => new Uint8Array(n));
      part.dominant = new Uint16Array(n);
    }
    const [shares, dominant] = planesOf(data, block.rows * this.bins);
    shares.forEach((plane, c) => part.shares[c].set(plane, at));
    part.dominant.set(dominant, at);
  }
  // What the page holds of the processes of a group.
  async unpack(part) {
    if (part.block === null) return;
    const {block} = part;
    part.block = null;
    this.takeBins(part, block, await blockBytes(block.id));
    if (part.insideBlock !== null) this.takeInside(part.insideBlock.block, part.insideBlock.data);
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
  // otherwise: what stands before the counterpart of other kinds.
  classInWords(eventClass, otherwise) {
    const [kind, field, counterpart] = this.classes[eventClass], {field_names, component_names} = this.info;
    return kindWords[kind] + (field ? ' ' + field_names[field - 1] : '') + (counterpart ? (wayWords[kind] || otherwise) + component_names[counterpart - 1] : '');
  }
  // What a class counts as: a number that stands for a kind of time, a field or a counterpart.
  groupOf(eventClass, mode) {
    const [kind, field, counterpart] = this.classes[eventClass];
    if (mode === 'kind') return timeClassOf(kind);
    return mode === 'field' ? field : counterpart;
  }
  groupName(group, mode) {
    if (mode === 'kind') return this.wordsOf(shownClasses[group]);
    if (group === 0) return mode === 'field' ? 'no field' : 'no counterpart';
    return (mode === 'field' ? this.info.field_names : this.info.component_names)[group - 1];
  }
  // Time of each group of classes over all rows, in shares of bins or microseconds.
  totals(mode) {
    const sums = new Map();
    const add = (group, time) => { if (time > 0) sums.set(group, (sums.get(group) || 0) + time); };
    const byClass = new Float64Array(this.classes.length);
    const addCells = (shares, dominant, first, n, weight, waits) => {
      const bySum = new Float64Array(shownClasses.length);
      for (let i = first; i < first + n; ++i) {
        if (mode !== 'kind') { if (dominant[i]) byClass[dominant[i] - 1] += weight * busy(shares, i); continue; }
        const waiting = waitingPart(shares, i, waits, i - first);
        for (let c = 0; c < shares.length; ++c) bySum[c] += shares[c][i] * (c < 3 ? waiting : 1);
        bySum[shares.length] += (shares[0][i] + shares[1][i] + shares[2][i]) * (1 - waiting);
      }
      bySum.forEach((time, c) => add(c, weight * time));
    };
    for (const part of this.parts) {
      if (part.group >= 0 && this.groupShares !== null)
        addCells(this.groupShares, this.groupDominant, part.group * this.groupBins, this.groupBins, part.count * this.bins / this.groupBins,
          this.waitsOf(part.component, this.groupBins));
      else if (this.embedded) {
        for (let row = 0; row < part.count; ++row)
          addCells(part.shares, part.dominant, row * this.bins, this.bins, 1, this.waitsOf(part.component, this.bins));
      } else {
        for (let row = part.first; row < part.first + part.count; ++row) {
          add(timeClasses.length, this.addPieces(byClass, row, mode === 'kind' ? this.arrivalsOf(row) : null));
        }
      }
    }
    byClass.forEach((time, c) => add(this.groupOf(c, mode), time));
    return sums;
  }
  // Adds the time of each class in a row, in shares of bins; what lies before an arrival is left out, and returned.
  addPieces(byClass, row, arrived) {
    const {start, stop, event} = this.pieces[row], {key} = this.events[row], {classes} = this.keyOf(row);
    const scale = 255 * this.bins / (this.t1 - this.t0), n = start.length;
    let own = 0;
    for (let i = 0; i < n; ++i) { // millions of times
      const k = key[event === null ? i : event[i]], length = stop[i] - start[i];
      const before = arrived === null ? 0 : arrived[k] - start[i]; // NaN: no exchange
      const early = before > 0 ? (before < length ? before : length) : 0;
      byClass[classes[k]] += scale * (length - early);
      own += early;
    }
    return scale * own;
  }
  // {categories: [{name, colour}], categoryOf: by class, levelsOf(part), groupLevels()}. At most seven groups and the rest.
  view(mode) {
    // What components exchange has colours before what only goes to files.
    const coupled = new Set(this.classes.filter(([kind]) => timeClassOf(kind) <= 2).map(([, field]) => field));
    const rank = ([group]) => mode === 'field' && group !== 0 && coupled.has(group) ? 0 : 1;
    const totals = [...this.totals(mode)].sort((a, b) => mode === 'kind' ? a[0] - b[0] : rank(a) - rank(b) || b[1] - a[1]);
    const shown = totals.slice(0, mode === 'kind' ? totals.length : totals.length > 8 ? 7 : 8).map(([group]) => group);
    const categories = shown.map((group, i) => ({name: this.groupName(group, mode),
      colour: mode === 'kind' ? shownClasses[group] : 'c' + i, help: mode === 'kind' ? glossary[classGlossary[shownClasses[group]]][1] : ''}));
    if (totals.length > shown.length) categories.push({name: plural(totals.length - shown.length, 'other'), colour: 'c7'});
    const count = categories.length; // of events
    const between = betweenClasses.filter((name) => this.between.has(name));
    for (const name of between) categories.push({name: classWords[name], colour: name, help: glossary[classGlossary[name]][1]});
    const categoryOf = Int16Array.from(this.classes, (_, c) => {
      const at = shown.indexOf(this.groupOf(c, mode));
      return at >= 0 ? at : count - 1;
    });
    const made = new Map(), ofCells = (shares, dominant, waits) =>
      planesByCategory(shares, dominant, mode, shown, categoryOf, count, waits);
    // With the planes of `between` behind: those of a part, or of the groups.
    const withBetween = (planes, events, split) => {
      if (between.length === 0) return planes;
      const [inmpi, unseen] = split(freeOf(events));
      return [...planes, ...between.map((name) => name === 'inmpi' ? inmpi : unseen)];
    };
    const early = mode === 'kind' ? shown.indexOf(timeClasses.length) : -1; // of the own imbalance
    return {
      mode, categories, categoryOf, early, base: this.wordsBetween(this.allRecorded), between: Object.fromEntries(between.map((name, i) => [name, count + i])), stripes: mode === 'kind' && this.parts.some(({component}) => component.is_io_server),
      levelsOf: (part) => {
        if (!made.has(part)) {
          const planes = this.embedded ? ofCells(part.shares, part.dominant, () => this.waitsOf(part.component, this.bins))
            : this.planesOfEvents(part, categoryOf, count, early);
          made.set(part, new Levels(withBetween(planes, this.embedded ? part.shares : planes, (free) => this.splitRows(part, free)), [part.count], this.bins));
        }
        return made.get(part);
      },
      groupLevels: () => {
        if (!made.has(null)) {
          const folded = this.parts.filter((p) => p.group >= 0);
          const planes = ofCells(this.groupShares, this.groupDominant, (row) => this.waitsOf(folded[row].component, this.groupBins));
          made.set(null, new Levels(withBetween(planes, this.groupShares, (free) => splitMeans(free, this.groupInside)), [this.groups], this.groupBins));
        }
        return made.get(null);
      },
    };
  }
  // The bins of a row, or of a group's mean (row null): their shares, what fills most, the waiting, and of each what is in MPI and not
  // seen, 255: all of it.
  cellsOf(part, row) {
    const isGroup = row === null, bins = isGroup ? this.groupBins : this.bins, width = (this.t1 - this.t0) / bins;
    const between = isGroup ? (bin) => {
      const [inmpi, unseen] = this.groupInside ? this.groupInside.map((plane) => plane[part.group * bins + bin]) : [0, 0];
      return {inmpi, unseen};
    } : (bin) => {
      const {inmpi, unseen} = this.betweenShares(row, this.t0 + bin * width, this.t0 + (bin + 1) * width, false);
      return {inmpi: 255 * inmpi, unseen: 255 * unseen};
    };
    return {shares: isGroup ? this.groupShares : part.shares, dominant: isGroup ? this.groupDominant : part.dominant,
      waits: this.waitsOf(part.component, bins), row: isGroup ? part.group : row - part.first, bins, between};
  }
  splitRows(part, free) {
    const inmpi = new Uint8Array(free.length), unseen = new Uint8Array(free.length);
    for (let r = 0; r < part.count; ++r) {
      const inside = this.inside[part.first + r], of = (plane) => plane.subarray(r * this.bins, (r + 1) * this.bins);
      if (inside !== null) this.inMpi[part.first + r] = splitFree(of(free), inside, of(inmpi), of(unseen));
    }
    return [inmpi, unseen];
  }
  // From t to u in a row: the parts in MPI and not seen, 0 to 1. ofFree: there are no events, so that it is of the time that they left
  // in each of the recorder's bins; else of all of it.
  betweenShares(row, t, u, ofFree) {
    const inside = this.inside[row], sums = {inmpi: 0, unseen: 0};
    if (inside === null || !(u > t)) return sums;
    const width = (this.t1 - this.t0) / inside.length;
    for (let i = Math.max(0, Math.floor((t - this.t0) / width)); i < inside.length && this.t0 + i * width < u; ++i) {
      const part = (Math.min(u, this.t0 + (i + 1) * width) - Math.max(t, this.t0 + i * width)) / (u - t);
      if (inside[i] === unseenByte) sums.unseen += part;
      else sums.inmpi += part * (ofFree && this.inMpi[row] ? this.inMpi[row][i] : inside[i] / insideWhole);
    }
    return sums;
  }
  planesOfEvents(part, categoryOf, count, early) {
    const planes = Array.from({length: count}, () => new Uint8Array(part.count * this.bins));
    const sums = new Float32Array(count * this.bins);
    const categories = Int16Array.from(this.keyOf(part.first).classes, (c) => categoryOf[c]); // of each event of the component
    for (let r = 0; r < part.count; ++r) {
      const row = part.first + r, {key} = this.events[row], {event} = this.pieces[row];
      sums.fill(0);
      addCoverage(sums, this.bins, this.t0, this.t1, this.pieces[row], event === null ? (i) => categories[key[i]] : (i) => categories[key[event[i]]],
        early < 0 ? null : {category: early, until: this.arrivalsOfPieces(row)});
      for (let c = 0; c < count; ++c)
        toBytes(sums.subarray(c * this.bins, (c + 1) * this.bins), planes[c], r * this.bins, this.bins);
    }
    return planes;
  }
}
// Planes of n cells: shares of each class of time, and the class of events that fills most.
function planesOf(data, n) {
  const dominant = new Uint16Array(n), low = timeClasses.length * n, high = low + n;
  for (let i = 0; i < n; ++i) dominant[i] = data[low + i] + 256 * data[high + i];
  return [timeClasses.map((_, c) => data.slice(c * n, (c + 1) * n)), dominant];
}
function busy(shares, cell) {
  let sum = 0;
  for (let c = 0; c < 5; ++c) sum += shares[c][cell];
  return Math.min(sum, 255);
}
// waitsOf: of a row of the planes.
function planesByCategory(shares, dominant, mode, shown, categoryOf, count, waitsOf) {
  if (mode === 'kind') {
    const planes = splitPlanes(shares, waitsOf);
    return shown.map((c) => planes[c]);
  }
  const planes = Array.from({length: count}, () => new Uint8Array(dominant.length));
  for (let i = 0; i < dominant.length; ++i)
    if (dominant[i]) planes[categoryOf[dominant[i] - 1]][i] = busy(shares, i);
  return planes;
}
