import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { useService } from '../support/service.js';
import { hunter, path, seedOf } from './hunter.js';

const service = useService();

const about = { expected: 'It is right.', actual: 'It is wrong.' };
const update = {
  ...{ method: 'PATCH', path: '/api/Photos/2', body: { title: 'Two' } },
  headers: { 'If-Match': '"old"' },
};
const secret = 'whsec_cHJhY3RpY2UtYXBpLWRlbW8tc2lnbmluZy1zZWNyZXQ=';
const book = { method: 'GET', path: '/api/Books/1', ...about };

describe('switching on', () => {
  test('the same seed chooses the same bugs, another seed others', async () => {
    const namesOf = async (seed: number) => {
      const tester = hunter(service);
      await tester.switchOn('junior', 5, seed);
      return (await tester.giveUp()).bugs.map((bug: { id: string }) => bug.id);
    };
    expect(await namesOf(7)).toEqual(await namesOf(7));
    expect(await namesOf(7)).not.toEqual(await namesOf(8));
  });

  test('replaces the earlier bugs and what was found, and a reset ends it', async () => {
    const tester = hunter(service);
    await tester.switchOn('junior', 5, 1);
    expect(await tester.read()).toMatchObject({ level: 'junior', seed: 1, count: 5, left: 5 });
    await tester.switchOn('senior', 50, 2);
    expect(await tester.read()).toMatchObject({ level: 'senior', count: 50, left: 50, found: [] });
    await tester.call('DELETE /api/sandbox');
    expect(await tester.read()).toMatchObject({ level: null, seed: null, count: 0, left: 0 });
    expect(await tester.giveUp()).toEqual({ bugs: [], points: 0, wrongReports: 0 });
  });

  test('without count and seed there are five random bugs, whose seed no response shows', async () => {
    const bugsOf = async () => {
      const tester = hunter(service);
      const { json } = await tester.call(`PUT ${path}`, { json: { level: 'junior' } });
      expect(json).toMatchObject({ count: 5, left: 5, seed: null });
      expect(await tester.read()).toMatchObject({ seed: null });
      return (await tester.giveUp()).bugs.map((bug: { id: string }) => bug.id);
    };
    expect(await bugsOf()).not.toEqual(await bugsOf());
  });

  test.each([
    [{}, 'level'],
    [{ level: 'expert' }, 'level'],
    [{ level: 'junior', count: 0 }, 'count'],
    [{ level: 'junior', count: 51 }, 'count'],
    [{ level: 'junior', count: '5' }, 'count'],
    [{ level: 'junior', seed: -1 }, 'seed'],
    [{ level: 'junior', seed: 1.5 }, 'seed'],
    [{ level: 'junior', bugs: ['page-last-too-early'] }, 'bugs'],
    [[], 'must be'],
  ])('%j is rejected, and the message names the member', async (json, name) => {
    const { status, json: error } = await hunter(service).call(`PUT ${path}`, { json });
    expect(status).toBe(400);
    expect(error.message).toContain(name);
  });

  test.each([
    [`PUT ${path}`, { level: 'junior' }],
    [`DELETE ${path}`, undefined],
    [`POST ${path}/reports`, book],
  ])('%s needs a named sandbox', async (target, json) => {
    expect((await service.send(target, { json })).status).toBe(403);
  });
});

describe('a report', () => {
  test('needs bugs that are switched on', async () => {
    const { status } = await hunter(service).call(`POST ${path}/reports`, { json: book });
    expect(status).toBe(409);
  });

  test.each([
    ['without a slash', { ...book, path: 'api/Books' }],
    ['with a space', { ...book, path: '/api/Books /1' }],
    ['with a fragment', { ...book, path: '/api/Books#1' }],
    ['with a URL of another service', { ...book, path: 'http://example.com/api/Books' }],
    ['of another sandbox by its path', { ...book, path: '/s/other/api/Books/1' }],
    ['of another sandbox by a header', { ...book, headers: { 'x-sandbox': 'other' } }],
    ['with a malformed header name', { ...book, headers: { 'a b': '1' } }],
    ['with a line break in a header', { ...book, headers: { a: '1\r\nb: 2' } }],
    ['with a header that is no text', { ...book, headers: { a: 1 } }],
    ['with too many headers', { ...book, headers: Object.fromEntries(manyHeaders()) }],
    ['with a malformed method', { ...book, method: 'GET /' }],
    ['without actual', { method: 'GET', path: '/', expected: 1 }],
    ['with an unknown member', { ...book, steps: [] }],
  ])('%s is rejected', async (_case, json) => {
    const tester = hunter(service);
    await tester.switchOn('junior', 5, 1);
    expect((await tester.call(`POST ${path}/reports`, { json })).status).toBe(400);
  });

  test.each([
    ['a status', 412, 200],
    ['a status as text', '412 Precondition Failed', 'HTTP/1.1 200 OK'],
    ['parts of the response', { status: 412 }, { status: 200, body: { title: 'Two' } }],
    ['text with a value', 'The update gets 412.', 'It gets 200, and overwrites the other one.'],
    ['JSON in text', '{"status": 412}', '{"status": 200, "body": {"title": "Two"}}'],
  ])('may describe a response by %s', async (_case, expected, actual) => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('photos-lost-update'));
    const judged = await tester.report({ ...update, expected, actual });
    expect(judged).toMatchObject({ verdict: 'found', bug: { id: 'photos-lost-update' } });
    expect(judged.reason).toBe('The status is 200 instead of 412.');
  });

  test.each([
    ['with the sandbox', (sandbox: string) => `${service.url}/s/${sandbox}${update.path}`],
    ['without the sandbox', () => `${service.url}${update.path}`],
  ])('may have a whole URL %s', async (_case, urlOf) => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('photos-lost-update'));
    const judged = await tester.report({
      ...{ ...update, path: urlOf(tester.sandbox) },
      ...{ expected: 412, actual: 200 },
    });
    expect(judged.verdict).toBe('found');
  });

  test.each([
    ['actual', 412, 500],
    ['expected', 418, 200],
  ])('cannot be judged if %s contradicts the replay', async (_case, expected, actual) => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('photos-lost-update'));
    const { verdict, left, wrongReports } = await tester.report({ ...update, expected, actual });
    expect({ verdict, left, wrongReports }).toEqual({
      ...{ verdict: 'cannot tell', left: 1, wrongReports: 0 },
    });
  });

  test.each([
    ['empty', '', 'Wrong.'],
    ['blank', 'Right.', ' \n'],
    ['null', null, 200],
    ['an empty object', {}, 200],
    ['an empty list', [], 200],
    ['equal', '200, all fine', '200, all fine'],
    ['equal but for spaces and case', 'All fine.', ' all  FINE'],
    ['the same status', 200, 'HTTP/1.1 200 OK'],
    ['the same object', { status: 200 }, { status: 200 }],
    ['a list of statuses', '404, 410 or 200', 200],
    ['a list of numbers', [404, 410], 200],
    ['a list in an object', { status: [404, 410] }, 200],
    ['no status', { status: 'none' }, 200],
    ['headers that are no object', { headers: 'Location' }, 200],
    ['a long text', 'x'.repeat(4001), 200],
  ])(
    'with statements that are %s is rejected, and does not count',
    async (_case, expected, actual) => {
      const tester = hunter(service);
      await tester.switchOn('senior', 1, seedOf('photos-lost-update'));
      const json = { ...update, expected, actual };
      const { status, json: error } = await tester.call(`POST ${path}/reports`, { json });
      expect({ status, fields: error.errors?.length }).toEqual({ status: 400, fields: 1 });
      expect(await tester.read()).toMatchObject({ reports: 0, wrongReports: 0 });
    },
  );

  test.each([
    ['words', 'It is right.', 'It is wrong.'],
    ['the status that both have', '412 is right', 'It gets 412'],
    ['other places', { headers: { server: 'a' } }, { headers: { server: 'b' } }],
  ])('with %s proves nothing', async (_case, expected, actual) => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('photos-lost-update'));
    expect(await tester.report({ ...update, expected, actual })).toMatchObject({
      ...{ verdict: 'cannot tell', left: 1, points: 0 },
    });
  });

  test('finds a bug below /s/ with and without the prefix in its path', async () => {
    for (const prefix of ['', 'own']) {
      const { sandbox } = hunter(service);
      const send = (target: string, json?: unknown) => {
        const [method, at] = target.split(' ');
        return service.send(`${method} /s/${sandbox}${at}`, { json });
      };
      await send(`PUT ${path}`, { level: 'senior', count: 1, seed: seedOf('page-last-too-early') });
      const start = prefix === '' ? '' : `/s/${sandbox}`;
      const report = {
        ...about,
        method: 'get',
        path: `${start}/api/pagination/page?page=8&size=10`,
        ...{ expected: 'last is false', actual: 'last is true' },
      };
      expect((await send(`POST ${path}/reports`, report)).json.verdict).toBe('found');
    }
  });

  test.each([
    ['a wait', '/api/Todos/changes?since=x&wait=9', {}],
    ['a simulated delay', '/api/Books/1?delay=10', {}],
    ['a simulated failure', '/api/Books/1?error=503', {}],
    ['a background job', '/api/Books/1', { Prefer: 'respond-async, wait=60' }],
    ['a stream', '/graphql', { Accept: 'text/event-stream' }],
  ])('about %s is not replayed', async (_case, target, headers) => {
    const tester = hunter(service);
    await tester.switchOn('senior', 50, 1);
    const { verdict } = await tester.report({ ...about, method: 'GET', path: target, headers });
    expect(verdict).toBe('cannot tell');
  });

  test('changes nothing: data, feeds, windows, fault plans, and the bugs themselves', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 50, 3);
    const headers = { 'X-Client-Id': 'a' };
    await tester.call('PUT /api/sandbox/faults', { json: { rules: [{ sequence: ['503'] }] } });
    const look = async () => [
      (await tester.call('GET /api/sandbox/faults')).json,
      (await tester.call('GET /api/sandbox/bugs')).json,
    ];
    const before = await look();
    for (const [method, target] of [
      ['DELETE', '/api/Movies/1'],
      ['DELETE', '/api/Countries/1'],
      ['DELETE', '/api/sandbox'],
      ['DELETE', path],
      ['POST', '/api/RateLimit/reset'],
      ['GET', '/api/RateLimit'],
      ['POST', `${path}/reports`],
    ] as const) {
      await tester.report({ ...about, method, path: target, headers, body: { level: 'none' } });
    }
    const [faults, { reports, found, left, ...bugs }] = await look();
    expect([faults, bugs]).toEqual([before[0], expect.objectContaining({ seed: 3, count: 50 })]);
    expect({ reports, total: found.length + left }).toEqual({ reports: 7, total: 50 });
    await tester.call('DELETE /api/sandbox/faults');
    expect((await tester.call('GET /api/Countries/1')).status).toBe(200);
    const window = await tester.call('GET /api/RateLimit/status', { headers });
    expect(window.json.used).toBe(0);
  });

  test('many at once are all judged, and find each bug once', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('last-item-unknown'));
    const report = { ...about, method: 'GET', path: '/api/pagination/items/100' };
    const judged = await Promise.all(
      Array.from({ length: 40 }, (_none, place) =>
        tester.report({ ...report, expected: 200, actual: `404 in the attempt ${place}.` }),
      ),
    );
    const found = judged.filter(({ verdict }) => verdict === 'found');
    expect(found).toHaveLength(1);
    expect(await tester.read()).toMatchObject({ reports: 40, left: 0 });
  });

  test('about a large body is judged in its time', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 1, seedOf('webhook-signed-as-parsed'));
    const large = `{ "text": "${'a'.repeat(400_000)}" }`;
    const signatureOf = (body: string) => {
      const mac = createHmac('sha256', secret).update(body).digest('hex');
      return { body: { headers: { 'X-Hub-Signature-256': `sha256=${mac}` } } };
    };
    const report = {
      ...{ method: 'POST', path: '/api/webhooks/samples/github', body: large },
      expected: signatureOf(large),
      actual: signatureOf(JSON.stringify(JSON.parse(large))),
    };
    expect(await tester.report(report)).toMatchObject({ verdict: 'found' });
  });

  test('with deeply nested values is judged or rejected', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 50, 4);
    const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
    const body = JSON.stringify({ ...book, expected: 'EXPECTED', body: 'BODY' })
      .replace('"EXPECTED"', deep)
      .replace('"BODY"', deep);
    const { status } = await tester.call(`POST ${path}/reports`, {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect([200, 400]).toContain(status);
  });
});

test('few defects meet at one endpoint, so that a report costs few replays', () => {
  const counts = new Map<string, number>();
  for (const each of allDefects.flatMap(({ endpoints }) => endpoints)) {
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(4);
});

function manyHeaders() {
  return Array.from({ length: 51 }, (_none, place) => [`x-${place}`, '1']);
}
