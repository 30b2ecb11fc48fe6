/** Adds the resolvers of fields to the schema of schema.graphql, for graphql-js. */

import {
  assertObjectType,
  assertScalarType,
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import { whenKnown } from '#base/awaitable.js';
import { pictureAddress } from '#data/picture-address.js';
import type { DocumentSize } from '../documents/measure-document.js';
import { mutations } from './mutations.js';
import { isPictureField } from './picture-fields.js';
import { type Query, queries } from './queries.js';
import { countValues, type RequestContext } from './request-context.js';
import { decimal, long } from './scalars.js';

/** Context of resolvers: the request's context, and the size of the document for counting. */
export interface ResolverContext {
  readonly request: RequestContext;
  readonly size: DocumentSize;
}

type Resolver = GraphQLFieldResolver<unknown, ResolverContext>;

export function createSchema(text: string): GraphQLSchema {
  const schema = buildSchema(text);
  for (const [name, rules] of Object.entries({ Decimal: decimal, Long: long })) {
    Object.assign(assertScalarType(schema.getType(name)), rules);
  }
  addResolvers(schema, 'Query', queries, queryResolver);
  addResolvers(
    schema,
    'Mutation',
    mutations,
    (mutate) =>
      (_source, args, { request }) =>
        mutate(args, request),
  );
  for (const type of Object.values(schema.getTypeMap())) {
    if (!('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (isPictureField(type.name, field.name)) Object.assign(field, { resolve: resolvePicture });
    }
  }
  return schema;
}

function addResolvers<Resolve>(
  schema: GraphQLSchema,
  typeName: string,
  table: Readonly<Record<string, Resolve>>,
  resolverOf: (resolve: Resolve) => Resolver,
): void {
  for (const field of Object.values(assertObjectType(schema.getType(typeName)).getFields())) {
    const resolve = table[field.name];
    if (resolve === undefined) throw new Error(`${typeName}.${field.name} has no resolver.`);
    field.resolve = resolverOf(resolve);
  }
}

function queryResolver(query: Query): Resolver {
  return (_source, args, { request, size }, { fieldNodes }) =>
    whenKnown(query(args, request), (found) => {
      if (Array.isArray(found)) countValues(request, found.length, size.fieldsBelow(fieldNodes));
      return found;
    });
}

const resolvePicture: Resolver = (source, _args, { request }, { fieldName }) =>
  pictureAddress(request.baseUrl(), (source as Readonly<Record<string, string>>)[fieldName] ?? '');
