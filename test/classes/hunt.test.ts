/** The hunt that a teacher starts: the same bugs for all pupils, which none of them can look up. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { newClass } from './school.js';

const service = useService();
const bugs = '/api/sandbox/bugs';

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
const wrong = { method: 'GET', path: '/api/Books/count', expected: 404, actual: 200 };

/** The bugs that the level, count and seed choose in a sandbox outside of classes. */
async function chosenElsewhere(json: object): Promise<string[]> {
  const headers = { 'X-Sandbox': `elsewhere-${randomUUID()}` };
  await service.send(`PUT ${bugs}`, { headers, json });
  return idsOf((await service.send(`DELETE ${bugs}`, { headers })).json.bugs);
}

describe.each([
  ['with a seed', { level: 'senior', count: 6, seed: 7 }],
  ['without a seed', { level: 'senior', count: 6 }],
])('a hunt %s', (_name, json) => {
  test('is the same for all, also for who joins later, and is named at its end', async () => {
    const { join, teach } = await newClass(service);
    const ada = await join('Ada');
    expect((await teach('GET /hunt')).json).toMatchObject({ id: null, level: null, bugs: [] });
    const { json: begun } = await teach('PUT /hunt', { json });
    const seed = 'seed' in json ? json.seed : null;
    expect(begun).toMatchObject({ level: 'senior', count: 6, seed, endedAt: null, bugs: [] });
    const ben = await join('Ben');
    for (const pupil of [ada, ben]) {
      expect((await pupil.call(`GET ${bugs}`)).json).toMatchObject({
        ...{ level: 'senior', count: 6, left: 6, seed: null, ofClass: true },
      });
    }
    const { json: ended } = await teach('PUT /hunt', { json: { level: null } });
    expect(ended.bugs).toHaveLength(6);
    expect(ended).toMatchObject({ id: begun.id, endedAt: expect.any(String) });
    expect((await teach('GET /hunt')).json).toEqual(ended);
    for (const pupil of [ada, ben]) {
      const { json: truth } = await pupil.call('GET /api/bugs/ground-truth');
      expect([...new Set(idsOf(truth.bugs))]).toEqual(idsOf(ended.bugs));
      expect((await pupil.call(`GET ${bugs}`)).json).toMatchObject({ level: null, count: 0 });
    }
    expect(await chosenElsewhere({ seed: 7, ...json })).not.toEqual(idsOf(ended.bugs));
  });

  test('cannot be ended, replaced, reset or looked up by a pupil', async () => {
    const { join, teach } = await newClass(service);
    const ada = await join('Ada');
    await teach('PUT /hunt', { json });
    expect((await ada.call(`DELETE ${bugs}`)).status).toBe(409);
    expect((await ada.call(`PUT ${bugs}`, { json: { level: 'none' } })).status).toBe(409);
    expect((await ada.call('GET /api/bugs/ground-truth?seed=7&count=6')).status).toBe(409);
    expect((await ada.call(`POST ${bugs}/reports`, { json: wrong })).json).toMatchObject({
      ...{ verdict: 'not a bug', wrongReports: 1 },
    });
    await ada.call('DELETE /api/sandbox');
    const left = { count: 6, left: 6, wrongReports: 1, ofClass: true };
    expect((await ada.call(`GET ${bugs}`)).json).toMatchObject(left);
    await teach('POST /reset');
    expect((await ada.call(`GET ${bugs}`)).json).toMatchObject(left);
  });
});

test('a seed repeats its bugs in the class, and chooses others in another class', async () => {
  const json = { level: 'junior', count: 8, seed: 3 };
  const bugsOf = async ({ teach }: Awaited<ReturnType<typeof newClass>>) => {
    await teach('PUT /hunt', { json });
    return idsOf((await teach('PUT /hunt', { json: { level: null } })).json.bugs);
  };
  const [one, other] = [await newClass(service), await newClass(service)];
  const chosen = await bugsOf(one);
  expect(await bugsOf(one)).toEqual(chosen);
  expect(await bugsOf(other)).not.toEqual(chosen);
});

test('a next hunt replaces the last one', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  await teach('PUT /hunt', { json: { level: 'senior', count: 3 } });
  await teach('PUT /hunt', { json: { level: 'none' } });
  expect((await ada.call(`GET ${bugs}`)).json).toMatchObject({ level: 'none', count: 0 });
});

test('while the class is frozen, reports do not count', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  await teach('PUT /hunt', { json: { level: 'none' } });
  await teach('PATCH', { json: { frozen: true } });
  const { json } = await ada.call(`POST ${bugs}/reports`, { json: wrong });
  expect(json).toMatchObject({ verdict: 'not a bug', wrongReports: 0 });
});

test.each([
  [{}, 'level'],
  [{ level: 'expert' }, 'level'],
  [{ level: 'junior', count: 0 }, 'count'],
  [{ level: 'junior', count: 51 }, 'count'],
  [{ level: 'junior', seed: -1 }, 'seed'],
  [{ level: 'junior', secret: 'x' }, 'secret'],
])('%j is rejected, and the message names the member', async (json, name) => {
  const { teach } = await newClass(service);
  const { status, json: error } = await teach('PUT /hunt', { json });
  expect(status).toBe(400);
  expect(error.message).toContain(name);
});

test('only the teacher reads and starts it', async () => {
  const { id } = await newClass(service);
  for (const method of ['GET', 'PUT']) {
    const json = method === 'PUT' ? { level: 'none' } : undefined;
    const { status } = await service.send(`${method} /api/classes/${id}/hunt`, { json });
    expect(status).toBe(401);
  }
});
