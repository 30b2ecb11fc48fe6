/** The endpoints of an area, for an index that cannot say anything else than what there is. */

import { Type } from 'typebox';
import type { App } from '../area.js';

export const endpointSchema = Type.Object({
  method: Type.String({
    description: 'ANY stands for all that no other endpoint of the path supports.',
  }),
  path: Type.String({ description: 'Names in braces stand for any text.' }),
  summary: Type.String(),
});

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Notes the routes as they are added. */
export function collectEndpoints(app: App): Endpoint[] {
  const endpoints: Endpoint[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (method === 'HEAD') return;
    const path = url.replace(/:(\w+)/g, '{$1}');
    endpoints.push({
      method: Array.isArray(method) ? 'ANY' : method,
      path,
      summary: schema?.summary ?? '',
    });
  });
  return endpoints;
}
