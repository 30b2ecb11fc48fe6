/** Reads from Git what changed, and the seed of a run. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The last digits of a seed are the turn: the number of the commit. */
const turns = 10_000;
/** Keeps a seed below 2^31. */
const prefixes = 200_000;

/** Outside of a repository there is no commit to take a seed from. */
const seedWithoutCommit = 1;

/**
 * Returns the seed of the commit that is checked out: every run of a commit has the same one.
 *
 * @param {string} [folder]
 */
export function seedOfCommit(folder = root) {
  const commit = ask(folder, 'rev-parse', 'HEAD');
  if (commit === undefined || !isRoot(folder)) return seedWithoutCommit;
  // A shallow clone does not know how many commits there are.
  const isShallow = ask(folder, 'rev-parse', '--is-shallow-repository') === 'true';
  const number = isShallow
    ? Number.parseInt(commit.slice(8, 16), 16)
    : Number(ask(folder, 'rev-list', '--count', 'HEAD'));
  const prefix = Number.parseInt(commit.slice(0, 8), 16) % prefixes;
  return prefix * turns + (number % turns);
}

/** @param {number} seed */
export const turnOf = (seed) => seed % turns;

/**
 * @typedef {object} Changes
 * @property {string} since What the files are compared with, in words
 * @property {string} [base] Its commit
 * @property {readonly string[]} files Paths from the root, also of deleted files
 */

/**
 * Returns the files that differ from the first of these that is another commit than the one checked out: where the branch
 * left `origin/main`, the last tag, the commit before. Files that are not committed belong to them.
 *
 * @param {string} [folder]
 * @returns {Changes}
 */
export function readChanges(folder = root) {
  const head = ask(folder, 'rev-parse', 'HEAD');
  if (head === undefined || !isRoot(folder))
    return { since: 'nothing: no Git repository', files: [] };
  const bases = [
    ['origin/main', ask(folder, 'merge-base', 'HEAD', 'origin/main')],
    ['the last tag', tagBefore(folder)],
    ['the commit before', ask(folder, 'rev-parse', '--verify', '--quiet', 'HEAD~1')],
  ];
  const [name, base = head] =
    bases.find(([, commit]) => commit !== undefined && commit !== head) ?? [];
  const since =
    name === undefined
      ? 'the only known commit: no origin/main, no tag and no commit before'
      : `${name} (${base.slice(0, 10)})`;
  const differing = linesOf(ask(folder, 'diff', '--name-only', '--no-renames', base));
  const untracked = linesOf(ask(folder, 'ls-files', '--others', '--exclude-standard'));
  return {
    since,
    ...(name !== undefined && { base }),
    files: [...new Set([...differing, ...untracked])].sort(),
  };
}

/** @param {string} folder */
function tagBefore(folder) {
  const tag = ask(folder, 'describe', '--tags', '--abbrev=0', 'HEAD~1');
  return tag === undefined ? undefined : ask(folder, 'rev-parse', `${tag}^{commit}`);
}

/** @param {string} [text] */
const linesOf = (text = '') => text.split('\n').filter((line) => line !== '');

/**
 * Whether the folder is the top of a repository: it may be unpacked inside another one.
 *
 * @param {string} folder
 */
const isRoot = (folder) => ask(folder, 'rev-parse', '--show-prefix') === '';

/**
 * Returns the output of a Git command, or `undefined` where it fails.
 *
 * @param {string} folder
 * @param {string[]} args
 */
function ask(folder, ...args) {
  const all = ['-c', 'core.quotePath=off', ...args];
  try {
    return execFileSync('git', all, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }).trimEnd();
  } catch {
    return undefined;
  }
}
