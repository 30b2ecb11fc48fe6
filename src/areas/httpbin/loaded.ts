/** The part of the area that its first request loads. */

import { type Endpoint, endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { digestAuth } from './auth.js';
import { listEndpoints } from './index-page.js';
import { mount, type Row } from './spec.js';
import { table } from './table.js';

export async function endpoints({ runtime, limits }: Services): Promise<readonly Endpoint[]> {
  const rows = table(limits.held, await digestAuth(runtime));
  return [listEndpoints(rows), ...rows.flatMap(endpointsOf)];
}

/** GET includes HEAD, even if a path has other methods too. */
function endpointsOf([methods, path, spec, examples]: Row): Endpoint[] {
  const isApart = typeof methods !== 'string' && !methods.includes('HEAD');
  const groups = isApart ? methods : [methods];
  return groups.map((each) =>
    endpoint(each, mount + path, examples ? { ...spec, examples } : spec),
  );
}
