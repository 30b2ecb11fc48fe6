/** Writes the service as a Postman collection, format 2.1 (https://schema.getpostman.com). */

import { STATUS_CODES } from 'node:http';
import { packageVersion } from '#base/package/package-files.js';
import type { Steps } from '#base/run-steps.js';
import type { FlowStep, SampleBody } from '#kit/request-collection.js';
import type { JsonObject, JsonValue } from '../openapi/json.js';
import type { RecordedCall } from '../openapi/recorded-calls.js';
import type { SampleCollector, SampleOperation } from './collect-samples.js';
import { keysAndValues, postmanRequest } from './postman-request.js';
import { obtainVariables, testScript } from './postman-scripts.js';
import type { Sample, SampleRequest } from './sample-request.js';

/** Constant, so that importing the collection again replaces the old one. */
const collectionId = '5b9d7c0e-6f0a-4b53-9d7e-0a3c1f7e2b64';

const sandboxHint =
  '- `sandbox` is where changes go. Each run uses a new one, so that runs do not affect each other or other users.\n';

const describe = (isInside: boolean) =>
  `Every operation of Practice API with a response for each of its statuses, and multi-step flows.

Run the requests one by one or all at once. The tests check status, headers and body against the OpenAPI description. Each request gets values that it needs, such as a token or the id of a bin, by itself.

- \`baseUrl\` is the service${isInside ? ', and the sandbox that changes go to' : ''}.
${isInside ? '' : sandboxHint}- \`serviceKey\` is the key of an account, for services that require one. It is sent if it is set.
- The credentials are public test credentials.`;

export function* postmanCollection(
  collector: SampleCollector,
  baseUrl: string,
  credentials: Readonly<Record<string, string>>,
  isInside: boolean,
): Steps<JsonObject> {
  const { known } = collector;
  const folders = yield* collector.folders();
  const samples = folders.flatMap(({ operations }) => operations.map(({ sample }) => sample));
  const values = {
    baseUrl,
    ...(!isInside && { sandbox: '' }),
    serviceKey: '',
    ...credentials,
  };
  return {
    info: {
      _postman_id: collectionId,
      name: 'Practice API',
      description: describe(isInside),
      version: packageVersion,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(values).map(([name, value]) => postmanVariable(name, value)),
    event: [script('prerequest', obtainVariables(samples, known, isInside))],
    item: [
      {
        name: 'Flows',
        description: 'Multi-step flows. Run each folder as a whole.',
        item: known.flows.map(({ title, description, steps }) => ({
          name: title,
          description,
          item: steps.map((step) => flowItem(step, collector.step(step))),
        })),
      },
      ...folders.map(({ title, description, operations }) => ({
        name: title,
        description,
        item: operations.map((operation) => operationItem(operation, known.lasting)),
      })),
    ],
  };
}

export function postmanVariable(key: string, value: string) {
  return { key, value, type: 'string' } as const;
}

function flowItem(step: FlowStep, sample: Sample): JsonObject {
  const tests = [testScript(sample, () => true), step.tests].filter(Boolean).join('\n');
  return {
    name: step.title,
    event: [
      ...(step.before === undefined ? [] : [script('prerequest', step.before)]),
      script('test', tests),
    ],
    request: postmanRequest(sample.request),
    response: [],
  };
}

function operationItem(
  { sample, others }: SampleOperation,
  lasting: readonly string[],
): JsonObject {
  const { id, title, description, request } = sample;
  const tests = testScript(sample, (name) => lasting.includes(name));
  return {
    id,
    name: title,
    event: [script('test', tests)],
    request: postmanRequest(request, description),
    response: others.map((call) => exampleOf(call, request)),
  };
}

function script(listen: 'prerequest' | 'test', code: string): JsonObject {
  return { listen, script: { type: 'text/javascript', exec: code.split('\n') } };
}

/** Returns the recorded request and response. */
function exampleOf(
  { name, request, response }: RecordedCall,
  { method, path }: SampleRequest,
): JsonObject {
  const { status, headers, body } = response;
  const originalRequest = postmanRequest({
    method,
    path,
    pathValues: Object.fromEntries(
      Object.entries(request.path ?? {}).map(([key, value]) => [key, String(value)]),
    ),
    query: Object.entries(request.query ?? {}).flatMap(([key, value]) =>
      [value].flat().map((each) => [key, String(each)] as const),
    ),
    headers: {
      ...request.headers,
      ...(typeof request.body === 'object' && { 'Content-Type': 'application/json' }),
    },
    ...(request.body !== undefined && { body: sentBody(request.body) }),
  });
  return {
    name,
    originalRequest,
    status: STATUS_CODES[status] ?? '',
    code: status,
    _postman_previewlanguage: languageOf(headers['content-type'] ?? ''),
    header: keysAndValues(headers),
    cookie: [],
    body: textOf(body, headers['content-type'] ?? ''),
  };
}

function sentBody(body: JsonValue): SampleBody {
  return typeof body === 'string' ? { kind: 'text', text: body } : { kind: 'json', value: body };
}

function textOf(body: JsonValue | undefined, contentType: string): string {
  if (body === undefined) return '';
  return /json/.test(contentType) ? JSON.stringify(body, null, 2) : String(body);
}

function languageOf(contentType: string): string {
  return /json|xml|html/.exec(contentType)?.[0] ?? 'text';
}
