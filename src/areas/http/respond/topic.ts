/** Responses that the caller writes: for one request, or kept under a name. */

import { anyMethod } from '../../../http/any-method.js';
import { rejectFaults } from '../../../http/body/header-parameters.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { basePathOf, sentPathOf } from '../../../http/public-path.js';
import { headerPairs } from '../../../http/settable-headers.js';
import type { Services } from '../../../kit/area.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import { heapBytes } from '../../../state/rows/heap-bytes.js';
import type { Space } from '../../../state/state.js';
import type { Topic } from '../topic.js';
import { readScript } from './read-script.js';
import * as schemas from './schemas.js';
import { checkScript, type Script } from './script.js';
import { sendScript } from './send-script.js';

const path = '/api/http/respond';
const named = '/api/http/responses/:name';

/** Beyond it, the oldest is dropped. */
const responsesSpace: Space<Script> = { name: 'http-responses', maxKeys: 100 };

type OfName = Request<{ Params: { name: string } }>;

export const respondTopic = {
  name: 'respond',
  title: 'Scripted responses',
  start: path,
  summary:
    'A response as you write it: status, headers, body, chunks, delays, trailers, interim responses.',
  examples: () => [
    {
      title: 'Write the response that your client shall get',
      method: 'POST',
      path,
      json: { status: 503, headers: { 'Retry-After': '2' }, body: 'Later' },
      answer: { status: 503, headers: ['Retry-After'], has: 'Later' },
    },
  ],
  collection: {
    adaptations: { putHttpResponsesByName: { call: 'A response', otherwise: [200] } },
    endings: ['deleteHttpResponsesByName'],
    leftOut: Object.fromEntries(
      ['get', 'post', 'options', 'head', 'patch', 'trace'].map((method) => [
        `${method}HttpResponsesByName`,
        'Its response is whatever was stored before.',
      ]),
    ),
  },
  addRoutes(app, services) {
    app.route(anyMethod, path, { schema: schemas.respond }, async (request, reply) =>
      response(services, request, reply, await readScript(request, ownPathOf(services, request))),
    );
    app.put(named, { schema: schemas.define }, (request, reply) =>
      define(services, request as OfName & { body: Script }, reply),
    );
    app.delete(named, { schema: schemas.remove }, (request, reply) =>
      remove(services, request, reply),
    );
    app.route(
      anyMethod.filter((method) => method !== 'PUT' && method !== 'DELETE'),
      named,
      { schema: schemas.respondAsNamed },
      async (request, reply) => {
        const { name } = (request as OfName).params;
        const script = await services.sandboxOf(request).read(responsesSpace, name);
        if (script === undefined) throw unknownResponse(name);
        return response(services, request, reply, script);
      },
    );
  },
} satisfies Topic;

async function response(
  services: Services,
  request: Request,
  reply: Reply,
  script: Script,
): Promise<Reply> {
  const isSlow = (script.delayMs ?? 0) > 0 || script.chunks?.some(({ delayMs = 0 }) => delayMs > 0);
  const place = isSlow ? services.held.hold(request, reply) : undefined;
  return sendScript(reply, script, ownPathOf(services, request), place);
}

async function define(services: Services, request: OfName & { body: Script }, reply: Reply) {
  const { name } = request.params;
  const sandbox = ownSandbox(services, request, 'Responses are kept in');
  rejectFaults(checkScript(request.body, ownPathOf(services, request)));
  const script = withPairs(request.body);
  const bytes = heapBytes(script);
  const isNew = await sandbox.update(responsesSpace, name, (before) => {
    return { value: script, bytes, result: before === undefined };
  });
  const url = `${services.baseUrlOf(request)}/api/http/responses/${name}`;
  if (isNew) reply.code(201).header('location', url);
  return { name, url };
}

/** Names of headers are the caller's, so they count among the bytes. */
function withPairs(script: Script): Script {
  const { headers = {}, trailers = {}, informational = [] } = script;
  return {
    ...script,
    headers: headerPairs(headers),
    trailers: headerPairs(trailers),
    informational: informational.map((each) => ({
      ...each,
      headers: headerPairs(each.headers ?? {}),
    })),
  };
}

async function remove(services: Services, request: OfName, reply: Reply) {
  const { name } = request.params;
  const sandbox = ownSandbox(services, request, 'Responses are kept in');
  const isThere = await sandbox.update(responsesSpace, name, (before) => {
    return { value: undefined, result: before !== undefined };
  });
  if (!isThere) throw unknownResponse(name);
  return reply.code(204).send(null);
}

function unknownResponse(name: string): HttpError {
  return new HttpError(
    404,
    `No response is kept under ${name} in this sandbox. PUT one here, as a script in JSON.`,
  );
}

/** What of this service is the caller's own: all below the sandbox in the address, or else this path alone. */
function ownPathOf({ baseUrlOf }: Services, request: Request): string {
  const baseUrl = baseUrlOf(request);
  if (request.raw.sandboxAddress !== undefined) return basePathOf(baseUrl);
  return basePathOf(baseUrl) + sentPathOf(request);
}
