/** Every lawful way solves its challenge, and no near miss does: the scripts of all challenges, through HTTP. */

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { challenges } from '../../src/areas/challenges/all-challenges.js';
import { isProxied } from '../support/create-service.js';
import { handshake } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';
import { type Caller, runScript } from './run-script.js';

let nowMs = Date.now();
const service = useService({ now: () => nowMs });

let sandboxes = 0;

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

/** Starts a challenge in a fresh sandbox, sends the requests, and returns the challenge. */
async function viewAfter(id: string, script: string) {
  sandboxes += 1;
  const name = `solver-${sandboxes}`;
  const own = ['X-Sandbox', name] as const;
  const caller: Caller = {
    send(target, { headers = [], ...options }) {
      const given = Array.isArray(headers) ? headers : Object.entries(headers);
      return service.send(target, { ...options, headers: [...given, own] });
    },
    upgrade: (path, headers) => upgraded(path, { ...handshake, 'X-Sandbox': name, ...headers }),
    wait(ms) {
      nowMs += ms;
    },
  };
  const { json: started } = await caller.send(`POST /api/challenges/${id}/start`, {});
  expect(started).toMatchObject({ id, solved: false, missing: [started.goal] });
  await runScript(script, caller);
  const { json } = await caller.send(`GET /api/challenges/${id}`, {});
  const { json: progress } = await caller.send('GET /api/challenges/progress', {});
  expect(progress.solved).toEqual(json.solved ? [id] : []);
  return json;
}

test('every challenge has another id, at least three lawful ways, and three near misses', () => {
  const few = challenges.filter(
    ({ accepts, rejects }) => new Set(accepts).size < 3 || rejects.length < 3,
  );
  expect(few.map(({ id }) => id)).toEqual([]);
  expect(new Set(challenges.map(({ id }) => id)).size).toBe(challenges.length);
});

test('no case is served', async () => {
  const { json } = await service.send('GET /api/challenges');
  expect(json.filter((each: object) => 'accepts' in each || 'rejects' in each)).toEqual([]);
});

/** A proxy has its own connections to the service. */
const ofConnections = ['http-connection'];

const ways = challenges
  .filter(({ id }) => !(isProxied && ofConnections.includes(id)))
  .flatMap(({ id, accepts }) => accepts.map((script) => ({ id, script })));

test.each(ways)('$id is solved by $script', async ({ id, script }) => {
  const { solved, missing, verdict } = await viewAfter(id, script);
  expect({ solved, missing, outcome: verdict.outcome }).toEqual({
    ...{ solved: true, missing: [], outcome: 'kept' },
  });
});

const misses = challenges.flatMap(({ id, rejects }) =>
  rejects.map(([lack, script]) => ({ id, lack, script })),
);

test.each(misses)('$id lacks "$lack" after $script', async ({ id, lack, script }) => {
  const { solved, missing, verdict } = await viewAfter(id, script);
  expect({ solved, missing }).toEqual({ solved: false, missing: [expect.stringContaining(lack)] });
  // Only a request that ends the challenge breaks it.
  const isOver = missing[0].endsWith('Start the challenge again.');
  expect(verdict.outcome).toMatch(isOver ? /^broken$/ : /^(?:unclear|not-reached)$/);
});
