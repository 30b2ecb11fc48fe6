/** A server for all test files of a run; each service uses separate keys in it. */

import type { TestProject } from 'vitest/node';
import { startRedis } from './redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The store for services of tests; undefined means memory. */
    readonly stateUrl: string | undefined;
    /** The number of services behind one URL. */
    readonly replicas: number;
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const server = await startRedis();
  project.provide('stateUrl', server.url);
  return () => server.close();
}
