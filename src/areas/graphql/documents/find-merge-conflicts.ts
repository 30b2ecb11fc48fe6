/**
 * Checks Field Selection Merging (section 5.3.2) in linear time: without interfaces, comparing with
 * the first field is sufficient.
 */

import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  print,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { findFragments, selectedFields } from './find-fragments.js';
import { specifiedBy } from './validation-rules.js';

interface FieldGroup {
  readonly type: GraphQLObjectType;
  readonly first: FieldNode;
  /** Signature of the first field; made when there is a second. */
  signature?: string;
  readonly inner: SelectionSetNode[];
}

/**
 * Returns the first conflicts, at most `maxConflicts`. The document must have no fragment cycles.
 */
export function findMergeConflicts(
  schema: GraphQLSchema,
  document: DocumentNode,
  maxConflicts: number,
): GraphQLError[] {
  const fragments = findFragments(document);
  const conflicts: GraphQLError[] = [];
  // Operations that share a fragment share its conflicts.
  const reported = new Set<FieldNode>();

  function check(parent: GraphQLObjectType, sets: readonly SelectionSetNode[]): void {
    const groups = new Map<string, FieldGroup>();
    for (const { node, responseName, typeName } of selectedFields(fragments, sets)) {
      const type = typeName === undefined ? parent : schema.getType(typeName);
      if (!isObjectType(type)) continue;
      const group = groups.get(responseName) ?? { type, first: node, inner: [] };
      groups.set(responseName, group);
      // Fields of two types never meet in one object; another rule rejects the fragment itself.
      if (group.type !== type) continue;
      if (node.selectionSet) group.inner.push(node.selectionSet);
      const reason = conflictOf(group, node);
      if (reason === undefined || reported.has(node)) continue;
      reported.add(node);
      if (conflicts.length < maxConflicts) conflicts.push(mergeError(group, node, reason));
    }
    for (const { type, first, inner } of groups.values()) {
      if (inner.length === 0) continue;
      const field = type.getFields()[first.name.value] ?? metaFields[first.name.value];
      const innerType = field && getNamedType(field.type);
      if (isObjectType(innerType)) check(innerType, inner);
    }
  }

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const type = schema.getRootType(definition.operation);
    if (type) check(type, [definition.selectionSet]);
  }
  return conflicts;
}

/** Names that none of our types use, so selecting them elsewhere than on Query is harmless. */
const metaFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

function conflictOf(group: FieldGroup, node: FieldNode): string | undefined {
  const { first } = group;
  if (node === first) return undefined;
  if (first.name.value !== node.name.value) {
    return `"${first.name.value}" and "${node.name.value}" are different fields`;
  }
  group.signature ??= signatureOf(first);
  return signatureOf(node) === group.signature ? undefined : 'they have different arguments';
}

/** Sorts the arguments, whose order has no meaning. */
function signatureOf({ arguments: given }: FieldNode): string {
  if (!given?.length) return '';
  return given
    .map(({ name, value }) => `${name.value}:${print(value)}`)
    .sort()
    .join();
}

function mergeError({ type, first }: FieldGroup, node: FieldNode, reason: string): GraphQLError {
  const responseName = (node.alias ?? node.name).value;
  return new GraphQLError(
    `The fields "${responseName}" cannot be merged into one, because ${reason}. ` +
      `Use an alias for one of them, such as "other: ${node.name.value}".`,
    {
      nodes: [first, node],
      extensions: {
        type: type.name,
        field: node.name.value,
        responseName,
        specifiedBy: specifiedBy('Field-Selection-Merging'),
      },
    },
  );
}
