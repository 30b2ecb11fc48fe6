/** Right streams in unusual forms: other lines and chunks, unknown events and members. */

import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { type BrokenStream, eventKinds, everywhere, type Piece, whole } from '../broken-stream.js';
import { unknownEvents } from '../kind-events.js';
import { withMember, writeLines } from '../write-event.js';

const ofEvents = { kinds: eventKinds, isOfEvents: true } as const;

export const forms = casesOf<BrokenStream>()({
  'split-utf8': {
    ...whole,
    nature: 'odd',
    at: ['text'],
    what: 'Chunks end inside a UTF-8 character.',
    // Without a character to split, an unknown member has one. The text remains the same.
    change: ({ events }) =>
      events.some(({ data }) => isWide(data))
        ? events
        : events.map((event) => withMember(event, 'practice_unknown', '✓')),
    pieces: (written) => eachIn(written, splitCharacters),
  },
  'split-crlf': {
    ...whole,
    nature: 'odd',
    what: 'Lines end in CRLF, and chunks between both.',
    write: (text) => text.replaceAll('\n', '\r\n'),
    pieces: (written) => eachIn(written, (text) => splitAt(text, /(?<=\r)/)),
  },
  'cr-only': {
    ...{ ...whole, ...ofEvents },
    nature: 'odd',
    what: 'Lines end in CR.',
    write: (text) => text.replaceAll('\n', '\r'),
  },
  bom: {
    ...whole,
    nature: 'odd',
    // Parsers of JSON may ignore one, or reject it (RFC 8259, section 8.1).
    natureAt: { ollama: 'either' },
    what: 'The stream begins with a byte order mark.',
    *pieces(written) {
      yield Buffer.from([0xef, 0xbb, 0xbf]);
      yield* written;
    },
  },
  comments: {
    ...{ ...everywhere, ...ofEvents },
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
    ...{ ...everywhere, ...ofEvents },
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
    ...{ ...whole, ...ofEvents },
    nature: 'odd',
    what: 'There is no space after the colon of data.',
    write: (text) => text.replaceAll(/^(\w+): /gm, '$1:'),
  },
  'multi-line-data': {
    ...{ ...whole, ...ofEvents },
    nature: 'odd',
    what: 'The JSON of each event has many lines.',
    write: (_text, event) => writeLines(event),
  },
  'blank-lines': {
    ...whole,
    nature: 'odd',
    kinds: ['ollama'],
    what: 'There are blank lines between the lines.',
    write: (text) => `\n${text}`,
  },
  'broken-lines': {
    ...whole,
    nature: 'broken',
    kinds: ['ollama'],
    what: 'The JSON of each line is on several lines.',
    write: (_text, { data }) => `${JSON.stringify(data, undefined, 2)}\n`,
  },
  'joined-lines': {
    nature: 'broken',
    at: ['text'],
    kinds: ['ollama'],
    what: 'The end of a line is missing, so that two objects are on it.',
    *pieces(written, index) {
      let place = 0;
      for (const text of written) yield place++ === index ? text.trimEnd() : text;
    },
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

/** Whether the JSON of an event has a character of several bytes. */
const isWide = (data: unknown) => {
  const text = JSON.stringify(data);
  return Buffer.byteLength(text) > text.length;
};

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
