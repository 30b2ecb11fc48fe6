/** The endpoints of methods: one for each path, and one for GET of Connect. */

import { type Endpoint, endpoint } from '#kit/endpoint.js';
import type { ServedMethod } from '../model/method.js';
import type { GrpcParts } from '../model/parts.js';
import { serveMethod } from './serve-call.js';

export function methodEndpoints(
  methods: readonly ServedMethod[],
  parts: GrpcParts,
): readonly Endpoint[] {
  return methods.flatMap((method) => {
    const { desc, path, isSafe } = method;
    const spec = {
      hide: true,
      summary: `Call ${desc.name}`,
      queryFaults: 'none',
      handle: serveMethod(method, parts),
    } as const;
    const posted = endpoint('POST', path, spec);
    return isSafe ? [posted, endpoint('GET', path, spec)] : [posted];
  });
}
