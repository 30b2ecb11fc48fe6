import { describe, expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { beginHunt } from '../../src/defects/hunts-in-state.js';
import { useService } from '../support/service.js';
import { healthyReports } from './healthy.js';
import { hunter, path } from './hunter.js';
import { type Report, scripts } from './scripts.js';

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

describe('right behaviour', () => {
  test.each(['none', 'senior', 'junior'])('is not a bug at the level %s', async (level) => {
    const tester = hunter(service);
    await tester.switchOn(level, 50, 11);
    const wrong: (Report & { bug?: { id: string } })[] = [];
    for (const report of await healthyReports(tester.call)) {
      const { verdict, reason, bug } = await tester.report(report);
      if (verdict !== 'not a bug') wrong.push({ ...report, actual: `${verdict}: ${reason}`, bug });
    }
    // Bugs that show in every response of their endpoint.
    const always = ['version-1-without-sunset', 'products-stock-is-text'];
    expect(
      wrong.filter((each: { bug?: { id: string } }) => !always.includes(each.bug?.id ?? '')),
    ).toEqual([]);
  });

  test('remains right in other sandboxes, also after cached responses', async () => {
    const tester = hunter(service);
    await tester.switchOn('senior', 50, 5);
    for (const script of Object.values(scripts)) await script(tester.call).catch(() => {});
    const wrong: string[] = [];
    for (const [id, script] of Object.entries(scripts)) {
      const { isWrong } = await script(hunter(service).call);
      if (isWrong) wrong.push(id);
    }
    expect(wrong).toEqual([]);
  });
});
