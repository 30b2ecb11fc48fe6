/** Every status there is, with the headers that come with it. */

import { gotParameter } from '../../../base/text/got-value.js';
import { drawsAt } from '../../../faults/plan/seeded-draws.js';
import { anyMethod } from '../../../http/any-method.js';
import { parseHeaderParameters, rejectField } from '../../../http/body/header-parameters.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { parseGivenDate } from '../../../http/http-date.js';
import { jsonContentType } from '../../../http/http-error.js';
import { isolatingHeaders } from '../../../http/isolating-headers.js';
import { basePathOf } from '../../../http/public-path.js';
import { headersByName } from '../../../http/settable-headers.js';
import { chooseStatus, parseStatusChoices } from '../../../http/status/status-choice.js';
import { isBodiless, statusCompanions } from '../../../http/status/status-companions.js';
import { meaningOf } from '../../../http/status/status-meanings.js';
import type { Services } from '../../../kit/area.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import type { Space } from '../../../state/state.js';
import type { Topic } from '../topic.js';
import { giveStatus, type StatusQuery } from './schemas.js';

/** How many requests of a seed got their response. */
const drawsSpace: Space<number> = { name: 'http-status-draws', maxKeys: 1000 };

type ToStatus = Request<{ Params: { codes: string }; Querystring: StatusQuery }>;

export const statusTopic = {
  name: 'status',
  title: 'Statuses',
  start: '/api/http/status/200',
  summary: 'Every status from 200 to 599 with the headers that come with it, or several by weight.',
  presets: [{ title: 'a status', method: 'GET', path: '/api/http/status/503?retryAfter=2' }],
  examples: () => [
    {
      title: 'Get a status with the headers that it demands',
      method: 'GET',
      path: '/api/http/status/401',
      answer: { status: 401, headers: ['WWW-Authenticate'], has: '"reason":"Unauthorized"' },
    },
  ],
  collection: {
    adaptations: { getHttpStatusByCodes: { call: 'A success' } },
  },
  addRoutes(app, services) {
    app.route(
      anyMethod,
      '/api/http/status/:codes',
      { schema: giveStatus },
      async (request, reply) => {
        const given = request as ToStatus;
        return sendStatus(services, given, reply, await choose(services, given));
      },
    );
  },
} satisfies Topic;

/** The status to respond with; with a seed, that of the seed's next request. */
async function choose(services: Services, request: ToStatus): Promise<number> {
  const { codes } = request.params;
  const choices = parseStatusChoices(codes);
  if (choices === undefined) {
    const got = gotParameter('codes', codes);
    const message = `The path parameter codes must be a status from 200 to 599, or up to 20 of them with weights, such as 200:3,503:1${got}.`;
    rejectField('codes', message);
  }
  const { seed } = request.query;
  if (seed === undefined) return chooseStatus(choices, Math.random());
  const sandbox = ownSandbox(services, request, 'The requests of a seed are counted in');
  const place = await sandbox.update(drawsSpace, String(seed), (count = 0) => {
    return { value: count + 1, result: count };
  });
  return chooseStatus(choices, drawsAt(seed, 0, place)());
}

function sendStatus(services: Services, request: ToStatus, reply: Reply, status: number): Reply {
  const { body, header = [], retryAfter } = request.query;
  const given = headersByName(parseHeaderParameters(header, 'header'));
  const isChosen = body !== undefined || given.size > 0;
  const { reason, ...rest } = meaningOf(status);
  const bytes = Buffer.from(body ?? JSON.stringify({ status, reason, ...rest }));
  const companions = statusCompanions(status, {
    location: `${basePathOf(services.baseUrlOf(request))}/api/http/status/200`,
    allow: ['GET', 'HEAD', 'POST'].filter((method) => method !== request.method),
    size: bytes.length,
    isHttp11: request.raw.httpVersion === '1.1',
    ...(retryAfter !== undefined && { retryAfter: parseWait(retryAfter) }),
  });
  reply.raw.statusMessage = reason;
  reply
    .code(status)
    .headers(companions)
    .header('content-type', body === undefined ? jsonContentType : 'text/plain; charset=utf-8');
  for (const [name, value] of given) reply.header(name, value);
  // Bytes that a caller chooses come from our origin, so they must not act there.
  if (isChosen) reply.headers(isolatingHeaders);
  if (!isBodiless(status)) return reply.send(bytes);
  if (!given.has('content-type')) reply.removeHeader('content-type');
  return reply.send();
}

/** As the header has it (RFC 9110 section 10.2.3). Throws 400 for anything else. */
function parseWait(text: string): string {
  if (/^\d{1,9}$/.test(text)) return text;
  const dateMs = parseGivenDate(text);
  if (dateMs !== undefined) return new Date(dateMs).toUTCString();
  const got = gotParameter('retryAfter', text);
  const message = `retryAfter must be seconds, or a date in ISO 8601 or as HTTP writes it${got}.`;
  rejectField('retryAfter', message);
}
