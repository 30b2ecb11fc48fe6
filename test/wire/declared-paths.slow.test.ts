/** Sends every declared path literally, with every method: each is an ordinary target. */

import { Agent, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
afterAll(() => agent.destroy());

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY PURGE'.split(' ');

/** Returns the ways to spell a path of the description, such as `/api/Books/{id}`. */
function spellingsOf(path: string): readonly string[] {
  const named = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const others = ['*', '__proto__', 'constructor', 'toString'].map((text) =>
    path.replaceAll(/\{\w+\}/g, text),
  );
  return [...new Set([path, named, ...others])];
}

test('a target that spells a declared path is never an internal error', async () => {
  const { json } = await service.send('GET /openapi.json?formats=all');
  const targets = Object.keys(json.paths).flatMap(spellingsOf);
  expect(targets).toContain('/my/:collection');
  const calls = targets.flatMap((path) => methods.map((method) => ({ method, path })));
  const statuses = await Promise.all(calls.map(statusOf));
  const faults = calls
    .map(({ method, path }, place) => `${method} ${path}: ${statuses[place]}`)
    .filter((_, place) => (statuses[place] ?? 0) >= 500);
  expect(faults).toEqual([]);
}, 300_000);

/** Returns the status, and reads no endless body. */
function statusOf({ method, path }: { method: string; path: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Length': 0 };
    const sent = request(service.url + path, { method, agent, headers }, (response) => {
      resolve(response.statusCode ?? 0);
      if (response.headers['content-length'] === undefined) response.destroy();
      else response.resume();
    });
    sent.on('error', reject);
    sent.end();
  });
}
