/** A server for all test files of a run; each service in it has keys of its own. */

import type { TestProject } from 'vitest/node';
import { startRedis } from './redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where services of tests keep their state; in memory without it. */
    readonly stateUrl: string | undefined;
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const server = await startRedis();
  project.provide('stateUrl', server.url);
  return () => server.close();
}
