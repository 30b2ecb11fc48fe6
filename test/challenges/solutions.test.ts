/** Every challenge is solved by its reference solution, and by no near miss. */

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { challenges } from '../../src/areas/challenges/all-challenges.js';
import { handshake } from '../support/raw-web-socket.js';
import type { SendOptions } from '../support/service.js';
import { useService } from '../support/service.js';
import { solutions } from './solutions/all.js';
import type { Call } from './solutions/solution.js';

let nowMs = Date.now();
const service = useService({ now: () => nowMs });
const { send } = service;

let sandboxes = 0;

/** Starts a challenge in a fresh sandbox, and returns the calls of its solver. */
async function begin(id: string): Promise<Call> {
  sandboxes += 1;
  const name = `solver-${sandboxes}`;
  const plain = (target: string, options: SendOptions = {}) => {
    const given = Array.isArray(options.headers)
      ? options.headers
      : Object.entries(options.headers ?? {});
    return send(target, { ...options, headers: [...given, ['X-Sandbox', name]] });
  };
  const upgrade: Call['upgrade'] = (path, headers = {}) =>
    upgraded(path, { ...handshake, 'X-Sandbox': name, ...headers });
  const wait = (ms: number) => {
    nowMs += ms;
  };
  const call: Call = Object.assign(plain, { upgrade, wait });
  const { status, json } = await call(`POST /api/challenges/${id}/start`);
  expect({ id, status, solved: json.solved }).toEqual({ id, status: 200, solved: false });
  return call;
}

/** Resolves after the response to the handshake. */
function upgraded(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = request(`${service.url}${path}`, { headers, agent: false });
    opening.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve();
    });
    opening.on('response', (response) => response.resume().on('end', resolve));
    opening.on('error', reject).end();
  });
}

const progressOf = async (call: Call) => (await call('GET /api/challenges/progress')).json;

test('every challenge has a solution, near misses, and a different id', () => {
  expect(challenges.map(({ id }) => id).sort()).toEqual(Object.keys(solutions).sort());
  const without = Object.entries(solutions).filter(([, { misses }]) => misses.length === 0);
  expect(without.map(([id]) => id)).toEqual([]);
});

test.each(Object.entries(solutions))('%s is solved by its solution', async (id, { solve }) => {
  const call = await begin(id);
  await solve(call);
  const view = (await call(`GET /api/challenges/${id}`)).json;
  expect({ solved: view.solved, missing: view.missing }).toEqual({ solved: true, missing: [] });
  expect((await progressOf(call)).solved).toEqual([id]);
  expect(view.verdict.outcome).toBe('kept');
});

const misses = Object.entries(solutions).flatMap(([id, each]) =>
  each.misses.map(([hint, script]) => ({ id, hint, script })),
);

test.each(misses)('$id: a near miss gets $hint', async ({ id, hint, script }) => {
  const call = await begin(id);
  await script(call);
  const view = (await call(`GET /api/challenges/${id}`)).json;
  expect(view.solved).toBe(false);
  expect(view.missing[0]).toMatch(hint);
  expect((await progressOf(call)).solved).toEqual([]);
});
