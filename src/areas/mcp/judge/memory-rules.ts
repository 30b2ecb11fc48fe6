/** Rules about several requests of a client. */

import { isRpcId, type RpcRequest } from '../messages/message.js';
import { codes } from '../messages/rpc-error.js';
import { digest, targetOf } from './memory.js';
import { metaOf, type Observed } from './observed.js';
import type { Exchange } from './remembered.js';
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

const inputSection = '2026-07-28, Multi Round-Trip Requests, Client Requirements';

const ids: readonly ClientRule[] = [
  {
    name: 'id-unique-while-open',
    section: 'Overview, Requests',
    what: 'The id of a request is not the id of an open request, nor of an earlier one in its session.',
    right: 'Use a new id for each request.',
    check: ofRequests(({ id }, { memory, session }) => {
      const isUsed = memory.exchanges.some(
        (each) => each.id === id && (each.isOpen || session !== undefined),
      );
      return faultUnless(!isUsed, () => `id ${JSON.stringify(id)} again`);
    }),
  },
  {
    name: 'new-id-on-retry',
    section: inputSection,
    what: 'A retry with inputResponses has a new id.',
    right: 'Use a new id when you send the request again.',
    check: ofRequests((request, observed) => {
      const before = previous(request, observed);
      if (!before?.needsInput || !isRetry(request)) return undefined;
      return faultUnless(before.id !== request.id, () => `id ${JSON.stringify(request.id)} again`);
    }),
  },
  {
    name: 'progress-token-unique',
    section: 'Progress, Progress Flow',
    what: 'A progress token is not the token of another open request.',
    right: 'Use a new progressToken for each request.',
    check: ofRequests(({ params }, { memory }) => {
      const { progressToken } = metaOf({ params });
      if (progressToken === undefined) return undefined;
      const isUsed = memory.exchanges.some(
        (each) => each.isOpen && each.progressToken === progressToken,
      );
      return faultUnless(!isUsed, () => `progressToken ${JSON.stringify(progressToken)} again`);
    }),
  },
];

const states: readonly ClientRule[] = [
  {
    name: 'state-byte-for-byte',
    section: inputSection,
    what: 'A retry has the requestState of the result, byte for byte, if there was one.',
    right: 'Return requestState unchanged; omit it if the result had none.',
    check: ofRequests((request, observed) => {
      const before = previous(request, observed);
      if (!before?.needsInput || !isRetry(request)) return undefined;
      const { requestState } = request.params;
      const sent = requestState === undefined ? undefined : digest(requestState);
      return faultUnless(sent === before.state, 'another requestState');
    }),
  },
  {
    name: 'state-nowhere-else',
    section: inputSection,
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
    name: 'cursor-unchanged',
    section: 'Pagination, Implementation Guidelines',
    what: 'A cursor is the nextCursor of an earlier page of the same list.',
    right: 'Return nextCursor unchanged.',
    check: ofRequests(({ method, params: { cursor } }, { memory }) => {
      const pages = memory.exchanges.filter((each) => each.method === method && each.cursor);
      if (cursor === undefined || pages.length === 0) return undefined;
      return faultUnless(
        pages.some((page) => page.cursor === digest(cursor)),
        'another cursor',
      );
    }),
  },
];

const isConsecutive = (before: readonly (Exchange | undefined)[], code: number) =>
  before.every((each) => each?.code === code);

const failures: readonly ClientRule[] = [
  {
    name: 'no-fallback-after-version-error',
    section: '2026-07-28, Versioning, Protocol Version Negotiation',
    what: 'After the error -32022, a client selects one of the listed revisions, and does not send initialize.',
    right: 'Send the request again with a revision in data.supported.',
    check: (observed) => {
      const last = observed.memory.exchanges.at(-1);
      if (last?.code !== codes.unsupportedVersion) return undefined;
      return checkEach(observed.requests, ({ method }) =>
        faultUnless(method !== 'initialize', 'initialize after -32022'),
      );
    },
  },
  {
    name: 'one-retry-after-header-mismatch',
    section: '2026-07-28, Streamable HTTP, Server Validation',
    what: 'After the error -32020, a client sends the request at most once more.',
    right: 'Read tools/list again, send the request once more, then report the error.',
    check: ofRequests((request, { memory }) => {
      const same = memory.exchanges.filter((each) => isSame(each, request));
      if (same.at(-1)?.code !== codes.headerMismatch) return undefined;
      const isBoth = same.length > 1 && isConsecutive(same.slice(-2), codes.headerMismatch);
      return faultUnless(!isBoth, 'a second retry after -32020');
    }),
  },
  {
    name: 'retry-after-kept',
    section: 'RFC 9110, section 10.2.3',
    what: 'A client waits for Retry-After.',
    right: 'Wait for the seconds in Retry-After before the next request.',
    check: ({ memory: { notBeforeMs }, nowMs }) =>
      notBeforeMs === undefined
        ? undefined
        : faultUnless(nowMs >= notBeforeMs, () => `${Math.ceil(notBeforeMs - nowMs)} ms too early`),
  },
  {
    name: 'step-up-bounded',
    section: 'Authorization, Scope Challenge Handling',
    what: 'A client stops when more scopes do not help.',
    right: 'Authorize again at most twice, then report the error.',
    check: ({ memory: { forbidden } }) =>
      forbidden === 0
        ? undefined
        : faultUnless(forbidden < 3, () => `${forbidden} times 403 before`),
  },
  {
    name: 'new-session-after-404',
    section: '2025-11-25, Transports, Session Management',
    what: 'After 404, a client begins a new session.',
    right: 'Send initialize without Mcp-Session-Id.',
    check: ({ memory: { isGone }, headers }) =>
      isGone ? faultUnless(headers['mcp-session-id'] === undefined, 'the same session') : undefined,
  },
];

const isCancelled = (method: string) => method === 'notifications/cancelled';

const cancellations: readonly ClientRule[] = [
  {
    name: 'cancel-by-closing',
    section: '2026-07-28, Cancellation, Transport-Specific Cancellation',
    what: 'A request of 2026-07-28 over HTTP is cancelled by closing its response.',
    right: 'Close the response instead of sending notifications/cancelled.',
    check: ({ isStateless, messages, memory }) =>
      isStateless
        ? checkEach(messages, (each) => {
            if (each.kind === 'request') return true;
            if (each.kind !== 'notification' || !isCancelled(each.method)) return undefined;
            // A client that closes a subscription may send both, in any order.
            const isOpen = memory.exchanges.some(
              ({ id, isOpen, method }) =>
                isOpen && id === each.params.requestId && method !== 'subscriptions/listen',
            );
            return faultUnless(!isOpen, 'notifications/cancelled while its stream is open');
          })
        : undefined,
  },
  {
    name: 'cancel-own-request',
    section: '2025-11-25, Cancellation, Behavior Requirements',
    what: 'A cancellation names a request of this client that has no response yet.',
    right: 'Cancel only requests in progress.',
    check: ({ isStateless, messages, memory }) =>
      isStateless
        ? undefined
        : checkEach(messages, (each) => {
            if (each.kind !== 'notification' || !isCancelled(each.method)) return undefined;
            const { requestId } = each.params;
            if (!isRpcId(requestId)) return undefined;
            const isKnown = memory.exchanges.some(({ id }) => id === requestId);
            return faultUnless(isKnown, () => `requestId ${JSON.stringify(requestId)}`);
          }),
  },
  {
    name: 'initialize-not-cancelled',
    section: '2025-11-25, Cancellation, Behavior Requirements',
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
    section: 'Tasks, Polling',
    what: 'A client reads a task at most once in its pollIntervalMs.',
    right: 'Wait for pollIntervalMs between requests of tasks/get.',
    check: ofRequests((request, observed) => {
      if (request.method !== 'tasks/get') return undefined;
      const before = previous(request, observed);
      if (before === undefined) return undefined;
      const waitedMs = observed.nowMs - before.atMs;
      return faultUnless(waitedMs >= minPollMs, () => `after ${waitedMs} ms`);
    }),
  },
];

/** A little less than pollIntervalMs, because clocks differ. */
const minPollMs = 400;

export const memoryRules: readonly ClientRule[] = [
  ...ids,
  ...states,
  ...failures,
  ...cancellations,
];
