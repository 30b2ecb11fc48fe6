/**
 * How much a parsed document asks for, with its fragments spread. Each fragment is counted once and
 * its size then added wherever it is spread, so fragments that double at each level cost no more than
 * the text they are written in.
 */

import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { limits, uncountable } from '../request/limits.js';
import { findFragments } from './find-fragments.js';

export interface Size {
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
  /** The fields that ask for the schema, each as often as it is spread, up to one beyond the limit. */
  readonly introspections: readonly FieldNode[];
}

/** A document that broke no rule. */
export interface ExecutableDocument {
  readonly document: DocumentNode;
  readonly size: DocumentSize;
  /** How many values of the schema are in the response. */
  readonly introspectionValues: number;
}

export interface DocumentSize extends Size {
  /** Whether a fragment spreads itself, directly or through others. */
  readonly hasCycle: boolean;
  /** How many fields are asked of each row that these fields (of one response name) return. */
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
    if (known === 'in progress') {
      hasCycle = true;
      return nothing;
    }
    if (known !== undefined) return known;
    sizes.set(set, 'in progress');
    let fields = 0;
    let aliases = 0;
    let depth = 0;
    let introspections: readonly FieldNode[] = [];
    for (const selection of set.selections) {
      let inner: Size;
      if (selection.kind === Kind.FIELD) {
        inner = measure(selection.selectionSet);
        fields++;
        if (selection.alias !== undefined) aliases++;
        depth = Math.max(depth, inner.depth + 1);
        if (introspectionFields.has(selection.name.value)) {
          introspections = gather(introspections, [selection]);
        }
      } else {
        const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
        inner = measure((isSpread ? fragments.get(selection.name.value) : selection)?.selectionSet);
        depth = Math.max(depth, inner.depth);
      }
      fields = Math.min(uncountable, fields + inner.fields);
      aliases = Math.min(uncountable, aliases + inner.aliases);
      introspections = gather(introspections, inner.introspections);
    }
    const size = { fields, aliases, depth, introspections };
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
      introspections: gather(total.introspections, size.introspections),
    };
  }
  // Fragments that no operation spreads are rejected later, yet may form cycles of their own.
  for (const fragment of fragments.values()) measure(fragment.selectionSet);

  return {
    ...total,
    hasCycle,
    fieldsBelow: (nodes) => nodes.reduce((sum, node) => sum + measure(node.selectionSet).fields, 0),
  };
}

function gather(known: readonly FieldNode[], more: readonly FieldNode[]): readonly FieldNode[] {
  if (more.length === 0) return known;
  return [...known, ...more].slice(0, limits.introspections + 1);
}
