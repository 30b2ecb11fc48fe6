/** Endpoints that count requests of each client, and reject them beyond a limit: RFC 6585 section 4. */

import { Type } from 'typebox';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { optional } from '#http/schemas/header-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import type { Examples } from '#kit/example.js';
import {
  countRequest,
  isOpen,
  type RateFigures,
  type RateWindow,
  secondsLeft,
} from '#state/count-request.js';
import { type Space, StateUnavailableError } from '#state/state.js';
import { identifyClient } from './identify-client.js';
import {
  haveBeenSet,
  setWindowHeaders,
  windowHeaders,
  windowHeadersSchema,
} from './window-headers.js';

export const path = '/api/RateLimit';

const defaults: RateFigures = { limit: 5, windowSeconds: 60 };

/** Beyond the limit, the oldest window is dropped. */
const windows: Space<RateWindow> = { name: 'rate-windows', maxKeys: 10_000 };

const usage = {
  clientId: Type.String({
    description: 'id: and the X-Client-Id header, or ip: and the IP address.',
  }),
  used: Type.Integer({ description: 'Accepted requests in this window.' }),
  remaining: Type.Integer(),
  limit: Type.Integer(),
};

const headers = {
  'x-client-id': Type.Optional(
    Type.String({ description: 'The client to count for; default: the IP address.' }),
  ),
};

const of = (client: string) => ({ headers: { 'X-Client-Id': client } });
const example = of('example');

const countedRequests: Examples = {
  'The first request': example,
  'A window with other limits': { ...of('another'), query: { limit: 100, window: 10 } },
  'A window of one request': { ...of('a-third'), query: { limit: 1 } },
  'Too many requests': of('a-third'),
  'Too long a window': { query: { window: 7200 } },
};

export const count = (areAccountsRequired: boolean) =>
  endpoint('GET', path, {
    summary: 'Count a request, and reject it beyond the limit',
    description:
      'The window begins with the first request and lasts 60 seconds. `limit` and `window` change these values ' +
      'for a window that this request opens; an open window keeps its values.',
    headers,
    query: openExceptTypos({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Requests in a window.' }),
      ),
      window: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3600, description: 'In seconds.' }),
      ),
      headers: windowHeadersSchema,
    }),
    examples: countedRequests,
    responses: {
      200: Type.Object({ message: Type.String(), ...usage, windowSeconds: Type.Integer() }),
      429: Type.Object({
        ...errorSchema.properties,
        retryAfter: Type.Integer({ description: 'Seconds until the window ends.' }),
      }),
    },
    responseHeaders: {
      200: optional(windowHeaders),
      400: optional(windowHeaders),
      429: optional(windowHeaders),
    },
    /** Responses that counted no request, such as a simulated failure, have the headers too. */
    beforeSend(request, reply) {
      const isStranger = areAccountsRequired && request.accountId === undefined;
      return isStranger || haveBeenSet(reply) ? undefined : addWindow(request, reply);
    },
    async handle(request, reply) {
      const { limit = defaults.limit, window: windowSeconds = defaults.windowSeconds } =
        request.query;
      const clientId = clientOf(request);
      const { isAccepted, window, ...counted } = await request.sandbox.update(
        windows,
        clientId,
        (before, nowMs) => countRequest(before, nowMs, { limit, windowSeconds }),
      );
      setWindowHeaders(request, reply, window, counted.secondsLeft);
      if (!isAccepted) throw rejection(clientId, window, counted.secondsLeft);
      return {
        message: `Request ${window.used} of ${window.limit} in this window.`,
        clientId,
        used: window.used,
        remaining: window.limit - window.used,
        limit: window.limit,
        windowSeconds: window.windowSeconds,
      };
    },
  });

export const status = endpoint('GET', `${path}/status`, {
  summary: 'Get how much of the window is used',
  description: 'This request is not counted.',
  headers,
  examples: { 'After one request': example },
  responses: {
    200: Type.Object({
      ...usage,
      resetsInSeconds: Type.Integer({ description: '0 if no window is open.' }),
    }),
  },
  async handle(request) {
    const { window, nowMs } = await windowOf(request);
    const { used, limit } = window;
    return {
      clientId: clientOf(request),
      used,
      remaining: limit - used,
      limit,
      resetsInSeconds: secondsLeft(window, nowMs),
    };
  },
});

export const reset = endpoint('POST', `${path}/reset`, {
  summary: "Clear the caller's window",
  description: 'Does not affect other clients.',
  headers,
  examples: { 'A new window': example },
  responses: { 200: Type.Object({ message: Type.String(), clientId: Type.String() }) },
  async handle(request) {
    const clientId = clientOf(request);
    await request.sandbox.update(windows, clientId, () => ({
      value: undefined,
      result: undefined,
    }));
    return { message: 'The window is cleared; the next request opens a new one.', clientId };
  },
});

/** Returns the client's window. If none is open, returns an empty window, which ends now. */
async function windowOf(request: Request) {
  const { sandbox } = request;
  const nowMs = await sandbox.now();
  const window = await sandbox.read(windows, clientOf(request));
  return {
    window: isOpen(window, nowMs) ? window : { ...defaults, used: 0, endsAtMs: nowMs },
    nowMs,
  };
}

async function addWindow(request: Request, reply: Reply): Promise<void> {
  try {
    const { window, nowMs } = await windowOf(request);
    setWindowHeaders(request, reply, window, secondsLeft(window, nowMs));
  } catch (error) {
    // Without a sandbox or the state, the window is unknown. The response already says so.
    if (!(error instanceof HttpError || error instanceof StateUnavailableError)) throw error;
  }
}

function clientOf({ raw, ip }: Request): string {
  return identifyClient(raw.headers['x-client-id'] as string | undefined, ip);
}

function rejection(clientId: string, { limit }: RateWindow, retryAfter: number): HttpError {
  const message =
    `The client ${clientId} has used all ${limit} requests of its window. ` +
    `The window ends in ${retryAfter} s. POST ${path}/reset clears it at once.`;
  return new HttpError(429, message, {
    headers: { 'retry-after': String(retryAfter) },
    body: { retryAfter },
  });
}
