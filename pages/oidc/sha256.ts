/**
 * SHA-256 (FIPS 180-4). Browsers have their own only in secure contexts, and a phone may open this
 * page by plain http.
 */

/** The first 32 bits of the fractional part of a root of each of the first 64 primes. */
function fractions(count: number, exponent: number): Uint32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    const isPrime = !Array.from({ length: candidate - 2 }, (_, at) => at + 2).some(
      (divisor) => candidate % divisor === 0,
    );
    if (isPrime) found.push((candidate ** exponent % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

const roundConstants = fractions(64, 1 / 3);
const initialState = fractions(8, 1 / 2);

export function sha256(text: string): Uint8Array<ArrayBuffer> {
  const message = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  padded.setUint32(padded.byteLength - 4, message.length * 8);
  const state = Uint32Array.from(initialState);
  for (let start = 0; start < padded.byteLength; start += 64) addBlock(state, padded, start);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => {
    hash.setUint32(at * 4, word);
  });
  return new Uint8Array(hash.buffer);
}

function addBlock(state: Uint32Array, data: DataView, start: number): void {
  const words = new Uint32Array(64);
  for (let at = 0; at < 16; at += 1) words[at] = data.getUint32(start + at * 4);
  const word = (at: number) => words[at] ?? 0;
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [word(at - 15), word(at - 2)];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = word(at - 16) + first + word(at - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + mixed + choice + (roundConstants[at] ?? 0) + word(at)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => {
    state[at] = (state[at] ?? 0) + value;
  });
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
