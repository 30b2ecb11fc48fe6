/**
 * Field Selection Merging (GraphQL October 2021, section 5.3.2) in time linear in the fields of a
 * document. All our types are object types, so fields of one response name merge when they are the
 * same field with the same arguments: it is enough to compare each with the first, where graphql-js
 * compares each with each and gives up on long documents.
 */

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
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
import { specifiedBy } from './specified-by.js';

interface Scope {
  readonly type: GraphQLObjectType;
  readonly selections: SelectionSetNode;
}

interface FieldGroup {
  readonly type: GraphQLObjectType;
  readonly first: FieldNode;
  /** Of the first; made when there is a second. */
  signature?: string;
  readonly inner: SelectionSetNode[];
}

/** The first conflicts, at most `maxConflicts`. The document must be free of fragment cycles. */
export function findMergeConflicts(
  schema: GraphQLSchema,
  document: DocumentNode,
  maxConflicts: number,
): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    if (!fragments.has(definition.name.value)) fragments.set(definition.name.value, definition);
  }
  const conflicts: GraphQLError[] = [];
  // Operations that share a fragment share its conflicts.
  const reported = new Set<FieldNode>();

  function objectType(name: string): GraphQLObjectType | undefined {
    const type = schema.getType(name);
    return isObjectType(type) ? type : undefined;
  }

  function collect(scope: Scope, groups: Map<string, FieldGroup>, visited: Set<string>): void {
    for (const selection of scope.selections.selections) {
      if (selection.kind === Kind.FIELD) {
        addField(scope.type, selection, groups);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        const type = condition === undefined ? scope.type : objectType(condition);
        if (type) collect({ type, selections: selection.selectionSet }, groups, visited);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        const type = fragment && objectType(fragment.typeCondition.name.value);
        if (type) collect({ type, selections: fragment.selectionSet }, groups, visited);
      }
    }
  }

  function addField(
    type: GraphQLObjectType,
    node: FieldNode,
    groups: Map<string, FieldGroup>,
  ): void {
    const responseName = (node.alias ?? node.name).value;
    const group = groups.get(responseName);
    if (group === undefined) {
      const inner = node.selectionSet ? [node.selectionSet] : [];
      groups.set(responseName, { type, first: node, inner });
      return;
    }
    // Fields of two types never meet in one object: the fragment itself is rejected, by its own rule.
    if (group.type !== type) return;
    if (node.selectionSet) group.inner.push(node.selectionSet);
    const reason = conflictOf(group, node);
    if (reason === undefined || reported.has(node)) return;
    reported.add(node);
    if (conflicts.length < maxConflicts) conflicts.push(mergeError(group, node, reason));
  }

  function check(scopes: readonly Scope[]): void {
    const groups = new Map<string, FieldGroup>();
    const visited = new Set<string>();
    for (const scope of scopes) collect(scope, groups, visited);
    for (const { type, first, inner } of groups.values()) {
      if (inner.length === 0) continue;
      const field = type.getFields()[first.name.value] ?? metaFields[first.name.value];
      const innerType = field && getNamedType(field.type);
      if (!isObjectType(innerType)) continue;
      check(inner.map((selections) => ({ type: innerType, selections })));
    }
  }

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const type = schema.getRootType(definition.operation);
    if (type) check([{ type, selections: definition.selectionSet }]);
  }
  return conflicts;
}

/** By names that no type of ours uses, so that asking for them elsewhere than on Query is harmless. */
const metaFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

function conflictOf(group: FieldGroup, node: FieldNode): string | undefined {
  const { first } = group;
  if (first.name.value !== node.name.value) {
    return `"${first.name.value}" and "${node.name.value}" are different fields`;
  }
  group.signature ??= signatureOf(first);
  return signatureOf(node) === group.signature ? undefined : 'they have different arguments';
}

/** The arguments in an order of their own, since theirs carries no meaning. */
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
      `Give one of them an alias, such as "other: ${node.name.value}".`,
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
