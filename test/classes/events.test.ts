/** The live board: the whole of it first, then what changes. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { followBoard, newClass, solve } from './school.js';

const service = useService();

test('the stream has the board, then rows, the summary, the class and its end', async () => {
  const { path, teacherKey, join, teach } = await newClass(service);
  const ada = await join('Ada');
  const followed = followBoard(service, path, teacherKey, (names) => names.includes('ended'));
  await solve(ada);
  await teach('POST /messages', { json: { text: 'Well done.' } });
  // The reader gathers changes for a moment.
  const seen = await followBoard(service, path, teacherKey, (names) => names.includes('board'));
  expect(seen.data[0]).toMatchObject({
    pupils: [{ name: 'Ada', solved: [{ id: 'http-head' }] }],
    firsts: [{ challenge: 'http-head', name: 'Ada' }],
    messages: [{ text: 'Well done.' }],
  });
  const ben = await join('Ben');
  await teach(`DELETE /pupils/${ben.pupil}`);
  await teach('DELETE');
  const { names } = await followed;
  expect(names[0]).toBe('board');
  expect(names.at(-1)).toBe('ended');
});

test('a row arrives when its pupil sends a request', async () => {
  const { path, teacherKey, join } = await newClass(service);
  const ada = await join('Ada');
  const followed = followBoard(service, path, teacherKey, (names) => names.includes('pupil'));
  // Sends until the reader has seen one, since the stream may start in between.
  let isSeen = false;
  followed.finally(() => {
    isSeen = true;
  });
  while (!isSeen) await ada.call('GET /api/Books/1');
  const { names, data } = await followed;
  expect(data[names.indexOf('pupil')]).toMatchObject({ name: 'Ada', failures: 0 });
});

test.each([{}, { Authorization: 'Bearer wrong' }])('rejects %j', async (headers) => {
  const { path } = await newClass(service);
  expect((await service.send(`GET ${path}/events`, { headers })).status).toBe(401);
});
