/** Right responses that are unusual: a client must accept all of them. */

import {
  continuation,
  data,
  defaultWindow,
  dependency,
  endData,
  flags,
  frame,
  headers,
  maxWindow,
  ping,
  settings,
  windowUpdate,
} from '../frames/frames.js';
import {
  block,
  defaultTableBytes,
  type Field,
  indexed,
  literal,
  named,
  sizeOf,
} from '../frames/hpack.js';
import { accepts, allSent, type Cases, headersSent, hpack, type Move } from './case.js';
import { headOf, hello, inPieces, ok } from './parts.js';

/** Ten octets of padding, after their number. */
const padded = (bytes: Buffer | string) =>
  Buffer.concat([Buffer.from([10]), Buffer.from(bytes as string), Buffer.alloc(10)]);

type Following = (stream: number) => readonly Move[];

/** The frames begin with the headers of the response, or follow right ones. */
const begin = (
  section: Parameters<typeof accepts>[0],
  what: string,
  first: (id: number) => Buffer,
) => accepts(section, what, (id) => [first(id), hello(id)], headersSent);
const then = (section: Parameters<typeof accepts>[0], what: string, next: Following) =>
  accepts(section, what, (id) => [headOf(id), ...next(id)], headersSent);

const again: Field = ['x-again', 'a'];

const whole = flags.endHeaders | flags.endStream;

// biome-ignore format: a case is a line.
export const unusualCases: Cases = {
  'odd-padding': then('6.1', 'DATA has padding.', (id) => [data(id, padded('hello'), flags.padded)]),
  'odd-headers-padding': begin('6.2', 'HEADERS have padding.', (id) => headers(id, padded(block(ok)), flags.endHeaders | flags.padded)),
  'odd-only-padding': then('6.1', 'DATA has padding, and no content.', (id) => [data(id, padded(''), flags.padded), data(id, '\0', flags.padded)]),
  'odd-empty-data': then('6.1', 'DATA frames are empty.', (id) => [data(id), hello(id), data(id)]),
  'odd-single-octets': then('6.1', 'Each DATA frame has one octet.', (id) => [...'hello world'].map((each) => data(id, each))),
  'odd-continuation': begin('6.10', 'A field block is in pieces of 6 octets.', (id) => inPieces(id, block(ok), 6)),
  'odd-empty-continuation': begin('6.10', 'HEADERS and a CONTINUATION are empty.', (id) => Buffer.concat([headers(id, Buffer.alloc(0), 0), continuation(id, ''), continuation(id, block(ok), flags.endHeaders)])),
  'odd-end-before-continuation': accepts('6.2', 'HEADERS with END_STREAM are continued.', (id) => [headers(id, block(ok).subarray(0, 5), flags.endStream), continuation(id, block(ok).subarray(5), flags.endHeaders)], allSent),
  'odd-settings': then('6.5', 'SETTINGS are in the middle of the response.', (id) => [settings({ maxConcurrentStreams: 50 }), hello(id)]),
  'odd-ping': then('6.7', 'Two equal PING are in the middle of the response.', (id) => [ping('same-one'), ping('same-one'), hello(id)]),
  'odd-priority': accepts('6.3', 'PRIORITY is on the stream and on idle ones.', (id) => [frame('priority', id, dependency(0)), frame('priority', id + 2, dependency(id, 255)), frame('priority', 100, dependency(2 ** 31, 0))]),
  'odd-headers-priority': begin('6.2', 'HEADERS have a priority.', (id) => headers(id, Buffer.concat([dependency(0), block(ok)]), flags.endHeaders | flags.priority)),
  'odd-extended-connect': accepts('5.5', 'Extended CONNECT is offered.', [settings({ enableConnectProtocol: 1 })]),
  'odd-origin': accepts('5.5', 'ORIGIN is sent.', [frame('origin', 0, '\0\x13https://example.org')]),
  'odd-altsvc': accepts('5.5', 'ALTSVC is sent.', (id) => [frame('altSvc', id, '\0\0clear')]),
  'odd-largest-window': accepts('6.9.1', 'The window of the connection becomes 2^31-1.', [windowUpdate(0, maxWindow - defaultWindow)]),
  'odd-window-after-end': accepts('6.9', 'WINDOW_UPDATE follows the end of the response.', (id) => [headOf(id), endData(id, 'hello'), windowUpdate(id, 1)], allSent),
  'odd-trailers': accepts('8.1', 'The response has trailers.', (id) => [headOf(id), hello(id), headers(id, [['x-trailer', '1']], whole)], allSent),
  'odd-field': begin('8.2.1', 'A name and a value have many allowed characters.', (id) => headOf(id, ["x!#$%&'*+-.^_`|~0", '!"#$%&()*+,-./:;<=>?@[]^_`{|}~'], ['x-empty', ''])),
  'odd-huffman': begin(hpack('5.2'), 'All texts have a Huffman code.', (id) => headers(id, Buffer.concat(ok.map((field) => literal(field, 'plain', true))))),
  'odd-static-table': begin(hpack('6.1'), 'Fields and names are in the static table.', (id) => headers(id, Buffer.concat([indexed(8), named(31, 'text/plain')]))),
  'odd-dynamic-table': accepts(hpack('2.3.2'), 'A field of the headers is an index in the trailers.', (id) => [headers(id, Buffer.concat([block(ok), literal(again, 'indexed')])), headers(id, indexed(62), whole)], { ...allSent, lacks: ({ headerTableSize = defaultTableBytes }) => headerTableSize < sizeOf(again) ? 'The table of the client is too small.' : undefined }),
};
