/** The steps of the release workflow stop where they must, and publish in the right order. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

/** Several starts of npm. */
const timeout = 300_000;

/** Prints the steps that are reached, each with its programs, and why a step fails. */
function tryRelease(...args: string[]) {
  const command = ['scripts/release/try-release.js', ...args];
  return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
}

/** Returns the commands that docker, npm and gh got, in order. */
const commandsIn = (stderr: string) =>
  stderr.split('\n').flatMap((line) => /^ {2}((?:docker buildx|npm|gh) .*)/.exec(line)?.[1] ?? []);

const repository = 'https://forge.invalid/owner/practice-api';
const withAddress = ['--repository', repository];

test('stops before all else without an address', { timeout }, () => {
  const { status, stdout, stderr } = tryRelease('--repository', '', '--version', '1.0.0');
  expect(status).toBe(1);
  expect(stdout).toBe('ready:\n');
  expect(stderr).toBe(
    'package.json has no repository. Write its address there, as docs/contributing/release.md says.\n',
  );
});

test('stops before all else while the changelog has no section for its version', {
  timeout,
}, () => {
  const { status, stdout, stderr } = tryRelease(...withAddress);
  expect([status, stdout]).toEqual([1, 'ready:\n']);
  expect(stderr).toMatch(/^CHANGELOG\.md has no section for |is older than Unreleased/);
});

test('ends with latest, after the package', { timeout }, () => {
  const { status, stdout, stderr } = tryRelease(...withAddress, '--version', '1.0.0');
  expect(status, stderr).toBe(0);
  const order = [...stdout.matchAll(/^([\w-]+):$/gm)].map(([, job]) => job);
  expect(order.at(0)).toBe('ready');
  expect(order.slice(-3)).toEqual(['image-tags', 'publish', 'latest']);
  const commands = commandsIn(stderr);
  const places = [
    'npm pack ',
    'docker buildx build --push ',
    'docker buildx imagetools create --tag ghcr.io/owner/practice-api:1.0.0 ',
    'npm publish ./practice-api-1.0.0.tgz ',
    'gh release create v1.0.0 ',
    'docker buildx imagetools create --tag ghcr.io/owner/practice-api:latest ',
  ].map((beginning) => commands.findIndex((command) => command.startsWith(beginning)));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places.at(-1)).toBe(commands.length - 1);
});

test.each([
  ['docker buildx build', 'image'],
  ['npm publish', 'publish'],
])('if %s fails, nothing after it happens', { timeout }, (failing, job) => {
  const args = [...withAddress, '--version', '1.0.0', '--failing', failing];
  const { status, stdout, stderr } = tryRelease(...args);
  expect(status).toBe(1);
  expect(
    stdout
      .trim()
      .split('\n')
      .findLast((line) => line.endsWith(':')),
  ).toBe(`${job}:`);
  const commands = commandsIn(stderr);
  expect(commands.findIndex((each) => each.startsWith(failing))).toBe(commands.length - 1);
  expect(commands.filter((each) => each.includes('latest'))).toEqual([]);
});
