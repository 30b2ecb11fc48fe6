import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { progressOf } from '../../scripts/progress.js';
import { recordRun } from '../../scripts/tests/red-run.js';

/** A run of fewer files prints no progress. */
const filesPerLine = 25;

/**
 * Prints what was selected, the seed of random cases and how far a long run is, keeps what failed for the next run, and
 * ends the output with one plain line that any machine can parse.
 */
export default class SummaryReporter implements Reporter {
  readonly #selection: readonly string[];

  constructor(selection: readonly string[]) {
    this.#selection = selection;
  }

  #isPartly = false;
  #ended = 0;
  #progress = progressOf('files', 0);

  onInit({ config }: Vitest): void {
    this.#isPartly = config.testNamePattern !== undefined;
    for (const line of this.#selection) console.log(line);
    console.log(`The seed of random cases is PRACTICE_SEED=${process.env.PRACTICE_SEED}.`);
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#ended = 0;
    this.#progress = progressOf('files', specifications.length);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    const line = this.#progress.begin(relativeModuleId);
    this.#ended += 1;
    if (this.#ended % filesPerLine === 0) console.log(line);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that failed to load has its own errors and no tests to count.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const { PRACTICE_RED_RUN, PRACTICE_SEED = '' } = process.env;
    // A file with a filter of names has not passed as a whole.
    if (PRACTICE_RED_RUN !== undefined && !this.#isPartly) {
      const results = modules.map((module) => ({
        file: module.relativeModuleId,
        project: module.project.name,
        state: module.state(),
      }));
      recordRun(PRACTICE_RED_RUN, PRACTICE_SEED, results);
    }
    const { passed, failed, skipped } = counts;
    // After the other reporters, which print their own summaries on the same event.
    process.once('exit', () => {
      process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    });
  }
}
