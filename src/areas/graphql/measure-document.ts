/**
 * How much a parsed document asks for, with its fragments spread. Each fragment is counted once and
 * its size then added wherever it is spread, so fragments that double at each level cost no more than
 * the text they are written in.
 */

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { uncountable } from './limits.js';

export interface Size {
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
}

export interface DocumentSize extends Size {
  /** Whether a fragment spreads itself, directly or through others. */
  readonly hasCycle: boolean;
  /** How many fields are asked of each row that these fields (of one response name) return. */
  readonly fieldsBelow: (nodes: readonly FieldNode[]) => number;
}

const nothing: Size = { fields: 0, aliases: 0, depth: 0 };

/** Fields whose selections lead through the schema itself, which is deep by nature. */
const introspectionFields = new Set(['__schema', '__type']);

export function measureDocument(document: DocumentNode): DocumentSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    // The first of several that share a name, as the validation does.
    const name = definition.name.value;
    if (!fragments.has(name)) fragments.set(name, definition);
  }
  const sizes = new Map<SelectionSetNode, Size | 'in progress'>();
  let hasCycle = false;

  function measure(set: SelectionSetNode | undefined): Size {
    if (set === undefined) return nothing;
    const known = sizes.get(set);
    if (known === 'in progress') {
      hasCycle = true;
      return nothing;
    }
    if (known !== undefined) return known;
    sizes.set(set, 'in progress');
    let fields = 0;
    let aliases = 0;
    let depth = 0;
    for (const selection of set.selections) {
      let inner: Size;
      if (selection.kind === Kind.FIELD) {
        inner = measure(selection.selectionSet);
        fields++;
        if (selection.alias !== undefined) aliases++;
        const isIntrospection = introspectionFields.has(selection.name.value);
        depth = Math.max(depth, isIntrospection ? 1 : inner.depth + 1);
      } else {
        const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
        inner = measure((isSpread ? fragments.get(selection.name.value) : selection)?.selectionSet);
        depth = Math.max(depth, inner.depth);
      }
      fields = Math.min(uncountable, fields + inner.fields);
      aliases = Math.min(uncountable, aliases + inner.aliases);
    }
    const size = { fields, aliases, depth };
    sizes.set(set, size);
    return size;
  }

  let total = nothing;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measure(definition.selectionSet);
    total = {
      fields: Math.min(uncountable, total.fields + size.fields),
      aliases: Math.min(uncountable, total.aliases + size.aliases),
      depth: Math.max(total.depth, size.depth),
    };
  }
  // Fragments that no operation spreads are refused later, yet may form cycles of their own.
  for (const fragment of fragments.values()) measure(fragment.selectionSet);

  return {
    ...total,
    hasCycle,
    fieldsBelow: (nodes) => nodes.reduce((sum, node) => sum + measure(node.selectionSet).fields, 0),
  };
}
