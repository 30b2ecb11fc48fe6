/**
 * `npm run mutants`: runs Stryker with `stryker.config.js`, and puts its counts into
 * docs/robustness.md.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table, writeFigures } from '../harness/report.js';
import { installLab } from '../install-lab.js';

installLab();
const root = new URL('../../', import.meta.url);
const program = 'lab/node_modules/@stryker-mutator/core/bin/stryker.js';
const args = [program, 'run', 'lab/mutants/stryker.config.js'];
const { status } = spawnSync(process.execPath, args, {
  cwd: fileURLToPath(root),
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

/** @type {{files: Record<string, {mutants: {status: string}[]}>}} */
const { files } = JSON.parse(readFileSync(new URL('.stryker/mutants.json', root), 'utf8'));
/** @type {Map<string, {noticed: number, all: number}>} */
const scores = new Map();
for (const [file, { mutants }] of Object.entries(files)) {
  const [, area = ''] = /src\/areas\/([\w-]+)\//.exec(file) ?? [];
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  for (const name of [area, 'all']) {
    const score = scores.get(name) ?? { noticed: 0, all: 0 };
    score.noticed += noticed.length;
    score.all += mutants.length;
    scores.set(name, score);
  }
}
const rows = [...scores]
  .sort(([a], [b]) => Number(a === 'all') - Number(b === 'all'))
  .map(([name, { noticed, all }]) => {
    return [name, String(all), String(noticed), `${((noticed / all) * 100).toFixed(1)} %`];
  });
const headings = ['area', 'mutants:', 'noticed:', 'score:'];
writeFigures('docs/robustness.md', 'mutants', 'npm run mutants', table(headings, rows));
