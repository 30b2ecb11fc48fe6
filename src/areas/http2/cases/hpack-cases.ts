/** Cases about HPACK: RFC 7541. */

import { headers, type Settings } from '../frames/frames.js';
import {
  block,
  defaultTableBytes,
  indexed,
  integer,
  literal,
  named,
  tableSize,
} from '../frames/hpack.js';
import { encodeHuffman, endOfString } from '../frames/huffman.js';
import { accepts, type Cases, closes, either, headersSent, hpack } from './case.js';
import { blockOf, ok, textOf, times } from './parts.js';

/** A response whose field block has a fault. */
const wrong = (
  section: ReturnType<typeof hpack> | '4.3',
  what: string,
  ...representations: readonly Buffer[]
) => closes(section, what, (id) => [blockOf(id, ...representations)], headersSent);

const name = Buffer.from([0, 1, 0x78]);

/** A field whose value has these octets of a Huffman code. */
const huffmanValue = (octets: Buffer) =>
  Buffer.concat([name, integer(octets.length, 7, 0x80), octets]);

const letters = Buffer.from('aaaaa');

/** In no table. */
const beyond = 200;

/** The first index of the dynamic table. */
const newest = indexed(62);

const tableLimit = ({ headerTableSize = defaultTableBytes }: Settings) => headerTableSize;

// biome-ignore format: a case is a line.
export const hpackCases: Cases = {
  'hpack-index-0': wrong(hpack('6.1'), 'A field has the index 0.', indexed(0)),
  'hpack-index-beyond': wrong(hpack('2.3.3'), 'An index is in no table.', indexed(beyond)),
  'hpack-name-beyond': wrong(hpack('2.3.3'), 'The index of a name is in no table.', named(beyond, 'a')),
  'hpack-index-evicted': closes(hpack('2.3.3'), 'An index is of a field that was evicted.', (id) => [headers(id, Buffer.concat([block(ok), literal(['x-first', 'a'], 'indexed')])), headers(id, Buffer.concat([tableSize(0), newest]), 5)], { sent: 'all' }),
  'hpack-size-over-limit': closes(hpack('6.3'), 'A table size is over the limit of the client.', (id, of) => [headers(id, Buffer.concat([tableSize(tableLimit(of) + 1), block(ok)]))], headersSent),
  'hpack-size-after-field': either(hpack('4.2'), 'A table size follows a field.', (id) => [blockOf(id, tableSize(0))], headersSent),
  'hpack-size-missing': closes('4.3.1', 'The client has reduced its table, and no table size is sent.', (id) => [blockOf(id, literal(['x-kept', 'a'], 'indexed'))], { ...headersSent, sendsNoSize: true, lacks: (of) => tableLimit(of) < defaultTableBytes ? undefined : 'The client has not reduced its table.' }),
  'hpack-huffman-long-padding': wrong(hpack('5.2'), 'The padding of a Huffman code has more than 7 bits.', huffmanValue(Buffer.concat([encodeHuffman(letters), Buffer.from([255])]))),
  'hpack-huffman-zero-padding': wrong(hpack('5.2'), 'The padding of a Huffman code has zeros.', huffmanValue(encodeHuffman(letters, '0'.repeat(7)))),
  'hpack-huffman-eos': wrong(hpack('5.2'), 'A Huffman code has the end of strings.', huffmanValue(encodeHuffman([...letters, endOfString]))),
  'hpack-integer-overflow': wrong(hpack('5.1'), 'An index has more than 64 bits.', Buffer.concat([Buffer.alloc(11, 255), Buffer.from([1])])),
  'hpack-integer-unfinished': wrong('4.3', 'The block ends inside of an integer.', Buffer.from([0xff, 0x80])),
  'hpack-string-unfinished': wrong('4.3', 'A text is longer than the block.', Buffer.concat([name, integer(100, 7)])),
  'hpack-bomb': either('10.5.1', 'The block has a field of 4,000 octets 500 times, each time in one octet.', (id) => [blockOf(id, literal(['x-bomb', textOf(4000)], 'indexed'), ...times(500, () => newest))], headersSent),
  'hpack-never-indexed': accepts(hpack('6.2.3'), 'A field must never be indexed.', (id) => [blockOf(id, literal(['x-secret', 'a'], 'never'))], headersSent),
  'hpack-size-updates': accepts(hpack('4.2'), 'Two table sizes begin the block.', (id, of) => [headers(id, Buffer.concat([tableSize(0), tableSize(tableLimit(of)), block(ok)]))], headersSent),
  'hpack-field-too-large': accepts(hpack('4.4'), 'A field is larger than the table, which it makes empty.', (id) => [headers(id, Buffer.concat([tableSize(0), block(ok), literal(['x-large', 'a'], 'indexed')]))], headersSent),
};
