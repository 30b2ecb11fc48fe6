import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { installTestPackages } from './scripts/install-packages.js';
import { everyNth, isWhole } from './test/support/every-third.js';
import { missingPrograms, type ProgramName } from './test/support/find-program.js';
import { SlowFirst } from './test/support/slow-first.js';

installTestPackages();

// One seed for all processes of a run.
process.env.PRACTICE_SEED ??= String(Date.now() % 2 ** 31);
// Whoever names files wants to know all of them.
if (process.argv.some((argument) => /^(?:src|test)\//.test(argument)))
  process.env.PRACTICE_WHOLE = '1';

/**
 * Files that need seconds are named `*.slow.test.ts`. A run has the tenth of them that its seed
 * chooses, and CI two tenths; with PRACTICE_SLOW=none it has none, as `npm test`.
 */
const slow = ['src', 'test'].flatMap(testFilesIn).filter((file) => file.includes('.slow.'));
const tenths = process.env.CI ? 2 : 1;
const chosenSlow =
  process.env.PRACTICE_SLOW === 'none' && !isWhole() ? [] : everyNth(slow, 10, tenths);
const leftOut = slow.filter((file) => !chosenSlow.includes(file));

/** An area's tests over HTTP are in the folder of its name. */
const areas = readdirSync('src/areas').filter((area) => existsSync(`test/${area}`));
const testsOf = (folders: readonly string[]) =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);
const overHttp = testsOf([...areas, 'wire', 'growth']);

/** Only what an area keeps in the state can differ by where that is. */
const areasWithState = areas.filter(keepsState);

/** Thousands of random cases are about the rules, which are the same wherever the state is. */
const properties = 'test/**/*.property.test.ts';
/** Bytes on a connection to a service that keeps nothing of them: the same wherever the state is. */
const wires = 'test/**/*.wire.test.ts';
const heap = ['src/state/rows/heap-bytes.test.ts', 'src/areas/data/own/own-heap.slow.test.ts'];
const serverOfState = 'src/**/redis-*.test.ts';

/** Rules, and services in memory: nothing to install, nothing to build. */
const inMemory: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'memory',
    include: ['src/**/*.test.ts', ...overHttp],
    exclude: [serverOfState, ...heap, ...leftOut],
  },
};

/** What is measured of a heap needs one that no other file has used. */
const inOwnHeap: TestProjectConfiguration = {
  extends: true,
  test: { name: 'heap', include: heap, exclude: leftOut, isolate: true },
};

/**
 * What keeps something, over a state in memory that never responds at once: finds a missing `await` without a server.
 */
const later: TestProjectConfiguration = {
  extends: true,
  resolve: {
    alias: [
      {
        find: /^\.\/memory\/memory-state\.js$/,
        replacement: fileURLToPath(new URL('test/support/memory-state-later.ts', import.meta.url)),
      },
    ],
  },
  test: {
    name: 'later',
    include: testsOf(areasWithState),
    exclude: [properties, wires, ...leftOut],
  },
};

/** The package, its pages and its documents, and the programs of others that use it. */
const inPackage: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'package',
    include: ['test/**/*.test.ts', serverOfState],
    exclude: [...overHttp, ...leftOut, 'test/node_modules/**'],
  },
};

/** The proxy of the replicas tells the addresses of clients. */
const byAddress = 'test/accounts/sign-up-limits.test.ts';

const isAlone = isMissing('haproxy');

/**
 * With the state in Redis, what cannot stand behind a proxy: all else is shown by the replicas, where there can
 * be any.
 */
const inRedis: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'redis',
    include: isAlone ? chosenOf(areasWithState) : [byAddress],
    exclude: [properties, wires],
    globalSetup: './test/support/shared-redis.ts',
  },
};

/**
 * What keeps something, each request answered by the other of two replicas over one Redis behind a proxy: of its files a
 * fifth, which the seed of the run chooses, and all of them in the deep run or where files are named.
 */
const inReplicas: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'replicas',
    include: chosenOf(areasWithState),
    exclude: [properties, wires, byAddress, ...leftOut],
    globalSetup: './test/support/shared-redis.ts',
    provide: { replicas: 2 },
  },
};

export default defineConfig({
  test: {
    // Loading the service anew for each file took more time than most tests do.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // A second run of what has not changed transforms nothing: a fifth of `npm test`.
    experimental: { fsModuleCache: true },
    setupFiles: './test/support/own-environment.ts',
    // Tests of services in memory wait for nothing; those of programs do, half of the time.
    maxWorkers: availableParallelism() * (process.env.PRACTICE_SLOW === 'none' ? 1 : 2),
    // Far beyond what an idle machine takes: they are for what hangs, not for what is slow.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    coverage: {
      include: ['src/**/*.ts'],
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: { statements: 95, branches: 90, functions: 95, lines: 95 },
    },
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      inMemory,
      inOwnHeap,
      later,
      inPackage,
      ...(isMissing('redis') ? [] : [inRedis]),
      ...(isMissing('redis') || isAlone ? [] : [inReplicas]),
    ],
  },
});

/** Which tests of areas this run runs before replicas. */
function chosenOf(folders: string[]): string[] {
  return [
    ...everyNth(
      folders.flatMap((folder) => testFilesIn(`test/${folder}`)),
      5,
    ),
  ];
}

function testFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** In CI their tests are there all the same, and fail when they are run without the program. */
function isMissing(program: ProgramName): boolean {
  return !process.env.CI && missingPrograms([program]).length > 0;
}

/** Whether its sources change anything in a sandbox. */
function keepsState(area: string): boolean {
  const folder = `src/areas/${area}`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.some((file) => {
    return (
      file.endsWith('.ts') &&
      /from '(?:\.\.\/)+state\//.test(readFileSync(`${folder}/${file}`, 'utf8'))
    );
  });
}
