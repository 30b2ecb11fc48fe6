/** Right streams in unusual forms: other lines and chunks, unknown events and members. */

import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { type BrokenStream, everywhere, type Piece, whole } from '../broken-stream.js';
import { unknownEvents } from '../kind-events.js';
import { withMember, writeEvent, writeLines } from '../write-event.js';

export const forms = casesOf<BrokenStream>()({
  'split-utf8': {
    ...whole,
    nature: 'odd',
    at: ['text'],
    what: 'Chunks end inside a UTF-8 character.',
    isFor: ({ completion: { calls } }) => calls.length === 0,
    // A character of three bytes, so that there is one to split.
    text: (text) => `${text} ✓`,
    pieces: (written) => eachIn(written, splitCharacters),
  },
  'split-crlf': {
    ...whole,
    nature: 'odd',
    what: 'Lines end in CRLF, and chunks between both.',
    write: (event) => writeEvent(event).replaceAll('\n', '\r\n'),
    pieces: (written) => eachIn(written, (text) => splitAt(text, /(?<=\r)/)),
  },
  'cr-only': {
    ...whole,
    nature: 'odd',
    what: 'Lines end in CR.',
    write: (event) => writeEvent(event).replaceAll('\n', '\r'),
  },
  bom: {
    ...whole,
    nature: 'odd',
    what: 'The stream begins with a byte order mark.',
    *pieces(written) {
      yield Buffer.from([0xef, 0xbb, 0xbf]);
      yield* written;
    },
  },
  comments: {
    ...everywhere,
    nature: 'odd',
    what: 'There are comments between the events.',
    *pieces(written, index) {
      let place = 0;
      for (const text of written) {
        if (place++ >= index) yield ': comment\n:\n\n';
        yield text;
      }
    },
  },
  'unknown-events': {
    ...everywhere,
    nature: 'odd',
    what: 'There is an event with an unknown type.',
    change: ({ kind, events, index }) => events.toSpliced(index, 0, unknownEvents[kind]),
  },
  'unknown-fields': {
    ...whole,
    nature: 'odd',
    what: 'Each event has an unknown member.',
    change: ({ events }) =>
      events.map((event) => withMember(event, 'practice_unknown', { list: [1, null] })),
  },
  'no-space': {
    ...whole,
    nature: 'odd',
    what: 'There is no space after the colon of data.',
    write: (event) => writeEvent(event).replaceAll(/^(\w+): /gm, '$1:'),
  },
  'multi-line-data': {
    ...whole,
    nature: 'odd',
    what: 'The JSON of each event has many lines.',
    write: writeLines,
  },
  'one-packet': {
    ...whole,
    nature: 'odd',
    what: 'All events are in one chunk.',
    pieces: (written) => [[...written].join('')],
  },
  'many-packets': {
    ...whole,
    nature: 'odd',
    what: 'Each event is in many chunks.',
    pieces: (written) => eachIn(written, (text) => splitAt(text, /(?<=[:,\n])/)),
  },
});

function* eachIn(
  written: Iterable<string>,
  split: (text: string) => Iterable<Piece>,
): Generator<Piece> {
  for (const text of written) yield* split(text);
}

/** Time for a chunk to be sent before the next one. */
const apart: Piece = { pauseMs: 5 };

const maxParts = 12;

function* splitAt(text: string, between: RegExp): Generator<Piece> {
  const parts = text.split(between);
  for (const part of [...parts.slice(0, maxParts), parts.slice(maxParts).join('')]) {
    if (part === '') continue;
    yield part;
    yield apart;
  }
}

/** Ends a chunk after the first byte of each character that has several. */
function* splitCharacters(text: string): Generator<Piece> {
  const bytes = Buffer.from(text);
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0xc0) continue;
    yield bytes.subarray(from, at + 1);
    yield apart;
    from = at + 1;
  }
  yield bytes.subarray(from);
}
