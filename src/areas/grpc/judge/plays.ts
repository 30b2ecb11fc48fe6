/** Cases of a run that need a second call: what the first one returns, and what the second must have. */

import { hash } from 'node:crypto';
import { http2RequestOf } from '#kit/connection.js';
import type { CaseText } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import { maxMessageBytes } from '../messages/frames.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import type { RunCase, Step } from './runs.js';

type Note = NonNullable<Step['note']>;
type Observed = Step['observed'];

export interface Play extends CaseText {
  /** Acts on the first call, and returns what to remember. Throws the failure of the call. */
  readonly first: (call: Call, secret: string) => Note;
  /** Judges the second call; `undefined` if it shows nothing. */
  readonly second: (call: Call, note: Note) => Observed;
}

const handled = (evidence: string): Observed => ({ outcome: 'handled', evidence });
const mishandled = (evidence: string): Observed => ({ outcome: 'mishandled', evidence });

/** A part of the first deadline passes before the response, so that what is left of it is known. */
const waitMsFor = (timeoutMs: number): number => Math.min(timeoutMs / 10, 3000);

/** Libraries round timeouts up; the C core repeats an earlier timeout, up to 3 % longer. */
const withTolerance = (timeoutMs: number): number => timeoutMs * 1.05 + 20;

const wallClockMs = () => performance.timeOrigin + performance.now();

export const plays: ReadonlyMap<string, Play> = new Map<string, Play>([
  [
    'deadline-passed-on',
    {
      what: 'Two calls of one caller, the second one after the response to the first, which comes late.',
      rightClient: 'Pass on what is left of the deadline of the caller.',
      section: cite('gRPC guide Deadlines', 'Deadline Propagation'),
      first: ({ timeoutMs }) => {
        if (timeoutMs === undefined) {
          throw new RpcError('FAILED_PRECONDITION', 'The first call needs a deadline.');
        }
        const waitMs = waitMsFor(timeoutMs);
        return { timeoutMs, waitMs, atMs: wallClockMs() + waitMs };
      },
      second: ({ timeoutMs }, { atMs = 0, waitMs = 0, timeoutMs: firstMs = 0 }) => {
        if (timeoutMs === undefined) return mishandled('The second call has no deadline.');
        const mostMs = withTolerance(firstMs - waitMs);
        // A call before the response, or rounding of a long deadline, hides what the client knew.
        if (wallClockMs() < atMs || mostMs >= firstMs) return undefined;
        return timeoutMs <= mostMs
          ? handled('The second deadline is not later.')
          : mishandled(
              `The second call has ${Math.round(timeoutMs)} ms; at most ${Math.round(mostMs)} were left.`,
            );
      },
    },
  ],
  [
    'wait-for-ready',
    {
      what: 'A connection that ends with GOAWAY before the call was processed.',
      rightClient: 'Wait for a connection, and send the call again.',
      section: cite('gRPC guide Wait-for-Ready', 'Overview'),
      first: ({ request }) => {
        http2RequestOf(request.raw)?.goAwayBefore();
        return {};
      },
      second: () => handled('The call was sent again.'),
    },
  ],
  [
    'trailers-read',
    {
      what: 'A value in the trailers, which the next call sends as x-value.',
      rightClient: 'Read the trailers after the last message.',
      section: cite('gRPC over HTTP2', 'Responses'),
      first: (call, text) => {
        call.trailers['x-value'] = text;
        return { text };
      },
      second: comparing('x-value'),
    },
  ],
  [
    'maximal-message',
    {
      what: 'Data of nearly 4 MiB, whose SHA-256 the next call sends as x-value, in hex.',
      rightClient: 'Accept messages of 4 MiB, or set a lower limit on purpose.',
      section: cite('gRPC over HTTP2', 'Responses'),
      first: (call, secret) => {
        call.echoedData = Buffer.alloc(maxMessageBytes - 2048, secret);
        return { text: hash('sha256', call.echoedData, 'hex') };
      },
      second: comparing('x-value'),
    },
  ],
  [
    'cancel-passed-on',
    {
      what: 'A response that comes after 30 seconds. The caller of the client leaves before.',
      rightClient: 'Cancel the call once its caller has left.',
      section: cite('gRPC guide Cancellation', 'Overview'),
      first: () => ({}),
      second: () => undefined,
    },
  ],
]);

function comparing(name: string): Play['second'] {
  return ({ request }, { text }) => {
    const sent = request.headers[name];
    if (sent === undefined) return undefined;
    return sent === text
      ? handled(`The second call has the right ${name}.`)
      : mishandled(`The second call has another ${name}.`);
  };
}

/** The case in which a call waits, and its client should leave. */
export const isCancelCase = ({ name }: RunCase): boolean => name === 'cancel-passed-on';
