/** The last request on the board, with its query: without secrets, and within its size. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { newClass } from './school.js';

const service = useService();

async function lastAfter(target: string) {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await ada.call(target);
  const [row] = (await room.teach('GET')).json.pupils;
  const { requests } = (await room.teach(`GET /pupils/${ada.pupil}/requests`)).json;
  expect(requests.at(-1).query.slice(0, 150)).toBe(row.last.query.slice(0, 150));
  return row.last;
}

test.each([
  ['GET /api/Books', ''],
  ['GET /api/Books?sort=-price&limit=3', 'sort=-price&limit=3'],
  ['GET /api/Books?q=a%20b,c&genre=%C3%A9', 'q=a+b,c&genre=%C3%A9'],
  ['GET /api/Books?titel=hush', 'titel=(removed)'],
  ['GET /api/Books?token=hush&limit=1', 'token=(removed)&limit=1'],
  ['GET /api/auth/api-key?api_key=hush', 'api_key=(removed)'],
  ['GET /api/nowhere?secret=hush', 'secret=(removed)'],
  ['GET /api/Books?q=/s/~0123456789012345678901', 'q=/s/~%E2%80%A6'],
  ['GET /api/Books?q=%ED%A0%80%00%0A', 'q=%EF%BF%BD%EF%BF%BD%EF%BF%BD%00%0A'],
])('of %s, the board shows the query %j', async (target, query) => {
  expect((await lastAfter(target)).query).toBe(query);
});

test('an address of a pupil in the query is not shown to the teacher, nor to another pupil', async () => {
  const room = await newClass(service);
  const [ada, ben] = [await room.join('Ada'), await room.join('Ben')];
  const secret = new URL(ben.address).pathname.slice('/s/~'.length);
  await ada.call(
    `GET /api/Books?q=${encodeURIComponent(ben.address)}&~${secret}=1&sort=~${secret}`,
  );
  for (const { text } of [
    await room.teach('GET'),
    await room.teach('GET /export?format=csv'),
    await room.teach(`GET /pupils/${ada.pupil}/requests`),
    await ada.call('GET /api/classes/me'),
  ]) {
    expect(text).not.toContain(`~${secret}`);
  }
  expect((await ben.call('GET /api/classes/me')).json.last).toBeNull();
});

test('long queries of 200 pupils weigh at most 203 bytes each on the board', async () => {
  const { query, path } = await lastAfter(
    `GET /api/Books?${`q=${encodeURIComponent('é🙂'.repeat(40))}&`.repeat(20)}`,
  );
  expect(path).toBe('/api/Books');
  expect(Buffer.byteLength(query)).toBe(203);
  expect(query.endsWith('…')).toBe(true);
});
