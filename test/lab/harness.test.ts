import { describe, expect, test } from 'vitest';
import { resetPeak } from '../../lab/harness/process-figures.js';
import { table } from '../../lab/harness/report.js';
import { startProgram, startService } from '../../lab/harness/start-program.js';
import { median, quantile, spreadOf } from '../../lab/harness/statistics.js';
import { progressOf } from '../../scripts/progress.js';
import { replaceSection } from '../../scripts/write-section.js';

describe('a program', () => {
  const listening = `require('node:http').createServer((q, s) => s.end()).listen(0, '127.0.0.1',
    function () { console.log('Listening on http://127.0.0.1:' + this.address().port + ' '); });`;

  test('has started when it responds at the URL that it prints, and ends on a signal', async () => {
    const program = await startProgram(process.execPath, ['-e', listening]);
    expect((await fetch(program.url)).status).toBe(200);
    expect(program.startMs).toBeGreaterThan(0);
    expect(program.isUp()).toBe(true);
    await program.stop();
    expect(program.isUp()).toBe(false);
  });

  test.each([
    ['that ends before it listens', process.execPath, ['-e', 'process.exit(3)']],
    ['that is not installed', 'no-such-program-anywhere', []],
  ])('%s is an error', async (_what, command, args) => {
    await expect(startProgram(command, args)).rejects.toThrow(/does not respond/);
  });

  test.runIf(process.platform === 'linux')('reports its resource usage', async () => {
    const service = await startService();
    const before = service.processorMs();
    for (let sent = 0; sent < 20; sent++) await fetch(`${service.url}/health`);
    expect(service.processorMs()).toBeGreaterThan(before);
    expect(service.residentMebibytes()).toBeGreaterThan(10);
    expect(service.peakMebibytes()).toBeGreaterThanOrEqual(service.residentMebibytes() - 1);
    resetPeak(service.pid);
    expect(service.peakMebibytes()).toBeGreaterThan(10);
    await service.stop();
    expect(service.residentMebibytes()).toBeNaN();
  });
});

describe('a table', () => {
  test('aligns columns to the right if their heading ends with a colon', () => {
    expect(table(['what', 'figure:'], [['a', '1']])).toBe(
      '| what | figure |\n| --- | ---: |\n| a | 1 |',
    );
  });

  test('escapes characters that would end a cell', () => {
    expect(
      table(['a'], [['b | c']])
        .split('\n')
        .at(-1),
    ).toBe('| b \\| c |');
  });
});

describe('a section of a document', () => {
  const page = '# Title\n\n<!-- a -->\nold\n<!-- end of a -->\n\nAfter\n';

  test('is replaced, and the rest stays', () => {
    const expected = '# Title\n\n<!-- a -->\nnew\n<!-- end of a -->\n\nAfter\n';
    expect(replaceSection(page, 'a', 'new')).toBe(expected);
  });

  test('must exist', () => {
    expect(() => replaceSection(page, 'b', 'new')).toThrow('There is no section b.');
  });
});

test.each([
  ['an odd number of values', [3, 1, 2], 2],
  ['an even number of values', [4, 1, 2, 3], 2.5],
  ['no values', [], Number.NaN],
])('the median of %s', (_what, values, expected) => {
  expect(median(values)).toBe(expected);
});

test('a spread has the median and both ends', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 });
});

test.each([
  [0.5, 6],
  [0.95, 10],
  [1, 10],
])('the quantile %d of 1 to 10', (share, expected) => {
  expect(quantile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], share)).toBe(expected);
});

test('a long run tells its place and the time that is left', () => {
  let nowMs = 0;
  const progress = progressOf('attacks', 4, () => nowMs);
  expect(progress.begin('a')).toBe('[1 of 4 attacks] a');
  nowMs = 60_000;
  expect(progress.begin('b')).toBe('[2 of 4 attacks, about 3 min left] b');
  nowMs = 80_000;
  expect(progress.begin('c')).toBe('[3 of 4 attacks, about 80 s left] c');
});
