/** A class that one client fills by joining: pupils who never sent a request make room. */

import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { newClass } from './school.js';

const minuteMs = 60_000;
let nowMs = Date.UTC(2030, 0, 1);
const service = useDirectService({ trustProxy: true, now: () => nowMs });

const at = (address: string) => ({ 'X-Forwarded-For': address });
const [school, other] = [at('192.0.2.1'), at('203.0.113.1')];

async function fullClass(from: Record<string, string>, count = 200) {
  const room = await newClass(service, school);
  const tryToJoin = (name: string, headers: Record<string, string>) =>
    service.send('POST /api/classes/join', { json: { joinCode: room.joinCode, name }, headers });
  const pupils = [];
  for (let place = 0; place < count; place += 20) {
    const names = Array.from(
      { length: Math.min(20, count - place) },
      (_, each) => `${place + each}`,
    );
    pupils.push(...(await Promise.all(names.map((name) => room.join(name, from)))));
  }
  return { ...room, pupils, tryToJoin };
}

const namesOf = async ({ teach }: Awaited<ReturnType<typeof fullClass>>): Promise<string[]> =>
  (await teach('GET')).json.pupils.map(({ name }: { name: string }) => name);

test('of another address, one makes room at once, and none that was used', async () => {
  const room = await fullClass(other);
  // Twenty join at once, so the service decides their order.
  const inOrder = await namesOf(room);
  const [first, second] = inOrder.map((name) => room.pupils.find((pupil) => pupil.name === name));
  await first?.call('GET /api/Books/1');
  // A request is counted after its response.
  const requestsOfFirst = async () => (await room.teach('GET')).json.pupils[0].requests;
  await expect.poll(requestsOfFirst).toBe(1);
  const ada = await room.join('Ada', school);
  expect((await ada.call('GET /api/classes/me')).json.name).toBe('Ada');
  expect((await second?.call('GET /api/Books/1'))?.status).toBe(404);
  expect((await first?.call('GET /api/Books/1'))?.status).toBe(200);
  const names = await namesOf(room);
  expect(names).toHaveLength(200);
  expect(names).toContain(first?.name);
  expect(names).not.toContain(second?.name);
  // The address with most gets no more itself.
  expect((await room.tryToJoin('Late', other)).status).toBe(409);
  // Also after a reset, a pupil who was there stays.
  await room.teach('POST /reset');
  nowMs += 10 * minuteMs;
  await Promise.all(Array.from({ length: 20 }, (_, place) => room.join(`New ${place}`, school)));
  const later = await namesOf(room);
  expect(later).toContain(first?.name);
  expect((await ada.call('GET /api/classes/me')).status).toBe(200);
});

test('of the same address, one makes room after ten minutes without a request', async () => {
  const room = await fullClass(school);
  const [first, second] = await namesOf(room);
  expect((await room.tryToJoin('Late', school)).status).toBe(409);
  nowMs += 10 * minuteMs - 1;
  expect((await room.tryToJoin('Late', school)).status).toBe(409);
  await room.pupils.find(({ name }) => name === first)?.call('HEAD /api/Books/1');
  nowMs += 1;
  expect((await room.tryToJoin('Late', school)).status).toBe(201);
  const names = await namesOf(room);
  expect(names).toContain(first);
  expect(names).not.toContain(second);
});

test('up to 200, no pupil makes room', async () => {
  const room = await fullClass(other, 199);
  nowMs += 20 * minuteMs;
  expect((await room.tryToJoin('Last', school)).status).toBe(201);
  expect(await namesOf(room)).toHaveLength(200);
});
