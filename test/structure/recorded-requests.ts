/** Sends recorded calls of the description to a service from which something was deleted. */

import { loadRecordedCalls, type RecordedCall } from '../../src/describe/openapi/recorded-calls.js';
import { unexpectedFailure } from '../../src/http/http-error.js';
import { targetOf } from '../openapi/caller.js';
import { exchange, type Received } from '../openapi/exchange.js';
import { send } from '../support/service.js';

/** Responses that take longer, such as long polls, are not awaited. */
const patienceMs = 1_000;
const simultaneous = 32;

/** Returns the first recorded calls of operations that fail unexpectedly. */
export async function failuresOfRecordedCalls(url: string): Promise<readonly string[]> {
  const { json } = await send(url, 'GET /openapi.json?formats=all');
  const calls = callsOf(json.paths);
  const failed: string[] = [];
  const sendNext = async (): Promise<void> => {
    for (let next = calls.pop(); next !== undefined; next = calls.pop()) {
      const response = await responseTo(url, next);
      if (response?.bytes.includes(unexpectedFailure))
        failed.push(`${next.operationId}, ${next.call.name}`);
    }
  };
  await Promise.all(Array.from({ length: simultaneous }, sendNext));
  return failed.sort();
}

interface DescribedCall {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly call: RecordedCall;
}

function callsOf(
  paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>,
): DescribedCall[] {
  const recorded = loadRecordedCalls();
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      (recorded[operationId] ?? []).slice(0, 1).map((call) => {
        return { operationId, method: method.toUpperCase(), path, call };
      }),
    ),
  );
}

async function responseTo(
  url: string,
  { method, path, call: { request } }: DescribedCall,
): Promise<Received | undefined> {
  const { headers = {}, body } = request;
  const target = targetOf(path, request);
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const host = new URL(url).host;
  const pairs = [['Host', host] as const, ...Object.entries(headers)];
  const response = exchange(url, { method, target, headers: pairs, body: sent, isStreamCut: true });
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), patienceMs).unref();
  });
  return Promise.race([response.catch(() => undefined), late]);
}
