/** Cases about messages: pseudo-header fields, names, values, lengths, trailers, interim responses. */

import { endData, flags, headers } from '../frames/frames.js';
import { block, type Field } from '../frames/hpack.js';
import {
  accepts,
  allSent,
  type Case,
  type Cases,
  either,
  headersSent,
  http,
  openAllSent,
  resets,
} from './case.js';
import { headOf, hello, inPieces, ok, textOf, times } from './parts.js';

/** A response with these fields, whose stream stays open. */
const malformed = (section: '8.3' | '8.3.2', what: string, ...fields: readonly Field[]) =>
  resets(section, what, (id) => [headers(id, fields), hello(id)], headersSent);

/** A response with a wrong field, whose stream stays open. */
const field = (what: string, ...wrong: Field) =>
  resets('8.2.1', what, (id) => [headOf(id, wrong), hello(id)], headersSent);

const ofConnection = (name: string, value: string) =>
  resets('8.2.2', `The response has ${name}.`, (id) => [headOf(id, [name, value])], headersSent);

/** The response ends, so a client may reject it without a frame; with an open request it can say so. */
const endedWrongly = { ...openAllSent, expected: 'report' } as const;

const status = (value: string): Field => [':status', value];
const whole = flags.endHeaders | flags.endStream;

const length = (value: number): Field => ['content-length', `${value}`];

const interim = (id: number, code: string) =>
  headers(id, [status(code), ['link', '</a.css>; rel=preload']]);

/** Responses with about this many KiB of fields. */
const largeCases = Object.fromEntries(
  [8, 16, 64, 256].map((size): [string, Case] => {
    const filler = times(size, (at): Field => [`x-filler-${at}`, textOf(1000)]);
    const send = (id: number) => [inPieces(id, block([...ok, ...filler]))] as const;
    return [
      `headers-${size}k`,
      either('10.5.1', `The headers have ${size} KiB.`, send, headersSent),
    ];
  }),
);

// biome-ignore format: a case is a line.
export const messageCases: Cases = {
  'status-missing': malformed('8.3.2', ':status is missing.', ...ok.slice(1)),
  'status-twice': malformed('8.3', 'There are two :status.', status('200'), ...ok),
  'status-101': either('8.6', ':status is 101.', (id) => [headers(id, [status('101')])]),
  'status-99': accepts(http('15'), ':status is 99.', (id) => [headers(id, [status('99')])], { ...headersSent, level: 'should', rightClient: 'It treats the response as a 5xx.' }),
  'pseudo-after-field': malformed('8.3', ':status follows a field.', ...ok.slice(1), status('200')),
  'pseudo-unknown': malformed('8.3', 'The response has :version.', status('200'), [':version', '2']),
  'pseudo-of-request': malformed('8.3', 'The response has :path.', status('200'), [':path', '/']),
  'pseudo-in-trailers': resets('8.1', 'Trailers have :status.', (id) => [headOf(id), hello(id), headers(id, [status('200')], whole)], endedWrongly),

  'name-upper-case': field('A name has upper case.', 'X-Upper', '1'),
  'name-space': field('A name has a space.', 'x space', '1'),
  'name-colon': field('A name has a colon.', 'x:colon', '1'),
  'name-control': field('A name has a control character.', 'x\x01y', '1'),
  'name-delete': field('A name has the octet 0x7f.', 'x\x7fy', '1'),
  'name-not-ascii': field('A name has the octet 0xe9.', 'x\xe9y', '1'),
  'value-nul': field('A value has NUL.', 'x-value', 'a\0b'),
  'value-cr': field('A value has CR.', 'x-value', 'a\rb'),
  'value-lf': field('A value has LF.', 'x-value', 'a\nb'),
  'value-leading-space': field('A value begins with SP.', 'x-value', ' a'),
  'value-trailing-tab': field('A value ends with HTAB.', 'x-value', 'a\t'),
  'field-connection': ofConnection('connection', 'close'),
  'field-keep-alive': ofConnection('keep-alive', 'timeout=5'),
  'field-proxy-connection': ofConnection('proxy-connection', 'close'),
  'field-transfer-encoding': ofConnection('transfer-encoding', 'chunked'),
  'field-upgrade': ofConnection('upgrade', 'h2c'),
  'field-te': either('8.2.2', 'The response has te.', (id) => [headOf(id, ['te', 'trailers'])], headersSent),

  'length-too-short': resets('8.1.1', 'Content-Length is 2, and DATA has 5 octets.', (id) => [headOf(id, length(2)), hello(id)], { ...headersSent, expected: 'report' }),
  'length-too-long': resets('8.1.1', 'Content-Length is 10, and the response ends after 5 octets.', (id) => [headOf(id, length(10)), endData(id, 'hello')], endedWrongly),
  'length-too-long-get': resets('8.1.1', 'Content-Length is 10. After 5 octets, the response ends, and with it the stream.', (id) => [headOf(id, length(10)), endData(id, 'hello')], { ...allSent, expected: 'report', rightClient: 'It reports an incomplete response.' }),
  'length-without-content': resets('8.1.1', 'Content-Length is 5, and the headers end the response.', (id) => [headers(id, [...ok, length(5)], whole)], endedWrongly),

  'interim-100': accepts(http('15.2'), '100 precedes the response.', (id) => [headers(id, [status('100')])]),
  'interim-103': accepts(http('15.2'), '103 precedes the response.', (id) => [interim(id, '103')]),
  'interim-unknown': accepts(http('15.2'), '199 precedes the response.', (id) => [interim(id, '199')]),
  'interim-three': accepts('8.1', '103 precedes the response three times.', (id) => [Buffer.concat(times(3, () => interim(id, '103')))]),
  'interim-many': either('8.1', '103 precedes the response fifty times.', (id) => [Buffer.concat(times(50, () => interim(id, '103')))]),
  'interim-with-end': resets('8.1', '103 ends the stream.', (id) => [headers(id, [status('103')], whole)], endedWrongly),
  'trailers-without-end': resets('8.1', 'Trailers do not end the stream.', (id) => [headOf(id), hello(id), headers(id, [['x-trailer', '1']])], headersSent),
  'data-before-headers': resets('8.1', 'DATA precedes the headers.', (id) => [hello(id), headOf(id)], headersSent),
  'set-cookie-twice': accepts('8.2.3', 'The response has two Set-Cookie.', (id) => [headOf(id, ['set-cookie', 'first=1'], ['set-cookie', 'second=2'])], { ...headersSent, rightClient: 'It keeps both. Cookie fields may be split or joined.' }),
  ...largeCases,
};
