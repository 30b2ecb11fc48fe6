/** States of challenges on the board: solved, tried, stuck for more than five minutes, not begun. */

import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { followBoard, newClass, type Pupil, solve } from './school.js';

const minuteMs = 60_000;
let nowMs = Date.UTC(2030, 0, 1);
const service = useDirectService({ now: () => nowMs });

type Room = Awaited<ReturnType<typeof newClass>>;

const rowsOf = async ({ teach }: Room) => (await teach('GET')).json.pupils;
const start = ({ call }: Pupil, id: string) => call(`POST /api/challenges/${id}/start`);
const timeNow = () => new Date(nowMs).toISOString();

test('a challenge is not begun, then tried, then stuck after five minutes, then solved', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  expect(await rowsOf(room)).toMatchObject([{ solved: [], tried: [], current: null }]);
  const since = timeNow();
  await start(ada, 'http-head');
  const working = { id: 'http-head', since };
  nowMs += 5 * minuteMs;
  expect(await rowsOf(room)).toMatchObject([
    { tried: ['http-head'], current: { ...working, stuck: false } },
  ]);
  nowMs += 1;
  expect(await rowsOf(room)).toMatchObject([
    { tried: ['http-head'], current: { ...working, stuck: true } },
  ]);
  // Requests and another start of the same challenge do not hide it.
  await ada.call('GET /api/Books/1');
  await start(ada, 'http-head');
  expect(await rowsOf(room)).toMatchObject([{ current: { ...working, stuck: true } }]);
  const own = (await ada.call('GET /api/classes/me')).json;
  expect(own).toMatchObject({ tried: ['http-head'], current: { ...working, stuck: true } });
  await ada.call('HEAD /api/Books/1');
  expect(await rowsOf(room)).toMatchObject([
    { tried: [], solved: [{ id: 'http-head' }], current: null },
  ]);
});

test('no pupil is stuck in a frozen class, and the five minutes begin again after it', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await start(ada, 'http-head');
  nowMs += 6 * minuteMs;
  const freeze = (frozen: boolean) => room.teach('PATCH', { json: { frozen } });
  const boards = (names: readonly string[]) => names.filter((name) => name === 'board').length;
  let seen = 0;
  const path = `/api/classes/${room.id}`;
  const { names, data } = await followBoard(service, path, room.teacherKey, (names) => {
    if (boards(names) > seen) {
      seen = boards(names);
      if (seen < 3) void freeze(seen === 1);
    }
    return seen === 3;
  });
  const views = data.filter((_each, index) => names[index] === 'board') as {
    pupils: { current: { stuck: boolean } }[];
  }[];
  expect(views.map(({ pupils }) => pupils[0]?.current.stuck)).toEqual([true, false, false]);
  await freeze(true);
  nowMs += 60 * minuteMs;
  expect(await rowsOf(room)).toMatchObject([{ current: { stuck: false } }]);
  await freeze(false);
  nowMs += 5 * minuteMs;
  expect(await rowsOf(room)).toMatchObject([{ current: { stuck: false } }]);
  nowMs += 1;
  expect(await rowsOf(room)).toMatchObject([{ current: { stuck: true } }]);
  const own = (await ada.call('GET /api/classes/me')).json;
  expect(own).toMatchObject({ current: { stuck: true } });
});

test('with another challenge the time begins again, and the earlier one remains tried', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await start(ada, 'http-head');
  nowMs += 6 * minuteMs;
  await start(ada, 'rest-sort');
  const tried = ['http-head', 'rest-sort'];
  const current = { id: 'rest-sort', since: timeNow(), stuck: false };
  expect(await rowsOf(room)).toMatchObject([{ tried, current }]);
  nowMs += 4 * minuteMs;
  await start(ada, 'http-head');
  expect(await rowsOf(room)).toMatchObject([
    { tried, current: { id: 'http-head', since: timeNow(), stuck: false } },
  ]);
});

test('the clock of the sandbox makes no pupil stuck, and none free', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await start(ada, 'http-head');
  await ada.call('PUT /api/sandbox/clock', { json: { offsetSeconds: 3600 } });
  expect(await rowsOf(room)).toMatchObject([{ current: { stuck: false } }]);
  nowMs += 6 * minuteMs;
  await ada.call('PUT /api/sandbox/clock', { json: { offsetSeconds: -3600 } });
  expect(await rowsOf(room)).toMatchObject([{ current: { stuck: true } }]);
});

test('a reset by the teacher leaves no challenge begun, a reset by the pupil does', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await start(ada, 'http-head');
  await ada.call('DELETE /api/sandbox');
  expect(await rowsOf(room)).toMatchObject([{ tried: ['http-head'] }]);
  await room.teach(`POST /pupils/${ada.pupil}/reset`);
  expect(await rowsOf(room)).toMatchObject([{ tried: [], current: null, last: null }]);
});

test('the stream tells that a pupil is stuck, without any request of the pupil', async () => {
  const { path, teacherKey, join } = await newClass(service);
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  await start(ada, 'http-head');
  let isOpen = false;
  const isStuck = ({ current }: { current?: { stuck: boolean } | null }) => current?.stuck === true;
  const followed = followBoard(service, path, teacherKey, (names, data) => {
    isOpen = names.includes('board');
    return data.some(isStuck);
  });
  await expect.poll(() => isOpen).toBe(true);
  nowMs += 5 * minuteMs + 1;
  // Any change of the class wakes the stream before its next look at the clock.
  await ben.call('GET /api/Books/1');
  const { names, data } = await followed;
  const place = data.findIndex(isStuck);
  expect(names[place]).toBe('pupil');
  expect(data[place]).toMatchObject({ name: 'Ada', current: { id: 'http-head', stuck: true } });
});

test('the board lists all challenges with their titles, for any client of the teacher', async () => {
  const { teach } = await newClass(service);
  const { challenges } = (await teach('GET')).json;
  expect(challenges.length).toBeGreaterThan(100);
  const { title, ...head } = challenges.find(({ id }: { id: string }) => id === 'http-head');
  expect(head).toEqual({ id: 'http-head', track: 'http', level: 1, points: 10 });
  expect(title).not.toBe('');
});

test('exports have what is tried, and since when a pupil is stuck', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  const since = timeNow();
  await start(ada, 'rest-sort');
  await start(ada, 'http-head');
  const lastCells = async () => {
    const [head = '', row = ''] = (await room.teach('GET /export?format=csv')).text.split('\r\n');
    expect(head.split(',').slice(-2)).toEqual(['tried', 'stuckSince']);
    return row.split(',').slice(-2);
  };
  expect(await lastCells()).toEqual(['rest-sort; http-head', '']);
  nowMs += 6 * minuteMs;
  expect(await lastCells()).toEqual(['rest-sort; http-head', since]);
  const [row] = (await room.teach('GET /export?format=json')).json;
  expect(row).toMatchObject({ current: { stuck: true, since } });
});

test('the next challenge is the one in work, or else the first assigned challenge without a solution', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  const nextOf = async () => (await ada.call('GET /api/classes/me')).json.next;
  expect(await nextOf()).toBeNull();
  await teach('PATCH', { json: { assigned: ['http-head', 'http-options'] } });
  const next = await nextOf();
  expect(next).toMatchObject({ id: 'http-head', started: false });
  expect(next).toMatchObject({ title: expect.stringMatching(/\S/), goal: expect.any(String) });
  await start(ada, 'rest-sort');
  expect(await nextOf()).toMatchObject({ id: 'rest-sort', started: true });
  await solve(ada);
  expect(await nextOf()).toMatchObject({ id: 'http-options', started: false });
  await start(ada, 'http-options');
  await ada.call('OPTIONS /api/Books/1');
  expect(await nextOf()).toBeNull();
});
