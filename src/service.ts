/** THE list of what the service offers, and how one is put together and taken apart. */

import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { authArea } from './areas/auth/routes.js';
import { graphqlArea } from './areas/graphql/routes.js';
import { healthArea } from './areas/health/routes.js';
import { methodsArea } from './areas/methods/routes.js';
import { paginationArea } from './areas/pagination/routes.js';
import { picturesArea } from './areas/pictures/routes.js';
import { rateLimitArea } from './areas/rate-limit/routes.js';
import { resourceAreas } from './areas/resources/routes.js';
import { sandboxArea } from './areas/sandbox/routes.js';
import { soapArea } from './areas/soap/routes.js';
import { versioningArea } from './areas/versioning/routes.js';
import { webhooksArea } from './areas/webhooks/routes.js';
import type { Config } from './config/settings.js';
import { loadDatasets } from './data/load-datasets.js';
import type { Datasets } from './data/records.js';
import { openapiRoutes } from './openapi/openapi-routes.js';
import { RouteCatalogue } from './openapi/route-catalogue.js';
import type { Area, Services } from './server/area.js';
import { baseUrlReader, originOf } from './server/base-url.js';
import { createApp } from './server/create-app.js';
import { logFailure } from './server/error-handler.js';
import { listen } from './server/listen.js';
import { sandboxNameOf } from './server/sandbox-name.js';
import { pageRoutes } from './site/page-routes.js';
import { rootFiles } from './site/root-files.js';
import { serviceIndex } from './site/service-index.js';
import { createMemoryState } from './state/memory-state.js';
import { type Clock, sharedSandboxName } from './state/state.js';

export const areas: readonly Area[] = [
  graphqlArea,
  methodsArea,
  authArea,
  ...resourceAreas,
  paginationArea,
  rateLimitArea,
  versioningArea,
  soapArea,
  webhooksArea,
  picturesArea,
  sandboxArea,
];

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
  datasets: Datasets = loadDatasets(),
): Promise<RunningService> {
  const state = createMemoryState({ clock, maxLogBytes: config.captureBytes });
  const shared = state.sandbox(sharedSandboxName);
  const stopping = new AbortController();
  // Every answer that is held open listens.
  setMaxListeners(0, stopping.signal);
  // Links need the port that was taken, which is known once we listen.
  let baseUrlOf: Services['baseUrlOf'] = baseUrlReader(config);
  const services: Services = {
    config,
    clock,
    datasets,
    sandboxOf: ({ raw }) => {
      const name = sandboxNameOf(raw);
      return name === sharedSandboxName ? shared : state.sandbox(name);
    },
    sandboxLimits: state.limits,
    sandboxHolding: (space, key) => state.sandboxHolding(space, key),
    baseUrlOf: (request) => baseUrlOf(request),
    isReady: () => !stopping.signal.aborted && state.isReady(),
    stopping: stopping.signal,
    reportFailure: (request, error) => logFailure(log, request, error),
  };
  const catalogue = new RouteCatalogue();
  const operations = () => catalogue.operations();
  const infrastructure = [
    serviceIndex(areas, operations),
    pageRoutes,
    rootFiles(areas, operations),
    healthArea,
    openapiRoutes(catalogue),
  ];
  const routes = {
    areas: catalogue.watch(areas),
    infrastructure: catalogue.watch(infrastructure, true),
  };
  const app = await createApp(config, routes, services, log);

  const listener = await listen(config.host, config.port, app.routing);
  baseUrlOf = baseUrlReader({ ...config, port: listener.port });
  const url = originOf(config.host, listener.port);
  log.info({ url }, 'listening');

  return {
    url,
    async stop(graceMs) {
      stopping.abort();
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
