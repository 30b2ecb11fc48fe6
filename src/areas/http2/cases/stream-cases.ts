/** Cases about streams: states, resets, windows, padding, priorities, pushes, field blocks in pieces. */

import {
  continuation,
  data,
  dependency,
  endData,
  errorCodes,
  flags,
  frame,
  headers,
  maxWindow,
  rstStream,
  settings,
  uint32,
  windowUpdate,
} from '../frames/frames.js';
import { block } from '../frames/hpack.js';
import {
  accepts,
  allSent,
  type Case,
  type Cases,
  closes,
  either,
  headersSent,
  http,
  type Move,
  openAllSent,
  openBody,
  repeats,
  resets,
  waits,
} from './case.js';
import { headOf, hello, ok, times } from './parts.js';

/** Added to a stream of the client: it has not opened that many. */
const ahead = 100;
/** A stream that only a server can open. */
const even = 2;

const ended = (id: number) => Buffer.concat([headOf(id), endData(id, 'hello')]);

/** RST_STREAM with each code, and with an unknown one. */
const resetCases = Object.fromEntries(
  [...errorCodes.entries(), [0xbad, 'unknown'] as const].map(([code, name]): [string, Case] => [
    `rst-${name.toLowerCase().replaceAll('_', '-')}`,
    accepts('5.4.2', `RST_STREAM has the code ${name}.`, (id) => [rstStream(id, code)], {
      ...{ expected: 'no-reset', sent: 'all' },
      rightClient: 'It ends the request, and sends no RST_STREAM in response.',
    }),
  ]),
);

const paddedFlags = flags.endHeaders | flags.padded;

const promised = block([
  [':method', 'GET'],
  [':scheme', 'http'],
  [':authority', 'localhost'],
  [':path', '/pushed'],
]);
const promise = (id: number, stream: number) =>
  frame('pushPromise', id, Buffer.concat([uint32(stream), promised]), flags.endHeaders);

/** HEADERS that a CONTINUATION must follow, and that CONTINUATION. */
const unfinished = (id: number) => headers(id, block(ok).subarray(0, 1), 0);
const rest = (id: number) => continuation(id, block(ok).subarray(1), flags.endHeaders);

const interrupted = (section: '5.5' | '6.2', what: string, by: (id: number) => Buffer) =>
  closes(section, what, (id) => [unfinished(id), by(id), rest(id)], headersSent);

// biome-ignore format: a case is a line.
export const streamCases: Cases = {
  'data-on-stream-0': closes('6.1', 'DATA is on stream 0.', [hello(0)]),
  'headers-on-stream-0': closes('6.2', 'HEADERS are on stream 0.', [headOf(0)]),
  'priority-on-stream-0': closes('6.3', 'PRIORITY is on stream 0.', [frame('priority', 0, dependency(1))]),
  'rst-on-stream-0': closes('6.4', 'RST_STREAM is on stream 0.', [rstStream(0, 'CANCEL')]),
  'continuation-on-stream-0': closes('6.10', 'CONTINUATION is on stream 0.', [continuation(0, block(ok), flags.endHeaders)]),
  'data-on-even-stream': closes('5.1', 'DATA is on stream 2, which is idle.', [hello(even)]),
  'headers-on-even-stream': closes('5.1', 'HEADERS are on stream 2, which is idle.', [headOf(even)]),
  'data-on-idle-stream': closes('5.1', 'DATA is on an idle stream.', (id) => [hello(id + ahead)]),
  'headers-on-idle-stream': closes('5.1', 'HEADERS are on an idle stream of the client.', (id) => [headOf(id + ahead)], { level: 'should' }),
  'rst-on-idle-stream': closes('6.4', 'RST_STREAM is on an idle stream.', (id) => [rstStream(id + ahead, 'CANCEL')]),
  'window-on-idle-stream': closes('5.1', 'WINDOW_UPDATE is on an idle stream.', (id) => [windowUpdate(id + ahead, 1)]),
  'data-on-half-closed': resets('5.1', 'DATA follows the end of the response, while the request is open.', (id) => [ended(id), hello(id)], openAllSent),
  'headers-on-half-closed': resets('5.1', 'HEADERS follow the end of the response, while the request is open.', (id) => [ended(id), headOf(id)], openAllSent),
  'data-on-closed': either('5.1', 'DATA follows the end of the response.', (id) => [ended(id), hello(id)], allSent),
  'headers-on-closed': either('5.1', 'HEADERS follow the end of the response.', (id) => [ended(id), headOf(id)], allSent),
  ...resetCases,

  'rst-after-response': accepts('8.1', 'RST_STREAM with NO_ERROR follows a whole response before the request has ended.', (id) => [ended(id), rstStream(id, 'NO_ERROR')], { ...openAllSent, expected: 'report', rightClient: 'It uses the response.' }),
  'refused-post': either('8.7', 'A POST is reset with REFUSED_STREAM, so it was not processed.', (id) => [rstStream(id, 'REFUSED_STREAM')], { ...allSent, method: 'POST', rightClient: 'It may repeat the request.' }),
  'failed-post': repeats(http('9.2.2'), 'A POST is reset with INTERNAL_ERROR.', (id) => [rstStream(id, 'INTERNAL_ERROR')], { ...allSent, method: 'POST' }),

  'rst-length': closes('6.4', 'RST_STREAM has 3 octets.', (id) => [frame('rstStream', id, 'abc')]),
  'priority-length': resets('6.3', 'PRIORITY has 4 octets.', (id) => [frame('priority', id, 'abcd')]),
  'window-length': closes('6.9', 'WINDOW_UPDATE has 3 octets.', [frame('windowUpdate', 0, 'abc')]),
  'data-padding-too-long': closes('6.1', 'The padding of DATA is longer than the frame.', (id) => [headOf(id), data(id, '\xc8hello', flags.padded)], headersSent),
  'headers-padding-too-long': closes('6.2', 'The padding of HEADERS is longer than the frame.', (id) => [headers(id, Buffer.concat([Buffer.from([200]), block(ok)]), paddedFlags)], headersSent),
  'data-padding-missing': resets('4.2', 'DATA has the flag PADDED, and no octets.', (id) => [headOf(id), data(id, '', flags.padded)], headersSent),

  'window-zero-connection': closes('6.9', 'The window of the connection opens by 0.', [windowUpdate(0, 0)]),
  'window-zero-stream': resets('6.9', 'The window of an open stream opens by 0.', (id) => [windowUpdate(id, 0)], openBody),
  'window-overflow-connection': closes('6.9.1', 'The window of the connection exceeds 2^31-1.', [windowUpdate(0, maxWindow), windowUpdate(0, maxWindow)]),
  'window-overflow-stream': resets('6.9.1', 'The window of an open stream exceeds 2^31-1.', (id) => [windowUpdate(id, maxWindow), windowUpdate(id, maxWindow)], openBody),
  'window-exhausted': waits('6.9.1', 'The windows never open.', ['ping', 1000, 'ping'], openBody),
  'window-one-byte': waits('6.9.1', 'The windows open by one octet, ten times.', (id) => ['ping', ...times(10, (): Move[] => [windowUpdate(0, 1), windowUpdate(id, 1), 'ping']).flat()], openBody),

  'priority-on-itself': either('5.3.2', 'A stream depends on itself.', (id) => [frame('priority', id, dependency(id))]),
  'headers-on-itself': either('5.3.2', 'HEADERS say that a stream depends on itself.', (id) => [headers(id, Buffer.concat([dependency(id), block(ok)]), flags.endHeaders | flags.priority)], headersSent),
  'push-disabled': closes('6.6', 'PUSH_PROMISE is sent although the client has disabled it.', (id) => [promise(id, even)], { lacks: ({ enablePush }) => (enablePush === 0 ? undefined : 'The client allows PUSH_PROMISE.') }),
  'push-on-stream-0': closes('6.6', 'PUSH_PROMISE is on stream 0.', [promise(0, even)]),
  'push-odd-stream': closes('6.6', 'PUSH_PROMISE promises a stream of the client.', (id) => [promise(id, id)]),

  'continuation-without-headers': closes('6.10', 'CONTINUATION follows no HEADERS.', (id) => [continuation(id, block(ok), flags.endHeaders)]),
  'continuation-after-end': closes('6.10', 'CONTINUATION follows HEADERS with END_HEADERS.', (id) => [headOf(id), continuation(id, block([['x-more', '1']]), flags.endHeaders)], headersSent),
  'continuation-interrupted': interrupted('6.2', 'DATA precedes CONTINUATION.', hello),
  'continuation-interrupted-settings': interrupted('6.2', 'SETTINGS precede CONTINUATION.', () => settings()),
  'continuation-interrupted-unknown': interrupted('5.5', 'A frame of an unknown type precedes CONTINUATION.', (id) => frame('unknown', id, 'abc')),
  'continuation-other-stream': closes('6.10', 'CONTINUATION is on another stream than HEADERS.', (id) => [unfinished(id), rest(id + ahead)], headersSent),
  'continuation-endless': either('6.10', 'CONTINUATION never comes.', (id) => [unfinished(id), 1500], { ...allSent, isUnprobed: true }),
  'continuation-thousand': either('10.5', 'A thousand empty CONTINUATION frames precede the last one.', (id) => [unfinished(id), Buffer.concat(times(1000, () => continuation(id, ''))), rest(id)], headersSent),
  'response-endless': either('8.1', 'The response stops, and its stream stays open.', (id) => [headOf(id), hello(id), 1500], headersSent),
};
