/** The Huffman code of HPACK: RFC 7541 section 5.2 and appendix B. */

/** The length of the code of each octet, and of EOS: `A` is 5 bits. Codes of one length are in the order of octets. */
const lengths =
  'ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHFIBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJI' +
  'XPRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRSVVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWVZ';

export const endOfString = 256;

const bitsOf = (symbol: number) => lengths.charCodeAt(symbol) - 60;

const symbols = Array.from({ length: endOfString + 1 }, (_, symbol) => symbol).sort(
  (a, b) => bitsOf(a) - bitsOf(b) || a - b,
);

const codes = new Map<number, number>();
/** Symbols by length and code. */
const decoded = new Map<number, number>();

let code = -1;
let bits = 0;
for (const symbol of symbols) {
  code = (code + 1) << (bitsOf(symbol) - bits);
  bits = bitsOf(symbol);
  codes.set(symbol, code);
  decoded.set(keyOf(bits, code), symbol);
}

function keyOf(length: number, value: number): number {
  return length * 2 ** 30 + value;
}

/** Writes symbols, and then `padding`: a text of bits, or ones to the end of the octet. */
export function encodeHuffman(written: Iterable<number>, padding?: string): Buffer {
  let text = '';
  for (const symbol of written) {
    text += (codes.get(symbol) ?? 0).toString(2).padStart(bitsOf(symbol), '0');
  }
  text += padding ?? '1'.repeat((8 - (text.length % 8)) % 8);
  return Buffer.from((text.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
}

/** Throws an error for wrong padding and for EOS. */
export function decodeHuffman(bytes: Uint8Array): Buffer {
  const found: number[] = [];
  let value = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      value = value * 2 + ((byte >> bit) & 1);
      const symbol = decoded.get(keyOf(++length, value));
      if (symbol === undefined) continue;
      if (symbol === endOfString) throw new Error('The text has the end of strings.');
      found.push(symbol);
      value = 0;
      length = 0;
    }
    if (length > 30) throw new Error('The text has an unknown code.');
  }
  if (length > 7 || value !== 2 ** length - 1) throw new Error('The padding is wrong.');
  return Buffer.from(found);
}
