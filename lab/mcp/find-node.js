/** Finds a Node 22, which the conformance suite and some clients require. */

import { spawnSync } from 'node:child_process';

const first = 22;

/**
 * Returns a program of Node 22 or newer: this one, one of PRACTICE_NODES, or the package
 * `node`, which npm installs in its cache.
 */
export function findNode() {
  const others = (process.env.PRACTICE_NODES ?? '').split(/[\s,:]+/).filter(Boolean);
  const found = [process.execPath, ...others].find(isNewEnough);
  if (found !== undefined) return found;
  const { stdout } = spawnSync(
    'npx',
    ['--yes', '--package', `node@${first}`, '--', 'node', '-p', 'process.execPath'],
    { encoding: 'utf8' },
  );
  const installed = stdout?.trim();
  if (installed && isNewEnough(installed)) return installed;
  throw new Error(`This needs Node ${first}. Name one in PRACTICE_NODES.`);
}

/** @param {string} program */
function isNewEnough(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(stdout?.slice(1).split('.')[0]) >= first;
}
