/** Finds the fragments of a document, and the fields of selections with their fragments. */

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Returns fragments by name: the first of equal names, as the validation does. */
export function findFragments({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = definition.name.value;
    if (!fragments.has(name)) fragments.set(name, definition);
  }
  return fragments;
}

export interface SelectedField {
  readonly node: FieldNode;
  readonly responseName: string;
  /** Type condition of the innermost fragment, if any. */
  readonly typeName: string | undefined;
}

/**
 * Finds the fields of selection sets in the order of graphql-js (GraphQL October 2021, section
 * 6.3.2), and fields of a named fragment once.
 */
export function selectedFields(
  fragments: Fragments,
  sets: readonly SelectionSetNode[],
  isLeftOut: (selection: SelectionNode) => boolean = () => false,
): readonly SelectedField[] {
  const found: SelectedField[] = [];
  const spread = new Set<string>();

  function collect({ selections }: SelectionSetNode, typeName?: string): void {
    for (const selection of selections) {
      if (isLeftOut(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        found.push({ node: selection, responseName, typeName });
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, selection.typeCondition?.name.value ?? typeName);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, fragment.typeCondition.name.value);
      }
    }
  }

  for (const set of sets) collect(set);
  return found;
}

export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** Groups fields by response name; with a type, only its fields. */
export function groupFields(
  fields: readonly SelectedField[],
  type?: string,
): ReadonlyMap<string, FieldNodes> {
  const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
  for (const { node, responseName, typeName = type } of fields) {
    if (type !== undefined && typeName !== type) continue;
    const group = groups.get(responseName);
    if (group) group.push(node);
    else groups.set(responseName, [node]);
  }
  return groups;
}
