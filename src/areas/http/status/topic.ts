/** Every status from 200 to 599, with the headers that belong to it. */

import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { drawsAt } from '#faults/plan/seeded-draws.js';
import { basePathOf } from '#http/address/sandbox-address.js';
import { anyMethod } from '#http/any-method.js';
import type { Request } from '#http/exchange.js';
import { addGivenHeaders } from '#http/headers/add-given-headers.js';
import { parseGivenDate } from '#http/headers/http-date.js';
import { retryAfterWarning } from '#http/headers/retry-after.js';
import {
  headerEncodingSchema,
  headersByName,
  headerValueFault,
  parseHeaderParameters,
} from '#http/headers/settable-headers.js';
import { jsonContentType, rejectField } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { chooseStatus, parseStatusChoices } from '#http/status/status-choice.js';
import { isBodiless, setStatus } from '#http/status/status-companions.js';
import { anyContent } from '#kit/describe/any-body.js';
import { integer, optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos, secret } from '#kit/endpoint.js';
import { presetToken } from '#kit/offers/front-page.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Space } from '#state/state.js';
import type { Topic } from '../topic.js';
import { meaningOf } from './status-meanings.js';

/** The number of requests with the same seed that got their response. */
const drawsSpace: Space<number> = { name: 'http-status-draws', maxKeys: 1000 };

export const statusTopic: Topic = {
  name: 'status',
  title: 'Statuses',
  start: '/api/http/status/200',
  summary: 'Every status from 200 to 599 with its headers, or several by weight.',
  offers: [
    presetToken.of(() => ({
      title: 'a status',
      method: 'GET',
      path: '/api/http/status/503?retryAfter=2',
    })),
  ],
  examples: () => [
    {
      title: 'Get a status with the headers that it requires',
      method: 'GET',
      path: '/api/http/status/401',
      response: { status: 401, headers: ['WWW-Authenticate'], has: '"reason":"Unauthorized"' },
    },
  ],
  collection: { adaptations: { getHttpStatusByCodes: { call: 'A success' } } },
  endpoints: () => [getStatus],
};

const getStatus = endpoint(anyMethod, '/api/http/status/:codes', {
  summary: 'Get a status, with the headers that belong to it',
  description:
    'Location with 201 and redirects, WWW-Authenticate with 401, Allow with 405, Proxy-Authenticate with 407, Content-Range with 206 and 416, Upgrade with 426, Retry-After with 429 and 503; no body with 204, 205 and 304. An invalid status gets 400, and a seed in the shared sandbox 403.',
  params: {
    codes: text(
      '200 to 599, or several separated by commas, each with an optional weight: 200:3,503:1.',
    ),
  },
  query: openExceptTypos({
    seed: Type.Optional(
      integer(
        0,
        4_294_967_295,
        'The n-th request with a seed always gets the same status. Requires a private sandbox. Default: random.',
      ),
    ),
    body: secret(
      optionalText(
        'The body to send instead of the description; text, unless a header sets another type.',
      ),
    ),
    header: secret(
      Type.Optional(
        Type.Array(Type.String(), {
          description:
            "A header as Name:value, repeatable. Replaces the status's header with the same name.",
        }),
      ),
    ),
    headerEncoding: Type.Optional(headerEncodingSchema),
    retryAfter: optionalText(
      'Sent unchanged, with any status; only an ISO 8601 date becomes an HTTP date.',
    ),
  }),
  responses: {
    200: {
      description: 'The meaning of the status, or the requested body.',
      content: {
        'application/json': {
          schema: Type.Object(
            {
              status: Type.Integer(),
              reason: text('The reason phrase of the status line.'),
              meaning: text('What the status means, in one sentence.'),
              specification: text('Where it is specified.'),
              warnings: Type.Optional(
                Type.Array(Type.String(), {
                  description: 'Parts of the response that clients must ignore.',
                }),
              ),
            },
            { title: 'StatusMeaning' },
          ),
        },
        '*/*': { schema: Type.Unknown() },
      },
    },
    default: anyContent('The requested status, with its headers; also any error.'),
  },
  examples: (method) => ({
    'A success': { path: { codes: '200' } },
    'A body and a header': {
      path: { codes: '200' },
      query: { body: 'Hello', header: ['X-Greeting:Hello', 'Cache-Control:max-age=5'] },
    },
    'No content': { path: { codes: '204' } },
    'Too many requests': { path: { codes: '429' }, query: { retryAfter: '30' } },
    ...(method === 'GET' && {
      'Several, by weight': {
        path: { codes: '200:3,503:1' },
        query: { seed: 7 },
        headers: { 'X-Sandbox': 'mine' },
      },
      'No status': { path: { codes: '700' } },
    }),
  }),
  async handle(request, reply) {
    const { codes } = request.params;
    const { seed, body, header = [], headerEncoding = 'latin1', retryAfter } = request.query;
    const status = await choose(request, codes, seed);
    const pairs = parseHeaderParameters(header, 'header', {
      denied: request.exchanges.deniedHeaders,
      encoding: headerEncoding,
      isBodyScripted: body !== undefined,
    });
    const given = headersByName(pairs);
    const wait = retryAfter === undefined ? undefined : readWait(retryAfter);
    const meaning = {
      status,
      ...meaningOf(status),
      ...(wait?.warning !== undefined && { warnings: [wait.warning] }),
    };
    const bytes = Buffer.from(body ?? JSON.stringify(meaning));
    setStatus(reply, status, {
      location: `${basePathOf(request.baseUrl)}/api/http/status/200`,
      allow: ['GET', 'HEAD', 'POST'].filter((method) => method !== request.method),
      size: bytes.length,
      ...(wait && { retryAfter: wait.value }),
    });
    reply.raw.statusMessage = meaning.reason;
    reply.type(body === undefined ? jsonContentType : 'text/plain; charset=utf-8');
    addGivenHeaders(reply, pairs);
    // Callers choose bytes that are sent from this origin, so browsers must not run them.
    if (body !== undefined || given.size > 0) reply.headers(isolatingHeaders);
    if (!isBodiless(status)) return reply.send(bytes);
    if (!given.has('content-type')) reply.removeHeader('content-type');
    return reply.send();
  },
});

async function choose(request: Request, codes: string, seed?: number): Promise<number> {
  const choices = parseStatusChoices(codes);
  if (choices === undefined) {
    const got = gotParameter('codes', codes);
    const message = `The path parameter codes must be a status from 200 to 599, or up to 20 of them with weights, such as 200:3,503:1${got}.`;
    rejectField('codes', message);
  }
  if (seed === undefined) return chooseStatus(choices, Math.random());
  const sandbox = ownSandbox(request, 'Counted requests of a seed need');
  const index = await sandbox.update(drawsSpace, String(seed), (count = 0) => ({
    value: count + 1,
    result: count,
  }));
  return chooseStatus(choices, drawsAt(seed, 0, index)());
}

/** Returns the value of Retry-After (RFC 9110 section 10.2.3) unchanged, except ISO 8601 dates. */
function readWait(given: string): { value: string; warning?: string } {
  const fault = headerValueFault('Retry-After', given);
  if (fault !== undefined) rejectField('retryAfter', fault);
  const value = given.trim();
  const warning = retryAfterWarning(value);
  if (warning === undefined) return { value };
  const dateMs = parseGivenDate(value);
  return dateMs === undefined ? { value, warning } : { value: new Date(dateMs).toUTCString() };
}
