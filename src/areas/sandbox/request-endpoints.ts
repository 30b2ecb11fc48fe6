/** Endpoints for the recorded requests of a sandbox. */

import { Type } from 'typebox';
import { addVary } from '../../http/caching/caching.js';
import { jsonContentType } from '../../http/http-error.js';
import { negotiateType } from '../../http/negotiation/negotiate-type.js';
import { failures } from '../../http/schemas/error-schema.js';
import { vary } from '../../http/schemas/header-schemas.js';
import { inSlices, streamOf } from '../../http/sending/stream-of.js';
import { endpoint } from '../../kit/endpoint.js';
import {
  isRecording,
  maxRequests,
  type NumberedRequest,
  recordedRequests,
  setWatch,
} from '../../kit/recording/exchange-record.js';
import { ownSandbox } from '../../kit/sandbox/own-sandbox.js';
import { harEnd, harEntryOf, harStart, harType } from './har.js';

const recordingSchema = Type.Object({ on: Type.Boolean() }, { title: 'Recording' });

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

const what = 'Requests are recorded only in';

export const listRequests = endpoint('GET', '/api/sandbox/requests', {
  summary: 'List the recorded requests of the sandbox',
  description: `The newest ${maxRequests}, the oldest first, without bodies and credentials. Accept: ${harType} returns HAR 1.2. The shared sandbox gets 403.`,
  query: {
    since: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Returns only requests after this id.',
      }),
    ),
  },
  responses: {
    200: {
      description: 'The requests.',
      content: {
        'application/json': { schema: requestsSchema },
        [harType]: { schema: Type.Object({ log: Type.Object({}) }, { title: 'Har' }) },
      },
    },
    ...failures(400, 403),
  },
  responseHeaders: { 200: vary },
  async handle(request, reply) {
    const sandbox = ownSandbox(request, what);
    addVary(reply, 'Accept');
    const isHar = negotiateType(request.headers.accept, formats)?.mediaType === harType;
    const requests = recordedRequests(sandbox, request.query.since);
    reply.type(isHar ? harType : jsonContentType);
    const { baseUrl } = request;
    const recording = await isRecording(sandbox);
    const pieces = isHar
      ? written(harStart(), requests, (each) => harEntryOf(each, baseUrl), harEnd)
      : written(`{"recording":${recording},"requests":[`, requests, shownOf, ']}');
    return streamOf(request, () => inSlices(pieces)) as never;
  },
});

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
  status,
  atMs,
  durationMs,
  requestId,
  fault,
}: NumberedRequest) {
  const time = new Date(atMs).toISOString();
  return { id, method, path, status, time, durationMs, requestId, fault };
}

export const setRecording = endpoint('PUT', '/api/sandbox/recording', {
  summary: 'Start or stop recording the requests of the sandbox',
  description: 'Off at first. Recorded requests remain. The shared sandbox gets 403.',
  before: (request) => void ownSandbox(request, what),
  body: Type.Object({ on: Type.Boolean() }, { additionalProperties: false }),
  responses: { 200: recordingSchema, ...failures(400, 403, 413, 415) },
  async handle(request) {
    const watch = await setWatch(ownSandbox(request, what), { isRecording: request.body.on });
    return { on: watch.isRecording };
  },
});
