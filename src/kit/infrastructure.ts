/** What a part of the service is that tells of the rest: pages, descriptions, downloads, metrics. */

import type { Awaitable } from '../base/awaitable.js';
import type { Config } from '../config/settings.js';
import type { StateSizes } from '../state/state.js';
import type { App } from './app.js';
import type { Area, Services } from './area.js';
import type { Endpoint } from './endpoint.js';
import type { RequestCounts } from './request-counts.js';
import type { RouteCatalogue } from './route-catalogue.js';

/** No faults are simulated there, and no account is needed. */
export interface Infrastructure extends Omit<Area, 'addRoutes' | 'endpoints'> {
  readonly endpoints?: (premises: Premises) => Awaitable<readonly Endpoint[]>;
  readonly addRoutes?: (app: App, premises: Premises) => void | Promise<void>;
}

export interface Premises extends Services {
  readonly areas: readonly Area[];
  /** Has all routes once all areas have added theirs. */
  readonly catalogue: RouteCatalogue;
  /** The settings of a service that is told nothing; recorded calls are of one. */
  readonly defaults: Config;
  /** Names what the description depends on; see `src/config/variant.ts`. */
  readonly variant: string;
  /** What there is to count; none where nobody asks for it. */
  readonly metrics: MetricsSources | undefined;
}

/** Where figures come from; each is asked once per scrape. */
export interface MetricsSources {
  readonly requests: RequestCounts;
  /** Open connections. */
  readonly connections: () => number;
  /** Requests whose answers wait or go on without end. */
  readonly heldRequests: () => number;
  /** Open WebSockets. */
  readonly webSockets: () => number;
  /** What request bodies hold while they arrive and are worked on. */
  readonly bodyBytes: () => number;
  /** What clients have yet to take of their answers. */
  readonly unsentBytes: () => number;
  readonly isReady: () => Awaitable<boolean>;
  /** Fails when the state cannot be reached. */
  readonly stateSizes: () => Awaitable<StateSizes>;
}
