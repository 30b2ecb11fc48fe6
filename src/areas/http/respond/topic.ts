/** Responses that the caller scripts: for one request, or stored by name. */

import { gotParameter } from '#base/text/got-value.js';
import { anyMethod } from '#http/any-method.js';
import { bodyText, hasBody, readJsonBody } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import type { HeldRequests } from '#http/held-requests.js';
import { HttpError, rejectFaults, rejectField } from '#http/http-error.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import { optionalText } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos, secret } from '#kit/endpoint.js';
import type { ExampleRequest, Examples } from '#kit/example.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import { bodyValidator } from '#kit/input/validators.js';
import type { Topic } from '../topic.js';
import { checkScript, type Script, scriptedResponses, scriptSchema } from './script.js';
import { sendScript } from './send-script.js';
import { define, remove, respondAsStored } from './stored-responses.js';

const path = '/api/http/respond';

const byName = ['get', 'post', 'options', 'head', 'patch', 'trace'].map(
  (method) => `${method}HttpResponsesByName`,
);

export const respondTopic: Topic = {
  name: 'respond',
  title: 'Scripted responses',
  start: path,
  summary:
    'A response exactly as you script it: status, headers, body, chunks, delays, trailers, interim responses.',
  examples: () => [
    {
      title: 'Script the response that your client gets',
      method: 'POST',
      path,
      json: { status: 503, headers: { 'Retry-After': '2' }, body: 'Later' },
      response: { status: 503, headers: ['Retry-After'], has: 'Later' },
    },
  ],
  collection: {
    adaptations: { putHttpResponsesByName: { call: 'A response', otherwise: [200] } },
    endings: ['deleteHttpResponsesByName'],
    leftOut: Object.fromEntries(
      byName.map((operationId) => [operationId, 'Its response depends on what was stored before.']),
    ),
  },
  endpoints: ({ limits: { held } }) => [respondOnce(held), define, respondAsStored(held), remove],
};

const script = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Hello' };

const inPieces: ExampleRequest = {
  json: {
    chunks: [{ data: 'Hel' }, { data: 'lo', delayMs: 5 }],
    trailers: { 'X-Checksum': '1' },
  },
};

function scripts(method: string): Examples {
  const inQuery = { script: Buffer.from(JSON.stringify(script)).toString('base64url') };
  const hasBody = ['PUT', 'POST', 'PATCH'].includes(method);
  return {
    'A script': hasBody ? { json: script } : { query: inQuery },
    ...(method === 'POST' && { 'Chunks and trailers': inPieces }),
  };
}

/** The same limit as for a JSON body. */
const maxJsonValues = 1000;

const validate = bodyValidator(scriptSchema);

/** The script is in the query, or in the body. */
const respondOnce = (held: HeldRequests) =>
  endpoint(anyMethod, path, {
    summary: 'Respond with the script in the request',
    description:
      'The script is the JSON body, or in the query for methods without a body. Browsers never run the response as a page of this service.',
    query: openExceptTypos({
      script: secret(
        optionalText('The script as JSON, in base64url. The body can then be anything.'),
      ),
    }),
    bodies: { 'application/json': scriptSchema },
    isBodyOptional: true,
    responses: scriptedResponses,
    examples: (method) => ({ ...scripts(method), 'No script': {} }),
    async handle(request, reply) {
      const { script: encoded } = request.query;
      const given = encoded === undefined ? await readBody(request) : parseScript(encoded);
      const faults = validate(given);
      if (faults !== undefined) rejectFaults(describeFaults(faults, 'body'));
      const script = given as Script;
      rejectFaults(checkScript(script, request));
      return sendScript(reply, script, held);
    },
  });

function readBody(request: Request): Promise<unknown> {
  if (hasBody(request.raw)) return readJsonBody(request);
  const message =
    'The script is missing. Send it as a JSON body, or in the query as ?script=, in base64url.';
  throw new HttpError(400, message);
}

function parseScript(encoded: string): unknown {
  if (!/^[\w-]+={0,2}$/.test(encoded)) {
    rejectField('script', `script must be base64url${gotParameter('script', encoded)}.`);
  }
  try {
    return parseJson(bodyText(Buffer.from(encoded, 'base64url')), maxJsonValues);
  } catch (error) {
    if (error instanceof JsonSyntaxError) rejectField('script', error.message);
    throw error;
  }
}
