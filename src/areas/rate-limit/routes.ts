/** An endpoint that counts its callers' requests and rejects them beyond a limit: RFC 6585 section 4. */

import { whenKnown } from '../../base/awaitable.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Area } from '../../kit/area.js';
import {
  countRequest,
  isOpen,
  type RateFigures,
  type RateWindow,
  secondsLeft,
} from '../../state/count-request.js';
import { type Space, StateUnavailableError } from '../../state/state.js';
import { rateLimitCollection } from './collection.js';
import { rateLimitExamples } from './examples.js';
import { identifyClient } from './identify-client.js';
import { countSchema, resetSchema, statusSchema } from './schemas.js';

const path = '/api/RateLimit';

const defaults: RateFigures = { limit: 5, windowSeconds: 60 };

/** Of more clients the one whose window was opened first is forgotten. */
const windows: Space<RateWindow> = { name: 'rate-windows', maxKeys: 10_000 };

export const rateLimitArea: Area = {
  name: 'rate-limit',
  title: 'Rate limit',
  guide: 'rate-limit',
  start: path,
  summary:
    'An endpoint that allows 5 requests a minute from each client, and tells how many are left.',
  examples: () => rateLimitExamples,
  collections: [rateLimitCollection],

  addRoutes(app, { config, sandboxOf }) {
    app.get(path, { schema: countSchema, beforeSend: tellWindow }, count);
    app.get(`${path}/status`, { schema: statusSchema }, readStatus);
    app.post(`${path}/reset`, { schema: resetSchema }, reset);

    async function count(request: Request, reply: Reply) {
      const { limit = defaults.limit, window: windowSeconds = defaults.windowSeconds } =
        request.query as { limit?: number; window?: number };
      const figures = { limit, windowSeconds };
      const clientId = clientOf(request);
      const counted = await sandboxOf(request).update(windows, clientId, (window, nowMs) =>
        countRequest(window, nowMs, figures),
      );
      const { isAccepted, window } = counted;
      setWindowHeaders(reply, window);
      if (!isAccepted) throw rejection(clientId, window, counted.secondsLeft);
      return {
        message: `Request ${window.used} of ${window.limit} in this window.`,
        clientId,
        used: window.used,
        remaining: window.limit - window.used,
        limit: window.limit,
        windowSeconds: window.windowSeconds,
      };
    }

    async function readStatus(request: Request) {
      const { window, nowMs } = await windowOf(request);
      const { used, limit } = window;
      return {
        clientId: clientOf(request),
        used,
        remaining: limit - used,
        limit,
        resetsInSeconds: secondsLeft(window, nowMs),
      };
    }

    async function reset(request: Request) {
      const clientId = clientOf(request);
      await sandboxOf(request).update(windows, clientId, () => ({
        value: undefined,
        result: undefined,
      }));
      return { message: 'The window is cleared; the next request opens a new one.', clientId };
    }

    /** The caller's window; one that ends now and has counted nothing when none is open. */
    function windowOf(request: Request) {
      const sandbox = sandboxOf(request);
      return whenKnown(sandbox.now(), (nowMs) =>
        whenKnown(sandbox.read(windows, clientOf(request)), (window) => {
          if (isOpen(window, nowMs)) return { window, nowMs };
          const { limit, windowSeconds } = defaults;
          return { window: { limit, windowSeconds, used: 0, endsAtMs: nowMs }, nowMs };
        }),
      );
    }

    /** Responses that counted nothing, such as faulty figures or a simulated failure, tell the window too. */
    function tellWindow(request: Request, reply: Reply): Promise<void> | void {
      const isStranger = config.accounts === 'required' && request.accountId === undefined;
      if (!isStranger && !reply.hasHeader('x-ratelimit-limit')) return addWindow(request, reply);
    }

    async function addWindow(request: Request, reply: Reply): Promise<void> {
      try {
        const { window } = await windowOf(request);
        setWindowHeaders(reply, window);
      } catch (error) {
        // Without a sandbox or the state, as the response says already, this is unknown.
        if (!(error instanceof HttpError || error instanceof StateUnavailableError)) throw error;
      }
    }
  },
};

function setWindowHeaders(reply: Reply, { limit, used, endsAtMs }: RateWindow): void {
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', limit - used)
    .header('x-ratelimit-reset', Math.ceil(endsAtMs / 1000));
}

function clientOf({ headers, ip }: Request): string {
  return identifyClient(headers['x-client-id'] as string | undefined, ip);
}

function rejection(clientId: string, { limit }: RateWindow, retryAfter: number): HttpError {
  const message =
    `The client ${clientId} has used the ${limit} requests of its window. ` +
    `The window ends in ${retryAfter} s; POST ${path}/reset clears it at once.`;
  return new HttpError(429, message, {
    headers: { 'retry-after': String(retryAfter) },
    body: { retryAfter },
  });
}
