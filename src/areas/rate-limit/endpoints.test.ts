import { expect, test } from 'vitest';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { StateUnavailableError } from '#state/state.js';
import { count } from './endpoints.js';

/** Prepares a response, such as a simulated failure, while reading the window fails. */
async function prepareWhile(error: Error): Promise<readonly string[]> {
  const headers: string[] = [];
  const now = () => Promise.reject(error);
  const reply = {
    hasHeader: () => false,
    header: (name: string) => headers.push(name),
  } as unknown as Reply;
  const request = { raw: { headers: {} }, ip: '127.0.0.1', sandbox: { now } } as unknown as Request;
  await count(false).spec.beforeSend?.(request, reply);
  return headers;
}

test.each([new HttpError(400, 'Invalid X-Sandbox.'), new StateUnavailableError()])(
  'a response keeps its status where the window is unknown: $name',
  async (error) => {
    expect(await prepareWhile(error)).toEqual([]);
  },
);

test('other errors are not hidden', async () => {
  await expect(prepareWhile(new TypeError('a mistake'))).rejects.toThrow('a mistake');
});
