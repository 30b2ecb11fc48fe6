/**
 * Allows a subscription one root field (section 5.2.3.1). The rule of graphql-js throws at
 * variables in directives.
 */

import { GraphQLError, type ValidationRule } from 'graphql';
import { findFragments, groupFields, selectedFields } from './find-fragments.js';

export const SingleRootFieldRule: ValidationRule = (context) => ({
  OperationDefinition({ operation, selectionSet }) {
    if (operation !== 'subscription') return false;
    // Counted whether or not directives exclude them.
    const fragments = findFragments(context.getDocument());
    const groups = groupFields(selectedFields(fragments, [selectionSet]));
    const others = [...groups.values()].slice(1).flat();
    if (others.length > 0) {
      const message = 'A subscription must select only one field. Open one subscription for each.';
      context.reportError(new GraphQLError(message, { nodes: others }));
    }
    for (const nodes of groups.values()) {
      const { value: name } = nodes[0].name;
      if (!name.startsWith('__')) continue;
      const message = `A subscription must not select ${name}, because it has no events.`;
      context.reportError(new GraphQLError(message, { nodes }));
    }
    return false;
  },
  FragmentDefinition: () => false,
});
