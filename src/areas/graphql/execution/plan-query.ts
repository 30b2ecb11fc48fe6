/**
 * Plans that write the response of a successful query. In all other cases they throw, and
 * graphql-js executes the query.
 */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';
import type { Awaitable } from '#base/awaitable.js';
import { ResponseMemory } from '#http/caching/response-memory.js';
import { findFragments, groupFields, selectedFields } from '../documents/find-fragments.js';
import type { ExecutableDocument } from '../documents/measure-document.js';
import { type Body, maxWholeBytes } from '../outcome/outcome.js';
import { type Arguments, type Query, queries } from './queries.js';
import { countValues, type RequestContext } from './request-context.js';
import { type Compilation, checkLength, fieldWriter, type Writer } from './write-fields.js';

/**
 * Writes the response of one execution; throws or rejects if graphql-js must execute it instead.
 */
type Plan = (variables: Arguments, context: RequestContext) => Awaitable<Body>;

/** Plans per operation; a document with more @skip and @include variables runs without plans. */
const maxPlans = 8;

/** Memory of a field in a plan: its part, its label and the functions that write it. */
const bytesPerField = 800;

/** Returns the approximate bytes of all possible plans of a document. */
export function weighPlans({ document, size }: ExecutableDocument): number {
  const plans = Math.min(maxPlans, 2 ** findSwitches(document).length);
  return plans * size.fields * bytesPerField;
}

/** Plans of one operation, by the effect of its variables on @skip and @include. */
export class OperationPlans {
  readonly #schema: GraphQLSchema;
  readonly #document: ExecutableDocument;
  readonly #operation: OperationDefinitionNode;
  readonly #switches: readonly string[];
  readonly #plans = new Map<string, Plan | undefined>();

  constructor(
    schema: GraphQLSchema,
    document: ExecutableDocument,
    operation: OperationDefinitionNode,
  ) {
    this.#schema = schema;
    this.#document = document;
    this.#operation = operation;
    this.#switches = findSwitches(document.document);
  }

  /** Returns `undefined` if a plan is not worth its cost. */
  planFor(variables: Arguments): Plan | undefined {
    const key = this.#switches.map((name) => variables[name]).join();
    const known = this.#plans.get(key);
    if (known !== undefined || this.#plans.has(key)) return known;
    if (this.#plans.size >= maxPlans) return undefined;
    const plan = compile(this.#schema, this.#document, this.#operation, variables);
    this.#plans.set(key, plan);
    return plan;
  }
}

/** Returns the variables that include or skip fields. */
function findSwitches(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      visit(directive, { Variable: ({ name }) => void names.add(name.value) });
    },
  });
  return [...names];
}

interface RootField {
  /** The response name as JSON, with a colon. */
  readonly label: string;
  readonly query: Query;
  readonly argumentsOf: (variables: Arguments) => Arguments;
  readonly fieldsBelow: number;
  readonly write: Writer;
}

interface Compiled {
  /** Fields, and the texts of constant ones. */
  readonly roots: readonly (RootField | string)[];
  readonly placeCount: number;
  readonly hasPictures: boolean;
  readonly hasLists: boolean;
}

/** Only the variables of directives may be used. */
function compile(
  schema: GraphQLSchema,
  { document, size }: ExecutableDocument,
  operation: OperationDefinitionNode,
  variables: Arguments,
): Plan | undefined {
  const type = schema.getRootType(operation.operation);
  if (!type || operation.operation === 'mutation') return undefined;
  const compilation: Compilation = {
    fragments: findFragments(document),
    isLeftOut: leavesOut(variables),
    hasPictures: false,
    hasLists: false,
  };
  const { fragments, isLeftOut } = compilation;
  const selected = selectedFields(fragments, [operation.selectionSet], isLeftOut);
  const roots: (RootField | string)[] = [];
  for (const [responseName, nodes] of groupFields(selected, type.name)) {
    const label = `${JSON.stringify(responseName)}:`;
    const name = nodes[0].name.value;
    if (name === '__typename') {
      roots.push(`${label}${JSON.stringify(type.name)}`);
      continue;
    }
    const field = type.getFields()[name];
    const query = operation.operation === 'query' ? queries[name] : eventOf(name);
    // An introspection field, which graphql-js resolves.
    if (!field || !query) return undefined;
    roots.push({
      label,
      query,
      argumentsOf: compileArguments(field, nodes[0]),
      fieldsBelow: size.fieldsBelow(nodes),
      write: fieldWriter(compilation, field.type, nodes),
    });
  }
  const placeCount = roots.filter((root) => typeof root !== 'string').length;
  const { hasPictures, hasLists } = compilation;
  return planOf({ roots, placeCount, hasPictures, hasLists });
}

function planOf(compiled: Compiled): Plan {
  return (variables, context) => {
    const values = compiled.roots.map((root) =>
      typeof root === 'string' ? undefined : root.query(root.argumentsOf(variables), context),
    );
    return values.some((value) => value instanceof Promise)
      ? Promise.all(values).then((known) => writeData(compiled, known, context))
      : writeData(compiled, values, context);
  };
}

/** Returns the value of a subscription's field, which is known before execution. */
function eventOf(name: string): Query {
  return (_args, { event }) => event?.[name] as object;
}

/** Returns a function that evaluates @skip and @include of a selection. */
export function leavesOut(variables: Arguments): (selection: SelectionNode) => boolean {
  return (node) =>
    node.directives !== undefined &&
    node.directives.length > 0 &&
    (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
      getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false);
}

/** Compiles the arguments as graphql-js would find them, for variables that have a value. */
function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): RootField['argumentsOf'] {
  const given = node.arguments ?? [];
  const [only] = given;
  // Scalars contain no variables; lists and objects may.
  const holders: readonly string[] = [Kind.VARIABLE, Kind.LIST, Kind.OBJECT];
  if (!given.some(({ value }) => holders.includes(value.kind))) {
    const fixed = getArgumentValues(field, node);
    return () => fixed;
  }
  if (field.args.length === 1 && only?.value.kind === Kind.VARIABLE) {
    const argument = only.name.value;
    const variable = only.value.name.value;
    return (variables) => {
      const value = variables[variable];
      if (value === null || value === undefined) return getArgumentValues(field, node, variables);
      return { [argument]: value };
    };
  }
  return (variables) => getArgumentValues(field, node, variables);
}

/**
 * Returns the cached text for the same lists and records, or writes it; writing a single record is
 * as fast as finding it.
 */
function writeData(plan: Compiled, values: readonly unknown[], context: RequestContext): Body {
  const { roots, placeCount, hasPictures, hasLists } = plan;
  const origin = hasPictures ? JSON.stringify(context.baseUrl()).slice(0, -1) : '';
  if (!hasLists) return writeText(roots, values, origin);
  for (const [index, root] of roots.entries()) {
    const value = values[index];
    if (typeof root !== 'string' && Array.isArray(value)) {
      countValues(context, value.length, root.fieldsBelow);
    }
  }
  const sources = values.filter((value) => typeof value === 'object' && value !== null);
  if (sources.length < placeCount) return writeText(roots, values, origin);
  return memory.get([plan, ...sources], origin, () => ({
    body: Buffer.from(writeText(roots, values, origin)),
  })).body;
}

function writeText(roots: Compiled['roots'], values: readonly unknown[], origin: string): string {
  const draft = { origin, room: maxWholeBytes };
  let text = '{"data":{';
  for (const [index, root] of roots.entries()) {
    if (index > 0) text += ',';
    if (typeof root === 'string') {
      text += root;
      continue;
    }
    text += root.label + root.write(values[index], draft);
    checkLength(text, maxWholeBytes);
    draft.room = maxWholeBytes - text.length;
  }
  return `${text}}}`;
}

const memory = new ResponseMemory();
