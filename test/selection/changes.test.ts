/** The seed and the changes of a repository. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readChanges, seedOfCommit, turnOf } from '../../scripts/tests/changes.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-api-changes-'));
let repository = '';
let count = 0;
beforeEach(() => {
  count += 1;
  repository = join(folder, String(count));
  mkdirSync(repository);
});
afterAll(() => rmSync(folder, { recursive: true }));

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
const git = (...args: string[]) =>
  execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8', stdio: 'pipe' });

function commit(file: string): void {
  writeFileSync(join(repository, file), file);
  git('add', '.');
  git('commit', '--quiet', '-m', file);
}

test('outside of a repository the seed is fixed, and nothing has changed', () => {
  expect([seedOfCommit(repository), readChanges(repository)]).toEqual([
    1,
    { since: 'nothing: no Git repository', files: [] },
  ]);
});

test('a folder inside a repository of others is outside', () => {
  git('init', '--quiet');
  commit('one');
  mkdirSync(join(repository, 'inner'));
  expect(seedOfCommit(join(repository, 'inner'))).toBe(1);
});

test('the seed stays the same for a commit, and the turn is the number of the commit', () => {
  git('init', '--quiet');
  commit('one');
  const seed = seedOfCommit(repository);
  writeFileSync(join(repository, 'more'), '');
  expect(seedOfCommit(repository)).toBe(seed);
  expect(turnOf(seed)).toBe(1);
  commit('two');
  expect(turnOf(seedOfCommit(repository))).toBe(2);
  expect(seedOfCommit(repository)).not.toBe(seed);
  expect(seedOfCommit(repository)).toBeLessThan(2 ** 31);
});

test('a shallow clone draws its turn from the commit', () => {
  git('init', '--quiet');
  for (const file of ['one', 'two', 'three']) commit(file);
  const clone = `${repository}-clone`;
  execFileSync('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(repository).href, clone]);
  const hash = git('rev-parse', 'HEAD');
  expect(turnOf(seedOfCommit(clone))).toBe(Number.parseInt(hash.slice(8, 16), 16) % 10_000);
  const seed = seedOfCommit(clone);
  expect(Math.floor(seed / 10_000)).toBe(Math.floor(seedOfCommit(repository) / 10_000));
});

test('the base is origin/main, else the last tag, else the commit before, else nothing', () => {
  git('init', '--quiet');
  commit('one');
  expect(readChanges(repository)).toEqual({
    since: 'the only known commit: no origin/main, no tag and no commit before',
    files: [],
  });
  commit('two');
  writeFileSync(join(repository, 'not added'), '');
  writeFileSync(join(repository, 'one'), 'changed');
  const baseOf = (name: string) => git('rev-parse', name).trim();
  const short = (name: string) => git('rev-parse', name).slice(0, 10);
  expect(readChanges(repository)).toEqual({
    since: `the commit before (${short('HEAD~1')})`,
    base: baseOf('HEAD~1'),
    files: ['not added', 'one', 'two'],
  });
  git('tag', 'v1', 'HEAD~1');
  commit('three');
  expect(readChanges(repository)).toEqual({
    since: `the last tag (${short('v1')})`,
    base: baseOf('v1'),
    files: ['not added', 'one', 'three', 'two'],
  });
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  expect(readChanges(repository)).toEqual({
    since: `origin/main (${short('HEAD~1')})`,
    base: baseOf('HEAD~1'),
    files: ['not added', 'one', 'three'],
  });
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(readChanges(repository).since).toBe(`the last tag (${short('v1')})`);
});
