import { expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { beginHunt } from '../../src/defects/hunts-in-state.js';
import { useService } from '../support/service.js';
import { hunter, path } from './hunter.js';
import { scripts } from './scripts.js';

const service = useService();

const endpointsOf = (id: string) => allDefects.find((each) => each.id === id)?.endpoints ?? [];

/** Bugs of the same endpoints may show in the same response. */
const neighboursOf = (id: string) =>
  allDefects
    .filter(({ endpoints }) => endpoints.some((each) => endpointsOf(id).includes(each)))
    .map((each) => each.id);

test.each([1, 2, 3, 4, 5, 6])('bugs change nothing else (seed %i)', async (seed) => {
  const { bugs } = beginHunt('senior', 30, seed);
  const changed = new Set(bugs.flatMap(neighboursOf));
  const wrong: string[] = [];
  for (const [id, script] of Object.entries(scripts)) {
    if (changed.has(id)) continue;
    const tester = hunter(service);
    await tester.switchOn('senior', 30, seed);
    const { isWrong, report } = await script(tester.call);
    if (isWrong || (await tester.report(report)).verdict !== 'not a bug') wrong.push(id);
  }
  expect(wrong).toEqual([]);
});

test.each([1, 2, 3])('fifty bugs at once are all found (seed %i)', async (seed) => {
  const tester = hunter(service);
  const { json: begun } = await tester.switchOn('senior', 50, seed);
  expect(begun.left).toBe(50);
  const bugs = (await tester.giveUp()).bugs.map((bug: { id: string }) => bug.id);
  const missed: string[] = [];
  for (const id of bugs) {
    const own = hunter(service);
    await own.switchOn('senior', 50, seed);
    const { report } = await (scripts[id] as (typeof scripts)[string])(own.call);
    const { verdict, bug } = await own.report(report);
    if (verdict !== 'found') missed.push(`${id}: ${verdict}, ${bug?.id}`);
  }
  expect(missed).toEqual([]);
});

test('a bug changes at most a tenth of the endpoints', async () => {
  const { json: description } = await service.send('GET /openapi.json');
  const operations = Object.values(description.paths).flatMap((each) =>
    Object.keys(each as object),
  );
  for (const { id, endpoints } of allDefects) {
    expect({ id, few: endpoints.length <= operations.length / 10 }).toEqual({ id, few: true });
  }
});

test('no bug changes a request to the bugs themselves', () => {
  const changed = allDefects.flatMap(({ endpoints }) => endpoints);
  expect(changed.filter((each) => each.includes(path) || each.includes('/sandbox'))).toEqual([]);
});
