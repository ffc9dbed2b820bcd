// Colours of the timeline: each is a button that hides and shows what it stands for.
function drawLegend(view, hidden, changed) {
  const place = byId('legend');
  const buttons = view.categories.map((category, i) => {
    const button = make('button', {type: 'button', 'aria-pressed': String(!hidden.has(i)), title: category.help || category.name},
      make('i', {style: `background:var(--${category.colour})`}), shortened(category.name, 32));
    button.addEventListener('click', () => {
      if (hidden.has(i)) hidden.delete(i);
      else hidden.add(i);
      button.setAttribute('aria-pressed', String(!hidden.has(i)));
      changed();
    });
    return button;
  });
  place.replaceChildren(key('computing', word('between', view.base)), ...(view.stripes ? [key('idle-bar', word('idle', 'idle: an I/O server'))] : []), ...buttons);
  if (view.categories.length > 1) {
    const all = make('button', {type: 'button', class: 'tool'}, 'all');
    all.addEventListener('click', () => { hidden.clear(); drawLegend(view, hidden, changed); changed(); });
    const none = make('button', {type: 'button', class: 'tool'}, 'none');
    none.addEventListener('click', () => {
      view.categories.forEach((_, i) => hidden.add(i));
      drawLegend(view, hidden, changed);
      changed();
    });
    place.append(all, none);
  }
}
