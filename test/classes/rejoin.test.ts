/** Pupils who return to their class with their own code. */

import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { callAt, newClass, solve } from './school.js';

const minuteMs = 60_000;
let nowMs = Date.UTC(2030, 0, 1);
const service = useDirectService({ trustProxy: true, now: () => nowMs });
const { send } = service;

type Headers = Record<string, string>;
const at = (address: string): Headers => ({ 'X-Forwarded-For': address });
const school = at('192.0.2.1');

/** Creates a class with one pupil, whose code is in the response. */
async function classWithAda(headers = school) {
  const room = await newClass(service, headers);
  const { joinCode } = room;
  const joined = await send('POST /api/classes/join', { json: { joinCode, name: 'Ada' }, headers });
  return { ...room, ada: joined.json };
}

const rejoin = (joinCode: string, code: unknown, headers = school, prefix = '') =>
  send(`POST ${prefix}/api/classes/${encodeURIComponent(joinCode)}/rejoin`, {
    json: { code },
    headers,
  });

const wrong = 'AAAAAA';

test('a pupil returns with the own code, and no second one appears', async () => {
  const { ada, joinCode, teach } = await classWithAda();
  expect(ada.code).toMatch(/^[A-Z2-9]{6}$/);
  for (const typed of [
    ada.code,
    ada.code.toLowerCase(),
    ` ${ada.code.slice(0, 3)}-${ada.code.slice(3)}`,
  ]) {
    for (const ofClass of [joinCode, joinCode.toLowerCase().replace('-', '')]) {
      const { status, json } = await rejoin(ofClass, typed);
      expect(status).toBe(200);
      const { code: _code, ...membership } = ada;
      expect(json).toEqual(membership);
    }
  }
  expect((await callAt(ada.address, 'GET /api/classes/me')).json.name).toBe('Ada');
  expect((await teach('GET')).json.pupils).toHaveLength(1);
});

test('the teacher can show the code again', async () => {
  const { ada, teach } = await classWithAda();
  expect((await teach(`GET /pupils/${ada.pupil}`)).json).toMatchObject({
    code: ada.code,
    address: ada.address,
  });
});

test('work, hints and points are there after the return', async () => {
  const { ada, joinCode } = await classWithAda();
  const pupil = { ...ada, call: (target: string) => callAt(ada.address, target) };
  await pupil.call('POST /api/challenges/http-head/hint');
  await solve(pupil);
  const { address } = (await rejoin(joinCode, ada.code)).json;
  expect((await callAt(address, 'GET /api/classes/me')).json).toMatchObject({
    points: 8,
    hintCost: 2,
  });
});

test('nothing tells whether the join code or the own code is wrong', async () => {
  const { ada, joinCode } = await classWithAda();
  const other = await classWithAda();
  const tries = [
    [joinCode, wrong],
    ['BBBB-BBBB', ada.code],
    ['BBBB-BBBB', wrong],
    [other.joinCode, ada.code],
    ['x'.repeat(300), ada.code],
  ];
  const responses = await Promise.all(tries.map(([ofClass = '', code]) => rejoin(ofClass, code)));
  const seen = responses.map(({ status, text, headers }) => ({
    status,
    text,
    names: Object.keys(headers).sort(),
  }));
  expect(seen[0]?.status).toBe(404);
  for (const each of seen) expect(each).toEqual(seen[0]);
});

test.each([[''], ['A'.repeat(21)], [7], [null], [['AAAAAA']]])(
  'the code %j is 400, and names the field',
  async (code) => {
    const { joinCode } = await classWithAda();
    const { status, json } = await rejoin(joinCode, code);
    expect(status).toBe(400);
    expect(json.message).toMatch(/^code /);
  },
);

test('the code of a removed pupil, and of a class that has ended, is unknown', async () => {
  const first = await classWithAda();
  await first.teach(`DELETE /pupils/${first.ada.pupil}`);
  expect((await rejoin(first.joinCode, first.ada.code)).status).toBe(404);
  const second = await classWithAda();
  await second.teach('DELETE');
  expect((await rejoin(second.joinCode, second.ada.code)).status).toBe(404);
  const third = await classWithAda();
  nowMs += 30 * 24 * 60 * minuteMs;
  expect((await rejoin(third.joinCode, third.ada.code)).status).toBe(404);
});

test('the code of a pupil who made room in a full class is unknown', async () => {
  const room = await newClass(service, school);
  const { joinCode } = room;
  const join = (name: string, headers: Headers) =>
    send('POST /api/classes/join', { json: { joinCode, name }, headers });
  const first = (await join('0', at('203.0.113.1'))).json;
  for (let place = 1; place < 200; place += 20) {
    const names = Array.from({ length: Math.min(20, 200 - place) }, (_, each) => `${place + each}`);
    await Promise.all(names.map((name) => join(name, at('203.0.113.1'))));
  }
  const ada = await join('Ada', school);
  expect(ada.status).toBe(201);
  expect((await rejoin(joinCode, first.code)).status).toBe(404);
  expect((await rejoin(joinCode, ada.json.code)).status).toBe(200);
});

test('of an address, ten wrong codes a minute are accepted; a right one always is', async () => {
  nowMs += minuteMs;
  const from = at('192.0.2.20');
  const { ada, joinCode } = await classWithAda(from);
  for (let sent = 0; sent < 10; sent++) {
    expect((await rejoin(joinCode, wrong, from)).status).toBe(404);
  }
  const rejected = await rejoin(joinCode, wrong, from);
  expect([rejected.status, rejected.headers['retry-after'], rejected.json.message]).toEqual([
    429,
    '60',
    'Only 10 wrong codes a minute are accepted from this address. Wait 60 s.',
  ]);
  expect((await rejoin(joinCode, ada.code, from)).status).toBe(200);
  // Other codes have their own count.
  const joined = { json: { joinCode: 'BBBB-BBBB', name: 'Eve' }, headers: from };
  expect((await send('POST /api/classes/join', joined)).status).toBe(404);
  nowMs += minuteMs;
  expect((await rejoin(joinCode, wrong, from)).status).toBe(404);
});

test('of a class, 100 wrong codes a minute are accepted from many addresses; a right one always is', async () => {
  nowMs += minuteMs;
  const { ada, joinCode } = await classWithAda();
  for (let sent = 0; sent < 100; sent++) {
    expect((await rejoin(joinCode, wrong, at(`198.51.100.${sent + 1}`))).status).toBe(404);
  }
  const rejected = await rejoin(joinCode, wrong, at('198.51.100.101'));
  expect([rejected.status, rejected.json.message]).toEqual([
    429,
    'Only 100 wrong codes a minute are accepted for this class. Wait 60 s.',
  ]);
  expect((await rejoin(joinCode, ada.code, at('198.51.100.101'))).status).toBe(200);
  // An unknown class has the same limit, and another class its own.
  const other = await classWithAda();
  expect((await rejoin(other.joinCode, wrong, at('198.51.100.102'))).status).toBe(404);
  nowMs += minuteMs;
});

test('of a pupil, ten; of all pupils of an owner, 100', async () => {
  nowMs += minuteMs;
  const owner = at('192.0.2.40');
  const { joinCode, ada } = await classWithAda(owner);
  const addresses = [ada.address];
  for (let place = 1; place < 11; place++) {
    const json = { joinCode, name: `Pupil ${place}` };
    addresses.push((await send('POST /api/classes/join', { json, headers: owner })).json.address);
  }
  const prefixes = addresses.map((address) => new URL(address).pathname);
  for (let sent = 0; sent < 100; sent++) {
    const home = at(`203.0.113.${sent + 1}`);
    const tried = await rejoin(`WRNG-${1000 + sent}`, wrong, home, prefixes[Math.floor(sent / 10)]);
    expect(tried.status).toBe(404);
  }
  const full = await rejoin('WRNG-2000', wrong, at('203.0.113.200'), prefixes[0]);
  expect(full.json.message).toContain('Only 10 wrong codes a minute are accepted of this pupil.');
  const last = await rejoin('WRNG-2000', wrong, at('203.0.113.201'), prefixes[10]);
  expect(last.json.message).toContain('of the classes of this owner');
  expect((await rejoin(joinCode, ada.code, at('203.0.113.201'), prefixes[10])).status).toBe(200);
});
