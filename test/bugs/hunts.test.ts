import { describe, expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { useService } from '../support/service.js';
import { hunter, path, seedOf } from './hunter.js';

const service = useService();

const truth = '/api/bugs/ground-truth';
const unknownCompany = { method: 'GET', path: '/api/Companies/999', expected: 404, actual: 200 };
const rightBehaviour = { ...unknownCompany, path: '/api/Companies/1' };

describe('points', () => {
  test('a wrong report costs one, and never more than the points of the hunt', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('orders-cached-by-proxies'));
    expect(await tester.report(rightBehaviour)).toMatchObject({ wrongReports: 1, points: 0 });
    const json = { username: 'user', password: 'user-secret' };
    const { json: login } = await tester.call('POST /api/auth/jwt/login', { json });
    const headers = { Authorization: `Bearer ${login.accessToken}` };
    const report = {
      ...{ method: 'GET', path: '/api/auth/jwt/orders/1', headers },
      ...{ expected: 'Cache-Control: no-store', actual: 'Cache-Control: public' },
    };
    expect(await tester.report(report)).toMatchObject({ verdict: 'found', points: 1 });
    for (let sent = 0; sent < 3; sent++) await tester.report(rightBehaviour);
    expect(await tester.read()).toMatchObject({ reports: 5, wrongReports: 4, points: 0 });
    expect(await tester.giveUp()).toMatchObject({ wrongReports: 4, points: 0 });
  });

  test.each([
    ['companies-unknown-is-200', 'junior', 1],
    ['orders-cached-by-proxies', 'middle', 2],
    ['session-survives-logout', 'senior', 3],
  ])('%s is of the level %s, with %i', (id, level, points) => {
    const known = allDefects.find((each) => each.id === id);
    expect({ level: known?.level, points }).toEqual({ level, points });
  });

  test('what cannot be decided costs nothing', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('companies-unknown-is-200'));
    const undecided = { ...unknownCompany, actual: 500 };
    expect(await tester.report(undecided)).toMatchObject({
      ...{ verdict: 'cannot tell', wrongReports: 0 },
    });
  });
});

describe('a true observation of what an earlier request has stored', () => {
  const later = { method: 'GET', path: '/api/Movies/1', expected: 404, actual: 200 };

  test('cannot be decided, and the reason says what to report', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('movies-deletion-lost'));
    expect(await tester.report(later)).toMatchObject({ verdict: 'not a bug' });
    expect((await tester.call('DELETE /api/Movies/1')).status).toBe(204);
    const { verdict, reason } = await tester.report(later);
    expect({ verdict, reason }).toEqual({
      verdict: 'cannot tell',
      reason: expect.stringContaining('report the request that stored it'),
    });
    const storing = { ...later, method: 'DELETE' };
    expect(await tester.report(storing)).toMatchObject({ verdict: 'found', wrongReports: 1 });
  });

  test('after a logout, too', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('session-survives-logout'));
    const login = await tester.call('POST /api/auth/session/login', {
      json: { username: 'ada', password: 'ada-secret' },
    });
    const headers = { Cookie: String(login.headers['set-cookie']?.[0]).split(';', 1)[0] as string };
    await tester.call('POST /api/auth/session/logout', { headers, json: {} });
    const report = { method: 'GET', path: '/api/auth/session/me', headers };
    const { verdict } = await tester.report({ ...report, expected: 401, actual: 200 });
    expect(verdict).toBe('cannot tell');
  });

  test('remains right elsewhere, and without such a bug', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('movies-deletion-lost'));
    await tester.call('DELETE /api/Movies/1');
    expect(await tester.report({ ...later, path: '/api/Books/1' })).toMatchObject({
      verdict: 'not a bug',
    });
    await tester.switchOn('none', 1, 1);
    expect(await tester.report(later)).toMatchObject({ verdict: 'not a bug' });
  });

  test.each(['/api/sse/clock', '/api/http/stream/3'])(
    'a stream is not replayed: %s',
    async (at) => {
      const tester = hunter(service);
      await tester.switchOn('senior', 1, 1);
      expect(await tester.report({ ...later, path: at })).toMatchObject({ verdict: 'cannot tell' });
    },
  );
});

describe('ground truth', () => {
  test('lists method, path and kind of the bugs that a seed chooses', async () => {
    const query = `?level=junior&count=3&seed=${7}`;
    const { json } = await service.send(`GET ${truth}${query}`);
    expect(json).toMatchObject({ level: 'junior', count: 3, seed: 7 });
    const tester = hunter(service);
    await tester.switchOn('junior', 3, 7);
    const { bugs } = await tester.giveUp();
    const listed = bugs.flatMap(({ id, kind, endpoints }: (typeof bugs)[number]) =>
      endpoints.map((each: string) => {
        const [method, route = ''] = each.split(' ');
        return { id, kind, method, path: route.replace(/:(\w+)/g, '{$1}') };
      }),
    );
    expect(json.bugs).toEqual(listed);
    expect((await tester.call(`GET ${truth}`)).json).toMatchObject({ seed: null, bugs: listed });
  });

  test('has five bugs of all levels by default', async () => {
    const { json } = await service.send(`GET ${truth}?seed=1`);
    expect(json).toMatchObject({ level: 'senior', count: 5, seed: 1 });
  });

  test('names paths of the description', async () => {
    const { json } = await service.send('GET /openapi.json');
    const { json: all } = await service.send(`GET ${truth}?seed=1&count=50`);
    const unknown = all.bugs.filter(
      ({ method, path: at }: { method: string; path: string }) =>
        json.paths[at]?.[method.toLowerCase()] === undefined,
    );
    // One list of changes represents all, and your own data have their own description.
    const other = unknown.filter(
      ({ path: at }: { path: string }) => !/^\/my\/|\/changes$/.test(at),
    );
    expect(other).toEqual([]);
  });

  test('is not for those who search, and needs a seed before the first hunt', async () => {
    const tester = hunter(service);
    expect((await tester.call(`GET ${truth}`)).status).toBe(400);
    await tester.switchOn('senior', 1, 1);
    expect((await tester.call(`GET ${truth}?seed=1`)).status).toBe(409);
    await tester.giveUp();
    expect((await tester.call(`GET ${truth}?seed=1`)).status).toBe(200);
  });

  test.each(['level=expert', 'count=0', 'count=51', 'seed=-1', 'seed=x', 'seed=1&seed=2'])(
    'rejects %s',
    async (query) => {
      expect((await service.send(`GET ${truth}?${query}`)).status).toBe(400);
    },
  );

  test('without bugs, nothing of them is found', async () => {
    const { json } = await service.send(`GET ${truth}?level=none&seed=1`);
    expect(json).toMatchObject({ level: 'none', count: 0, bugs: [] });
    const tester = hunter(service);
    const { status } = await tester.call(`POST ${path}/reports`, { json: unknownCompany });
    expect(status).toBe(409);
  });
});
