/**
 * Changes the pure functions of some areas in every small way, and counts the
 * changes that no test notices. Those are the functions with a test beside them.
 */

import { existsSync, readdirSync } from 'node:fs';

const areas = ['auth', 'rate-limit', 'pagination', 'resources'];

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts' },
  mutate: areas.flatMap((area) => filesWithTests(`src/areas/${area}`)),
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, allowColor: false, logTests: false },
  jsonReporter: { fileName: '.stryker/mutants.json' },
  // There is none: the runner would rewrite it with a compiler's interface that TypeScript 7 lacks.
  tsconfigFile: 'none',
  tempDirName: '.stryker/sandbox',
};

/** @param {string} folder */
function filesWithTests(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file.replace('.test.ts', '.ts')}`)
    .filter((file) => existsSync(file));
}
