/** Every bug shows on the wire, and the judge tells its true reports from the wrong ones. */

import { describe, expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { allCases } from '../../src/defects/catalogue/cases/all-cases.js';
import {
  type BugCase,
  trueReports,
  undecidableReport,
  wrongReports,
} from '../../src/defects/catalogue/cases/bug-case.js';
import type { Sent } from '../challenges/run-script.js';
import { useService } from '../support/service.js';
import { type Report, seedOf } from './hunter.js';
import { hasValue, reportedOf, reportOf, type Tester, testerOf } from './play-case.js';

const service = useService();

type Judge = (tester: Tester, report: Report) => Promise<string>;

const ofService: Judge = async (tester, report) => (await tester.report(report)).verdict;

/** Returns the reports of a case that the judge judges wrongly. */
async function misjudged(judge: Judge, id: string): Promise<string[]> {
  const bugCase = allCases[id] as BugCase;
  const failures: string[] = [];
  const tester = testerOf(service);
  const seed = seedOf(id);
  const expectVerdict = async (
    sent: Sent,
    claims: object,
    isRight: (verdict: string) => boolean,
  ) => {
    const verdict = await judge(tester, reportOf(sent, claims as never));
    if (!isRight(verdict)) failures.push(`${sent.target} ${JSON.stringify(claims)}: ${verdict}`);
  };
  await tester.switchOn('senior', 1, seed);
  const healthy = await tester.play(bugCase.healthy);
  await expectVerdict(
    healthy.at(-1) as Sent,
    { expected: { status: 418 }, actual: { status: bugCase.healthyStatus } },
    (verdict) => verdict === 'not a bug',
  );
  await tester.call('DELETE /api/sandbox');
  await tester.switchOn('senior', 1, seed);
  const sent = await reportedOf(tester, bugCase);
  for (const claims of wrongReports(bugCase)) {
    await expectVerdict(sent, claims, (verdict) => !verdict.includes('found'));
  }
  await expectVerdict(sent, undecidableReport(bugCase), (verdict) => verdict === 'cannot tell');
  for (const claims of trueReports(bugCase)) {
    // Another hunt, in which the bug is not found yet.
    await tester.switchOn('senior', 1, seed);
    await expectVerdict(sent, claims, (verdict) => verdict === 'found');
  }
  return failures;
}

test('every bug has a case, with as many requests as its level says', () => {
  expect(Object.keys(allCases).sort()).toEqual(allDefects.map(({ id }) => id).sort());
  const levels = allDefects.map(({ id, level }) => ({ id, level }));
  const levelOf = (count: number) => (count === 1 ? 'junior' : count === 2 ? 'middle' : 'senior');
  expect(levels).toEqual(
    levels.map(({ id }) => ({ id, level: levelOf(allCases[id]?.steps.length ?? 0) })),
  );
});

describe.each(allDefects.map(({ id }) => [id]))('%s', (id) => {
  const bugCase = allCases[id] as BugCase;

  test('differs from what is not a bug', async () => {
    expect((await misjudged(ofService, id)).join('\n')).toBe('');
  });

  test('is found once, and not at the level none', async () => {
    const tester = testerOf(service);
    await tester.switchOn('senior', 1, seedOf(id));
    const sent = await reportedOf(tester, bugCase);
    const [claims] = trueReports(bugCase);
    const report = reportOf(sent, claims as never);
    expect(await tester.report(report)).toMatchObject({ verdict: 'found', left: 0, bug: { id } });
    expect(await tester.report(report)).toMatchObject({ verdict: 'already found', left: 0 });
    await tester.switchOn('none', 5, 1);
    expect(await tester.report(report)).toMatchObject({ verdict: 'not a bug', wrongReports: 1 });
  });
});

/** The test of orders sends two requests at once. */
const alone = allDefects.filter(({ isAtOnce }) => isAtOnce === undefined).map(({ id }) => [id]);

describe.each(alone)('%s', (id) => {
  const bugCase = allCases[id] as BugCase;

  test('shows only if it is switched on', async () => {
    const tester = testerOf(service);
    const { json: begun } = await tester.switchOn('senior', 1, seedOf(id));
    expect(begun).toMatchObject({ count: 1, left: 1, found: [] });
    const seen = await tester.play(bugCase.steps);
    expect({ at: seen.at(-1)?.response.text, is: hasValue(seen, bugCase, bugCase.wrong) }).toEqual({
      at: seen.at(-1)?.response.text,
      is: true,
    });
    const documented = await testerOf(service).play(bugCase.steps);
    expect(hasValue(documented, bugCase, bugCase.right)).toBe(true);
    expect(hasValue(documented, bugCase, bugCase.wrong)).toBe(false);
  });
});

test.each<[string, Judge]>([
  ['accepts everything', async () => 'found'],
  ['accepts nothing', async () => 'not a bug'],
])('a judge that %s fails every case', async (_name, judge) => {
  for (const { id } of allDefects.slice(0, 10)) {
    expect((await misjudged(judge, id)).length).toBeGreaterThan(0);
  }
});
