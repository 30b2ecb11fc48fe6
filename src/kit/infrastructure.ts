/** Parts of the service about itself: pages, descriptions, downloads, metrics. */

import type { Awaitable } from '#base/awaitable.js';
import type { Config } from '#config/settings.js';
import type { StateSizes } from '#state/state.js';
import type { Area } from './area.js';
import type { Endpoint } from './endpoint.js';
import type { Offers } from './offers/offers.js';
import type { RequestCounts } from './request-counts.js';
import type { RouteCatalogue } from './route-catalogue.js';
import type { Runtime } from './services.js';

/** A part without simulated faults and accounts. */
export interface Infrastructure extends Omit<Area, 'endpoints'> {
  readonly endpoints: (context: AppContext) => Awaitable<readonly Endpoint[]>;
}

export interface AppContext extends Pick<Runtime, 'config' | 'isReady'> {
  readonly areas: readonly Area[];
  readonly offers: Offers;
  readonly catalogue: RouteCatalogue;
  readonly defaults: Config;
  readonly variant: string;
  readonly metrics: MetricsSources | undefined;
}

/** Sources of metrics, each read once per scrape. */
export interface MetricsSources {
  readonly requests: RequestCounts;
  readonly connections: () => number;
  readonly heldRequests: () => number;
  readonly webSockets: () => number;
  readonly bodyBytes: () => number;
  readonly unsentBytes: () => number;
  readonly isReady: () => Awaitable<boolean>;
  /** Fails if the state is unavailable. */
  readonly stateSizes: () => Awaitable<StateSizes>;
}
