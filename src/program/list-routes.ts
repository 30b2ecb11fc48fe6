/** Prints the endpoints of late areas as JSON, for the build: `scripts/build-routes.js`. */

import { type ListedEndpoint, type ListedRoutes, listEndpoints } from '#app/late-endpoints.js';
import { createLog } from '#app/request-log.js';
import { configFrom } from '#config/config.js';
import { variantOf } from '#config/variant.js';
import type { Area } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import { RouteCatalogue } from '#kit/route-catalogue.js';
import { settings, startService } from '#service.js';

class ListedCatalogue extends RouteCatalogue {
  readonly areas: Record<string, readonly ListedEndpoint[]> = {};

  override add(area: Area, endpoints: readonly Endpoint[]): void {
    if (area.isLate) this.areas[area.name] = listEndpoints(endpoints);
  }
}

async function run(): Promise<void> {
  const variants: Record<string, string> = {};
  for (const accounts of ['open', 'required'] as const) {
    for (const metrics of ['on', 'off'] as const) {
      const config = configFrom(settings, { accounts, metrics });
      const catalogue = new ListedCatalogue();
      const service = await startService(config, createLog('silent'), { catalogue });
      await service.stop(0);
      variants[variantOf(settings, config)] = JSON.stringify(catalogue.areas);
    }
  }
  const [areas = '{}', ...others] = Object.values(variants);
  if (others.some((each) => each !== areas)) {
    throw new Error('Endpoints of late areas differ between variants.');
  }
  const listed: ListedRoutes = { variants: Object.keys(variants), areas: JSON.parse(areas) };
  console.log(JSON.stringify(listed));
}

run();
