/** The progress of a long run of tests. */

import { expect, test, vi } from 'vitest';
import type { TestModule, TestSpecification } from 'vitest/node';
import SummaryReporter from '../support/summary-reporter.js';

function linesOf(files: number): readonly string[] {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  const reporter = new SummaryReporter([]);
  reporter.onTestRunStart(new Array<TestSpecification>(files));
  for (let file = 1; file <= files; file++) {
    reporter.onTestModuleEnd({ relativeModuleId: `${file}.test.ts` } as TestModule);
  }
  log.mockRestore();
  return lines;
}

test('each 25 files are a line with the end in sight, and fewer are none', () => {
  expect(linesOf(24)).toEqual([]);
  expect(linesOf(60)).toEqual([
    expect.stringMatching(/^\[25 of 60 files, about \d+ s left\] 25\.test\.ts$/),
    expect.stringMatching(/^\[50 of 60 files, about \d+ s left\] 50\.test\.ts$/),
  ]);
});
