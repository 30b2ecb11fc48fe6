/** Puts the counts of Stryker into docs/robustness.md. */

import { readFileSync } from 'node:fs';
import { writeSection } from '../../scripts/write-section.js';
import { table } from '../harness/report.js';

export function recordMutants() {
  /** @type {{files: Record<string, {mutants: {status: string}[]}>}} */
  const { files } = JSON.parse(
    readFileSync(new URL('../../.stryker/mutants.json', import.meta.url), 'utf8'),
  );

  /** @type {Map<string, {noticed: number, all: number}>} */
  const scores = new Map();
  for (const [file, { mutants }] of Object.entries(files)) {
    const [, area = ''] = /src\/areas\/([\w-]+)\//.exec(file) ?? [];
    for (const name of [area, 'all']) {
      const score = scores.get(name) ?? { noticed: 0, all: 0 };
      const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout');
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
  writeSection('docs/robustness.md', 'mutants', table(headings, rows));
}
