/** Describes a practice API in OpenAPI 3.0, from its routes. */

import type { Dialect, Route, Shape } from './dialect.js';

const json = ['application/json'];

export function describeDialect({
  title,
  summary,
  follows,
  routes,
  schemas = {},
}: Dialect): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = templateOf(route.path);
    const item = paths[path] ?? {};
    paths[path] = item;
    for (const [place, method] of route.methods.entries()) {
      const id = place === 0 ? route.id : `${route.id}By${method}`;
      item[method.toLowerCase()] = operationOf({ ...route, id });
    }
  }
  return {
    openapi: '3.0.3',
    info: { title, description: summary, version: follows.version },
    paths,
    components: { schemas },
  };
}

export const templateOf = (path: string) =>
  path.replace(/:(\w+)/g, '{$1}').replace('/*', '/{rest}');

/** Returns a schema; `Pet[]` is a list of the dialect's schema `Pet`. */
export function schemaOf(shape: Shape, at = '#/components/schemas/'): object {
  if (typeof shape !== 'string') return shape;
  if (shape.endsWith('[]')) return { type: 'array', items: schemaOf(shape.slice(0, -2), at) };
  return /^[A-Z]/.test(shape) ? { $ref: at + shape } : { type: shape };
}

export function operationOf(route: Route): object {
  const { summary, id, tag, body, returns = {}, types = json, status = 200, security } = route;
  const shown = (shape: Shape, kinds: readonly string[]) =>
    Object.fromEntries(kinds.map((type) => [type, { schema: schemaOf(shape) }]));
  return {
    ...(tag !== undefined && { tags: [tag] }),
    summary,
    operationId: id,
    parameters: parametersOf(route),
    ...(body !== undefined && {
      requestBody: { required: true, content: shown(body, route.bodyTypes ?? json) },
    }),
    responses: {
      [status]: {
        description: summary,
        ...(types.length > 0 && { content: shown(returns, types) }),
      },
      ...failuresOf(route),
    },
    ...(security !== undefined && { security }),
  };
}

/** The parameters of a path have names that end with `Id` if they are numbers. */
export function parametersOf({ path, query = {}, headers = {} }: Route) {
  const inPath = [...templateOf(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /Id$/.test(name) ? { type: 'integer', format: 'int64' } : { type: 'string' },
  }));
  const others = Object.entries({ query, header: headers }).flatMap(([place, fields]) =>
    Object.entries(fields).map(([name, shape]) => {
      return { name, in: place, required: false, schema: schemaOf(shape) };
    }),
  );
  return [...inPath, ...others];
}

export const failuresOf = ({ fails = {} }: Route) =>
  Object.fromEntries(Object.entries(fails).map(([code, description]) => [code, { description }]));
