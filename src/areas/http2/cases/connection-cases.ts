/** Cases about the connection: its preface, its settings, PING, GOAWAY and frames of any type. */

import {
  data,
  defaultWindow,
  flags,
  frame,
  goaway,
  headers,
  maxFrameBytes,
  maxWindow,
  ping,
  type Settings,
  settings,
  settingsAck,
  windowUpdate,
} from '../frames/frames.js';
import {
  accepts,
  allSent,
  type Cases,
  closes,
  either,
  headersSent,
  http,
  openBody,
  repeats,
  resets,
  type Script,
  sectionOf,
  waits,
} from './case.js';
import { headOf, hello, ok, textOf } from './parts.js';

/** Larger frames are too much for a connection of the lab. */
const maxOwnFrame = 960 * 1024;

const frameLimit = ({ maxFrameSize = maxFrameBytes }: Settings) => maxFrameSize;
const largeFrames = {
  ...headersSent,
  lacks: (of: Settings) =>
    frameLimit(of) > maxOwnFrame ? 'The client accepts very large frames.' : undefined,
};

/** `preface` replaces the SETTINGS. */
const begins = (what: string, preface: Script, more: object = {}) => ({
  ...({ what, preface, level: 'must', expected: 'connection-error' } as const),
  ...{ rightClient: 'It ends the connection.', section: sectionOf('3.4') },
  ...more,
});
const waiting = { expected: 'accepted', rightClient: 'It waits.' };

/** Frames of the client stay unacknowledged. */
const withholding = (section: '6.5.3' | '6.7', what: string, withholds: 'settings' | 'ping') => ({
  ...({ what, withholds, level: 'may', expected: 'anything' } as const),
  section: sectionOf(section),
  rightClient: 'It may continue, or end the connection.',
});

const mayRepeat = 'It may repeat the request on another connection.';

// biome-ignore format: a case is a line.
export const connectionCases: Cases = {
  'preface-late': begins('SETTINGS are sent after a second.', [1000, settings()], waiting),
  'preface-absent': begins('No SETTINGS are sent.', [1500], { ...{ level: 'may', expected: 'anything', rightClient: 'It waits, or ends the connection.' }, isUnprobed: true }),
  'preface-ping-first': begins('PING precedes SETTINGS.', [ping('preface1'), settings()]),
  'preface-headers-first': begins('The headers of the response precede SETTINGS.', (stream) => [headOf(stream), settings()], headersSent),
  'preface-window-first': begins('WINDOW_UPDATE precedes SETTINGS.', [windowUpdate(0, 1000), settings()]),
  'preface-http1': begins('The server responds in HTTP/1.1.', [Buffer.from('HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Length: 0\r\n\r\n')], { isUnprobed: true }),

  'settings-length': closes('6.5', 'SETTINGS have 5 octets.', [frame('settings', 0, 'abcde')]),
  'settings-on-stream': closes('6.5', 'SETTINGS are on a stream.', (id) => [settings({}, id)]),
  'settings-ack-payload': closes('6.5', 'An acknowledgement has a setting.', [frame('settings', 0, '\0\x03\0\0\0\x64', flags.ack)]),
  'settings-push-1': closes('6.5.2', 'ENABLE_PUSH is 1.', [settings({ enablePush: 1 })]),
  'settings-push-2': closes('6.5.2', 'ENABLE_PUSH is 2.', [settings({ enablePush: 2 })]),
  'settings-window-too-large': closes('6.5.2', 'INITIAL_WINDOW_SIZE is 2^31.', [settings({ initialWindowSize: 2 ** 31 })]),
  'settings-frame-size-small': closes('6.5.2', 'MAX_FRAME_SIZE is 16,383.', [settings({ maxFrameSize: maxFrameBytes - 1 })]),
  'settings-frame-size-large': closes('6.5.2', 'MAX_FRAME_SIZE is 2^24.', [settings({ maxFrameSize: 2 ** 24 })]),
  'settings-unknown': accepts('6.5.2', 'A setting is unknown.', [settings({ unknown: 7 })]),
  'settings-empty': accepts('6.5', 'SETTINGS are empty, twice.', [settings(), settings()]),
  'settings-any-order': accepts('6.5.3', 'Settings have another order, and one is sent again.', [settings({ maxHeaderListSize: 65_536, enablePush: 0, initialWindowSize: 70_000 }), settings({ initialWindowSize: 80_000, maxConcurrentStreams: 10, headerTableSize: 4096 })]),
  'settings-window-overflow': closes('6.9.2', 'A larger INITIAL_WINDOW_SIZE makes the window of an open stream too large.', (id) => [windowUpdate(id, maxWindow - defaultWindow), settings({ initialWindowSize: 4 * defaultWindow })], openBody),
  'settings-window-shrinks': waits('6.9.2', 'INITIAL_WINDOW_SIZE becomes 0, which makes the window negative. It then opens a little.', (id) => [settings({ initialWindowSize: 0 }), 'ping', windowUpdate(0, 20_000), windowUpdate(id, 20_000), 'ping'], openBody),
  'settings-table-zero': accepts('4.3.1', 'HEADER_TABLE_SIZE is 0.', [settings({ headerTableSize: 0 }), 'ping'], { ...{ expected: 'next-request', requests: 2 }, rightClient: 'Its next request on the connection begins with a table size of 0.' }),
  'settings-never-acknowledged': withholding('6.5.3', 'The settings of the client are never acknowledged.', 'settings'),
  'settings-ack-unsolicited': either('6.5.3', 'There are two acknowledgements too many.', [settingsAck, settingsAck]),
  'settings-one-stream': accepts('5.1.2', 'MAX_CONCURRENT_STREAMS is 1 while a request is open.', [settings({ maxConcurrentStreams: 1 }), 'ping', 1000], { ...{ expected: 'no-new-stream', requests: 3 }, rightClient: 'It opens the next stream after the response.' }),

  'goaway-graceful': accepts('6.8', 'GOAWAY announces the end, then the last stream. The response follows.', (id) => [goaway(maxWindow, 'NO_ERROR'), 'ping', goaway(id, 'NO_ERROR')]),
  'goaway-no-new-streams': accepts('6.8', 'GOAWAY is sent while a request is open.', (id) => [goaway(id, 'NO_ERROR'), 'ping', 1000], { ...{ expected: 'no-new-stream', requests: 2 }, rightClient: 'It sends further requests on another connection.' }),
  'goaway-last-below': either('6.8', 'GOAWAY says that the request was not processed.', [goaway(0, 'NO_ERROR'), 'end'], { rightClient: mayRepeat }),
  'goaway-last-below-post': either('8.7', 'GOAWAY says that a POST was not processed.', [goaway(0, 'NO_ERROR'), 'end'], { method: 'POST', rightClient: mayRepeat }),
  'goaway-debug-data': accepts('6.8', 'GOAWAY has debug data. The response follows.', (id) => [goaway(id, 'NO_ERROR', 'maintenance')]),
  'goaway-unknown-code': either('7', 'GOAWAY has an unknown code.', (id) => [goaway(id, 0xbad)]),
  'goaway-on-stream': closes('6.8', 'GOAWAY is on a stream.', (id) => [frame('goaway', id, '\0\0\0\x01\0\0\0\0')]),
  'goaway-short': closes('4.2', 'GOAWAY has 4 octets.', [frame('goaway', 0, '\0\0\0\x01')]),
  'goaway-increased': either('6.8', 'A second GOAWAY has a higher last stream.', (id) => [goaway(id, 'NO_ERROR'), goaway(id + 2, 'NO_ERROR')]),
  'close-with-goaway': either('6.8', 'After GOAWAY, the connection ends.', (id) => [goaway(id, 'NO_ERROR'), 'end']),
  'close-after-response': either('5.4.3', 'After the response, the connection ends without GOAWAY.', (id) => [headOf(id), data(id, 'hello', flags.endStream), 'end'], allSent),
  'goaway-after-response': either('6.8', 'After the response, GOAWAY is sent, and the connection ends.', (id) => [headOf(id), data(id, 'hello', flags.endStream), goaway(id, 'NO_ERROR'), 'end'], allSent),
  'close-without-goaway': either('5.4.3', 'The connection ends without GOAWAY.', ['end']),
  'close-post': repeats(http('9.2.2'), 'The connection of a POST ends without GOAWAY.', ['end'], { method: 'POST' }),

  'ping-length-7': closes('6.7', 'PING has 7 octets.', [ping('1234567')]),
  'ping-length-9': closes('6.7', 'PING has 9 octets.', [ping('123456789')]),
  'ping-on-stream': closes('6.7', 'PING is on a stream.', (id) => [frame('ping', id, '12345678')]),
  'ping-ack-unsolicited': either('6.7', 'An acknowledgement belongs to no PING.', [ping('12345678', flags.ack)]),
  'ping-answered': accepts('6.7', 'PING is sent.', [ping('question')], { ...{ expected: 'same-ping', rightClient: 'It acknowledges it with the same octets.' } }),
  'ping-never-acknowledged': withholding('6.7', 'PING is never acknowledged.', 'ping'),
  'frame-unknown-type': accepts('4.1', 'Frames of an unknown type are on the connection and on the stream.', (id) => [frame('unknown', 0, 'abc', 0xff), frame('unknown', id, 'abc'), headOf(id), frame('unknown', id, 'abc', 1)], headersSent),
  'frame-unknown-flags': accepts('4.1', 'Frames have undefined flags.', (id) => [headers(id, ok, flags.endHeaders | 0xc2), data(id, 'a', 0xf6), ping('12345678', 0xfe)], headersSent),
  'frame-reserved-bit': accepts('4.1', 'Frames have the reserved bit.', (id) => [headOf(id + 2 ** 31), hello(id + 2 ** 31), frame('windowUpdate', 0, '\x80\0\0\x05')], headersSent),
  'frame-data-too-large': resets('4.2', 'DATA has an octet more than the MAX_FRAME_SIZE of the client.', (id, of) => [headOf(id), data(id, textOf(frameLimit(of) + 1))], largeFrames),
  'frame-headers-too-large': closes('4.2', 'HEADERS are larger than the MAX_FRAME_SIZE of the client.', (id, of) => [headOf(id, ['x-filler', textOf(frameLimit(of))])], largeFrames),
  'frame-at-limit': accepts('4.2', 'DATA has 16,384 octets.', (id) => [headOf(id), data(id, textOf(maxFrameBytes))], headersSent),
};
