/** Progress, points and hints of challenges, and what does not count. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { challenges } from '../../src/areas/challenges/all-challenges.js';
import { tracks } from '../../src/areas/challenges/challenge.js';
import { useService } from '../support/service.js';

const { send } = useService();

const inSandbox = (name: string) => ({ headers: { 'X-Sandbox': name } });
const start = (name: string, id = 'http-head') =>
  send(`POST /api/challenges/${id}/start`, inSandbox(name));
const solve = (name: string) => send('HEAD /api/Books/1', inSandbox(name));
const progressOf = async (name: string) =>
  (await send('GET /api/challenges/progress', inSandbox(name))).json;

test('there are at least 120 challenges, with eleven tracks, and a fresh sandbox solved none', async () => {
  const { json } = await send('GET /api/challenges', inSandbox('fresh'));
  expect(json.length).toBeGreaterThanOrEqual(120);
  expect(new Set(json.map((each: { track: string }) => each.track))).toEqual(new Set(tracks));
  expect(json.filter((each: { solved: boolean }) => each.solved)).toEqual([]);
  expect(json.filter((each: { hints: unknown[] }) => each.hints.length > 0)).toEqual([]);
});

test.each(['README.md', 'docs/README.md', 'docs/compared.md'])(
  '%s names the number of challenges',
  async (page) => {
    const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
    const [, count] =
      /(\d+) (?:\[challenges\]|tasks in eleven)|judged \| (\d+)/.exec(text)?.filter(Boolean) ?? [];
    expect(Number(count)).toBe(challenges.length);
  },
);

test('the list is filtered by track, level and solved', async () => {
  await start('filters');
  await solve('filters');
  const { json } = await send('GET /api/challenges?solved=true', inSandbox('filters'));
  expect(json.map((each: { id: string }) => each.id)).toEqual(['http-head']);
  const { json: some } = await send('GET /api/challenges?track=soap&level=3');
  expect(some.map((each: { id: string }) => each.id)).toEqual([
    'soap-must-understand',
    'soap-security',
  ]);
});

test('only requests of the sandbox that started the challenge count', async () => {
  await solve('before');
  expect((await progressOf('before')).solved).toEqual([]);
  await start('before');
  expect((await progressOf('before')).solved).toEqual([]);
  await solve('another');
  expect((await progressOf('before')).solved).toEqual([]);
  await solve('before');
  expect(await progressOf('before')).toEqual({
    solved: ['http-head'],
    points: 10,
    hintCost: 0,
    current: 'http-head',
  });
});

test('the cost of a hint remains after each kind of reset', async () => {
  const name = 'hints';
  const hint = () => send('POST /api/challenges/http-head/hint', inSandbox(name));
  expect((await hint()).json).toMatchObject({ number: 1, cost: 2, left: 2 });
  await start(name);
  await solve(name);
  expect((await progressOf(name)).points).toBe(8);
  await send('DELETE /api/challenges/progress', inSandbox(name));
  expect(await progressOf(name)).toMatchObject({ solved: [], points: 0, hintCost: 2 });
  await send('DELETE /api/sandbox', inSandbox(name));
  await start(name);
  await solve(name);
  expect((await progressOf(name)).points).toBe(8);
  await hint();
  await hint();
  expect((await hint()).status).toBe(409);
  expect((await progressOf(name)).points).toBe(4);
});

test('hints cost points of one challenge, and of no other', async () => {
  const name = 'own-cost';
  const hint = (id: string) => send(`POST /api/challenges/${id}/hint`, inSandbox(name));
  for (const _ of [1, 2, 3]) await hint('rest-create-only');
  for (const _ of [1, 2, 3]) await hint('http-options');
  await start(name);
  await solve(name);
  expect(await progressOf(name)).toMatchObject({ points: 10, hintCost: 24 });
  await start(name, 'http-options');
  await send('OPTIONS /api/Books/1', inSandbox(name));
  expect(await progressOf(name)).toMatchObject({ points: 14, hintCost: 24 });
});

test('before the first attempt, the goal is missing, and never the request', async () => {
  for (const { id, goal, hints } of challenges) {
    const { json } = await start('goals', id);
    expect(json.missing).toEqual([goal]);
    const [question = '', section = ''] = hints;
    expect(question, id).toMatch(/\?$/);
    const form =
      'the second hint names a section and what it says, such as RFC 9110 section 9: methods';
    expect(section, `${id}: ${form}`).toMatch(/\w: \w|\w, \w/);
    expect(new Set(hints).size).toBe(3);
  }
});

test('a moved clock spoils a challenge that does not allow it', async () => {
  await start('moved', 'resilience-retry-after');
  await send('GET /api/Books/2', inSandbox('moved'));
  const json = { offsetSeconds: 60 };
  await send('PUT /api/sandbox/clock', { ...inSandbox('moved'), json });
  await send('GET /api/Books/2', inSandbox('moved'));
  const { json: view } = await send(
    'GET /api/challenges/resilience-retry-after',
    inSandbox('moved'),
  );
  expect(view.solved).toBe(false);
  expect(view.missing[0]).toContain('clock');
});

test('the shared sandbox cannot start, and unknown ids are 404', async () => {
  expect((await send('POST /api/challenges/http-head/start')).status).toBe(403);
  expect((await send('POST /api/challenges/http-head/hint')).status).toBe(403);
  expect((await send('DELETE /api/challenges/progress')).status).toBe(403);
  expect((await send('GET /api/challenges/none')).status).toBe(404);
  expect((await send('GET /api/challenges/http-head')).json.missing).toHaveLength(1);
});
