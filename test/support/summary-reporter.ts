import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints the seed of random cases, and ends the output with one plain line that any machine can
 * parse.
 */
export default class SummaryReporter implements Reporter {
  onInit(): void {
    console.log(`The seed of random cases is PRACTICE_SEED=${process.env.PRACTICE_SEED}.`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that failed to load has its own errors and no tests to count.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const { passed, failed, skipped } = counts;
    // After the other reporters, which print their own summaries on the same event.
    process.once('exit', () => {
      process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    });
  }
}
