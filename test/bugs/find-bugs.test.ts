import { describe, expect, test } from 'vitest';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { useService } from '../support/service.js';
import { hunter, seedOf } from './hunter.js';
import { scripts } from './scripts.js';

const service = useService();

test('every bug has a script that finds it', () => {
  expect(Object.keys(scripts).sort()).toEqual(allDefects.map(({ id }) => id).sort());
});

describe.each(allDefects.map(({ id }) => [id]))('%s', (id) => {
  const script = scripts[id] as (typeof scripts)[string];

  test('is found, once', async () => {
    const tester = hunter(service);
    const { json: begun } = await tester.switchOn('senior', 1, seedOf(id));
    expect(begun).toMatchObject({ count: 1, left: 1, found: [] });
    const { isWrong, report } = await script(tester.call);
    expect(isWrong).toBe(true);
    expect(await tester.report(report)).toMatchObject({
      verdict: 'found',
      left: 0,
      bug: { id },
    });
    expect(await tester.report(report)).toMatchObject({ verdict: 'already found', left: 0 });
    expect(await tester.giveUp()).toMatchObject({ bugs: [{ id, found: true }] });
  });

  test('is not reported without it', async () => {
    const tester = hunter(service);
    const { json: begun } = await tester.switchOn('none', 5, 1);
    expect(begun).toMatchObject({ count: 0, left: 0 });
    const { isWrong, report } = await script(tester.call);
    expect(isWrong).toBe(false);
    expect(await tester.report(report)).toMatchObject({ verdict: 'not a bug' });
  });
});
