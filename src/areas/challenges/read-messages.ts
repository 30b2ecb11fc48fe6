/** Reads what endpoints have parsed of GraphQL and SOAP messages: what runs, and what is inside the body. */

import type {
  ASTNode,
  DirectiveNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import type { ParsedElement } from '#http/exchange.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { jsonReceived, jsonSent, membersOf, textOf } from './checks.js';

/** A parameter of a GraphQL request, in the JSON of its body or in its query. */
export function graphqlParameter(exchange: Exchange, name: string): unknown {
  if (exchange.method === 'POST') return jsonSent(exchange)[name];
  const text = exchange.query.get(name);
  if (text === null || name === 'query' || name === 'operationName') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const variablesOf = (exchange: Exchange) =>
  membersOf(graphqlParameter(exchange, 'variables'));

type Kind = ASTNode['kind'];
const isKind = ({ kind }: ASTNode, wanted: string) => kind === (wanted as Kind);

export const operationsIn = ({ parsed }: Exchange): readonly OperationDefinitionNode[] =>
  (parsed.graphql?.definitions ?? []).filter((each): each is OperationDefinitionNode =>
    isKind(each, 'OperationDefinition'),
  );

/** Returns the operation that runs: the named one, or the only one. */
export function operationOf(exchange: Exchange): OperationDefinitionNode | undefined {
  const operations = operationsIn(exchange);
  const wanted = graphqlParameter(exchange, 'operationName');
  if (operations.length === 1) return operations[0];
  return operations.find(({ name }) => name !== undefined && name.value === wanted);
}

/** Returns the value of an argument, or of a variable in its place. */
export function givenValue(exchange: Exchange, value: ValueNode | undefined): unknown {
  if (value === undefined) return undefined;
  if (isKind(value, 'Variable')) {
    return variablesOf(exchange)[(value as { name: { value: string } }).name.value];
  }
  if (isKind(value, 'IntValue')) return Number((value as { value: string }).value);
  return (value as { value?: unknown }).value;
}

export const argumentOf = (node: FieldNode | DirectiveNode, name: string): ValueNode | undefined =>
  node.arguments?.find((each) => each.name.value === name)?.value;

/** Returns whether an argument is a variable, whose value was sent. */
export function isSentVariable(exchange: Exchange, value: ValueNode | undefined): boolean {
  return (
    value !== undefined && isKind(value, 'Variable') && givenValue(exchange, value) !== undefined
  );
}

/** Returns whether no `@skip` or `@include` leaves a selection out. */
function isSelected(exchange: Exchange, { directives = [] }: SelectionNode): boolean {
  return directives.every((directive) => {
    const condition = givenValue(exchange, argumentOf(directive, 'if'));
    if (directive.name.value === 'skip') return condition !== true;
    return directive.name.value !== 'include' || condition !== false;
  });
}

const maxExpanded = 1000;

/**
 * Returns the fields of a selection set and of its fragments, each fragment once, as an
 * executor collects them. Stops after {@link maxExpanded} selections.
 */
export function fieldsIn(
  exchange: Exchange,
  set: SelectionSetNode | undefined,
): readonly FieldNode[] {
  const fragments = fragmentsIn(exchange);
  const open: SelectionSetNode[] = set === undefined ? [] : [set];
  const used = new Set<string>();
  const fields: FieldNode[] = [];
  let count = 0;
  for (const { selections } of open) {
    for (const selection of selections) {
      count += 1;
      if (count > maxExpanded) return fields;
      if (!isSelected(exchange, selection)) continue;
      if (isKind(selection, 'Field')) fields.push(selection as FieldNode);
      else if (isKind(selection, 'InlineFragment')) {
        open.push((selection as { selectionSet: SelectionSetNode }).selectionSet);
      } else {
        const name = (selection as { name: { value: string } }).name.value;
        const fragment = used.has(name) ? undefined : fragments.get(name);
        used.add(name);
        if (fragment !== undefined) open.push(fragment.selectionSet);
      }
    }
  }
  return fields;
}

function fragmentsIn({ parsed }: Exchange): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = (parsed.graphql?.definitions ?? []).filter(
    (each): each is FragmentDefinitionNode => isKind(each, 'FragmentDefinition'),
  );
  return new Map(fragments.map((each) => [each.name.value, each]));
}

const maxFields = 20;

/** Returns the first fields of a name that the operation runs at its root. */
export const rootFields = (exchange: Exchange, name: string): readonly FieldNode[] =>
  fieldsIn(exchange, operationOf(exchange)?.selectionSet)
    .filter((field) => field.name.value === name)
    .slice(0, maxFields);

/** Returns the name of a field in the response. */
export const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/** Returns what the response has for a field at the root. */
export const resultOf = (exchange: Exchange, field: FieldNode): unknown =>
  membersOf(jsonReceived(exchange).data)[responseName(field)];

/** Returns the names of fragments that a field spreads directly. */
export const spreadsIn = ({ selectionSet }: FieldNode): readonly string[] =>
  (selectionSet?.selections ?? [])
    .filter((each) => isKind(each, 'FragmentSpread'))
    .map((each) => (each as { name: { value: string } }).name.value);

/** Returns the directives of the whole document, in one pass over its tree. */
export function directivesIn({ parsed: { graphql } }: Exchange): readonly DirectiveNode[] {
  const found: DirectiveNode[] = [];
  const open: unknown[] = [graphql?.definitions ?? []];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...[...next].reverse());
    else if (isNode(next)) {
      if (isKind(next, 'Directive')) found.push(next as DirectiveNode);
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

/** Returns the hash of a persisted document; empty without one. */
export const hashIn = (exchange: Exchange): string =>
  textOf(
    membersOf(membersOf(graphqlParameter(exchange, 'extensions')).persistedQuery).sha256Hash,
  ).toLowerCase();

const childrenOf = (element: ParsedElement | undefined, name: string) =>
  (element?.children ?? []).filter((each) => each.name === name);

/** Returns the element of the operation: the first one in the body of the envelope. */
export const callIn = ({ parsed: { xml } }: Exchange): ParsedElement | undefined =>
  childrenOf(xml, 'Body')[0]?.children[0];

/** Returns the elements of the header. */
export const headersIn = ({ parsed: { xml } }: Exchange): readonly ParsedElement[] =>
  childrenOf(xml, 'Header')[0]?.children ?? [];

/** Returns the text of a parameter of the operation; `undefined` without the parameter. */
export const parameterIn = (exchange: Exchange, name: string): string | undefined =>
  childrenOf(callIn(exchange), name)[0]?.text.trim();

export const hasChild = (element: ParsedElement, name: string): boolean =>
  childrenOf(element, name).length > 0;
