// How far apart two colours are for people who see colours and for those who see fewer.
'use strict';

// Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
// table 1, severity 1.0; they act on linear RGB.
const simulations = {
  full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
};
// IEC 61966-2-1 (sRGB), white point D65.
const xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
const white = xyz.map((row) => row[0] + row[1] + row[2]);
const times = (matrix, v) => matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

// [r, g, b] of 0 to 255 to CIE L*a*b*, as seen.
function lab(rgb, simulation) {
  const linear = rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const seen = times(simulations[simulation], linear).map((c) => Math.min(Math.max(c, 0), 1));
  const [x, y, z] = times(xyz, seen).map((c, i) => c / white[i]).map((t) => t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
// CIEDE2000 (CIE 142-2001).
function difference([L1, a1, b1], [L2, a2, b2]) {
  const degrees = 180 / Math.PI, to7 = (c) => Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const G = 0.5 * (1 - to7((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [c1, c2] = [Math.hypot(a1 * (1 + G), b1), Math.hypot(a2 * (1 + G), b2)];
  const hue = (a, b) => (Math.atan2(b, a * (1 + G)) * degrees + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const grey = c1 * c2 === 0, apart = h2 - h1;
  const turn = grey ? 0 : apart > 180 ? apart - 360 : apart < -180 ? apart + 360 : apart;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(turn / 2 / degrees);
  const sum = h1 + h2;
  const h = grey ? sum : Math.abs(apart) <= 180 ? sum / 2 : sum < 360 ? sum / 2 + 180 : sum / 2 - 180;
  const L = (L1 + L2) / 2 - 50, c = (c1 + c2) / 2;
  const cos = (x) => Math.cos(x / degrees);
  const T = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const turned = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) / degrees) * 2 * to7(c);
  const l = (L2 - L1) / (1 + 0.015 * L * L / Math.sqrt(20 + L * L)), k = (c2 - c1) / (1 + 0.045 * c), m = dH / (1 + 0.015 * c * T);
  return Math.sqrt(l * l + k * k + m * m + turned * k * m);
}
module.exports = {simulations, lab, difference};
