/** Rules about several requests of a client. */

import { isObject } from '#base/json-object.js';
import { advice, cite } from '#kit/verdict/citations.js';
import { orderOf, type Responded } from '#kit/verdict/exchange.js';
import { isRpcId, type RpcRequest } from '../messages/message.js';
import { codes } from '../messages/rpc-error.js';
import { sections } from '../messages/sections.js';
import { callOf, cancelledId, digest, isFull, resumptionOf, targetOf } from './memory.js';
import { metaOf, type Observed } from './observed.js';
import type { Exchange, Memory } from './remembered.js';
import { type Checked, type ClientRule, checkEach, faultUnless } from './rule.js';

/** Checks each request with the earlier exchanges. */
const ofRequests =
  (check: (request: RpcRequest, observed: Observed) => Checked) =>
  (observed: Observed): Checked =>
    checkEach(observed.requests, (request) => check(request, observed));

const isSame = (before: Exchange, { method, params }: RpcRequest) =>
  before.method === method && before.target === targetOf(params);

/** Returns the newest earlier exchange about the same thing. */
const previous = (request: RpcRequest, { memory }: Observed) =>
  memory.exchanges.findLast((each) => isSame(each, request));

const isRetry = ({ params }: RpcRequest) => 'inputResponses' in params || 'requestState' in params;

/** Returns the exchanges that a request may continue, because they need input. */
const waitingFor = (request: RpcRequest, { memory }: Observed) =>
  isRetry(request)
    ? memory.exchanges.filter((each) => each.needsInput && isSame(each, request))
    : [];

const stateOf = ({ params: { requestState } }: RpcRequest) =>
  requestState === undefined ? undefined : digest(requestState);

/**
 * Whether two requests are certainly of one client. Two processes of a client have the same name and
 * token; only a session, or a connection of HTTP/2 on which both are open, ties them together.
 */
const isOfOneClient = ({ session, overlapping }: Observed, before: Exchange) =>
  session !== undefined || (overlapping !== undefined && overlapping === before.overlapping);

/** Checks that no earlier exchange has used the same value. */
function unusedIn(used: readonly Exchange[], observed: Observed, sent: string): Checked {
  if (used.length === 0) return true;
  if (used.some((each) => isOfOneClient(observed, each))) return sent;
  return { sent, decidedBy: 'a session or an HTTP/2 connection of both requests' };
}

/** Checks a request by the order of it and a response. */
function afterOnly(
  observed: Observed,
  responded: Responded,
  sent: string,
  decidedBy: string,
): Checked {
  const order = orderOf(observed, responded);
  if (order === 'before') return undefined;
  return order === 'after' ? sent : { sent, decidedBy };
}

const laterRequest = 'a request that was sent after the response arrived';

const ids: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'id-unique-while-open',
    section: sections.requests,
    what: 'The id of a request is not the id of an open request, nor of an earlier one in its session.',
    right: 'Use a new id for each request.',
    check: ofRequests(({ id }, observed) => {
      const { memory, session } = observed;
      // A message that HTTP rejected never was open, and may be sent again unchanged.
      const used = memory.exchanges.filter(
        (each) => each.id === id && !each.isRejected && (each.isOpen || session !== undefined),
      );
      return unusedIn(used, observed, `id ${JSON.stringify(id)} again`);
    }),
  },
  {
    level: 'must',
    name: 'new-id-on-retry',
    section: sections.inputClient,
    what: 'A retry with inputResponses has a new id.',
    right: 'Use a new id when you send the request again.',
    check: ofRequests((request, observed) => {
      const before = waitingFor(request, observed).filter(
        ({ state }) => state === stateOf(request),
      );
      if (before.length === 0) return undefined;
      const isNew = before.some(({ id }) => id !== request.id);
      return faultUnless(isNew, () => `id ${JSON.stringify(request.id)} again`);
    }),
  },
  {
    level: 'must',
    name: 'progress-token-unique',
    section: sections.progressFlow,
    what: 'A progress token is not the token of another open request.',
    right: 'Use a new progressToken for each request.',
    check: ofRequests(({ params }, observed) => {
      const { progressToken } = metaOf({ params });
      if (progressToken === undefined) return undefined;
      const used = observed.memory.exchanges.filter(
        (each) => each.isOpen && each.progressToken === progressToken,
      );
      return unusedIn(used, observed, `progressToken ${JSON.stringify(progressToken)} again`);
    }),
  },
];

/** Another request may have been forgotten. */
const forgettable = ({ memory }: Observed, sent: string): Checked =>
  isFull(memory) ? { sent, decidedBy: 'an earlier request, which is no longer remembered' } : sent;

const states: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'state-byte-for-byte',
    section: sections.inputClient,
    what: 'A retry has the requestState of the result, byte for byte, if there was one.',
    right: 'Return requestState unchanged; omit it if the result had none.',
    check: ofRequests((request, observed) => {
      const before = waitingFor(request, observed);
      if (before.length === 0) return undefined;
      if (before.some(({ state }) => state === stateOf(request))) return true;
      return forgettable(observed, 'another requestState');
    }),
  },
  {
    level: 'must',
    name: 'inputs-before-retry',
    section: sections.inputClient,
    what: 'A retry has the responses to all requests for input.',
    right: 'Construct each requested input before you send the request again.',
    check: ofRequests((request, observed) => {
      const before = waitingFor(request, observed).filter(({ asks = [] }) => asks.length > 0);
      if (before.length === 0) return undefined;
      const { inputResponses } = request.params;
      const given = Object.keys(isObject(inputResponses) ? inputResponses : {});
      const lacks = ({ asks = [] }: Exchange) => asks.filter((key) => !given.includes(key));
      if (before.some((each) => lacks(each).length === 0)) return true;
      const missing = before.flatMap(lacks).join(', ');
      return forgettable(observed, `no inputResponses for ${missing}`);
    }),
  },
  {
    level: 'must',
    name: 'state-nowhere-else',
    section: sections.inputClient,
    what: 'requestState is only in a retry of the request that it belongs to.',
    right: 'Send requestState only with the same request.',
    check: ofRequests((request, observed) => {
      const { requestState } = request.params;
      if (requestState === undefined) return undefined;
      const owner = observed.memory.exchanges.findLast(
        (each) => each.state === digest(requestState),
      );
      return owner === undefined
        ? undefined
        : faultUnless(
            isSame(owner, request),
            () => `requestState of ${owner.method} ${owner.target}`,
          );
    }),
  },
  {
    level: 'must',
    name: 'cursor-unchanged',
    section: sections.paginationGuidelines,
    what: 'A cursor is the nextCursor of an earlier page of the same list.',
    right: 'Return nextCursor unchanged.',
    check: ofRequests(({ method, params: { cursor } }, { memory, isCursorOf }) => {
      const isRight = typeof cursor === 'string' ? isCursorOf(method, cursor) : undefined;
      if (isRight === undefined) return undefined;
      return faultUnless(isRight, () => ofOtherList(cursor, memory));
    }),
  },
];

function ofOtherList(cursor: unknown, { exchanges }: Memory): string {
  const page = exchanges.findLast((each) => each.cursor === digest(cursor));
  return page === undefined ? 'another cursor' : `a cursor of ${page.method}`;
}

const isConsecutive = (before: readonly (Exchange | undefined)[], code: number) =>
  before.every((each) => each?.code === code);

/** Waits may be this much shorter. */
const toleranceMs = 10;

/** An open exchange has no response yet. */
const responseOf = (exchange: Exchange): Responded => ({
  ...exchange,
  respondedAtMs: exchange.respondedAtMs ?? Number.POSITIVE_INFINITY,
});

const failures: readonly ClientRule[] = [
  {
    name: 'no-fallback-after-version-error',
    level: 'should',
    section: sections.versionNegotiation,
    what: 'After the error -32022, a client selects one of the listed revisions, and does not send initialize.',
    right: 'Send the request again with a revision in data.supported.',
    check: (observed) => {
      const last = observed.memory.exchanges.at(-1);
      // A client that knows only sessions has not probed, and begins again.
      if (last?.code !== codes.unsupportedVersion || last.method === 'initialize') return undefined;
      if (orderOf(observed, responseOf(last)) === 'before') return undefined;
      return checkEach(observed.requests, ({ method }) =>
        faultUnless(method !== 'initialize', 'initialize after -32022'),
      );
    },
  },
  {
    name: 'one-retry-after-header-mismatch',
    level: 'advice',
    section: advice,
    what: 'After the error -32020, a client sends the request at most once more.',
    right: 'Read tools/list again, send the request once more, then report the error.',
    check: ofRequests((request, observed) => {
      const same = observed.memory.exchanges.filter(
        (each) => isSame(each, request) && orderOf(observed, responseOf(each)) === 'after',
      );
      if (same.at(-1)?.code !== codes.headerMismatch) return undefined;
      const isBoth = same.length > 1 && isConsecutive(same.slice(-2), codes.headerMismatch);
      return faultUnless(!isBoth, 'a second retry after -32020');
    }),
  },
  {
    name: 'retry-after-kept',
    level: 'should',
    section: cite('RFC 9110', '10.2.3'),
    what: 'A client waits for Retry-After before it sends the request again.',
    right: 'Wait for Retry-After before you send the request again.',
    check: ofRequests((request, observed) => {
      const delays = observed.memory.delays.filter(({ call }) => call === callOf(request));
      return checkEach(delays, (delay) => {
        const earlyMs = delay.notBeforeMs - observed.timeMs;
        if (earlyMs <= toleranceMs) return true;
        return afterOnly(observed, delay, `${Math.ceil(earlyMs)} ms too early`, laterRequest);
      });
    }),
  },
  {
    level: 'must',
    name: 'retry-respected',
    section: sections.sendingInSession,
    what: 'A client waits for the time in retry before it resumes a stream.',
    right: 'Wait for the milliseconds in retry before you send Last-Event-ID.',
    check: ({ httpMethod, headers, memory, timeMs }) => {
      const resumption = resumptionOf(headers['last-event-id']);
      // The event with this id followed retry, so the client has read it.
      const ended = memory.delays.find(({ call }) => call === resumption);
      if (httpMethod !== 'GET' || ended === undefined) return undefined;
      const earlyMs = Math.ceil(ended.notBeforeMs - timeMs);
      return faultUnless(earlyMs <= toleranceMs, () => `${earlyMs} ms too early`);
    },
  },
  {
    level: 'must',
    name: 'new-session-after-404',
    section: sections.sessionManagement,
    what: 'After 404, a client begins a new session.',
    right: 'Send initialize without Mcp-Session-Id.',
    check: (observed) => {
      const { memory, headers, httpMethod } = observed;
      // A client may end a session that it believes to exist.
      if (memory.gone === undefined || httpMethod === 'DELETE') return undefined;
      if (headers['mcp-session-id'] === undefined) return true;
      return afterOnly(observed, memory.gone, 'the same session', laterRequest);
    },
  },
];

const isCancelled = (method: string) => method === 'notifications/cancelled';

const cancellations: readonly ClientRule[] = [
  {
    name: 'cancel-by-closing',
    level: 'should',
    section: sections.cancellationByTransport,
    what: 'A request of 2026-07-28 over HTTP is cancelled by closing its response.',
    right: 'Close the response instead of sending notifications/cancelled.',
    check: ({ isStateless, messages, memory, timeMs }) => {
      if (!isStateless) return undefined;
      const stillOpen = memory.exchanges.some(
        ({ isOpen, cancelledAtMs = Infinity }) => isOpen && timeMs - cancelledAtMs >= closingMs,
      );
      if (stillOpen) return 'a stream that is open a second after notifications/cancelled';
      return checkEach(messages, (each) => {
        if (each.kind === 'request') return true;
        const cancelled = cancelledId(each);
        if (cancelled === undefined) return undefined;
        const open = memory.exchanges.filter(({ id, isOpen }) => isOpen && id === cancelled);
        const isCall = open.some(({ method }) => method !== 'subscriptions/listen');
        const sent = 'notifications/cancelled while its stream is open';
        if (isCall || open.length === 0) return faultUnless(!isCall, sent);
        return { sent, decidedBy: 'a request, more than a second later, while the stream is open' };
      });
    },
  },
  {
    level: 'must',
    name: 'cancel-own-request',
    section: sections.cancellationInSession,
    what: 'A cancellation names a request of this client that has no response yet.',
    right: 'Cancel only requests in progress.',
    check: ({ isStateless, messages, memory }) =>
      isStateless
        ? undefined
        : checkEach(messages, (each) => {
            if (each.kind !== 'notification' || !isCancelled(each.method)) return undefined;
            const { requestId } = each.params;
            if (!isRpcId(requestId)) return undefined;
            if (memory.exchanges.some(({ id }) => id === requestId)) return true;
            const sent = `requestId ${JSON.stringify(requestId)}`;
            return { sent, decidedBy: 'a request with this id, which may still be on its way' };
          }),
  },
  {
    level: 'must',
    name: 'initialize-not-cancelled',
    section: sections.cancellationInSession,
    what: 'A client does not cancel initialize.',
    right: 'Close the connection instead.',
    check: ({ messages, memory }) =>
      checkEach(messages, (each) => {
        if (each.kind !== 'notification' || !isCancelled(each.method)) return undefined;
        const named = memory.exchanges.findLast(({ id }) => id === each.params.requestId);
        return faultUnless(named?.method !== 'initialize', 'the id of initialize');
      }),
  },
  {
    name: 'poll-interval',
    level: 'should',
    section: sections.taskPolling,
    what: 'A client reads a task at most once in its pollIntervalMs.',
    right: 'Wait for pollIntervalMs between requests of tasks/get.',
    check: ofRequests((request, observed) => {
      if (request.method !== 'tasks/get') return undefined;
      const before = previous(request, observed);
      if (before === undefined) return undefined;
      const waitedMs = Math.round(observed.timeMs - before.atMs);
      return faultUnless(waitedMs >= minPollMs, () => `after ${waitedMs} ms`);
    }),
  },
];

/** A client that closes a subscription may send both, in any order. */
const closingMs = 1000;

/** A little less than pollIntervalMs, because clocks differ. */
const minPollMs = 400;

export const memoryRules: readonly ClientRule[] = [
  ...ids,
  ...states,
  ...failures,
  ...cancellations,
];
