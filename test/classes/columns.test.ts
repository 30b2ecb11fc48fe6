/** Columns of the board, of its stream and of its exports. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { newClass, type Pupil, solve } from './school.js';

const service = useService();

type Room = Awaited<ReturnType<typeof newClass>>;

async function rowsOf({ teach }: Room) {
  const { pupils } = (await teach('GET')).json;
  expect((await teach('GET /export?format=json')).json).toEqual(pupils);
  return pupils;
}

/** Returns the CSV as objects; no cell of these tests has a quoted comma. */
async function csvOf({ teach }: Room): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = (await teach('GET /export?format=csv')).text.trim().split('\r\n');
  const names = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, place) => [names[place], cell])),
  );
}

const hint = ({ call }: Pupil, id: string) => call(`POST /api/challenges/${id}/hint`);

test('points, the cost of hints, and the time of each solution', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  const before = Date.now();
  await hint(ada, 'http-head');
  await solve(ada);
  await ada.call('POST /api/challenges/http-options/start');
  await ada.call('OPTIONS /api/Books/1');
  const [row] = await rowsOf(room);
  expect(row).toMatchObject({ points: 18, hintCost: 2, wrongReports: 0, hunts: [] });
  expect(row.solved.map(({ id }: { id: string }) => id)).toEqual(['http-head', 'http-options']);
  for (const { at } of row.solved) {
    expect(new Date(at).toISOString()).toBe(at);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  }
  const own = (await ada.call('GET /api/classes/me')).json;
  expect(own).toMatchObject({ points: 18, hintCost: 2, solved: row.solved, label: 'Ada' });
  const [cells] = await csvOf(room);
  expect(cells).toMatchObject({
    ...{ points: '18', hintCost: '2', wrongReports: '0', hunts: '', solvedCount: '2' },
    solved: row.solved.map(({ id, at }: { id: string; at: string }) => `${id} ${at}`).join('; '),
  });
});

test('hints cost at most the points of their challenge, and nothing of others', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  for (let count = 0; count < 3; count++) await hint(ada, 'http-resume');
  for (let count = 0; count < 4; count++) await hint(ada, 'http-head');
  await solve(ada);
  expect(await rowsOf(room)).toMatchObject([{ points: 4, hintCost: 6 + 18 }]);
});

test('hints count in any sandbox that the pupil has had, and after each reset', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await hint(ada, 'http-head');
  await room.teach(`POST /pupils/${ada.pupil}/reset`);
  await hint(ada, 'http-head');
  await ada.call('DELETE /api/sandbox');
  await ada.call('DELETE /api/challenges/progress');
  await solve(ada);
  expect(await rowsOf(room)).toMatchObject([{ points: 6, hintCost: 4 }]);
});

test('pupils of one name get different labels, everywhere', async () => {
  const room = await newClass(service);
  const names = ['Ada', 'Ada', 'ada', 'Ada (2)', 'Ａｄａ', 'Bo'];
  const pupils: Pupil[] = [];
  for (const name of names) pupils.push(await room.join(name));
  const labels = ['Ada', 'Ada (2)', 'ada (3)', 'Ada (2) (4)', 'Ａｄａ (5)', 'Bo'];
  const rows = await rowsOf(room);
  expect(rows.map(({ label }: { label: string }) => label)).toEqual(labels);
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(names);
  expect((await csvOf(room)).map(({ label }) => label)).toEqual(labels);
  await room.teach('PATCH', { json: { ranking: true } });
  const ranking = (await pupils[0]?.call('GET /api/classes/ranking'))?.json;
  expect(ranking.map(({ name }: { name: string }) => name)).toEqual(labels);
  if (pupils[1] !== undefined) await solve(pupils[1]);
  expect((await room.teach('GET')).json.firsts).toMatchObject([{ name: 'Ada', label: 'Ada (2)' }]);
  // A label is free again without its pupil.
  await room.teach(`DELETE /pupils/${pupils[5]?.pupil}`);
  await room.join('Bo');
  expect((await rowsOf(room)).at(-1)).toMatchObject({ pupil: '7', label: 'Bo' });
});

test('of many who join together under one name, no two have one label or one code', async () => {
  const room = await newClass(service);
  await Promise.all(Array.from({ length: 30 }, () => room.join('Ada')));
  const rows = await rowsOf(room);
  expect(new Set(rows.map(({ label }: { label: string }) => label)).size).toBe(30);
  const codes = await Promise.all(
    rows.map(async ({ pupil }: { pupil: string }) => {
      return (await room.teach(`GET /pupils/${pupil}`)).json.code;
    }),
  );
  expect(new Set(codes).size).toBe(30);
});
