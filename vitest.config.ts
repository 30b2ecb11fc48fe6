import { readdirSync } from 'node:fs';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { isProxyMissing } from './test/support/haproxy-commands.js';
import { isRedisMissing } from './test/support/redis.js';

/** What a service does over HTTP, wherever its state is: an area's tests have the name of its folder. */
const areas = readdirSync(new URL('src/areas/', import.meta.url));
const overHttp = [...areas, 'clients', 'http'].map((folder) => `test/${folder}/**/*.test.ts`);

const inMemory: TestProjectConfiguration = {
  extends: true,
  test: { name: 'memory', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
};

/** The same tests against services with the state in Redis. */
const inRedis: TestProjectConfiguration = {
  extends: true,
  test: { name: 'redis', include: overHttp, globalSetup: './test/support/shared-redis.ts' },
};

/**
 * The same tests once more, each request answered by the other of two replicas behind a proxy. Without
 * those of HTTP itself, where the proxy has its own say, and of sign-ups by address, which it tells.
 */
const inReplicas: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'replicas',
    include: overHttp,
    exclude: ['test/http/**', 'test/accounts/sign-up-limits.test.ts'],
    globalSetup: './test/support/shared-redis.ts',
    provide: { replicas: 2 },
  },
};

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    coverage: {
      include: ['src/**/*.ts'],
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: { statements: 95, branches: 90, functions: 95, lines: 95 },
    },
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      inMemory,
      ...(isRedisMissing ? [] : [inRedis, ...(isProxyMissing ? [] : [inReplicas])]),
    ],
  },
});
