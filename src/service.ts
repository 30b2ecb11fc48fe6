/** THE list of what the service offers, and how one is put together and taken apart. */

import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { graphqlArea } from './areas/graphql/routes.js';
import { healthArea } from './areas/health/routes.js';
import { methodsArea } from './areas/methods/routes.js';
import type { Config } from './config.js';
import { loadDatasets } from './data/load-datasets.js';
import type { Area, Services } from './server/area.js';
import { baseUrlReader } from './server/base-url.js';
import { createApp } from './server/create-app.js';
import { listen } from './server/listen.js';
import { serviceIndex } from './site/service-index.js';
import { createMemoryState } from './state/memory-state.js';
import { type Clock, sharedSandboxName } from './state/state.js';

export const areas: readonly Area[] = [graphqlArea, methodsArea, healthArea];

export interface RunningService {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /**
   * Stops accepting, finishes what is in flight and releases everything. Connections that are still
   * open after `graceMs` milliseconds are cut.
   */
  stop(graceMs: number): Promise<void>;
}

export async function startService(
  config: Config,
  clock: Clock,
  log: Logger,
): Promise<RunningService> {
  const state = createMemoryState(clock);
  const shared = state.sandbox(sharedSandboxName);
  let isStopping = false;
  // Links need the port that was taken, which is known once we listen.
  let baseUrlOf: Services['baseUrlOf'] = baseUrlReader(config);
  const services: Services = {
    config,
    log,
    clock,
    datasets: loadDatasets(),
    sandboxOf: (_request: FastifyRequest) => shared,
    baseUrlOf: (request) => baseUrlOf(request),
    isReady: () => !isStopping && state.isReady(),
  };
  const app = await createApp(config, [serviceIndex(areas), ...areas], services, log);

  const listener = await listen(config.host, config.port, app.routing);
  baseUrlOf = baseUrlReader({ ...config, port: listener.port });
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host}:${listener.port}`;
  log.info({ url }, 'listening');

  return {
    url,
    async stop(graceMs) {
      isStopping = true;
      log.info('stopping');
      const cut = setTimeout(() => listener.closeNow(), graceMs);
      await listener.close();
      clearTimeout(cut);
      await app.close();
      await state.close();
      log.info('stopped');
    },
  };
}
