/** Failed files run first the next time, with the seed with which they failed. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRedRun, recordRun, repetitionsOf } from '../../scripts/tests/red-run.js';

const [first, second] = ['test/auth/bearer.test.ts', 'test/bins/waiting.slow.test.ts'];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-api-red-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'inside/red-run.json');
const result = (file: string, state: string, project = 'memory') => ({ file, project, state });

test('a green run leaves nothing', () => {
  recordRun(path(), '7', [result(first, 'passed'), result(second, 'skipped')]);
  expect(readRedRun(path())).toEqual([]);
});

test('what failed remains until it passes with the same seed', () => {
  recordRun(path(), '7', [result(first, 'failed'), result(second, 'failed', 'replicas')]);
  const both = [
    { file: first, project: 'memory', seed: '7' },
    { file: second, project: 'replicas', seed: '7' },
  ];
  expect(readRedRun(path())).toEqual(both);
  recordRun(path(), '8', [result(first, 'passed'), result(second, 'passed')]);
  expect(readRedRun(path())).toEqual(both);
  recordRun(path(), '7', [result(second, 'skipped', 'replicas'), result(second, 'passed')]);
  expect(readRedRun(path())).toEqual(both);
  recordRun(path(), '7', [result(first, 'passed'), result(second, 'passed', 'replicas')]);
  expect(readRedRun(path())).toEqual([]);
});

test('a file that no longer exists is forgotten', () => {
  recordRun(path(), '7', [result('test/auth/gone.test.ts', 'failed')]);
  expect(readRedRun(path())).toEqual([]);
});

test('there is one repetition for each seed, and it names its files', () => {
  recordRun(path(), '7', [result(first, 'failed')]);
  recordRun(path(), '8', [result(second, 'failed', 'replicas'), result(second, 'failed')]);
  const common = ['--project', 'replicas', '--project', 'memory', '--passWithNoTests', second];
  expect(repetitionsOf(readRedRun(path()))).toEqual([
    { seed: '7', args: ['--project', 'memory', '--passWithNoTests', first] },
    { seed: '8', args: common },
  ]);
});
