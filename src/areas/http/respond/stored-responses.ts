/** Scripted responses that a sandbox stores by name. */

import { Type } from 'typebox';
import { anyMethod } from '#http/any-method.js';
import { headerPairs, rejectStored } from '#http/headers/settable-headers.js';
import type { HeldRequests } from '#http/held-requests.js';
import { HttpError, rejectFaults } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { location } from '#http/schemas/header-schemas.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { endpoint } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { heapBytes } from '#state/rows/heap-bytes.js';
import type { Space } from '#state/state.js';
import {
  checkScript,
  type Script,
  scriptedResponses,
  scriptHeaderFaults,
  scriptSchema,
  scriptWarnings,
} from './script.js';
import { sendScript } from './send-script.js';

const path = '/api/http/responses/:name';

/** Beyond it, the oldest is deleted. */
const responsesSpace: Space<Script> = { name: 'http-responses', maxKeys: 100 };

const whatIsKept = 'Stored responses need';

const params = {
  name: Type.String({
    pattern: '^[\\w.-]{1,64}$',
    description: '1 to 64 letters, digits, dots, underscores and hyphens.',
  }),
};

const stored = { path: { name: 'greeting' }, headers: { 'X-Sandbox': 'mine' } };
const greeting = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Hello' };

const storedSchema = Type.Object({
  name: Type.String(),
  url: Type.String({
    description: 'Every method except PUT and DELETE gets the scripted response.',
  }),
  warnings: Type.Array(Type.String(), { description: 'Parts of it that clients must ignore.' }),
});

export const define = endpoint('PUT', path, {
  summary: 'Store a scripted response by name',
  description: 'Requires a private sandbox. Beyond 100 responses, the oldest is deleted.',
  params,
  before: (request) => void ownSandbox(request, whatIsKept),
  body: scriptSchema,
  responses: { 200: storedSchema, 201: storedSchema, ...failures(403) },
  responseHeaders: { 201: location },
  examples: {
    'A response': { ...stored, json: greeting },
    'A replacement': { ...stored, json: { ...greeting, body: 'Hello again' } },
    'An invalid status': { ...stored, json: { status: 700 } },
  },
  async handle(request, reply) {
    const { name } = request.params;
    const sandbox = ownSandbox(request, whatIsKept);
    rejectFaults(checkScript(request.body, request));
    const script = withPairs(request.body);
    const bytes = heapBytes(script);
    const isNew = await sandbox.update(responsesSpace, name, (before) => {
      return { value: script, bytes, result: before === undefined };
    });
    const url = `${request.baseUrl}/api/http/responses/${name}`;
    if (isNew) reply.code(201).header('location', url);
    return { name, url, warnings: scriptWarnings(script) };
  },
});

/** Header names count among the bytes, because callers choose them. */
function withPairs(script: Script): Script {
  const { headers = {}, trailers, informational = [] } = script;
  return {
    ...script,
    headers: headerPairs(headers),
    ...(trailers && { trailers: headerPairs(trailers) }),
    informational: informational.map((each) => ({
      ...each,
      headers: headerPairs(each.headers ?? {}),
    })),
  };
}

export const remove = endpoint('DELETE', path, {
  summary: 'Delete a scripted response',
  description: 'Afterwards, its URL responds with 404.',
  params,
  responses: { 204: Type.Null(), ...failures(403, 404) },
  examples: { 'A response': stored },
  async handle(request, reply) {
    const { name } = request.params;
    const sandbox = ownSandbox(request, whatIsKept);
    const isThere = await sandbox.update(responsesSpace, name, (before) => {
      return { value: undefined, result: before !== undefined };
    });
    if (!isThere) throw unknownResponse(name);
    return reply.code(204).send();
  },
});

export const respondAsStored = (held: HeldRequests) =>
  endpoint(
    anyMethod.filter((method) => method !== 'PUT' && method !== 'DELETE'),
    path,
    {
      summary: 'Respond with the stored script',
      description:
        'For every method except PUT and DELETE; 404 if nothing is stored, and 409 if it has a header that is denied today.',
      params,
      ...anyBodies,
      responses: scriptedResponses,
      examples: {
        'The stored response': stored,
        'No stored response': { ...stored, path: { name: 'other' } },
      },
      async handle(request, reply) {
        const { name } = request.params;
        const script = await request.sandbox.read(responsesSpace, name);
        if (script === undefined) throw unknownResponse(name);
        rejectStored(scriptHeaderFaults(script, request), 'PUT another script here.');
        return sendScript(reply, script, held);
      },
    },
  );

function unknownResponse(name: string): HttpError {
  const message = `This sandbox has no response ${name}. PUT one here, as a script in JSON.`;
  return new HttpError(404, message);
}
