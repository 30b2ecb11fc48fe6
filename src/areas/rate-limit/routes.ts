/** An endpoint that counts its callers' requests and refuses them beyond a limit: RFC 6585 section 4. */

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { HttpError } from '../../server/http-error.js';
import {
  countRequest,
  isOpen,
  type RateFigures,
  type RateWindow,
  secondsLeft,
} from '../../state/count-request.js';
import type { Space } from '../../state/state.js';
import { rateLimitCollection } from './collection.js';
import { rateLimitExamples } from './examples.js';
import { identifyClient } from './identify-client.js';

const path = '/api/RateLimit';

const defaults: RateFigures = { limit: 5, windowSeconds: 60 };

/** Of more clients the one whose window was opened first is forgotten. */
const windows: Space<RateWindow> = { name: 'rate-windows', maxKeys: 10_000 };

const usage = {
  clientId: Type.String({ description: 'id: and the X-Client-Id header, or ip: and the address.' }),
  used: Type.Integer({ description: 'Accepted requests of this window.' }),
  remaining: Type.Integer(),
  limit: Type.Integer(),
};

const clientHeaders = Type.Object({
  'x-client-id': Type.Optional(
    Type.String({ description: 'Whose window it is; by default that of the IP address.' }),
  ),
});

const refusalSchema = Type.Object({
  ...errorSchema.properties,
  retryAfter: Type.Integer({ description: 'Seconds until the window ends.' }),
});

const windowHeaders = {
  'X-RateLimit-Limit': Type.Integer({ description: 'How many requests the window takes.' }),
  'X-RateLimit-Remaining': Type.Integer({ description: 'How many it still takes.' }),
  'X-RateLimit-Reset': Type.Integer({ description: 'When it ends, in Unix seconds.' }),
};

export const rateLimitArea: Area = {
  name: 'rate-limit',
  title: 'Rate limit',
  start: path,
  summary:
    'An endpoint that takes 5 requests a minute from each client, and tells how many are left.',
  examples: () => rateLimitExamples,
  collections: [rateLimitCollection],

  addRoutes(app, { sandboxOf }) {
    app.get(
      path,
      {
        schema: {
          summary: 'Counts a request of the caller and refuses it beyond the limit',
          description:
            'The window begins with the first request and lasts 60 seconds. `limit` and `window` give ' +
            'the window that this request opens other figures; one that is open keeps its own.',
          headers: clientHeaders,
          querystring: Type.Object({
            limit: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 1000, description: 'Requests in a window.' }),
            ),
            window: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 3600, description: 'In seconds.' }),
            ),
          }),
          response: {
            200: Type.Object({
              message: Type.String(),
              ...usage,
              windowSeconds: Type.Integer(),
            }),
            400: errorSchema,
            429: refusalSchema,
          },
          responseHeaders: { 200: windowHeaders, 429: windowHeaders },
        },
      },
      async (request, reply) => {
        const { limit = defaults.limit, window: windowSeconds = defaults.windowSeconds } =
          request.query;
        const figures = { limit, windowSeconds };
        const clientId = clientOf(request);
        const counted = await sandboxOf(request).update(windows, clientId, (window, nowMs) =>
          countRequest(window, nowMs, figures),
        );
        const { isAccepted, window } = counted;
        const remaining = window.limit - window.used;
        reply
          .header('x-ratelimit-limit', window.limit)
          .header('x-ratelimit-remaining', remaining)
          .header('x-ratelimit-reset', Math.ceil(window.endsAtMs / 1000));
        if (!isAccepted) throw refusal(clientId, window, counted.secondsLeft);
        return {
          message: `Request ${window.used} of ${window.limit} in this window.`,
          clientId,
          used: window.used,
          remaining,
          limit: window.limit,
          windowSeconds: window.windowSeconds,
        };
      },
    );

    app.get(
      `${path}/status`,
      {
        schema: {
          summary: 'Tells how much of the window is used, without using it',
          description: 'Can be asked as often as one likes.',
          headers: clientHeaders,
          response: {
            200: Type.Object({
              ...usage,
              resetsInSeconds: Type.Integer({ description: '0 when no window is open.' }),
            }),
          },
        },
      },
      async (request) => {
        const sandbox = sandboxOf(request);
        const clientId = clientOf(request);
        const nowMs = await sandbox.now();
        const window = await sandbox.read(windows, clientId);
        const isWindowOpen = isOpen(window, nowMs);
        const used = isWindowOpen ? window.used : 0;
        const limit = isWindowOpen ? window.limit : defaults.limit;
        const resetsInSeconds = isWindowOpen ? secondsLeft(window, nowMs) : 0;
        return { clientId, used, remaining: limit - used, limit, resetsInSeconds };
      },
    );

    app.post(
      `${path}/reset`,
      {
        schema: {
          summary: "Clears the caller's window",
          description: 'Other callers keep theirs.',
          headers: clientHeaders,
          response: { 200: Type.Object({ message: Type.String(), clientId: Type.String() }) },
        },
      },
      async (request) => {
        const clientId = clientOf(request);
        await sandboxOf(request).update(windows, clientId, () => ({
          value: undefined,
          result: undefined,
        }));
        return { message: 'The window is cleared; the next request opens a new one.', clientId };
      },
    );
  },
};

function clientOf({ headers, ip }: FastifyRequest): string {
  return identifyClient(headers['x-client-id'] as string | undefined, ip);
}

function refusal(clientId: string, { limit }: RateWindow, retryAfter: number): HttpError {
  const message =
    `The client ${clientId} has used the ${limit} requests of its window. ` +
    `The window ends in ${retryAfter} s; POST ${path}/reset clears it at once.`;
  return new HttpError(429, message, {
    headers: { 'retry-after': String(retryAfter) },
    body: { retryAfter },
  });
}
