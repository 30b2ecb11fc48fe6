/** Limits of classes: codes cannot be guessed, and nothing grows without a bound. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { newClass } from './school.js';

const service = useService();
const { send } = service;

test('after 60 wrong codes a minute, wrong ones get 429 and the right one is accepted', async () => {
  const { join, joinCode } = await newClass(service);
  const joinBy = (code: string) =>
    send('POST /api/classes/join', { json: { joinCode: code, name: 'Guesser' } });
  for (let sent = 0; sent < 60; sent++) {
    expect((await joinBy('AAAA-AAAA')).status).toBe(404);
  }
  const rejected = await joinBy('AAAA-AAAB');
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  expect((await joinBy(joinCode)).status).toBe(201);
  expect((await join('Ada')).address).toContain('/s/~');
});

test('a class has at most 200 pupils', async () => {
  const { join, teach, joinCode } = await newClass(service);
  await Promise.all(Array.from({ length: 200 }, (_, number) => join(`Pupil ${number}`)));
  const { pupils } = (await teach('GET')).json;
  expect(new Set(pupils.map((each: { pupil: string }) => each.pupil)).size).toBe(200);
  const { status, json } = await send('POST /api/classes/join', {
    json: { joinCode, name: 'One more' },
  });
  expect({ status, message: json.message }).toEqual({
    status: 409,
    message: 'The class has 200 pupils, the limit.',
  });
});

test('of many messages, the newest 50 remain', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  for (let sent = 1; sent <= 52; sent++)
    await teach('POST /messages', { json: { text: `${sent}` } });
  const { messages } = (await ada.call('GET /api/classes/me')).json;
  expect(messages).toHaveLength(50);
  expect(messages.at(-1)).toMatchObject({ id: 52, text: '52' });
});

test('an address has at most 50 classes', async () => {
  const classes = [];
  for (;;) {
    const { status, json } = await send('POST /api/classes', { json: { name: 'Many' } });
    if (status !== 201) {
      expect({ status, message: json.message }).toMatchObject({
        status: 409,
        message: expect.stringContaining('50 classes, the limit'),
      });
      break;
    }
    classes.push(json);
  }
  expect(classes.length).toBeLessThanOrEqual(50);
  const [{ id, teacherKey }] = classes as [{ id: string; teacherKey: string }];
  const headers = { 'X-Teacher-Key': teacherKey };
  expect((await send(`DELETE /api/classes/${id}`, { headers })).status).toBe(204);
  expect((await send('POST /api/classes', { json: { name: 'Again' } })).status).toBe(201);
});
