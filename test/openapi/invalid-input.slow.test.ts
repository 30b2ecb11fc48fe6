/**
 * Sends every kind of invalid input that follows from the description, and expects the described
 * response.
 */

import { Agent, METHODS } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/describe/openapi/json.js';
import {
  loadRecordedCalls,
  type RecordedRequest,
} from '../../src/describe/openapi/recorded-calls.js';
import { placeholderHost } from '../../src/http/caching/addressed-content.js';
import { everyThird } from '../support/every-third.js';
import { useService } from '../support/service.js';
import { describesOptions, isAlikeAnother } from './alike.js';
import { targetOf } from './caller.js';
import { Contract } from './contract.js';
import { exchange, type Received } from './exchange.js';
import { type InvalidRequest, invalidRequests } from './invalid-requests.js';

const service = useService();
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const recordedCalls = loadRecordedCalls();
let contract: Contract;
beforeAll(async () => {
  contract = new Contract((await service.send('GET /openapi.json?formats=all')).json);
});
afterAll(() => agent.destroy());

/** A request that the operation accepted when it was recorded, sent to a bin that exists now. */
async function rightRequest(operationId: string): Promise<RecordedRequest> {
  const calls = recordedCalls[operationId] ?? [];
  // For a socket there are only rejected calls; for some operations an accepted call is no example.
  const call =
    calls.find(({ response }) => response.status < 400) ??
    calls.find(({ request }) => request.path) ??
    calls[0];
  const request = call?.request ?? {};
  const { id, binId } = request.path ?? {};
  if (!operationId.includes('Webhooks') || (id ?? binId) === undefined) return request;
  const bin = (await service.send('POST /api/webhooks/bins')).json.id;
  await service.send(`POST /api/webhooks/${bin}`);
  const path = {
    ...request.path,
    ...(id !== undefined && { id: bin }),
    ...(binId !== undefined && { binId: bin }),
  };
  return { ...request, path };
}

function send(
  method: string,
  path: string,
  request: Omit<InvalidRequest, 'fault'>,
): Promise<Received> {
  return exchange(service.url, {
    method,
    target: targetOf(path, request),
    headers: [['Host', placeholderHost], ...Object.entries(request.headers ?? {})],
    body: request.body,
    agent,
    isStreamCut: true,
  });
}

/** A fault plan that one operation creates would affect the others. */
function inOwnSandbox<Spoilt extends InvalidRequest>(request: Spoilt, operationId: string): Spoilt {
  if (request.headers?.['X-Sandbox'] !== 'x') return request;
  return { ...request, headers: { ...request.headers, 'X-Sandbox': operationId.slice(0, 64) } };
}

/** SOAP responds to every fault of a SOAP 1.1 message with 500. */
const mayFail = /^postSoap/;

test('every response to invalid input is described, and none is a failure', {
  timeout: 300_000,
}, async () => {
  const breaches: string[] = [];
  let count = 0;
  await Promise.all(
    everyThird([...contract.operations]).map(async ([operationId, { address, operation }]) => {
      if (isAlikeAnother(operationId)) return;
      // An operation of any method uses each in turn.
      const methods = (operation['x-methods'] ?? [address.method]) as readonly string[];
      const requests = [...invalidRequests(contract, operationId, await rightRequest(operationId))];
      for (const [index, request] of requests.entries()) {
        const method = methods[index % methods.length] ?? address.method;
        const response = await send(method, address.path, inOwnSandbox(request, operationId)).catch(
          (error) => {
            throw new Error(`${operationId}, ${request.fault}: ${error}`);
          },
        );
        count += 1;
        const found = contract.breachesOfResponse(operationId, response, method);
        if (response.status >= 500 && !mayFail.test(operationId))
          found.push(`it is a failure: ${response.bytes}`);
        if (/must match (?:pattern|format)/.test(String(response.bytes)))
          found.push(`a pattern is no message: ${response.bytes}`);
        breaches.push(
          ...found.map(
            (breach) =>
              `${operationId} by ${method}, ${request.fault} → ${response.status}: ${breach}`,
          ),
        );
      }
    }),
  );
  expect(breaches).toEqual([]);
  expect(count).toBeGreaterThan(1000);
});

test('HEAD gets the response that the description has for GET, without the body', async () => {
  const breaches: string[] = [];
  for (const [operationId, { address }] of contract.operations) {
    if (address.method !== 'GET' || hasOperation(address.path, 'head')) continue;
    // Under /api/methods each path supports one method only.
    if (address.path === '/api/methods/get' || isAlikeAnother(operationId)) continue;
    const { path, query, headers } = await rightRequest(operationId);
    const request = { ...(path && { path }), ...(query && { query }), ...(headers && { headers }) };
    const response = await send('HEAD', address.path, request);
    const found = contract.breachesOfResponse(operationId, response, 'HEAD');
    breaches.push(...found.map((breach) => `${operationId} → ${response.status}: ${breach}`));
  }
  expect(breaches).toEqual([]);
});

function hasOperation(path: string, method: string): boolean {
  return Object.hasOwn(contract.paths[path] ?? {}, method);
}

test('a method that is not described for a path gets 405 with the described methods', async () => {
  const wrong: string[] = [];
  for (const [path, item] of Object.entries(contract.paths)) {
    const described = Object.keys(item).map((method) => method.toUpperCase());
    if (Object.values(item).some((each) => 'x-methods' in (each as JsonObject))) continue;
    const [method = ''] = Object.keys(item);
    const { operationId = '' } = (item as Record<string, { operationId: string }>)[method] ?? {};
    if (isAlikeAnother(operationId)) continue;
    const request = await rightRequest(operationId);
    const isAlone = path.startsWith('/api/methods/');
    const taken = [
      ...described,
      ...(described.includes('GET') && !isAlone ? ['HEAD'] : []),
      ...(describesOptions(path) ? ['OPTIONS'] : []),
    ];
    for (const method of METHODS) {
      if (taken.includes(method) || method === 'CONNECT') continue;
      const response = await send(method, path, request.path ? { path: request.path } : {});
      const expected = [...taken].sort().join(', ');
      if (response.status !== 405 || response.headers.allow !== expected) {
        wrong.push(`${method} ${path} → ${response.status}, Allow: ${response.headers.allow}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('simulated failures have the described shape of any other', async () => {
  const schema = { $ref: '#/components/schemas/Error' } satisfies JsonObject;
  for (const status of [418, 429, 500, 503]) {
    const response = await send('GET', '/api/sandbox', { query: { error: status } });
    expect(response.status).toBe(status);
    expect(response.headers['x-simulated']).toBe('true');
    expect(contract.faults('body', schema, JSON.parse(response.bytes.toString()))).toEqual([]);
  }
});
