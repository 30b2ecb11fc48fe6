/**
 * A subscription has one root field, and that is none of introspection (GraphQL October 2021, section 5.2.3.1).
 * The rule of graphql-js throws where a variable decides whether a field is there.
 */

import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { findFragments } from './find-fragments.js';

export const SingleRootFieldRule: ValidationRule = (context) => ({
  OperationDefinition({ operation, selectionSet }) {
    if (operation !== 'subscription') return false;
    const groups = rootFields(findFragments(context.getDocument()), selectionSet);
    const others = [...groups.values()].slice(1).flat();
    if (others.length > 0) {
      const message = 'A subscription must select only one field. Open one subscription for each.';
      context.reportError(new GraphQLError(message, { nodes: others }));
    }
    for (const nodes of groups.values()) {
      if (!nodes[0]?.name.value.startsWith('__')) continue;
      const message = `A subscription must not select ${nodes[0].name.value}: nothing ever happens to it.`;
      context.reportError(new GraphQLError(message, { nodes }));
    }
    return false;
  },
  FragmentDefinition: () => false,
});

/** By response name, whether or not directives leave them out. */
function rootFields(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  set: SelectionSetNode,
): Map<string, FieldNode[]> {
  const groups = new Map<string, FieldNode[]>();
  const spread = new Set<string>();

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const group = groups.get(name) ?? [];
        group.push(selection);
        groups.set(name, group);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  }

  collect(set);
  return groups;
}
