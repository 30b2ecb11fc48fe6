/** Describes routes in Swagger 2.0. */

import { failuresOf, parametersOf, schemaOf, templateOf } from '../dialect/describe.js';
import type { Dialect, Route } from '../dialect/dialect.js';

const at = '#/definitions/';

export function describeOld(dialect: Dialect, base: string, securityDefinitions: object): object {
  const { title, summary, follows, routes, schemas = {} } = dialect;
  const { protocol, host, pathname } = new URL(base);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = {
      ...paths[path],
      [String(route.methods).toLowerCase()]: operationOf(route, schemas),
    };
  }
  const { File: _file, PetForm: _form, ...definitions } = schemas;
  const description = {
    swagger: '2.0',
    info: { title, description: summary, version: follows.version },
    host,
    basePath: pathname,
    schemes: [protocol.slice(0, -1)],
    paths,
    securityDefinitions,
    definitions,
  };
  return JSON.parse(JSON.stringify(description).replaceAll('#/components/schemas/', at));
}

function operationOf(route: Route, schemas: Readonly<Record<string, object>>): object {
  const { id, tag, summary, body, security, returns } = route;
  const { types = ['application/json'], bodyTypes = ['application/json'] } = route;
  const success = {
    description: summary,
    ...(types.length > 0 && returns && { schema: schemaOf(returns, at) }),
  };
  return {
    tags: [tag],
    summary,
    operationId: id,
    ...(body !== undefined && { consumes: bodyTypes }),
    produces: types.length === 0 ? ['application/json'] : types,
    parameters: [
      ...parametersOf(route).map(flat),
      ...(body === undefined ? [] : bodyOf(body, schemas)),
    ],
    responses: { 200: success, ...failuresOf(route) },
    ...(security !== undefined && { security }),
  };
}

/** Parameters of 2.0 have the members of their schemas. */
function flat({ schema, ...parameter }: { readonly schema: object }): object {
  return { ...parameter, ...schema, ...('items' in schema && { collectionFormat: 'multi' }) };
}

/** Each member of a form is a parameter. */
function bodyOf(
  body: NonNullable<Route['body']>,
  schemas: Readonly<Record<string, object>>,
): object[] {
  const isForm = body === 'File' || body === 'PetForm';
  if (!isForm) return [{ in: 'body', name: 'body', required: true, schema: schemaOf(body, at) }];
  const { properties } = schemas[body] as { properties: Record<string, { format?: string }> };
  return Object.entries(properties).map(([name, { format }]) => ({
    in: 'formData',
    name,
    required: false,
    type: format === 'binary' ? 'file' : 'string',
  }));
}
