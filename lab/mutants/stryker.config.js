/**
 * Mutates the pure functions of some areas, and counts mutants that no test notices. Only functions
 * with a test file next to them are mutated.
 */

import { existsSync, readdirSync } from 'node:fs';

const areas = ['auth', 'rate-limit', 'pagination', 'data'];

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts' },
  mutate: areas.flatMap((area) => filesWithTests(`src/areas/${area}`)),
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, allowColor: false, logTests: false },
  jsonReporter: { fileName: '.stryker/mutants.json' },
  // No config, because the runner would rewrite it with a compiler interface that TypeScript 7
  // lacks.
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
