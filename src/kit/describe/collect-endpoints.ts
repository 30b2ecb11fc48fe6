/** Lists the endpoints of an area for an index, from the routes themselves. */

import { Type } from 'typebox';
import { routeTemplate } from '#http/address/route-path.js';
import type { AnySpec, Endpoint } from '../endpoint.js';
import { nameOperation } from './name-operation.js';

export const endpointSchema = Type.Object({
  method: Type.String({
    description: 'ANY means all methods without a separate endpoint.',
  }),
  path: Type.String({ description: 'Names in braces are placeholders for any text.' }),
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
    path: routeTemplate(path),
    summary: spec.summary ?? '',
  }));
}

/**
 * Returns the described method of an endpoint that accepts any: POST if it reads a body, because
 * GET cannot have bodies in OpenAPI.
 */
export function shownMethod({ body, bodies }: AnySpec): string {
  return body === undefined && bodies === undefined ? 'GET' : 'POST';
}

/** Returns the `operationId` of an endpoint of one method, or of any. */
export function operationOf({ methods, path, spec }: Endpoint): string {
  const method = methods.length > 1 ? shownMethod(spec) : (methods[0] ?? '');
  return nameOperation(method, spec.describedAs ?? path);
}
