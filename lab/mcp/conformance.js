/**
 * Runs the official conformance suite of the Model Context Protocol against the built service, and
 * writes the results into docs/mcp/conformance.md. Exits with 1 if a check fails.
 */

import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { writeSection } from '../../scripts/write-section.js';
import { installLab } from '../install-lab.js';

installLab();
const lab = fileURLToPath(new URL('../', import.meta.url));
const requireInLab = createRequire(join(lab, 'package.json'));
const folder = dirname(requireInLab.resolve('@modelcontextprotocol/conformance/package.json'));
const suite = join(folder, 'dist/index.js');
const node = findNode();
if (node === undefined) {
  console.log('The MCP conformance suite needs Node 22. Name one in PRACTICE_NODES.');
  process.exit(0);
}

const { createService } = await import(new URL('../../dist/index.js', import.meta.url).href);
const service = await createService();
const rows = [];
let isFailed = false;
try {
  for (const revision of ['2026-07-28', '2025-11-25']) rows.push(...(await runSuite(revision)));
} finally {
  await service.close();
}
const head = [
  '| Revision | Scenario | Checks passed | Checks failed |',
  '| --- | --- | ---: | ---: |',
];
writeSection('docs/mcp/conformance.md', 'conformance', [...head, ...rows].join('\n'));
process.exit(isFailed ? 1 : 0);

/** @param {string} revision */
async function runSuite(revision) {
  const url = `${service.url}/s/conformance/mcp`;
  const program = node ?? process.execPath;
  const args = [suite, 'server', '--url', url, '--requirements', revision];
  const child = spawn(program, args, { env: { ...process.env, NO_COLOR: '1' }, stdio: 'pipe' });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const found = [...stdout.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
  if (found.length === 0) throw new Error(`The suite has no results:\n${stdout}${stderr}`);
  if (found.some(([, , , failed]) => failed !== '0')) {
    isFailed = true;
    console.error(stdout);
  }
  return found.map(
    ([, scenario, passed, failed]) => `| ${revision} | \`${scenario}\` | ${passed} | ${failed} |`,
  );
}

/** Returns a program of Node 22 or newer. */
function findNode() {
  const others = (process.env['PRACTICE_NODES'] ?? '').split(/[\s,:]+/).filter(Boolean);
  return [process.execPath, ...others].find((program) => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    return Number(stdout?.slice(1).split('.')[0]) >= 22;
  });
}
