/** Broken and unusual streams, and what clients should do with them. */

import type { Generation } from '../messages/provider.js';

export type Kind = Generation['kind'];

/** Places where a stream breaks. `start` also means the whole stream. */
export const places = ['start', 'text', 'arguments', 'end'] as const;
export type BreakingPlace = (typeof places)[number];

/**
 * `broken`: the client must not use the fragment. `odd`: the stream is right, and the client must
 * use it. `either`: both are right.
 */
export type Nature = 'broken' | 'odd' | 'either';

export interface BrokenStream {
  readonly what: string;
  readonly nature: Nature;
  /** The nature at some endpoints, if it differs. */
  readonly natureAt?: Readonly<Partial<Record<Kind, Nature>>>;
  readonly at: readonly BreakingPlace[];
  readonly kinds: readonly Kind[];
}

const allKinds: readonly Kind[] = ['chat', 'responses', 'messages'];
const everywhere = { at: places, kinds: allKinds } as const;
const whole = { at: ['start'], kinds: allKinds } as const;
const inArguments = { at: ['arguments'], kinds: allKinds } as const;
const content = ['text', 'arguments'] as const;

const table = {
  'error-event': {
    ...everywhere,
    nature: 'broken',
    what: 'An error event is in the stream, which has status 200.',
  },
  'failed-open': {
    nature: 'broken',
    at: content,
    kinds: ['responses'],
    what: 'The event response.failed is sent, but the connection remains open.',
  },
  'no-terminator': {
    nature: 'broken',
    natureAt: { chat: 'either' },
    at: ['end'],
    kinds: allKinds,
    what: 'The stream ends without [DONE], message_stop or response.completed.',
  },
  reset: { ...everywhere, nature: 'broken', what: 'The connection is reset.' },
  close: {
    ...everywhere,
    nature: 'broken',
    what: 'The response ends as if it were complete.',
  },
  'silence-with-pings': {
    ...everywhere,
    nature: 'broken',
    what: 'Only a ping is sent every 500 ms.',
  },
  silence: {
    ...everywhere,
    nature: 'broken',
    what: 'Nothing more is sent, and the connection remains open.',
  },
  'split-utf8': {
    nature: 'odd',
    at: ['text'],
    kinds: allKinds,
    what: 'Chunks end inside a UTF-8 character.',
  },
  'split-crlf': { ...whole, nature: 'odd', what: 'Lines end in CRLF, and chunks between both.' },
  'cr-only': { ...whole, nature: 'odd', what: 'Lines end in CR.' },
  bom: { ...whole, nature: 'odd', what: 'The stream begins with a byte order mark.' },
  comments: { ...everywhere, nature: 'odd', what: 'There are comments between the events.' },
  'unknown-events': {
    ...everywhere,
    nature: 'odd',
    what: 'There is an event with an unknown type.',
  },
  'unknown-fields': { ...whole, nature: 'odd', what: 'Each event has an unknown member.' },
  'no-space': { ...whole, nature: 'odd', what: 'There is no space after the colon of data.' },
  'multi-line-data': { ...whole, nature: 'odd', what: 'The JSON of each event has many lines.' },
  'one-packet': { ...whole, nature: 'odd', what: 'All events are in one chunk.' },
  'many-packets': { ...whole, nature: 'odd', what: 'Each event is in many chunks.' },
  'out-of-order': {
    nature: 'broken',
    at: content,
    kinds: allKinds,
    what: 'A delta comes before the event that begins its content, or after the end.',
  },
  duplicate: { nature: 'either', at: content, kinds: allKinds, what: 'A delta is sent twice.' },
  'null-deltas': { ...whole, nature: 'odd', what: 'There are deltas without content.' },
  'empty-choices': {
    nature: 'odd',
    at: ['start', 'text', 'end'],
    kinds: ['chat'],
    what: 'There is a chunk with an empty list of choices.',
  },
  'empty-arguments': {
    ...inArguments,
    nature: 'broken',
    what: 'The arguments of a tool call are empty.',
  },
  'cut-arguments': {
    ...inArguments,
    nature: 'broken',
    what: 'The arguments of a tool call are cut, but the stream ends as usual.',
  },
  'trailing-arguments': {
    ...inArguments,
    nature: 'broken',
    what: 'The arguments of a tool call have more text after the JSON.',
  },
  'doubly-encoded-arguments': {
    ...inArguments,
    nature: 'broken',
    what: 'The arguments of a tool call are a JSON string with JSON inside.',
  },
  'wrong-index': {
    nature: 'broken',
    at: content,
    kinds: allKinds,
    what: 'A delta has the index of content that does not exist.',
  },
  'no-finish-reason': {
    nature: 'broken',
    at: ['end'],
    kinds: ['chat', 'messages'],
    what: 'The stream ends as usual, but without a reason.',
  },
  'no-usage': {
    nature: 'odd',
    natureAt: { messages: 'either' },
    at: ['end'],
    kinds: allKinds,
    what: 'The usage is missing.',
  },
  gzip: { ...whole, nature: 'either', what: 'The body is compressed, as Content-Encoding says.' },
  html: { ...whole, nature: 'broken', what: 'The response is an HTML page with status 200.' },
  json: {
    ...whole,
    nature: 'either',
    what: 'The response is JSON, although the request wants a stream.',
  },
  'long-line': { ...whole, nature: 'odd', what: 'A line has 1 MiB.' },
} as const satisfies Readonly<Record<string, BrokenStream>>;

export type StreamName = keyof typeof table;

export const streamNames = Object.keys(table) as readonly StreamName[];

export const brokenStream = (name: StreamName): BrokenStream => table[name];

export function isStreamName(name: unknown): name is StreamName {
  return typeof name === 'string' && Object.hasOwn(table, name);
}

export function natureOf(name: StreamName, kind: Kind): Nature {
  const { nature, natureAt } = brokenStream(name);
  return natureAt?.[kind] ?? nature;
}

/** A broken stream at one place. */
export interface Misbehaviour {
  readonly name: StreamName;
  readonly at: BreakingPlace;
}

/** Cases of the test plan, such as `reset-text`. */
export const cases: ReadonlyMap<string, Misbehaviour> = new Map(
  streamNames.flatMap((name) =>
    brokenStream(name).at.map((at) => [`${name}-${at}`, { name, at }] as const),
  ),
);

/** Statuses of what a client does with a stream, in words. */
export const rightClient: Readonly<Record<Nature, string>> = {
  broken: 'Sends the request again without the fragment, or reports an error.',
  odd: 'Continues with the whole text.',
  either: 'Continues with the whole text, or sends the request again.',
};
