/** The recorded requests of a sandbox as a response: JSON, or HAR 1.2. */

import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { jsonContentType } from '#http/http-error.js';
import { negotiateType } from '#http/negotiation/negotiate-type.js';
import { vary } from '#http/schemas/header-schemas.js';
import { inSlices, streamOf } from '#http/sending/stream-of.js';
import type { Sandbox } from '#state/state.js';
import {
  isRecording,
  maxRequests,
  type NumberedRequest,
  recordedRequests,
} from './exchange-record.js';
import { harEnd, harEntryOf, harStart, harType } from './har.js';
import { queryText } from './shown-exchange.js';

const requestsSchema = Type.Object(
  {
    recording: Type.Boolean({ description: 'Whether requests are recorded now.' }),
    requests: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: 'The value for `since`.' }),
          method: Type.String(),
          path: Type.String({ description: 'Without the query.' }),
          query: Type.String({ description: 'Without secrets.' }),
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

const maxQueryBytes = 1000;

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
  const isHar = negotiateType(request.headers.accept, formats)?.mediaType === harType;
  const requests = recordedRequests(sandbox, since);
  reply.type(isHar ? harType : jsonContentType);
  const { baseUrl } = request;
  const recording = isPupil || (await isRecording(sandbox));
  const pieces = isHar
    ? written(harStart(), requests, (each) => harEntryOf(each, baseUrl), harEnd)
    : written(`{"recording":${recording},"requests":[`, requests, shownOf, ']}');
  return streamOf(request, () => inSlices(pieces));
}

async function* written(
  start: string,
  requests: AsyncIterable<NumberedRequest>,
  show: (request: NumberedRequest) => object,
  end: string,
): AsyncGenerator<string> {
  yield start;
  let comma = '';
  for await (const each of requests) {
    yield comma + JSON.stringify(show(each));
    comma = ',';
  }
  yield end;
}

function shownOf({
  id,
  method,
  path,
  query,
  status,
  atMs,
  durationMs,
  requestId,
  fault,
}: NumberedRequest) {
  const time = new Date(atMs).toISOString();
  const shown = { id, method, path, query: queryText(query, maxQueryBytes), status, time };
  return { ...shown, durationMs, requestId, fault };
}
