import { describe, expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { allCases } from '../../src/defects/catalogue/cases/all-cases.js';
import { type BugCase, trueReports } from '../../src/defects/catalogue/cases/bug-case.js';
import { drawBugs, keyOfSeed } from '../../src/defects/hunts-in-state.js';
import { useService } from '../support/service.js';
import { healthyReports } from './healthy.js';
import { hunter, path, type Report } from './hunter.js';
import { hasValue, reportedOf, reportOf, testerOf } from './play-case.js';

const service = useService();

const endpointsOf = (id: string) => allDefects.find((each) => each.id === id)?.endpoints ?? [];

const storesOf = (id: string) => allDefects.find((each) => each.id === id)?.stores ?? [];

/** Bugs of the same endpoints, and of those that show what a bug stores, may show in the same response. */
const neighboursOf = (id: string) =>
  allDefects
    .filter(({ endpoints }) =>
      endpoints.some(
        (each) =>
          endpointsOf(id).includes(each) ||
          storesOf(id).some((start) => each.split(' ')[1]?.startsWith(start)),
      ),
    )
    .map((each) => each.id);

/** Plays the case of a bug, and reports it. */
async function verdictOn(id: string, tester: ReturnType<typeof testerOf>) {
  const bugCase = allCases[id] as BugCase;
  const [claims] = trueReports(bugCase);
  return tester.report(reportOf(await reportedOf(tester, bugCase), claims as never));
}

test.each([1, 2, 3, 4, 5, 6])('bugs change nothing else (seed %i)', async (seed) => {
  const bugs = drawBugs('senior', 30, keyOfSeed(seed));
  const changed = new Set(bugs.flatMap(neighboursOf));
  const wrong: string[] = [];
  for (const [id, bugCase] of Object.entries(allCases)) {
    if (changed.has(id)) continue;
    const tester = testerOf(service);
    await tester.switchOn('senior', 30, seed);
    const isWrong = hasValue(await tester.play(bugCase.steps), bugCase, bugCase.wrong);
    if (isWrong || (await verdictOn(id, tester)).verdict.includes('found')) wrong.push(id);
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
    const own = testerOf(service);
    await own.switchOn('senior', 50, seed);
    const { verdict, bug } = await verdictOn(id, own);
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
      // Bugs that show in every response of their endpoint, and what others have stored.
      const isRight = verdict === 'not a bug' || (verdict === 'cannot tell' && level !== 'none');
      if (!isRight) wrong.push({ ...report, actual: `${verdict}: ${reason}`, bug });
    }
    expect(wrong).toEqual([]);
  });

  test('remains right in other sandboxes, also after cached responses', async () => {
    const tester = testerOf(service);
    await tester.switchOn('senior', 50, 5);
    for (const { steps } of Object.values(allCases)) await tester.play(steps).catch(() => {});
    const wrong: string[] = [];
    for (const [id, bugCase] of Object.entries(allCases)) {
      const sent = await testerOf(service).play(bugCase.steps);
      if (hasValue(sent, bugCase, bugCase.wrong)) wrong.push(id);
    }
    expect(wrong).toEqual([]);
  });
});

test.each([1, 2, 3])(
  'a script that reports every endpoint blindly finds nothing (seed %i)',
  async (seed) => {
    const tester = hunter(service);
    await tester.switchOn('senior', 50, seed);
    const { json: description } = await service.send('GET /openapi.json');
    const found: unknown[] = [];
    for (const [route, operations] of Object.entries(description.paths)) {
      const target = route.replaceAll(/\{\w+\}/g, '1');
      for (const method of Object.keys(operations as object)) {
        for (const claims of blindClaims) {
          const report = { method: method.toUpperCase(), path: target, body: {}, ...claims };
          const { verdict } = await tester.report(report);
          if (verdict?.includes('found')) found.push(report);
        }
      }
    }
    expect(found).toEqual([]);
    expect((await tester.read()).wrongReports).toBeGreaterThan(100);
  },
);

const blindClaims = [
  { expected: 'x', actual: 'y' },
  { expected: '200, all fine', actual: '200, all wrong' },
  { expected: 'The documented response with the right value.', actual: 'Another value, error 1.' },
];
