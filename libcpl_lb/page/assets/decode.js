// Blocks of the page back to numbers (libcpl_lb/page/README.md).
async function blockBytes(id) {
  const node = byId(id);
  const text = atob(node.textContent);
  const isPacked = node.dataset.packed !== 'no';
  node.remove(); // its text is not needed again
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  if (!isPacked) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')); // zlib's, RFC 1950
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
// `count` numbers of `width` bytes, sorted by significance, from `offset`.
function unshuffled(data, offset, count, width) {
  if (width <= 4) { // the usual: whole numbers of the processor
    const numbers = new Uint32Array(count);
    for (let byte = 0; byte < width; ++byte) {
      const from = offset + byte * count, shift = 8 * byte;
      for (let i = 0; i < count; ++i) numbers[i] |= data[from + i] << shift;
    }
    return numbers;
  }
  const numbers = new Float64Array(count);
  let scale = 1;
  for (let byte = 0; byte < width; ++byte, scale *= 256) {
    const from = offset + byte * count;
    for (let i = 0; i < count; ++i) numbers[i] += scale * data[from + i];
  }
  return numbers;
}
function unzigzag(n) {
  if (n <= 4294967295) return (n >>> 1) ^ -(n & 1);
  return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
}
function decodeKeys(block, data) {
  const n = block.events;
  const classes = Uint16Array.from(unshuffled(data, 0, n, 2));
  const dates = Float64Array.from(unshuffled(data, 2 * n, n, block.date_bytes));
  let before = 0;
  for (let i = 0; i < n; ++i) {
    if (dates[i] === 0) dates[i] = NaN;
    else dates[i] = before += unzigzag(dates[i] - 1);
  }
  return {classes, dates};
}
// For each row of the block its events: {key, start, stop}, microseconds; without those it took no part in.
function decodeEvents(block, data, events) {
  const count = block.rows.length * events;
  const gaps = unshuffled(data, 0, count, block.gap_bytes);
  const lengths = unshuffled(data, count * block.gap_bytes, count, block.length_bytes);
  return block.rows.map((row, r) => {
    const from = r * events;
    let n = 0;
    for (let k = 0; k < events; ++k) n += lengths[from + k] > 0 ? 1 : 0;
    const key = new Uint32Array(n), start = new Float64Array(n), stop = new Float64Array(n);
    let before = 0, i = 0;
    for (let k = 0; k < events; ++k) {
      const length = lengths[from + k];
      if (length === 0) continue;
      before += unzigzag(gaps[from + k]);
      key[i] = k;
      start[i] = before;
      stop[i++] = before + length - 1;
    }
    return {row, key, start, stop};
  });
}
