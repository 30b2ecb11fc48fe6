import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { installTestPackages } from './scripts/install-packages.js';
import { readChanges, seedOfCommit } from './scripts/tests/changes.js';
import { describeSelection, modeOf, selectTests } from './scripts/tests/select-tests.js';
import { missingPrograms, type ProgramName } from './test/support/find-program.js';
import { SlowFirst } from './test/support/slow-first.js';
import SummaryReporter from './test/support/summary-reporter.js';
import { useSourcePages } from './test/support/use-source-pages.js';

installTestPackages();

// One seed for all processes of a run, and for all runs of a commit.
process.env.PRACTICE_SEED ??= String(seedOfCommit());
const mode = modeOf(process.env, process.argv.slice(2));
if (mode === 'whole') process.env.PRACTICE_WHOLE = '1';
const seed = Number(process.env.PRACTICE_SEED);
const selection = selectTests({ mode, seed, changes: readChanges() });
const { files } = selection;

const environment = './test/support/own-environment.ts';
/** Keys are the subject of slow files only. */
const inMemory = [environment, './test/support/quick-rsa-keys.ts'];

const isAlone = isMissing('haproxy');

/** What is measured of a heap needs one that no other file has used. */
const inOwnHeap = projectOf('heap', files.heap, { isolate: true });

/** With the state in Redis, what cannot stand behind a proxy; and where there is no proxy, the rest too. */
const inRedis = projectOf('redis', [...files.redis, ...(isAlone ? files.replicas : [])], {
  globalSetup: './test/support/shared-redis.ts',
});

/** Areas with state, over a state in memory that never responds at once. */
const later = {
  ...projectOf('later', files.later, { setupFiles: inMemory }),
  resolve: {
    alias: [
      {
        find: /^\.\/memory\/memory-state\.js$/,
        replacement: fileURLToPath(new URL('test/support/memory-state-later.ts', import.meta.url)),
      },
    ],
  },
  plugins: [useSourcePages()],
};

/** Areas with state, each request answered by the other of two replicas over one Redis behind a proxy. */
const inReplicas = projectOf('replicas', files.replicas, {
  globalSetup: './test/support/shared-redis.ts',
  provide: { replicas: 2 },
});

export default defineConfig({
  resolve: {
    alias: [{ find: /^#/, replacement: fileURLToPath(new URL('src/', import.meta.url)) }],
  },
  test: {
    // Loading the service anew for each file took more time than most tests do.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // A second run of what has not changed transforms nothing: a fifth of `npm test`.
    experimental: { fsModuleCache: true },
    setupFiles: environment,
    // Tests of services in memory wait for nothing; those of programs do, half of the time.
    maxWorkers: availableParallelism() * (mode === 'fast' ? 1 : 2),
    // Far beyond what an idle machine takes: they are for what hangs, not for what is slow.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxConcurrency: 3,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      include: ['src/**/*.ts'],
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: { statements: 95, branches: 90, functions: 95, lines: 95 },
    },
    reporters: ['default', new SummaryReporter(describeSelection(selection))],
    projects: [
      {
        ...projectOf('memory', files.memory, { setupFiles: inMemory }),
        plugins: [useSourcePages()],
      },
      inOwnHeap,
      later,
      projectOf('package', files.package),
      ...(isMissing('redis') ? [] : [inRedis]),
      ...(isMissing('redis') || isAlone ? [] : [inReplicas]),
    ],
  },
});

function projectOf(
  name: string,
  include: readonly string[],
  options: UserWorkspaceConfig['test'] = {},
): UserWorkspaceConfig & { extends: true } {
  return { extends: true, test: { name, include: [...include], ...options } };
}

/** In CI their tests are there all the same, and fail when they are run without the program. */
function isMissing(program: ProgramName): boolean {
  return !process.env.CI && missingPrograms([program]).length > 0;
}
