/** Classes: pupils join, act by their address, and appear on the board. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { callAt, newClass, solve } from './school.js';

const service = useService();
const { send } = service;

test('a class is created with a code and a key, which is shown once', async () => {
  const { created, teach, id, joinCode } = await newClass(service);
  expect(created).toMatchObject({ name: 'Monday', frozen: false, ranking: false, assigned: [] });
  expect(joinCode).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const days = (Date.parse(created.endsAt) - Date.parse(created.createdAt)) / 86_400_000;
  expect(days).toBe(30);
  const { status, json } = await teach('GET');
  expect(status).toBe(200);
  expect(json).toMatchObject({ id, joinCode, pupils: [], firsts: [], stuck: [], messages: [] });
  expect(json).not.toHaveProperty('teacherKey');
});

test.each([
  ['without a key', {}, 401],
  ['with a wrong key', { 'X-Teacher-Key': 'ptk_wrong' }, 401],
  ['with a wrong bearer token', { Authorization: 'Bearer nonsense' }, 401],
])('the board %s is rejected', async (_how, headers, status) => {
  const { path } = await newClass(service);
  const response = await send(`GET ${path}`, { headers });
  expect(response.status).toBe(status);
  expect(response.headers['www-authenticate']).toContain('Bearer');
});

test('the key works as a bearer token, for its own class only', async () => {
  const { path, teacherKey } = await newClass(service);
  const other = await newClass(service);
  const headers = { Authorization: `Bearer ${teacherKey}` };
  expect((await send(`GET ${path}`, { headers })).status).toBe(200);
  expect((await send(`GET ${other.path}`, { headers })).status).toBe(401);
  expect((await send('GET /api/classes/nosuchclass1', { headers })).status).toBe(404);
});

test('a pupil joins with the code, however it is typed, and gets an address', async () => {
  const { joinCode, teach } = await newClass(service);
  for (const typed of [joinCode, joinCode.toLowerCase(), ` ${joinCode.replace('-', ' ')} `]) {
    const { status, json } = await send('POST /api/classes/join', {
      json: { joinCode: typed, name: 'Ada' },
    });
    expect(status).toBe(201);
    expect(json.address).toMatch(/\/s\/~[\w-]{22}$/);
    expect((await callAt(json.address, 'GET /api/Books/1')).status).toBe(200);
  }
  expect((await teach('GET')).json.pupils).toHaveLength(3);
});

test('the address is a separate sandbox, which X-Sandbox does not reach', async () => {
  const { join, id } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  await ada.call('DELETE /api/Books/1');
  expect((await ada.call('GET /api/Books/1')).status).toBe(404);
  expect((await ben.call('GET /api/Books/1')).status).toBe(200);
  expect((await send('GET /api/Books/1')).status).toBe(200);
  const { name } = (await ada.call('GET /api/sandbox')).json;
  const secret = new URL(ada.address).pathname.slice('/s/~'.length);
  for (const [sandbox, status] of [
    [name, 200],
    [secret, 200],
    [`~${secret}`, 400],
    [`@class-${id}/${name}`, 400],
  ] as const) {
    const outside = await send('GET /api/Books/1', { headers: { 'X-Sandbox': sandbox } });
    expect({ sandbox, status: outside.status }).toEqual({ sandbox, status });
  }
  const other = { headers: { 'X-Sandbox': 'other' } };
  expect((await ada.call('GET /api/Books/1', other)).status).toBe(400);
});

test('the board counts requests and failures, and shows the last request', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  await ada.call('GET /api/Books/1');
  await ada.call('GET /api/nowhere');
  await ada.call('DELETE /api/Books/9999');
  const [row] = (await teach('GET')).json.pupils;
  expect(row).toMatchObject({ name: 'Ada', requests: 3, failures: 2, solved: [], points: 0 });
  expect(row.last).toMatchObject({ method: 'DELETE', path: '/api/Books/9999', status: 404 });
});

test('solved challenges, points, who was first, and where pupils are stuck', async () => {
  const { join, teach } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  await ben.call('POST /api/challenges/http-not-modified/start');
  await ada.call('POST /api/challenges/http-not-modified/start');
  expect((await teach('GET')).json.stuck).toMatchObject([
    { challenge: 'http-not-modified', pupils: 2 },
  ]);
  await solve(ben);
  await solve(ada);
  const board = (await teach('GET')).json;
  expect(board.pupils).toMatchObject([
    { name: 'Ada', solved: [{ id: 'http-head' }], points: 10, current: null },
    { name: 'Ben', solved: [{ id: 'http-head' }], points: 10, current: null },
  ]);
  expect(board.firsts).toMatchObject([{ challenge: 'http-head', name: 'Ben', pupil: ben.pupil }]);
  expect(board.stuck).toEqual([]);
});

test('a hint costs points on the board, and no reset returns them', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  await ada.call('POST /api/challenges/http-head/hint');
  await solve(ada);
  expect((await teach('GET')).json.pupils[0].points).toBe(8);
  await teach(`POST /pupils/${ada.pupil}/reset`);
  expect((await teach('GET')).json.pupils[0]).toMatchObject({ points: 0, solved: [], requests: 0 });
  await ada.call('DELETE /api/sandbox');
  await solve(ada);
  expect((await teach('GET')).json.pupils[0].points).toBe(8);
});

test('while a class is frozen, requests get responses and nothing counts', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  expect((await teach('PATCH', { json: { frozen: true } })).json.frozen).toBe(true);
  await solve(ada);
  expect((await ada.call('GET /api/Books/1')).status).toBe(200);
  expect((await ada.call('GET /api/classes/me')).json.class.frozen).toBe(true);
  expect((await teach('GET')).json.pupils[0]).toMatchObject({ requests: 0, solved: [] });
  await teach('PATCH', { json: { frozen: false } });
  await ada.call('GET /api/Books/1');
  expect((await teach('GET')).json.pupils[0]).toMatchObject({ requests: 1, solved: [] });
  await solve(ada);
  expect((await teach('GET')).json.pupils[0].solved).toMatchObject([{ id: 'http-head' }]);
});

test('requests of pupils are always recorded, for the teacher and for the pupil', async () => {
  const { join, teach } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  await ada.call('GET /api/Books/1?fields=title', { headers: { Authorization: 'Bearer hush' } });
  const off = await ada.call('PUT /api/sandbox/recording', { json: { on: false } });
  expect(off.status).toBe(409);
  const { recording, requests } = (await teach(`GET /pupils/${ada.pupil}/requests`)).json;
  expect({ recording, requests }).toMatchObject({
    recording: true,
    requests: [{ method: 'GET', path: '/api/Books/1', status: 200 }],
  });
  expect((await ada.call('GET /api/sandbox/requests')).json.requests).toEqual(requests);
  expect((await ben.call('GET /api/sandbox/requests')).json.requests).toEqual([]);
  const har = await teach(`GET /pupils/${ada.pupil}/requests`, {
    headers: { Accept: 'application/har+json' },
  });
  expect(har.json.log.entries).toHaveLength(1);
  expect(har.text).not.toContain('hush');
  expect(har.text).not.toContain(new URL(ada.address).pathname);
});

test('a pupil sees their own progress, assigned challenges and messages', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  await teach('PATCH', { json: { assigned: ['http-head', 'http-head', 'rest-if-match'] } });
  await teach('POST /messages', { json: { text: 'Start with HEAD.' } });
  await solve(ada);
  const { json } = await ada.call('GET /api/classes/me');
  expect(json).toMatchObject({
    name: 'Ada',
    solved: [{ id: 'http-head' }],
    class: { name: 'Monday', frozen: false, ranking: false },
    assigned: [
      { id: 'http-head', solved: true },
      { id: 'rest-if-match', solved: false },
    ],
    messages: [{ id: 1, text: 'Start with HEAD.' }],
  });
});

test('the next challenge is the one in work, then the first that is assigned and not solved', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  const me = async () => (await ada.call('GET /api/classes/me')).json;
  expect(await me()).toMatchObject({ next: null, current: null, last: null, assigned: [] });
  await teach('PATCH', { json: { assigned: ['http-head', 'http-options'] } });
  const first = (await ada.call('GET /api/challenges/http-head')).json;
  const { title, goal } = first;
  expect((await me()).next).toEqual({ id: 'http-head', title, goal, started: false });
  await ada.call('POST /api/challenges/http-options/start');
  expect((await me()).next).toMatchObject({ id: 'http-options', started: true });
  // The last request says what it lacked.
  await ada.call('GET /api/Books/1?fields=id');
  const { current, last } = await me();
  expect(current).toMatchObject({ id: 'http-options', missing: [expect.any(String)] });
  expect(last).toMatchObject({ method: 'GET', status: 200 });
  await ada.call('POST /api/challenges/http-head/start');
  await ada.call('HEAD /api/Books/1');
  expect((await me()).next).toMatchObject({ id: 'http-options', started: false });
  await ada.call('POST /api/challenges/http-options/start');
  await ada.call('OPTIONS /api/Books/1');
  expect(await me()).toMatchObject({
    next: null,
    current: null,
    assigned: [{ solved: true }, { solved: true }],
  });
});

test('pupils see the ranking only if the teacher shows it', async () => {
  const { join, teach } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  await solve(ben);
  expect((await ada.call('GET /api/classes/ranking')).status).toBe(403);
  await teach('PATCH', { json: { ranking: true } });
  expect((await ada.call('GET /api/classes/ranking')).json).toEqual([
    { rank: 1, name: 'Ben', points: 10, solved: 1, isMe: false },
    { rank: 2, name: 'Ada', points: 0, solved: 0, isMe: true },
  ]);
});

test('of pupils with the same points, the first to solve is first, in any order of joining', async () => {
  const { join, teach } = await newClass(service);
  const [ada, ben, cy] = [await join('Ada'), await join('Ben'), await join('Cy')];
  await teach('PATCH', { json: { ranking: true } });
  for (const pupil of [cy, ada, ben]) await solve(pupil);
  const { json } = await ada.call('GET /api/classes/ranking');
  expect(json.map(({ rank, name }: { rank: number; name: string }) => [rank, name])).toEqual([
    [1, 'Cy'],
    [2, 'Ada'],
    [3, 'Ben'],
  ]);
});

test.each(['me', 'ranking'])('outside of a class, /api/classes/%s is 403', async (name) => {
  expect((await send(`GET /api/classes/${name}`)).status).toBe(403);
  expect((await send(`GET /s/some-name/api/classes/${name}`)).status).toBe(403);
});

test('a pupil cannot read the board, with or without a key of another class', async () => {
  const { join, path } = await newClass(service);
  const other = await newClass(service);
  const ada = await join('Ada');
  expect((await ada.call(`GET ${path}`)).status).toBe(401);
  const headers = { 'X-Teacher-Key': other.teacherKey };
  expect((await ada.call(`GET ${path}/pupils/1/requests`, { headers })).status).toBe(401);
  const { json } = await other.teach('GET /pupils/1');
  expect(json.status).toBe(404);
});

test('a pupil cannot create a class, as one of many owners', async () => {
  const { join } = await newClass(service);
  const ada = await join('Ada');
  expect((await ada.call('POST /api/classes', { json: { name: 'Mine' } })).status).toBe(403);
});

test('a reset of all empties every sandbox', async () => {
  const { join, teach } = await newClass(service);
  const pupils = [await join('Ada'), await join('Ben')];
  for (const each of pupils) {
    await each.call('DELETE /api/Books/1');
    await solve(each);
  }
  expect((await teach('POST /reset')).status).toBe(204);
  const board = (await teach('GET')).json;
  expect(board.firsts).toEqual([]);
  expect(board.pupils).toMatchObject([{ solved: [] }, { solved: [] }]);
  for (const each of pupils) expect((await each.call('GET /api/Books/1')).status).toBe(200);
});

test('a removed pupil has no address any more; the teacher can show a lost one', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  expect((await teach(`GET /pupils/${ada.pupil}`)).json.address).toBe(ada.address);
  expect((await teach(`DELETE /pupils/${ada.pupil}`)).status).toBe(204);
  expect((await ada.call('GET /api/Books/1')).status).toBe(404);
  expect((await teach(`DELETE /pupils/${ada.pupil}`)).status).toBe(404);
  expect((await teach('GET')).json.pupils).toEqual([]);
});

test('a class ends by DELETE, with the addresses of its pupils', async () => {
  const { join, teach, joinCode } = await newClass(service);
  const ada = await join('Ada');
  expect((await teach('DELETE')).status).toBe(204);
  expect((await teach('GET')).status).toBe(404);
  expect((await ada.call('GET /api/Books/1')).status).toBe(404);
  const late = await send('POST /api/classes/join', { json: { joinCode, name: 'Late' } });
  expect(late.status).toBe(404);
});

test('the export has a row for each pupil', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('=Ada, "the first"');
  await teach('PATCH', { json: { assigned: ['http-head'] } });
  await solve(ada);
  const csv = await teach('GET /export?format=csv');
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="class-\w+\.csv"$/);
  const [head, row] = csv.text.split('\r\n');
  expect(head).toMatch(/^pupil,name,joinedAt,label,.*,points,hintCost,solved,wrongReports,hunts,/);
  const [, time] =
    /^1,"=Ada, ""the first""",.*,10,0,http-head (\S+),0,,1,1,,$/.exec(row ?? '') ?? [];
  expect(new Date(time ?? '').toISOString()).toBe(time);
  const escaped = await teach('GET /export?format=csv&formulas=escape');
  expect(escaped.text).toContain(`"'=Ada`);
  expect((await teach('GET /export?format=json')).json).toMatchObject([{ points: 10 }]);
  expect((await teach('GET /export')).json).toHaveLength(1);
  expect((await teach('GET /export?format=xml')).status).toBe(400);
});

test.each([
  [{ frozen: 'yes' }, /frozen must be/],
  [{ assigned: ['no-such-one'] }, /unknown challenge "no-such-one"/],
  [{ speed: 1 }, /speed/],
])('PATCH rejects %j', async (json, message) => {
  const { teach } = await newClass(service);
  const response = await teach('PATCH', { json });
  expect(response.status).toBe(400);
  expect(response.json.message).toMatch(message);
});

test.each([
  ['', 400],
  ['   ', 400],
  ['a\nb', 400],
  ['a'.repeat(41), 400],
  ['<script>alert(1)</script>', 201],
  ['\u202eevil', 400],
  ['Zoë 王 🙂', 201],
])('a pupil named %j gets %i', async (name, status) => {
  const { joinCode } = await newClass(service);
  const joined = await send('POST /api/classes/join', { json: { joinCode, name } });
  expect(joined.status).toBe(status);
});
