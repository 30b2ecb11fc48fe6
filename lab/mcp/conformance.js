/**
 * Runs the official conformance suite of the Model Context Protocol against the built service, and
 * writes the results into docs/mcp/conformance.md. Exits with 1 if a check fails.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFigures } from '../harness/report.js';
import { installLab } from '../install-lab.js';
import { findNode } from './find-node.js';

installLab();
const lab = fileURLToPath(new URL('../', import.meta.url));
const requireInLab = createRequire(join(lab, 'package.json'));
const folder = dirname(requireInLab.resolve('@modelcontextprotocol/conformance/package.json'));
const suite = join(folder, 'dist/index.js');
const node = findNode();

const { createService } = await import(new URL('../../dist/index.js', import.meta.url).href);
const service = await createService();
const rows = [];
let isFailed = false;
try {
  for (const revision of ['2026-07-28', '2025-11-25']) rows.push(...(await runServer(revision)));
  rows.push(...(await runAuthorization()));
} finally {
  await service.close();
}
const head = [
  '| Revision | Scenario | Checks passed | Checks failed |',
  '| --- | --- | ---: | ---: |',
];
writeFigures(
  'docs/mcp/conformance.md',
  'conformance',
  'node lab/mcp/conformance.js',
  [...head, ...rows].join('\n'),
);
process.exit(isFailed ? 1 : 0);

/** @param {string} revision */
async function runServer(revision) {
  const url = `${service.url}/s/conformance/mcp`;
  const { output, done } = start('server', '--url', url, '--requirements', revision);
  await done;
  return rowsOf(revision, output());
}

/** Runs the scenarios of authorization servers; the user logs in at once. */
async function runAuthorization() {
  const url = `${service.url}/s/conformance/oidc`;
  const { child, output, done } = start('authorization', '--url', url, '--client-id', 'demo-spa');
  let hasLoggedIn = false;
  child.stdout.on('data', () => {
    const [, address] = /^(http\S+\/authorize\?\S+)$/m.exec(output()) ?? [];
    if (address === undefined || hasLoggedIn) return;
    hasLoggedIn = true;
    void fetch(`${address}&auto=ada`);
  });
  await done;
  return rowsOf('authorization', output());
}

/** @param {string[]} args */
function start(...args) {
  const env = { ...process.env, NO_COLOR: '1' };
  const child = spawn(node, [suite, ...args], { env, stdio: 'pipe' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  }
  return { child, output: () => text, done: once(child, 'close') };
}

/**
 * @param {string} of
 * @param {string} output
 */
function rowsOf(of, output) {
  const found = [...output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
  if (found.length === 0) throw new Error(`The suite has no results:\n${output}`);
  // A scenario of an authorization server with a warning has no check that passed.
  const isWrong = found.some(
    ([, , passed, failed]) => failed !== '0' || (of === 'authorization' && passed === '0'),
  );
  if (isWrong) {
    isFailed = true;
    console.error(output);
  }
  console.log(`${of}: ${found.length} scenarios ${isWrong ? 'FAILED' : 'passed'}`);
  return found.map(
    ([, scenario, passed, failed]) => `| ${of} | \`${scenario}\` | ${passed} | ${failed} |`,
  );
}
