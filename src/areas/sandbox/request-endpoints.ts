/** Endpoints for the recorded requests of a sandbox. */

import { Type } from 'typebox';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { setWatch } from '#kit/recording/exchange-record.js';
import { requestList, sendRequests } from '#kit/recording/list-requests.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';

const recordingSchema = Type.Object({ on: Type.Boolean() }, { title: 'Recording' });

const what = 'Requests are recorded only in';

export const listRequests = endpoint('GET', '/api/sandbox/requests', {
  summary: 'List the recorded requests of the sandbox',
  description: `${requestList.description} The shared sandbox gets 403.`,
  query: requestList.query,
  responses: { 200: requestList.response, ...failures(403) },
  examples: {
    'The requests': { ...inSandbox(), isNoExample: true },
    'An invalid id': { ...inSandbox(), query: { since: 'x' } },
  },
  responseHeaders: requestList.responseHeaders,
  handle: (request, reply) =>
    sendRequests(request, reply, {
      sandbox: ownSandbox(request, what),
      since: request.query.since,
      isPupil: request.raw.sandboxAddress?.pupil !== undefined,
    }),
});

export const setRecording = endpoint('PUT', '/api/sandbox/recording', {
  summary: 'Start or stop recording the requests of the sandbox',
  description:
    'Off at first, and always on in a class. Recorded requests remain. The shared sandbox gets 403.',
  before: (request) => void ownSandbox(request, what),
  body: Type.Object({ on: Type.Boolean() }, { additionalProperties: false }),
  responses: { 200: recordingSchema, ...failures(403, 409) },
  examples: { Start: { ...inSandbox(), json: { on: true } } },
  async handle(request) {
    if (request.raw.sandboxAddress?.pupil !== undefined) {
      if (request.body.on) return { on: true };
      throw new HttpError(409, 'In a class, requests are always recorded.');
    }
    const watch = await setWatch(ownSandbox(request, what), { isRecording: request.body.on });
    return { on: watch.isRecording };
  },
});
