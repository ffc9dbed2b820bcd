// What the words of the page mean, one line each and where docs say more, where they stand and in a list at the end.
const inDocs = {event: 'definitions.md#1-one-coupling-event', loop: 'definitions.md#2-the-coupling-loop-of-a-component',
  changes: 'definitions.md#runs-that-change', slow: 'definitions.md#who-is-slow-and-what-could-be-gained', disturbed: 'definitions.md#a-disturbed-run', run: 'definitions.md#3-the-run', path: 'predict.md#from-the-timelines-to-a-graph',
  fieldbytes: 'definitions.md#who-talks-to-whom-inside-a-component', hours: 'definitions.md#8-where-every-core-hour-goes', meters: 'meters.md#what-is-read-and-when', energy: 'meters.md#energy',
  regions: 'meters.md#regions', roofline: 'machines.md#roofline', clock: 'metrics.md#clock', picture: 'metrics.md#moving-in-the-timeline', page: 'metrics.md#the-page'};
const glossary = {
  loop: ['Coupling loop', 'All whole coupling steps but the first; start-up and shut-down are outside of it.', inDocs.loop],
  common: ['Common loop', 'The time in which all components are in their coupling loops.', inDocs.slow],
  step: ['Coupling step', 'From one exchange of the most frequent coupling field to the next.', inDocs.loop],
  unusual: ['Unusual length', 'The length differs from the median by more than 5 %, and by more than five times the usual deviation.', inDocs.page],
  median: ['Median, 95 of 100', 'Half of the steps are below the median; 95 of 100 steps are below the other figure.', inDocs.page],
  share: ['Lost core time', 'The part of the core time in the coupling loops that is lost to waiting for other components.', inDocs.slow],
  slow: ['Bottleneck', 'The slow side: the component that decides how long the run takes: the others wait for it.', inDocs.slow],
  gain: ['Gain', 'How much shorter the loop could be with the best split of the same cores, if each component becomes faster by as much as it gets cores: an estimate.', inDocs.slow],
  ioserver: ['I/O server', 'A component that only takes data from the others: its waiting is idle time, and nobody waits for it.', inDocs.slow],
  disturbed: ['Disturbed', 'Processes were ready to compute and had no processor for 5 % of the loop or more: the machine decides, too, how long they take.', inDocs.disturbed],
  processes: ['Processes', 'Processes of MPI that gave the component’s name.', inDocs.event],
  computing: ['Computing', 'The rest of the coupling loop; it also contains waiting inside the component.', inDocs.loop],
  waiting: ['Waiting', 'In an exchange, from the arrival of the component’s last process until the last one leaves: for other components.', inDocs.loop],
  ownwaiting: ['Waiting of a process', 'What each process itself waited in its exchanges, from its own arrival until it leaves: mean, least and most.', inDocs.loop],
  field: ['Coupling field', 'What one component gives to another one: the coupler calls it by this name.', inDocs.event],
  ways: ['From and to', 'The component that sends the field (PUT), and the one that receives it (GET).', inDocs.event],
  exchanges: ['Exchanges', 'How often the field was sent in the run; where only the receiver was recorded, how often it was received.', inDocs.event],
  bytesent: ['Messages and bytes of a field', 'What the processes of the sending component gave to MPI for this field, in the whole run. Recorded by cpl-lb-record.', inDocs.fieldbytes],
  receive: ['Receive', 'Waiting in a GET: the data of another component are not there yet.', inDocs.event],
  send: ['Send', 'Waiting in a PUT: the other component does not take the data yet.', inDocs.event],
  collective: ['Collective', 'Waiting in a collective operation of several components (SYNC), for the one that came last.', inDocs.event],
  imbalance: ['Imbalance', 'The time in which processes of one component wait for their own last one at exchanges; each delay counts once.', inDocs.loop],
  jitter: ['Jitter', 'Time between the first and the last process to come to an exchange, summed over all exchanges: one delay may count several times.', inDocs.loop],
  away: ['Elsewhere, away', 'The time in which a process works for another component.', inDocs.loop],
  idle: ['Idle', 'The waiting of an I/O server for data: nobody waits for it.', inDocs.slow],
  mapping: ['Mapping', 'The coupler’s own work: a field goes to another grid (MAP).', inDocs.event],
  output: ['Output', 'The coupler writes and reads files of fields and restarts (OUT, READ, RST, TRN).', inDocs.event],
  restart: ['Restart', 'The part of the output that is restarts (RST, TRN).', inDocs.event],
  other: ['Other operations', 'The definition of partitions and the end of the definitions (PART, ENDF).', inDocs.event],
  ending: ['Waiting at the end', 'In the coupler’s terminate (TERM), which ends when the last process has come.', inDocs.event],
  between: ['Outside the coupler', 'Between two exchanges a process computes. Where MPI was not recorded, it may also wait inside its component, read files, or sleep.', inDocs.picture],
  insidempi: ['In MPI, inside the component', 'In calls of MPI beside the exchanges: among them waiting for other processes of the same component. Recorded by cpl-lb-record.', inDocs.hours],
  unseen: ['Not known', 'The process takes no part in what the others of its component exchange, and MPI was not recorded: nobody saw what it does.', inDocs.picture],
  startup: ['Start-up', 'From the first process’s start to the begin of the coupling loop.', inDocs.loop],
  shutdown: ['Shut-down', 'From the end of the coupling loop to the end of the component.', inDocs.loop],
  events: ['Events', 'Coupling operations of a field, on all processes that take part: sends, receives, mappings and so on.', inDocs.event],
  coreseconds: ['Core seconds', 'Seconds × cores: what the waiting costs.', inDocs.slow],
  path: ['Critical path', 'The chain of computing, from component to component, that decides the length of the loop.', inDocs.path],
  messages: ['Messages', 'Arrows in the timeline: from the begin of a PUT to the end of its GET.', inDocs.picture],
  ends: ['Ends of the loops', 'Dashed lines in the timeline: where each component’s coupling loop begins and ends.', inDocs.picture],
  hwm: ['High-water mark', 'The most memory of the node that a process ever used (resident set).', inDocs.meters],
  rss: ['Resident set', 'What a process has in the node’s memory now.', inDocs.meters],
  nodememory: ['Memory in use', 'Memory of a whole node, with all that runs on it.', inDocs.meters],
  energy: ['Energy', 'Of the nodes during the run, as their meters counted it. The energy of a shared node is split by cores.', inDocs.energy],
  power: ['Power', 'Energy of a node for each second.', inDocs.energy],
  reading: ['Least, mean, most', 'Over the processes or nodes in the column “Of each”.', inDocs.meters],
  persecond: ['Per second', 'What a counter counted, divided by the time in which it counted: the mean of the processes or nodes.', inDocs.meters],
  region: ['Region', 'A named part of the model’s own code.', inDocs.regions],
  calls: ['Calls', 'How often it was entered, by all processes together.', inDocs.regions],
  fastest: ['Fastest, mean, slowest', 'Over the processes: the sum of each one’s times inside the region.', inDocs.regions],
  uneven: ['Imbalance of a region', '1 − mean / slowest: the part of the slowest process’s time that the others do not need.', inDocs.regions],
  sent: ['Messages sent', 'Point to point, inside the region, and the bytes in them: means of the processes.', inDocs.regions],
  limit: ['Limited by', 'The lowest ceiling of the machine above the region: a rate of operations, or a memory level’s bandwidth.', inDocs.roofline],
  intensity: ['Operations for each byte', 'Floating-point operations W / bytes moved Q.', inDocs.roofline],
  attained: ['GFLOP/s', '10⁹ floating-point operations in a second, as the region did.', inDocs.roofline],
  ceiling: ['Ceiling', 'The most GFLOP/s that the machine allows at the region’s operations for each byte.', inDocs.roofline],
  least: ['Least time', 'What the region would take at its ceiling.', inDocs.roofline],
  work: ['W and Q', 'Operations and bytes of the region, and who told them: the model’s author, or the processor’s counters.', inDocs.roofline],
  total: ['Total efficiency', 'The share of the coupling loop in which the processes compute, outside of MPI.', inDocs.hours],
  coupling: ['Coupling efficiency', 'What is left of the loop after waiting for other components.', inDocs.hours],
  inside: ['Inside', 'What is useful of the computing: load balance × communication.', inDocs.hours],
  balance: ['Load balance', 'Mean of the processes’ useful time / the longest of them; low: the decomposition is uneven.', inDocs.hours],
  communication: ['Communication', 'The longest useful time / computing; low: much time in MPI inside the component.', inDocs.hours],
  inmpi: ['Time in MPI', 'Of one process in its calls of MPI: least, mean and most of the component’s processes.', inDocs.hours],
  sypd: ['SYPD', 'Simulated years in a day of wall clock time: the speed.', inDocs.run],
  chsy: ['CHSY', 'Core hours for a simulated year: the cost.', inDocs.run],
  changing: ['Computing that changes', 'Steps of the component’s loop, from 1, in which a step computes alike, when they are in the run, and the median computing of a step.', inDocs.changes],
  metric: ['Metrics', 'Speed, cost and size of a run, as published for climate models: the table says each one’s meaning.', inDocs.run],
  clockerror: ['Clock', 'Times of different nodes are compared with an error of at most this.', inDocs.clock],
  order: ['Ended before they began', 'GETs that ended before their PUT began, which is impossible: names or clocks are wrong.', inDocs.clock],
  dropped: ['Dropped events', 'Events that were not recorded, because the memory for them was full.', inDocs.event],
};
// A figure's name with its meaning: pointed at, it is said; pressed, it leads to the list.
function word(name, text) {
  return make('a', {class: 'word', href: '#word-' + name, title: glossary[name][1]}, text);
}
// A sentence in which the first of each of these words has its meaning.
const wordsInSentences = [['critical path', 'path'], ['bottleneck', 'slow'], ['common loop', 'common'], ['coupling loop', 'loop'],
  ['scale perfectly', 'gain'], ['I/O server', 'ioserver'], ['only takes data', 'ioserver'], ['had no core', 'disturbed'], ['unusual length', 'unusual']];
function withWords(sentence) {
  for (const [text, name] of wordsInSentences) {
    const at = sentence.indexOf(text);
    if (at >= 0) return [...withWords(sentence.slice(0, at)), word(name, text), ...withWords(sentence.slice(at + text.length))];
  }
  return sentence === '' ? [] : [sentence];
}
// Those that stand on the page, and those of the timeline and of the table of a stretch, which come later.
const wordsOfTimeline = ['computing', 'waiting', 'receive', 'send', 'collective', 'imbalance', 'mapping', 'output', 'other', 'ending', 'between', 'insidempi', 'unseen', 'away', 'idle', 'path', 'messages', 'ends'];
function drawGlossary() {
  const used = new Set();
  for (const link of document.querySelectorAll('a.word')) {
    const name = link.getAttribute('href').slice(6);
    if (used.has(name)) link.tabIndex = -1; // who goes from link to link meets each word once
    used.add(name);
  }
  for (const name of wordsOfTimeline) used.add(name);
  byId('glossary-body').append(make('dl', {}, ...Object.entries(glossary).filter(([name]) => used.has(name)).flatMap(([name, [title, line, docs]]) =>
    [make('dt', {id: 'word-' + name}, title), make('dd', {}, line, ' ', make('span', {class: 'soft docs', 'data-docs': docs}, 'docs/' + docs.replace(/#.*/, '')))])),
  missing('More: docs/glossary.md of cpl_lb, which has all words.'));
}
