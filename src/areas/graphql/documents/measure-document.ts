/**
 * Measures the selections of a document with its fragments spread; each fragment is measured once.
 */

import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { limits, uncountable } from '../outcome/limits.js';
import { findFragments } from './find-fragments.js';

interface Size {
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
  /** Introspection fields, once per spread, up to one above the limit. */
  readonly introspections: readonly FieldNode[];
}

/** A document without faults. */
export interface ExecutableDocument {
  readonly document: DocumentNode;
  readonly size: DocumentSize;
  /** Number of schema values in the response. */
  readonly introspectionValues: number;
}

export interface DocumentSize extends Size {
  /** Whether a fragment spreads itself, directly or through others. */
  readonly hasCycle: boolean;
  /** Returns how many fields are selected of each row of these fields (of one response name). */
  readonly fieldsBelow: (nodes: readonly FieldNode[]) => number;
}

const nothing: Size = { fields: 0, aliases: 0, depth: 0, introspections: [] };

/** Fields whose selections lead through the schema itself. */
const introspectionFields = new Set(['__schema', '__type']);

export function measureDocument(document: DocumentNode): DocumentSize {
  const fragments = findFragments(document);
  const sizes = new Map<SelectionSetNode, Size | 'in progress'>();
  let hasCycle = false;

  function measure(set: SelectionSetNode | undefined): Size {
    if (set === undefined) return nothing;
    const known = sizes.get(set);
    if (known === 'in progress') hasCycle = true;
    if (known !== undefined) return known === 'in progress' ? nothing : known;
    sizes.set(set, 'in progress');
    const size = set.selections.map(measureSelection).reduce(sum, nothing);
    sizes.set(set, size);
    return size;
  }

  function measureSelection(selection: SelectionNode): Size {
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return measure(fragments.get(selection.name.value)?.selectionSet);
    }
    const isIntrospection = introspectionFields.has(selection.name.value);
    const inner = measure(selection.selectionSet);
    const own: Size = {
      fields: 1,
      aliases: selection.alias === undefined ? 0 : 1,
      depth: inner.depth + 1,
      introspections: isIntrospection ? [selection] : [],
    };
    return sum(own, inner);
  }

  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const total = operations
    .map((operation) => measure('selectionSet' in operation ? operation.selectionSet : undefined))
    .reduce(sum, nothing);
  // Fragments without a spread are rejected later, but may contain cycles.
  for (const fragment of fragments.values()) measure(fragment.selectionSet);

  return {
    ...total,
    hasCycle,
    fieldsBelow: (nodes) => nodes.reduce((sum, node) => sum + measure(node.selectionSet).fields, 0),
  };
}

function sum(one: Size, other: Size): Size {
  return {
    fields: Math.min(uncountable, one.fields + other.fields),
    aliases: Math.min(uncountable, one.aliases + other.aliases),
    depth: Math.max(one.depth, other.depth),
    introspections:
      other.introspections.length === 0
        ? one.introspections
        : [...one.introspections, ...other.introspections].slice(0, limits.introspections + 1),
  };
}
