// What the words of the page mean, one line each, where they stand and in a list at the end; docs/glossary.md has more.
const glossary = {
  loop: ['Coupling loop', 'All whole coupling steps but the first; start-up and shut-down are outside of it.'],
  step: ['Coupling step', 'From one exchange of the most frequent coupling field to the next.'],
  computing: ['Computing', 'The rest of the coupling loop; it also contains waiting inside the component.'],
  waiting: ['Waiting', 'In an exchange, from the arrival of the component’s last process to the end: for other components.'],
  imbalance: ['Imbalance', 'The time in which processes of one component wait for their own last one at exchanges; each delay counts once.'],
  jitter: ['Jitter', 'Time between the first and the last process to come to an exchange, summed over all exchanges: one delay may count several times.'],
  away: ['Elsewhere, away', 'The time in which a process works for another component.'],
  idle: ['Idle', 'The waiting of an I/O server for data: nobody waits for it.'],
  mapping: ['Mapping', 'The coupler’s own work: a field goes to another grid (MAP).'],
  output: ['Output', 'The coupler writes and reads files of fields and restarts (OUT, READ, RST, TRN).'],
  restart: ['Restart', 'The part of the output that is restarts (RST, TRN).'],
  startup: ['Start-up', 'From the first process’s start to the begin of the coupling loop.'],
  shutdown: ['Shut-down', 'From the end of the coupling loop to the end of the component.'],
  events: ['Events', 'Coupling operations of a field, on all processes that take part: sends, receives, mappings and so on.'],
  path: ['Critical path', 'The chain of computing, from component to component, that decides the length of the loop.'],
  hwm: ['High-water mark', 'The largest memory that a process ever had in the node’s memory (resident set).'],
  region: ['Region', 'A named part of the model’s own code.'],
  total: ['Total efficiency', 'The share of the coupling loop in which the processes compute, outside of MPI.'],
  coupling: ['Coupling efficiency', 'What is left of the loop after waiting for other components.'],
  inside: ['Inside', 'What is useful of the computing: load balance × communication.'],
  balance: ['Load balance', 'Mean of the processes’ useful time / the longest of them; low: the decomposition is uneven.'],
  communication: ['Communication', 'The longest useful time / computing; low: much time in MPI inside the component.'],
};
// A figure's name with its meaning: pointed at, it is said; pressed, it leads to the list.
function word(name, text) {
  return make('a', {class: 'word', href: '#word-' + name, title: glossary[name][1]}, text);
}
function drawGlossary() {
  byId('glossary-body').append(make('dl', {}, ...Object.entries(glossary).flatMap(([name, [title, line]]) =>
    [make('dt', {id: 'word-' + name}, title), make('dd', {}, line)])),
  missing('More: docs/glossary.md and docs/definitions.md of cpl_lb.'));
}
