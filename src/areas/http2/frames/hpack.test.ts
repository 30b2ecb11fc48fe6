import { expect, test } from 'vitest';
import { type Field, HpackDecoder, integer, literal, string, tableSize } from './hpack.js';
import { encodeHuffman } from './huffman.js';

const maxBytes = 10_000;
const decode = (decoder: HpackDecoder, hex: string) => decoder.decode(Buffer.from(hex, 'hex'));
const fieldsOf = (text: string): Field[] =>
  text.split('\n').map((line) => {
    const at = line.indexOf(': ', 1);
    return [line.slice(0, at), line.slice(at + 2)];
  });

test.each([
  [10, 5, '0a'],
  [1337, 5, '1f9a0a'],
  [42, 8, '2a'],
])('C.1: the integer %i with a prefix of %i bits', (value, prefix, hex) => {
  expect(integer(value, prefix).toString('hex')).toBe(hex);
});

test.each([
  ['400a637573746f6d2d6b65790d637573746f6d2d686561646572', 'custom-key: custom-header'],
  ['040c2f73616d706c652f70617468', ':path: /sample/path'],
  ['100870617373776f726406736563726574', 'password: secret'],
  ['82', ':method: GET'],
])('C.2: %s', (hex, text) => {
  expect(decode(new HpackDecoder(maxBytes), hex)).toEqual(fieldsOf(text));
});

const first = ':method: GET\n:scheme: http\n:path: /\n:authority: www.example.com';
const requests = [
  first,
  `${first}\ncache-control: no-cache`,
  ':method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\ncustom-key: custom-value',
];
const date = (second: number) => `date: Mon, 21 Oct 2013 20:13:2${second} GMT`;
const rest = (second: number) =>
  `cache-control: private\n${date(second)}\nlocation: https://www.example.com`;
const responses = [
  `:status: 302\n${rest(1)}`,
  `:status: 307\n${rest(1)}`,
  `:status: 200\n${rest(2)}\ncontent-encoding: gzip\nset-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1`,
];

test.each([
  [
    'C.3: requests without Huffman coding',
    4096,
    [
      '828684410f7777772e6578616d706c652e636f6d',
      '828684be58086e6f2d6361636865',
      '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
    ],
    requests,
  ],
  [
    'C.4: requests with Huffman coding',
    4096,
    [
      '828684418cf1e3c2e5f23a6ba0ab90f4ff',
      '828684be5886a8eb10649cbf',
      '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
    ],
    requests,
  ],
  [
    'C.5: responses without Huffman coding',
    256,
    [
      '4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d',
      '4803333037c1c0bf',
      '88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31',
    ],
    responses,
  ],
  [
    'C.6: responses with Huffman coding',
    256,
    [
      '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
      '4883640effc1c0bf',
      '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
    ],
    responses,
  ],
])('%s', (_name, size, blocks, texts) => {
  const decoder = new HpackDecoder(maxBytes);
  if (size < 4096) decoder.decode(tableSize(size));
  for (const [at, hex] of blocks.entries()) {
    expect(decode(decoder, hex)).toEqual(fieldsOf(texts[at] ?? ''));
  }
});

test('each octet survives the Huffman code, and has the code of the examples', () => {
  const all = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
  const decoder = new HpackDecoder(maxBytes);
  expect(decoder.decode(literal(['x', all], 'plain', true))).toEqual([['x', all]]);
  expect(string('www.example.com', true).toString('hex')).toBe('8cf1e3c2e5f23a6ba0ab90f4ff');
});

const named = (value: Buffer) => Buffer.concat([Buffer.from([0, 1, 0x78]), value]);
const coded = (octets: Buffer) => named(Buffer.concat([integer(octets.length, 7, 0x80), octets]));
const large = literal(['x-large', 'a'.repeat(4000)], 'indexed');

test.each<[string, Buffer]>([
  ['the index 0', Buffer.from([0x80])],
  ['an index that no table has', Buffer.from([0xbe])],
  ['the name of an index that no table has', Buffer.from([0x7f, 0x10, 0])],
  ['an integer that is too large', Buffer.concat([Buffer.alloc(6, 255), Buffer.from([1])])],
  ['an integer that does not end', Buffer.from([0xff])],
  ['a text that does not end', named(Buffer.from([5, 0x61]))],
  ['a table size over the limit', tableSize(4097)],
  ['a table size after a field', Buffer.concat([Buffer.from([0x82]), tableSize(0)])],
  ['long padding', coded(Buffer.concat([encodeHuffman([97]), Buffer.from([255])]))],
  ['padding with zeros', coded(encodeHuffman([97], '000'))],
  ['the end of strings', coded(encodeHuffman([256]))],
  ['a section that is too large', Buffer.concat([large, Buffer.alloc(3, 0xbe)])],
])('%s is rejected', (_name, bytes) => {
  expect(() => new HpackDecoder(maxBytes).decode(bytes)).toThrow(/\w\./);
});

test('a smaller limit needs a table size first, and evicts', () => {
  const decoder = new HpackDecoder(maxBytes);
  const field: Field = ['x-kept', '1'];
  decoder.decode(literal(field, 'indexed'));
  expect(decoder.decode(Buffer.from([0xbe]))).toEqual([field]);
  decoder.limit = 0;
  expect(() => decoder.decode(Buffer.from([0xbe]))).toThrow('missing');
  expect(decoder.decode(tableSize(0))).toEqual([]);
  expect(() => decoder.decode(Buffer.from([0xbe]))).toThrow('index');
});
