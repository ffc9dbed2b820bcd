// The search of the site, in place of mkdocs's own, for two reasons. That one needs a web server: a page on the disk may not
// read a file. And it compares stems of words, while here people look for options, names and messages as they stand.
(function () {
  'use strict';
  const field = document.getElementById('mkdocs-search-query');
  const list = document.getElementById('mkdocs-search-results');
  const shown_at_most = 30;
  let index = 'not asked for'; // all sections: [address, page, heading, text]

  function tell(text) {
    list.replaceChildren(Object.assign(document.createElement('p'), {textContent: text}));
  }

  function loadIndex() {
    if (index !== 'not asked for') return;
    index = 'coming';
    const script = document.createElement('script');
    script.src = base_url.replace(/\/?$/, '/') + 'search/index.js';
    script.charset = 'utf-8';
    script.onload = () => { index = window.cplLbSections; search(); };
    script.onerror = () => { index = 'missing'; search(); };
    document.head.append(script);
  }

  // How well a section fits, 0 where a word is missing. What stands in a heading counts most, then the words in a row.
  function fit(section, words) {
    const [page, heading, text] = section.slice(1).map((part) => part.toLowerCase());
    let sum = 0;
    for (const word of words) {
      const times = text.split(word).length - 1;
      const of_word = (heading.includes(word) ? 20 : 0) + (page.includes(word) ? 10 : 0) + Math.min(times, 5);
      if (of_word === 0) return 0;
      sum += of_word;
    }
    const whole = words.join(' ');
    if (heading === whole) return sum + 100;
    if (page === 'changes') return sum / 100; // what holds now comes first
    return sum + (words.length > 1 && (heading + '\n' + text).includes(whole) ? 30 : 0);
  }

  // A piece of the text around the first of the words, which are marked.
  function piece(text, words) {
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const first = Math.max(0, Math.min(...places, text.length) - 60);
    const part = places.length > 0 ? text.slice(first, first + 200) : text.slice(0, 200);
    const out = document.createElement('p');
    let at = 0;
    while (at < part.length) {
      const found = words.map((word) => [part.toLowerCase().indexOf(word, at), word.length]).filter(([place]) => place >= 0)
        .sort((a, b) => a[0] - b[0] || b[1] - a[1])[0] || [part.length, 0];
      out.append(part.slice(at, found[0]));
      if (found[1] > 0) out.append(Object.assign(document.createElement('mark'),
        {textContent: part.slice(found[0], found[0] + found[1])}));
      at = found[0] + found[1];
    }
    return out;
  }

  function result(section, words) {
    const link = document.createElement('a');
    link.href = base_url.replace(/\/?$/, '/') + section[0];
    link.textContent = section[1] === section[2] ? section[1] : section[1] + ' › ' + section[2];
    const heading = document.createElement('h4');
    heading.append(link);
    const out = document.createElement('article');
    out.append(heading, piece(section[3], words));
    return out;
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    if (words.length === 0 || (words.length === 1 && words[0].length < 2)) return list.replaceChildren();
    loadIndex();
    if (index === 'missing') return tell('The index of the search, search/index.js, cannot be read. packaging/site makes it.');
    if (typeof index === 'string') return tell('Reading the index ...');
    const found = index.map((section) => [fit(section, words), section]).filter(([value]) => value > 0);
    found.sort((a, b) => b[0] - a[0]);
    if (found.length === 0) return tell('Nothing has all these words. Try fewer of them, or a part of one.');
    tell(found.length <= shown_at_most ? 'Found: ' + found.length : 'Found: ' + found.length + ', here the best ' + shown_at_most);
    list.append(...found.slice(0, shown_at_most).map(([, section]) => result(section, words)));
  }

  field.addEventListener('input', search);
  field.addEventListener('focus', loadIndex);
  field.form.addEventListener('submit', (event) => { // Enter opens the best one
    event.preventDefault();
    const best = list.querySelector('a');
    if (best) best.click();
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) {
    field.value = asked;
    search();
  }
})();
