// The pure parts of the page's scripts, without a browser: node scripts_test.js ASSETS
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const code = ['text.js', 'decode.js', 'bins.js', 'arrivals.js', 'model.js', 'picture.js', 'tables.js', 'efficiency.js', 'layout.js', 'map.js', 'charts.js', 'meters.js',
  'overlay.js', 'stretch.js', 'find.js']
  .map((f) => fs.readFileSync(path.join(process.argv[2], f), 'utf8')).join('\n');
const page = vm.createContext({});
vm.runInContext(code + '\n;Object.assign(globalThis, {flattened, firstAfter, addCoverage, halvedBins, halvedRows, Levels,' +
  'decodeEvents, decodeKeys, dateText, dateFrom, dateSpan, digits, duration, percent, plural, waitWords, otherRows, lossParts,' +
  'withoutEmpty, layoutGrid, layoutPath, layoutColours, eventsByClass, endOf, pairsOf, placeOfEvent, united, withMeanEnds, waitsInBins, waitingPart, splitPlanes, freeOf, splitFree, splitMeans, findStep, findField, timesOf, memoryText, shortened, rowsLayout, piecesLayout, mostUneven, againstMean, mapValue, differenceWords, keyOf, howShown});', page);
const plain = (x) => Array.from(x);

// Columns of which no row has a value are no columns; the first one names the rows.
assert.strictEqual(JSON.stringify(page.withoutEmpty([['a', 'b', 'c', 'd'], ['', 'n/a', '1', ''], ['', {}, 'n/a', '']])), '[["a","c"],["","1"],["","n/a"]]');

// Members of an ensemble: what they have from least to most, and n/a where none has it; others have no range.
const shown = {info: {}, folded: {components: [], ranges: {'a_* × 2': {computing_s: [2, 4], waiting_s: [null, null]}}}};
assert.strictEqual(page.ranged(shown, {name: 'a_* × 2', computing_s: 3}, 'computing_s'), '3 (2 to 4)');
assert.strictEqual(page.ranged(shown, {name: 'a_* × 2', computing_s: 3, loop_s: 5}, 'loop_s'), '5');
assert.strictEqual(page.ranged(shown, {name: 'hub', computing_s: 7}, 'computing_s'), '7');
assert.strictEqual(page.ranged({info: {}, folded: null}, {name: 'a_1', computing_s: 7}, 'computing_s'), '7');

// A PUT from 10 to 50 with a MAP from 20 to 30 inside, one after it: as in tests/page/page_test.cpp.
const nested = page.flattened({start: Float64Array.of(10, 20, 60), stop: Float64Array.of(50, 30, 70)});
assert.deepStrictEqual(plain(nested.event), [0, 1, 0, 2]);
assert.deepStrictEqual(plain(nested.start), [10, 20, 30, 60]);
assert.deepStrictEqual(plain(nested.stop), [20, 30, 50, 70]);
// Out of order: the same pieces, under the events' own numbers.
const turned = page.flattened({start: Float64Array.of(60, 20, 10), stop: Float64Array.of(70, 30, 50)});
assert.deepStrictEqual(plain(turned.event), [2, 1, 2, 0]);
const flat = page.flattened({start: Float64Array.of(0, 10), stop: Float64Array.of(10, 20)});
assert.strictEqual(flat.event, null);
assert.strictEqual(page.firstAfter(flat, 10), 1);
assert.strictEqual(page.firstAfter(flat, 20), 2);

// Four columns of 100 each: 50 to 250 covers half, one, half.
const sums = new Float32Array(8);
page.addCoverage(sums, 4, 0, 400, {start: Float64Array.of(50, 250), stop: Float64Array.of(250, 290)}, (i) => i);
assert.deepStrictEqual(plain(sums).map((s) => Math.round(s * 100)), [50, 100, 50, 0, 0, 0, 40, 0]);
// Only the part inside the view counts, and a category below 0 does not.
const part = new Float32Array(2);
page.addCoverage(part, 2, 100, 200, {start: Float64Array.of(0, 150), stop: Float64Array.of(125, 160)}, (i) => i - 1);
assert.deepStrictEqual(plain(part).map((s) => Math.round(s * 100)), [0, 20]);

// Between events. Four bins, of which events take half, all, nothing, nothing; two of the recorder's. In the first 50 % was in MPI, so all
// that events left of it: 255 x 0.5 = 127. In the second 25 %: a quarter of each of the two, 255 / 4 = 64.
const free = page.freeOf([Uint8Array.of(128, 200, 0, 0), Uint8Array.of(0, 100, 0, 0)]);
assert.deepStrictEqual(plain(free), [127, 0, 255, 255]);
const inmpi = new Uint8Array(4), unseen = new Uint8Array(4);
assert.deepStrictEqual(plain(page.splitFree(free, Uint8Array.of(127, 63.5), inmpi, unseen)).map((x) => x.toFixed(2)), ['1.00', '0.25']);
assert.deepStrictEqual([plain(inmpi), plain(unseen)], [[127, 0, 63, 63], [0, 0, 0, 0]]);
const nothing = new Uint8Array(4), all = new Uint8Array(4);
page.splitFree(free, Uint8Array.of(255, 0), nothing, all);
assert.deepStrictEqual([plain(nothing), plain(all)], [[0, 0, 0, 0], [127, 0, 0, 0]]);
// Means of groups are cut to what events leave.
assert.deepStrictEqual(Array.from(page.splitMeans(Uint8Array.of(200, 50), [Uint8Array.of(100, 60), Uint8Array.of(120, 10)]).map(plain)).flat(), [100, 50, 100, 0]);
assert.deepStrictEqual(Array.from(page.splitMeans(Uint8Array.of(200), null).map(plain)).flat(), [0, 0]);

assert.deepStrictEqual(plain(page.halvedBins(Uint8Array.of(10, 20, 30, 40, 50, 60), 2, 3)), [15, 30, 45, 60]);
// Components of three rows and one: the third row stays alone.
assert.deepStrictEqual(plain(page.halvedRows(Uint8Array.of(10, 20, 30, 40), [3, 1], 1)), [15, 30, 40]);
const levels = new page.Levels([Uint8Array.of(0, 100, 200, 100)], [1], 4);
assert.deepStrictEqual(plain(levels.at(2, 0).planes[0]), [100]);

// The bytes of the test "events as bytes" in tests/page/page_test.cpp.
const [row] = page.decodeEvents({rows: [7], gap_bytes: 1, length_bytes: 2}, Uint8Array.of(2, 4, 0, 1, 2, 45, 0, 1, 0, 1, 0, 0), 4);
assert.strictEqual(row.row, 7);
assert.deepStrictEqual(plain(row.key), [0, 1, 3]);
assert.deepStrictEqual(plain(row.start), [1, 3, 2]);
assert.deepStrictEqual(plain(row.stop), [2, 303, 2]);
// Dates 3600, none, 0: 1 + zigzag(3600) = 7201 = 28 x 256 + 33; 0; 1 + zigzag(-3600) = 7200 = 28 x 256 + 32.
const keys = page.decodeKeys({events: 3, date_bytes: 2}, Uint8Array.of(1, 2, 3, 0, 0, 1, 33, 0, 32, 28, 0, 28));
assert.deepStrictEqual(plain(keys.classes), [1, 2, 259]);
assert.deepStrictEqual(plain(keys.dates), [3600, NaN, 0]);

assert.strictEqual(page.dateText(2 * 86400 + 3 * 3600), 'day 2 03:00:00');
assert.strictEqual(page.dateFrom('day 2 03:00'), 2 * 86400 + 3 * 3600);
assert.strictEqual(page.dateFrom('2'), 2 * 86400);
assert.strictEqual(page.dateFrom('soon'), null);
assert.strictEqual(page.digits(1234567), '1\u202f234\u202f567');
assert.strictEqual(page.digits(0.04567), '0.0457');
assert.strictEqual(page.digits(NaN), 'n/a');
assert.strictEqual(page.duration(0.0123), '12.3 ms');
assert.strictEqual(page.percent(0.0005), 'less than 0.1 %');
assert.strictEqual(page.percent(0.2249), '22 %');
assert.strictEqual(page.plural(2, 'process'), '2 processes');

// Squares of cores: 4 in a row of 22 pixels, 128 in 8 rows of 16. Two processes of two threads in rows of two cores of 10 pixels: the
// first core of each reaches to the second one, which leaves 2 pixels.
assert.deepStrictEqual([4, 128].map((n) => Object.values(page.layoutGrid(n)).join()), ['4,22', '16,11']);
assert.strictEqual(page.layoutPath(0, 2, 2, {columns: 2, size: 10}), 'M0 0h10v8h-10zM10 0h8v8h-8zM0 10h10v8h-10zM10 10h8v8h-8z');
assert.strictEqual(page.layoutPath(3, 1, 1, {columns: 2, size: 4}), 'M4 4h3v3h-3z'); // the fourth core, with a gap of 1
// The seven of nine components with the most cores have their own colours: the first and the last have the fewest.
assert.deepStrictEqual(plain(page.layoutColours({components: [1, 5, 5, 5, 5, 5, 5, 5, 1].map((processes) => ({processes}))})), ['c7', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);

// 30 of 60 s; whom a model did not name has no name in brackets.
const server = {is_io_server: true, loop_s: 60}, model = {is_io_server: false, loop_s: 60};
assert.strictEqual(page.waitWords(server, {name: 'ocean', s: 30}), 'idle 50 % for data of ocean');
assert.strictEqual(page.waitWords(server, {name: '(not known)', s: 30}), 'idle 50 % for data');
assert.strictEqual(page.waitWords(model, {name: 'ocean', s: 30}), 'waits 50 % for ocean');
assert.strictEqual(page.waitWords(model, {name: '(not known)', s: 30}), 'waits 50 % for an unknown component');
assert.strictEqual(page.dateSpan(86400), '1 day');
assert.strictEqual(page.dateSpan(129600), '1.50 days');

// A gauge, a counter and what is not there, as load_balancing_info.json has them.
const others = page.otherRows([
  {meter: 'load', quantity: 'load', unit: '1', of: 'node', measure: 'gauge', over: {min: 1, mean: 3.5, max: 5, sum: 7, count: 2}},
  {meter: 'net', quantity: 'sent', unit: 'B', of: 'process', measure: 'counter', over: {min: 10, mean: 20, max: 30, sum: 40, count: 2},
    rate_per_s: {min: 1, mean: 2, max: 3, sum: 4, count: 2}},
  {meter: 'heat', quantity: 'core', unit: 'K', of: 'node', measure: 'gauge', over: {count: 0}, why_missing: 'no sensor'}]);
assert.deepStrictEqual(JSON.parse(JSON.stringify(others.slice(1))), [
  ['load', 'load', 'node', '', '1', '3.50', '5', '', ''],
  ['net', 'sent', 'process', '', '10 B', '20 B', '30 B', '40 B', '2 B'],
  ['heat', 'core', 'node', 'no sensor', 'n/a', 'n/a', 'n/a', '', '']]);

// From 100 % to useful: 0.8 after coupling, 0.8 x 0.75 = 0.6 the busiest process, 0.6 x 5/6 = 0.5 the mean.
const ends = (e) => plain(page.lossParts(e)).map((p) => [p.step.name, Math.round(100 * p.from), Math.round(100 * p.to)]);
assert.deepStrictEqual(ends({total: 0.5, coupling: 0.8, inside: 0.625, load_balance: 5 / 6, communication: 0.75}),
  [['useful', 0, 50], ['load balance', 50, 60], ['communication', 60, 80], ['coupling', 80, 100]]);
// All cores: no load balance between components.
assert.deepStrictEqual(ends({total: 0.5, coupling: 0.8, inside: 0.625}), [['useful', 0, 50], ['inside', 50, 80], ['coupling', 80, 100]]);
// Nothing is coupled: the whole is the computing.
assert.deepStrictEqual(ends({coupling: null, inside: 0.45, load_balance: 0.75, communication: 0.6}),
  [['useful', 0, 45], ['load balance', 45, 60], ['communication', 60, 100]]);

// Before 130 another category: 50 to 130 of 50 to 250 in columns of 100 is half of the first and 0.3 of the second.
const split = new Float32Array(8);
page.addCoverage(split, 4, 0, 400, {start: Float64Array.of(50), stop: Float64Array.of(250)}, () => 0, {category: 1, until: () => 130});
assert.deepStrictEqual(plain(split).map((s) => Math.round(s * 100)), [0, 70, 50, 0, 50, 30, 0, 0]);
// The last process comes after the end: all of it is early; a hidden category takes nothing.
const early = new Float32Array(2);
page.addCoverage(early, 1, 0, 100, {start: Float64Array.of(0), stop: Float64Array.of(50)}, () => 0, {category: 1, until: () => 80});
page.addCoverage(early, 1, 0, 100, {start: Float64Array.of(50), stop: Float64Array.of(60)}, () => 0, {category: -1, until: () => 80});
assert.deepStrictEqual(plain(early), [0, 0.5]);

// Waits 10 to 30 and 20 to 40, none in event 2, 60 to 70: united 10 to 40 and 60 to 70, in bins of 50: 30 and 10 of 50.
const waits = {start: Float64Array.of(10, 20, NaN, 60), stop: Float64Array.of(30, 40, NaN, 70)};
const one = page.united(waits.start, waits.stop);
assert.deepStrictEqual([plain(one.start), plain(one.stop)], [[10, 60], [40, 70]]);
assert.deepStrictEqual(plain(page.waitsInBins(waits, 0, 100, 2)), [153, 51]); // 255 x 0.6, 255 x 0.2
// Two processes end event 0 at 14 and at 24, the mean is 19; who left before the last came ended when it came.
const mean = page.withMeanEnds(waits, [{key: [0], stop: [14]}, {key: [0, 1], stop: [24, 15]}]);
assert.deepStrictEqual(plain(mean.stop), [19, 20, NaN, 70]);
// A cell with 100 of 255 in receive and 50 in send: of those 150 the component waits 60, two fifths.
const shares = [[100, 0], [50, 200], [0, 0], [7, 8]].map((p) => Uint8Array.from(p));
assert.strictEqual(page.waitingPart(shares, 0, Uint8Array.of(60, 255), 0), 0.4);
assert.deepStrictEqual(plain(page.splitPlanes(shares, () => Uint8Array.of(60, 255))).map(plain), [[40, 0], [20, 200], [0, 0], [7, 8], [90, 0]]);
assert.deepStrictEqual(plain(page.splitPlanes(shares, () => null)).map(plain), [[100, 0], [50, 200], [0, 0], [7, 8], [0, 0]]);

// Classes: PUT of field 1 to 2, GET of field 1 from 2, PUT of field 1 to nobody named, PUT of field 1 to 3.
const classes = [[1, 1, 2], [2, 1, 2], [1, 1, 0], [1, 1, 3]];
const lists = page.eventsByClass({classes: [0, 1, 2, 3, 0, 1]}, 4);
assert.deepStrictEqual(plain(page.endOf(classes, lists, 1, 1, 2)), [0, 2, 4]);
// With a lag of one the first GET has no PUT, the last PUT no GET.
assert.deepStrictEqual(plain(page.pairsOf({lag: 1, sync: false}, [0, 2, 4], [1, 5, 6])).map(plain), [[0, 5], [2, 6]]);
// A collective has pairs only at events where component 3 came last.
assert.deepStrictEqual(plain(page.pairsOf({lag: 0, sync: true, source: 3}, [0, 1, 2], [5, 6, 7], (k) => k === 6 ? 3 : 1)).map(plain), [[1, 6]]);
assert.deepStrictEqual([1, 3, 4].map((k) => page.placeOfEvent({key: [1, 3, 8]}, k)), [0, 1, -1]);

// Two groups of ten steps that take 2 s each: step 14 is the fourth of the second group, from 20 + 3 x 2 = 26 to 28 s.
const steps = {info: {components: [{name: 'ocean'}, {name: 'ice'}]}, steps: [{steps: 20, group: 10, start_s: [0, 20], length_s: [2, 2]}, {steps: 0}]};
assert.deepStrictEqual({...page.findStep(steps, 'step 14')}, {start: 26, stop: 28});
assert.deepStrictEqual({...page.findStep(steps, ' Step 14 of Ocean ')}, {start: 26, stop: 28});
for (const none of ['step 21', 'step 0', 'step 3 of ice', 'step', '14']) assert.strictEqual(page.findStep(steps, none), null);
assert.deepStrictEqual(['SST', 'heat', 'flux', 'x', ' '].map((f) => page.findField(['sst_flux', 'sst', 'heat flux'], f)), [2, 3, 1, 1, 0]);
// Intervals of 5 s from 0 on, of a run of 13 s: the axis ends with it, and what would begin after it is not there.
const times = (wall) => { const {x, ends} = page.timesOf({step_s: 5, mean: [1, 2, 3, 4]}, wall); return [plain(x), plain(ends)]; };
assert.deepStrictEqual(times(13), [[0, 5, 10], [5, 10, 13]]);
assert.deepStrictEqual(times(null), [[0, 5, 10, 15], [5, 10, 15, 20]]);
// 3 x 2^20 bytes, as load_balancing_info.txt has it.
assert.strictEqual(page.memoryText(3145728), '3 MiB');
assert.strictEqual(page.memoryText(null), 'n/a');
// 9 letters: 5 of the begin, 3 of the end.
assert.strictEqual(page.shortened('ocean and sea ice 11', 9), 'ocean… 11');
assert.strictEqual(page.shortened('ocean', 5), 'ocean');

// The map. A grid of 4 x 2 in three blocks: the second direction goes upwards, so what begins in its row 1 is the lower half.
const cellsOf = (layout) => Array.from(layout.cells, (c) => [c.process, c.x, c.y, c.w, c.h]);
const blocks = page.piecesLayout([4, 2], Uint32Array.of(/* pieces */ 1, 1, 1, /* first i */ 1, 3, 1, /* count */ 2, 2, 4, /* first j */ 1, 1, 2, /* count */ 1, 1, 1), 3, 3);
assert.deepStrictEqual([blocks.form, blocks.width, blocks.height], ['grid', 4, 2]);
assert.deepStrictEqual(cellsOf(blocks), [[2, 0, 0, 4, 1], [0, 0, 1, 2, 1], [1, 2, 1, 2, 1]]);
// One direction: rows, in the order of the points; a process without points has no cell.
const line = page.piecesLayout([6, 1], Uint32Array.of(1, 1, 0, 4, 1, 3, 3, 1, 1, 1, 1), 3, 2);
assert.deepStrictEqual([line.form, line.ordered, cellsOf(line).map((c) => c[0])], ['rows', true, [1, 0]]);
// The figure that is shown first: 3 s above the mean are more than 2 s, and lateness and memory do not count.
const first = (...figures) => page.mostUneven([{figures: figures.map(([name, mean, most]) => ({name, region: 'ice', mean, most: {value: most}, known: 2}))}]);
assert.deepStrictEqual([first(['computing', 10, 12], ['region', 1, 4]), first(['computing', 10, 13], ['region', 1, 4], ['late', 0, 9]), first(['memory', 1, 2])], ['region ice', 'computing', null]);
// 20,480 processes in rows: three times as wide as high, every process once.
const many = page.rowsLayout(20480, null);
assert.deepStrictEqual([many.width, many.height, many.cells.length], [248, 83, 20480]);
assert.deepStrictEqual(cellsOf(many)[20479], [20479, 20479 % 248, 82, 1, 1]);
// Against the mean: 0 at the mean, 1 at what is farthest from it, or at 5 % more: 0.1 of 10 is a fifth of that.
const figure = {mean: 10, least: {value: 8}, most: {value: 14}};
assert.deepStrictEqual([{name: 'late'}, {name: 'region', region: 'ice'}].map(page.keyOf), ['late', 'region ice']);
assert.deepStrictEqual([{name: 'memory'}, {name: 'region', region: 'ice'}].map((f) => page.howShown(f).name), ['memory', 'ice']);
assert.deepStrictEqual([8, 10, 14, null].map((v) => page.againstMean(figure, v)), [-0.5, 0, 1, null]);
assert.strictEqual(page.againstMean({mean: 10, least: {value: 9.95}, most: {value: 10.1}}, 10.1).toFixed(6), '0.200000');
assert.strictEqual(page.againstMean({mean: 0, least: {value: 0}, most: {value: 0}}, 0), 0);
assert.deepStrictEqual([0, 127, 254, 255].map((b) => page.mapValue(figure, b)), [8, 11, 14, null]);
assert.strictEqual(page.differenceWords(figure, 45), ', 4.5 times the mean');
assert.deepStrictEqual([14, 8, 10].map((v) => page.differenceWords(figure, v)), [', 40 % more than the mean', ', 20 % less than the mean', ', the mean']);
console.log('page scripts: good');
