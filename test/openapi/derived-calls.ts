/** Calls that are derived, so that no example and no table has to list them. */

import type { JsonObject, JsonValue } from '../../src/describe/openapi/json.js';
import { inSandbox } from '../../src/kit/example.js';
import { isAlikeAnother } from './alike.js';
import { type Caller, type CallRequest, type MadeCall, recorded } from './caller.js';
import type { Contract } from './contract.js';

const mebibyte = 1024 * 1024;

/** Calls each operation that requires no input, or only parameters of the path with examples, if it has no accepted call. */
export async function makeUsualCalls(caller: Caller, contract: Contract): Promise<void> {
  const accepted = caller.made.filter(({ response }) => response.status < 400);
  const called = new Set(accepted.map(({ operationId }) => operationId));
  for (const [operationId, { operation }] of contract.operations) {
    if (called.has(operationId) || operation.requestBody !== undefined) continue;
    const required = contract.parameters(operationId).filter((each) => each.required);
    const path = required.map(({ name, schema }) => [name, exampleOf(schema)] as const);
    if (path.some(([, value]) => value === undefined)) continue;
    const isOfSandbox = Object.hasOwn(operation.responses as JsonObject, '403');
    const request = {
      ...(path.length > 0 && { path: Object.fromEntries(path) }),
      ...(isOfSandbox && inSandbox()),
    } as CallRequest;
    const call = { operationId, name: 'The usual request', request };
    const response = await caller.send(operationId, request);
    const isKept = await isRepeated(caller, { ...call, response });
    await caller.call(operationId, call.name, {
      ...request,
      ...(!isKept && { isNoExample: true }),
    });
  }
}

/** Calls the pages of endpoints that also respond with JSON. File names in a page change with its build. */
export async function makePageCalls(caller: Caller, contract: Contract): Promise<void> {
  const isNoExample = true;
  for (const [operationId, { operation, address }] of contract.operations) {
    const { 200: ok, 304: known } = operation.responses as Readonly<Record<string, JsonObject>>;
    const { content = {} } = contract.resolve<JsonObject & { content?: JsonObject }>(ok ?? {});
    const isPage = 'text/html' in content && Object.keys(content).length > 1;
    if (!isPage || address.method !== 'GET' || address.path.includes('{')) continue;
    const headers = { Accept: 'text/html' };
    const shown = await caller.call(operationId, 'The page', { headers, isNoExample });
    const again = { ...headers, 'If-None-Match': shown.headers.etag ?? '' };
    if (known)
      await caller.call(operationId, 'The page, not modified', { headers: again, isNoExample });
  }
}

const exampleOf = ({ examples }: JsonObject) => (examples as readonly JsonValue[] | undefined)?.[0];

type Rejection = readonly [status: string, name: string, request: CallRequest];

/** Headers that identify the caller. The description names further ones, of API keys. */
const credentials = /^(?:authorization|cookie|x-(?:service|teacher)-key)$/i;

/** Ids of each form that paths have. */
const unknownIds = ['99999', 'unknown', 'A'.repeat(16), 'A'.repeat(22)];

const without = <Value>(
  fields: Readonly<Record<string, Value>> = {},
  pattern: Pick<RegExp, 'test'>,
) => Object.fromEntries(Object.entries(fields).filter(([name]) => !pattern.test(name)));

const withHeaders = (request: CallRequest, headers: Readonly<Record<string, string>>) => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/**
 * Makes the requests that operations reject alike, from an accepted request and the described types of bodies. Several of
 * a status are alternatives.
 */
function* rejectionsOf(
  request: CallRequest,
  entityTag: string | undefined,
  types: readonly string[],
  keyNames: ReadonlySet<string>,
): Iterable<Rejection> {
  const { body: _body, json, ...rest } = request;
  const { prefix: _prefix, ...shared } = request;
  const ofShared = { headers: without(request.headers, /^x-sandbox$/i) };
  yield ['403', 'In the shared sandbox', { ...shared, ...ofShared }];
  const identifying = {
    test: (name: string) => credentials.test(name) || keyNames.has(name.toLowerCase()),
  };
  const query = without(request.query, identifying);
  yield [
    '401',
    'Without credentials',
    { ...request, query, headers: without(request.headers, identifying) },
  ];
  for (const name of Object.keys(request.path ?? {}).reverse()) {
    const title = `An unknown ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
    for (const id of unknownIds) {
      yield ['404', title, { ...request, path: { ...request.path, [name]: id } }];
    }
  }
  if (entityTag !== undefined)
    yield ['304', 'Not modified', withHeaders(request, { 'If-None-Match': entityTag })];
  const unversioned = without(request.headers, /^tus-resumable$/i);
  if (Object.keys(unversioned).length < Object.keys(request.headers ?? {}).length) {
    yield ['412', 'Without the version of tus', { ...request, headers: unversioned }];
  }
  yield ['412', 'Another version', withHeaders(request, { 'If-Match': '"other"' })];
  yield [
    '428',
    'Without a condition',
    { ...request, headers: without(request.headers, /^if-match$/i) },
  ];
  yield ['416', 'A range beyond the end', withHeaders(request, { Range: 'bytes=99999-' })];
  const strict = { Accept: 'audio/ogg', Prefer: 'handling=strict' };
  yield ['406', 'An unsupported format', withHeaders(request, strict)];
  const type = types.length > 0 && request.type === undefined ? { type: 'application/json' } : {};
  yield ['413', 'Too large a body', { ...rest, ...type, announcedBytes: 10 * mebibyte + 1 }];
  if (!types.some((each) => /^(?:text\/plain|\*\/\*)$/.test(each)))
    yield ['415', 'Another Content-Type', { ...rest, type: 'text/plain', body: 'Hello' }];
  const known = request.type ?? (json === undefined ? 'text/plain' : 'application/json');
  const coded = { ...rest, type: known, body: '{}' };
  yield ['415', 'A compressed body', withHeaders(coded, { 'Content-Encoding': 'gzip' })];
  const { path = {} } = request;
  yield ['400', 'A malformed sandbox name', { path, headers: { 'X-Sandbox': 'not a name' } }];
  yield ['414', 'Too long a URL', { ...request, query: { q: 'a'.repeat(8000) } }];
}

/** Makes the calls that lead to described statuses. */
export async function makeRejectedCalls(
  caller: Caller,
  contract: Contract,
  { operationId, request: accepted, entityTag }: Parameters<NonNullable<Caller['onAccepted']>>[0],
): Promise<void> {
  const { operation } = contract.operation(operationId);
  const wanted = new Set(Object.keys(operation.responses as JsonObject));
  const { content = {} } = contract.resolve<{ content?: JsonObject }>(operation.requestBody ?? {});
  const types = Object.keys(content);
  const { keyNames } = contract;
  for (const [status, name, sent] of rejectionsOf(accepted, entityTag, types, keyNames)) {
    if (!wanted.has(status)) continue;
    const { isRequestOnly: _only, isNoExample, isStreamCut: _cut, ...request } = sent;
    const call = { operationId, name, request, response: await caller.send(operationId, request) };
    if (String(call.response.status) !== status) continue;
    wanted.delete(status);
    // The entity tag of a response that differs each time does, too.
    const isOwn = isNoExample && status === '304';
    const isKept = !isOwn && !isAlikeAnother(operationId) && (await isRepeated(caller, call));
    caller.keep(isKept ? call : { ...call, request: { ...request, isNoExample: true } });
  }
}

/** Whether a second call has the same response; one with its own id or time is no example. */
async function isRepeated(caller: Caller, call: MadeCall): Promise<boolean> {
  const again = { ...call, response: await caller.send(call.operationId, call.request) };
  return JSON.stringify(recorded(call)) === JSON.stringify(recorded(again));
}
