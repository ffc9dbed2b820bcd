// Classes of the timeline are told apart with normal sight and with each of three kinds of colour blindness, in both
// themes: node colours_test.js STYLE
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const {simulations, lab, difference} = require('./colours.js');

// Sharma, Wu and Dalal 2005, "The CIEDE2000 Color-Difference Formula", table 1: pairs 1, 4, 7, 17 and 25.
for (const [a, b, expected] of [[[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425], [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000],
  [[50, 0, 0], [50, -1, 2], 2.3669], [[50, 2.5, 0], [73, 25, -18], 27.1492], [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644]]) {
  assert.ok(Math.abs(difference(a, b) - expected) < 1e-4, `${difference(a, b)} for ${expected}`);
}
// White stays white, and red is a dark yellow without the cones for long waves.
for (const name of Object.keys(simulations)) assert.ok(Math.abs(lab([255, 255, 255], name)[0] - 100) < 0.01, name);
assert.ok(lab([255, 0, 0], 'protan')[1] < 10 && lab([255, 0, 0], 'full')[1] > 70);

const style = fs.readFileSync(process.argv[2], 'utf8');
const themes = {light: /:root \{([^}]*)\}/.exec(style)[1], dark: /:root\[data-theme="dark"\] \{([^}]*)\}/.exec(style)[1]};
const colourOf = (theme, name) => {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(themes[theme])[1];
  return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
};
const sets = {
  kinds: ['idle', 'computing', 'receive', 'send', 'sync', 'mapping', 'files', 'other', 'away', 'imbalance'],
  lines: ['paper', 'computing-line', 'receive', 'imbalance-line'],
};
// WCAG 2.1: contrast of thin lines (3) and of letters (4.5) against what is below them.
const contrasts = [['computing-line', 'paper', 3], ['receive', 'paper', 3], ['imbalance-line', 'paper', 3], ['soft', 'paper', 4.5], ['link', 'paper', 4.5],
  ['ink', 'computing', 4.5], ['on', 'receive', 4.5], ['on', 'away', 4.5], ['on-deep', 'c0', 4.5], ['on', 'c1', 4.5], ['on', 'c2', 4.5], ['on', 'c3', 4.5], ['on', 'c5', 4.5]];
const brightness = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + [0.2126, 0.7152, 0.0722][i] * c, 0);
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
assert.ok(Math.abs(contrast(brightness([0, 0, 0]), brightness([255, 255, 255])) - 21) < 1e-9);
let nearest = Infinity;
for (const theme of Object.keys(themes)) {
  for (const [above, below, least] of contrasts) {
    const got = contrast(brightness(colourOf(theme, above)), brightness(colourOf(theme, below)));
    assert.ok(got >= least, `${theme}: ${above} on ${below} has a contrast of ${got.toFixed(2)}, and has to have ${least}`);
  }
  for (const names of Object.values(sets)) {
    for (const simulation of Object.keys(simulations)) {
      for (const a of names) {
        for (const b of names.slice(0, names.indexOf(a))) {
          const far = difference(lab(colourOf(theme, a), simulation), lab(colourOf(theme, b), simulation));
          assert.ok(far > 15, `${theme}, ${simulation}: ${a} and ${b} are ${far.toFixed(1)} apart, and have to be more than 15`);
          nearest = Math.min(nearest, far);
        }
      }
    }
  }
}
console.log(`colours: good, at least ${nearest.toFixed(1)} apart`);
