/** Services for tests: in memory, over a shared server, or several as one, depending on the run. */

import { METHODS } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import {
  createService as createAnyService,
  type Service,
  type ServiceOptions,
} from '../../src/index.js';
import { testSandbox } from '../../src/test-sandbox.js';
import { startProxy } from './proxy.js';
import { newPrefix } from './redis.js';

/** The number of services behind one URL. */
export const replicas = inject('replicas') ?? 1;

/** Whether requests pass a proxy, which writes header names in lower case. */
export const isProxied = replicas > 1;

/**
 * Waits before a request if a proxy forwards it: on its connections, the service knows the order of a
 * response and a request only if they are more than 50 ms apart.
 */
export const afterCrossing = async (): Promise<void> => {
  if (isProxied) await sleep(60);
};

/** The methods that reach a service; a CONNECT would reach only the proxy. */
export const sendableMethods = METHODS.filter((method) => !isProxied || method !== 'CONNECT');

/** The same as the package's own, except for the store and the number of replicas. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const stateUrl = inject('stateUrl');
  if (stateUrl === undefined) return createAnyService(options);
  const shared = { stateUrl, statePrefix: newPrefix(), ...options };
  return isProxied ? createReplicas(shared) : createAnyService(shared);
}

/** Two services over one state, behind a proxy that alternates between them. */
async function createReplicas(options: ServiceOptions): Promise<Service> {
  const replicas = [
    await createAnyService({ trustProxy: true, ...options }),
    await createAnyService({ trustProxy: true, ...options }),
  ];
  const urls = replicas.map(({ url }) => url);
  const proxy = await startProxy(urls, { isAlternating: true });
  return {
    url: proxy.url,
    tlsUrl: undefined,
    ownUrls: {},
    sandbox: (name) => testSandbox(proxy.url, name),
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
      await proxy.stop();
    },
  };
}
