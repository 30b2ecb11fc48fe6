/** The recorded requests of a sandbox as a response: JSON, or HAR 1.2. */

import { Type } from 'typebox';
import { addVary } from '../../http/caching/caching.js';
import type { Reply, Request } from '../../http/exchange.js';
import { negotiateType } from '../../http/negotiation/negotiate-type.js';
import { vary } from '../../http/schemas/header-schemas.js';
import type { Sandbox } from '../../state/state.js';
import { isRecording, maxRequests, type NumberedRequest, readRequests } from './exchange-record.js';
import { harOf, harType } from './har.js';

const requestsSchema = Type.Object(
  {
    recording: Type.Boolean({ description: 'Whether requests are recorded now.' }),
    requests: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: 'The value for `since`.' }),
          method: Type.String(),
          path: Type.String({ description: 'Without the query.' }),
          status: Type.Integer({ description: '0 without a response.' }),
          time: Type.String({ description: 'Arrival, ISO 8601 in UTC, by the real clock.' }),
          durationMs: Type.Number(),
          requestId: Type.String(),
          fault: { type: ['string', 'null'], description: 'The simulated fault.' },
        },
        { title: 'RecordedRequest' },
      ),
    ),
  },
  { title: 'RecordedRequests' },
);

const formats = [{ types: ['application/json'] }, { types: [harType] }] as const;

export const requestList = {
  description: `The newest ${maxRequests}, the oldest first, without bodies and credentials. Accept: ${harType} returns HAR 1.2.`,
  query: {
    since: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Returns only requests after this id.',
      }),
    ),
  },
  response: {
    description: 'The requests.',
    content: {
      'application/json': { schema: requestsSchema },
      [harType]: { schema: Type.Object({ log: Type.Object({}) }, { title: 'Har' }) },
    },
  },
  responseHeaders: { 200: vary },
};

/** Sends the requests of a sandbox in the format that the client accepts. The requests of pupils are always recorded. */
export async function sendRequests(
  request: Request,
  reply: Reply,
  {
    sandbox,
    since,
    isPupil,
  }: {
    readonly sandbox: Sandbox;
    readonly since: number | undefined;
    readonly isPupil: boolean;
  },
): Promise<unknown> {
  addVary(reply, 'Accept');
  const format = negotiateType(request.headers.accept, formats)?.mediaType;
  const requests = await readRequests(sandbox, since);
  if (format === harType) return reply.type(harType).send(harOf(requests, request.baseUrl));
  return {
    recording: isPupil || (await isRecording(sandbox)),
    requests: requests.map(shownOf),
  };
}

function shownOf({
  id,
  method,
  path,
  status,
  atMs,
  durationMs,
  requestId,
  fault,
}: NumberedRequest) {
  const time = new Date(atMs).toISOString();
  return { id, method, path, status, time, durationMs, requestId, fault };
}
