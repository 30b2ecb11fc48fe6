/** The endpoints of an area, for an index that cannot say anything else than what there is. */

import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.js';

export const endpointSchema = Type.Object({
  method: Type.String({
    description: 'ANY stands for all that no other endpoint of the path supports.',
  }),
  path: Type.String({ description: 'Names in braces stand for any text.' }),
  summary: Type.String(),
});

export interface ListedEndpoint {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Lists the endpoints of an area. */
export function listEndpoints(endpoints: readonly Endpoint[]): ListedEndpoint[] {
  const listed = endpoints.filter(({ methods }) => methods[0] !== 'HEAD');
  return listed.map(({ methods, path, spec }) => ({
    method: methods.length > 1 ? 'ANY' : (methods[0] ?? ''),
    path: path.replace(/:(\w+)/g, '{$1}'),
    summary: spec.summary ?? '',
  }));
}
