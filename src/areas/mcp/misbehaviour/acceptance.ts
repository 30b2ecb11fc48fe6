/** Requests that show that a client has accepted a misbehaviour. */

import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { readerOf, sessionKey } from '../judge/memory.js';
import { isBadTool, isToolOfOther } from './bad-tools.js';
import { pageOf } from './endless-cursor.js';
import type { Evidence, Step } from './runs.js';

/** A later request of a client that met the misbehaviour. */
export interface LaterRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: Request['headers'];
  readonly step: Step;
  /** Arrival of its head. */
  readonly sentAtMs: number;
  /** Methods of the misbehaviour. */
  readonly methods: readonly string[];
}

export interface Acceptance extends Evidence {
  /** The evidence, as the test plan words it. */
  readonly counts: string;
  /** Absent if it shows elsewhere. */
  readonly isShownBy?: (request: LaterRequest) => boolean;
}

/** No standard limits the pages that a client reads. */
const unclearPages = 20;
const maxPages = 1000;
const freshMs = 60_000;
/** Waits may be this much shorter. */
const toleranceMs = 10;

export const byReport: Acceptance = { counts: "the client's own report" };

/** The endpoint of the URL notes it. */
export const byCanary: Acceptance = { counts: 'a request to the URL', isCertain: true };

/** The issuer notes it. */
export const byLogin: Acceptance = { counts: 'the login continues at the issuer', isCertain: true };

export const byBadTool: Acceptance = {
  counts: 'a call of the tool',
  isCertain: true,
  isShownBy: ({ method, params: { name } }) => method === 'tools/call' && isBadTool(name),
};

export const byManyPages: Acceptance = {
  counts: 'a request for the thousandth page; from the twentieth on, it is unclear',
  isShownBy: ({ params: { cursor } }) => pageOf(cursor) >= maxPages,
  isUnclear: ({ count = 0 }) => count > unclearPages,
};

export const byResumption: Acceptance = {
  counts: 'a request with Last-Event-ID',
  isShownBy: ({ headers }) =>
    headers['last-event-id'] !== undefined && headers['mcp-session-id'] === undefined,
};

export const byEarlyRequest: Acceptance = {
  counts: 'a request before the time in Retry-After',
  isShownBy: ({ step: { respondedAtMs = 0, notBeforeMs = 0 }, sentAtMs, method }) =>
    method === 'tools/call' && sentAtMs >= respondedAtMs && sentAtMs < notBeforeMs - toleranceMs,
};

export const bySameSession: Acceptance = {
  counts: 'a request with the same Mcp-Session-Id',
  isShownBy: ({ headers, step: { session } }) => sessionKey(headers['mcp-session-id']) === session,
};

export const byFurtherRequest: Acceptance = {
  counts: 'a further request other than server/discover',
  isShownBy: ({ method }) => method !== '' && method !== 'server/discover',
};

export const byThirdRequest: Acceptance = {
  counts: 'a third request of the same kind',
  isShownBy: ({ step: { count = 0, lastAtMs = 0 }, sentAtMs, method, methods }) =>
    count >= 2 && methods.includes(method) && sentAtMs >= lastAtMs,
};

export const byFreshList: Acceptance = {
  counts: 'a request for the list within ttlMs',
  isShownBy: ({ method, params, headers, step: { metAtMs = 0, reader }, sentAtMs }) =>
    method === 'tools/list' &&
    params.cursor === undefined &&
    sentAtMs - metAtMs < freshMs &&
    readerOf(headers) === reader,
};

export const byToolOfOther: Acceptance = {
  counts: 'a call of the tool with another token',
  isCertain: true,
  isShownBy: ({ method, params: { name }, headers }) =>
    method === 'tools/call' && isToolOfOther(String(name), readerOf(headers)),
};
