/** The endpoints of practice APIs, which are loaded when they get their first request. */

import { METHODS } from 'node:http';
import { lazily } from '#base/lazily.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import type { Listed } from './dialects.js';

/** All methods at all paths, because the original decides about those that it does not have. */
export function endpointsOf({ name, load }: Listed, services: Services): Endpoint[] {
  const respond = lazily(async () => {
    const [{ responderOf }, { dialect }] = await Promise.all([
      import('./dialect/respond.js'),
      load(),
    ]);
    return responderOf(dialect, services);
  });
  return [`/${name}`, `/${name}/*`].map((path) =>
    endpoint(METHODS, path, {
      hide: true,
      queryFaults: 'none',
      validation: 'own',
      handle: async (request, reply) => (await respond())(request, reply),
    }),
  );
}
