/** Reads what endpoints have parsed of GraphQL and SOAP messages, in one pass over each tree. */

import type {
  ASTNode,
  DirectiveNode,
  FieldNode,
  FragmentDefinitionNode,
  FragmentSpreadNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { ParsedElement } from '../../http/exchange.js';
import type { Exchange } from '../../kit/recording/exchange-record.js';

/** The nodes that challenges look for, by kind. */
interface Nodes {
  readonly Directive: DirectiveNode;
  readonly Field: FieldNode;
  readonly FragmentDefinition: FragmentDefinitionNode;
  readonly FragmentSpread: FragmentSpreadNode;
  readonly OperationDefinition: OperationDefinitionNode;
  readonly SelectionSet: SelectionSetNode;
}

/** Returns the nodes of a kind in the GraphQL document; none if it could not be parsed. */
export function nodesOf<Kind extends keyof Nodes>(
  { parsed: { graphql } }: Exchange,
  kind: Kind,
): readonly Nodes[Kind][] {
  const found: Nodes[Kind][] = [];
  const open: unknown[] = [graphql?.definitions ?? []];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...[...next].reverse());
    else if (isNode(next)) {
      if (next.kind === (kind as string)) found.push(next as Nodes[Kind]);
      for (const [name, value] of Object.entries(next)) {
        // Locations lead to the tokens of the whole document.
        if (name !== 'loc' && typeof value === 'object' && value !== null) open.push(value);
      }
    }
  }
  return found;
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** Returns the fields of a name, wherever the document selects them. */
export const fieldsOf = (exchange: Exchange, name: string): readonly FieldNode[] =>
  nodesOf(exchange, 'Field').filter((field) => field.name.value === name);

export const operationsIn = (exchange: Exchange): readonly OperationDefinitionNode[] =>
  nodesOf(exchange, 'OperationDefinition');

/** Returns whether an argument of a field or directive is a variable. */
export const isVariable = (node: FieldNode | DirectiveNode, argument: string): boolean =>
  node.arguments?.some(
    ({ name, value }) => name.value === argument && value.kind === ('Variable' as string),
  ) ?? false;

/** Returns whether a selection has exactly the fields of these names, without aliases. */
export function selectsOnly({ selections }: SelectionSetNode, names: readonly string[]): boolean {
  const selected = selections.map((each) =>
    each.kind === ('Field' as string) && (each as FieldNode).alias === undefined
      ? (each as FieldNode).name.value
      : '',
  );
  return selected.length === names.length && names.every((name) => selected.includes(name));
}

/** Returns all elements of the XML message, the root first; none if it is not well-formed. */
export function elementsOf({ parsed: { xml } }: Exchange): readonly ParsedElement[] {
  const found = xml === undefined ? [] : [xml];
  for (const element of found) found.push(...element.children);
  return found;
}

export const elementsNamed = (exchange: Exchange, name: string): readonly ParsedElement[] =>
  elementsOf(exchange).filter((element) => element.name === name);
