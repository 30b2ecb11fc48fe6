/** Counts the values of an introspection before it runs; the schema never changes. */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { limits } from '../outcome/limits.js';
import { findFragments } from './find-fragments.js';

/**
 * Counts the values that `fields`, all `__schema` or `__type` of a valid document, select. If a
 * variable names the type, all types count. Stops above the limit of a response.
 */
export function countIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  fields: readonly FieldNode[],
): number {
  const fragments = findFragments(document);
  const info = { schema } as GraphQLResolveInfo;
  let values = 0;

  function count(set: SelectionSetNode | undefined, type: unknown, source: unknown): void {
    if (set === undefined || source === undefined || source === null) return;
    if (!isObjectType(type)) return;
    for (const selection of set.selections) {
      if (values > limits.values) return;
      if (selection.kind === Kind.FIELD) countField(selection, type, source);
      else if (selection.kind === Kind.INLINE_FRAGMENT) count(selection.selectionSet, type, source);
      else count(fragments.get(selection.name.value)?.selectionSet, type, source);
    }
  }

  function countField(node: FieldNode, type: GraphQLObjectType, source: unknown): void {
    values++;
    const field = type.getFields()[node.name.value];
    if (node.selectionSet === undefined || field?.resolve === undefined) return;
    const found: unknown = field.resolve(source, { includeDeprecated: true }, undefined, info);
    const inner = getNamedType(field.type);
    for (const each of Array.isArray(found) ? found : [found])
      count(node.selectionSet, inner, each);
  }

  for (const node of fields) {
    values++;
    const isSchema = node.name.value === SchemaMetaFieldDef.name;
    const type = getNamedType((isSchema ? SchemaMetaFieldDef : TypeMetaFieldDef).type);
    const sources = isSchema ? [schema] : typesNamedBy(node, schema);
    for (const source of sources) count(node.selectionSet, type, source);
  }
  return values;
}

function typesNamedBy({ arguments: given = [] }: FieldNode, schema: GraphQLSchema) {
  const [name] = given;
  if (name?.value.kind === Kind.STRING) return [schema.getType(name.value.value)];
  return Object.values(schema.getTypeMap());
}
