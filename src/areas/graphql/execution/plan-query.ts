/** Plans write the response of a query that goes well. They throw at anything else, and graphql-js executes it. */

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
import type { Awaitable } from '../../../base/awaitable.js';
import { ResponseMemory } from '../../../http/caching/response-memory.js';
import { findFragments, groupFields, selectedFields } from '../documents/find-fragments.js';
import type { ExecutableDocument } from '../documents/measure-document.js';
import { type Body, maxWholeBytes } from './outcome.js';
import { type Arguments, type Query, queries } from './queries.js';
import { countValues, type RequestContext } from './request-context.js';
import { type Compilation, checkLength, fieldWriter, type Writer } from './write-fields.js';

/** Writes the response of one execution; throws or rejects when graphql-js has to do it instead. */
type Plan = (variables: Arguments, context: RequestContext) => Awaitable<Body>;

/** Of one operation; a document that switches more fields than this on and off runs unplanned. */
const maxPlans = 8;

/** What a field costs in a plan: its part, its label and the functions that write it. */
const bytesPerField = 800;

/** About what the plans of a document take, in bytes, once all that there can be are made. */
export function weighPlans({ document, size }: ExecutableDocument): number {
  const plans = Math.min(maxPlans, 2 ** findSwitches(document).length);
  return plans * size.fields * bytesPerField;
}

/** Plans of one operation, by what its variables make @skip and @include do. */
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

  /** Returns `undefined` for what is not worth a plan. */
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

/** The variables that decide which fields are in the response. */
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
  /** Fields, and the texts of those that are the same always. */
  readonly roots: readonly (RootField | string)[];
  readonly placeCount: number;
  readonly hasPictures: boolean;
  readonly hasLists: boolean;
}

/** Of `variables` only those that directives look at may be used. */
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
    // Introspection, which graphql-js resolves.
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

/** What a subscription's field responds with is there before it is executed. */
function eventOf(name: string): Query {
  return (_args, { event }) => event?.[name] as object;
}

/** Returns a function that says which selections @skip and @include leave out. */
export function leavesOut(variables: Arguments): (selection: SelectionNode) => boolean {
  return (node) =>
    node.directives !== undefined &&
    node.directives.length > 0 &&
    (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
      getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false);
}

/** The arguments that graphql-js would find, for variables that are there and not null without it. */
function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): RootField['argumentsOf'] {
  const given = node.arguments ?? [];
  const [only] = given;
  // Scalars hold no variable; lists and objects might.
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

/** What was made before of the same lists and records, or made now; a single record is made as fast as it is found. */
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
