/**
 * Compiles a query into functions that write its response straight as JSON text, the same bytes that
 * graphql-js and JSON.stringify would make. Records never change, so the text of each of their fields
 * is made once and then only put together.
 *
 * A plan covers what goes well. Whatever does not (a field that may not be null is, a value of the
 * wrong type, a failing read, a long response) it throws at, and the caller lets graphql-js execute it.
 */

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql';
import type { Awaitable } from '../../../base/awaitable.js';
import { ResponseMemory } from '../../../http/caching/response-memory.js';
import { findFragments } from '../documents/find-fragments.js';
import type { DocumentSize, ExecutableDocument } from '../documents/measure-document.js';
import { type Body, maxWholeBytes } from './outcome.js';
import { isPictureField } from './picture-fields.js';
import { type Arguments, type Query, queries } from './queries.js';
import { countValues, type RequestContext } from './request-context.js';

/** Writes the response of one execution; throws or rejects when graphql-js has to do it instead. */
export type Plan = (variables: Arguments, context: RequestContext) => Awaitable<Body>;

/** Plans of one operation, by what its variables make @skip and @include do. */
export interface OperationPlans {
  /** `undefined` for what is not worth a plan. */
  planFor(variables: Arguments): Plan | undefined;
}

/** Of one operation; a document that switches more fields than this on and off runs unplanned. */
const maxPlans = 8;

/** What a field costs in a plan: its part, its label and the functions that write it. */
const bytesPerField = 800;

/** About what the plans of a document take, in bytes, once all that there can be are made. */
export function weighPlans({ document, size }: ExecutableDocument): number {
  const plans = Math.min(maxPlans, 2 ** findSwitches(document).length);
  return plans * size.fields * bytesPerField;
}

export function planQuery(
  schema: GraphQLSchema,
  { document, size }: ExecutableDocument,
  operation: OperationDefinitionNode,
): OperationPlans {
  const switches = findSwitches(document);
  const fragments = findFragments(document);
  const plans = new Map<string, Plan | undefined>();
  return {
    planFor(variables) {
      const key = switches.length === 0 ? '' : switches.map((name) => variables[name]).join();
      if (plans.has(key)) return plans.get(key);
      if (plans.size >= maxPlans) return undefined;
      const compilation = {
        schema,
        fragments,
        size,
        variables,
        hasPictures: false,
        hasLists: false,
      };
      const plan = compile(compilation, operation);
      plans.set(key, plan);
      return plan;
    },
  };
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

interface Compilation {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly size: DocumentSize;
  /** Only those that directives look at may be used. */
  readonly variables: Arguments;
  /** Set when a picture is asked for, whose address needs to know where it begins. */
  hasPictures: boolean;
  /** Set when a list of objects is asked for. */
  hasLists: boolean;
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
  /** Which no other has. */
  readonly number: number;
  readonly placeCount: number;
  readonly hasPictures: boolean;
  readonly hasLists: boolean;
}

interface Answer {
  /** The base URL as JSON text without its closing quote. */
  readonly origin: string;
  /** How many more characters it may have. */
  room: number;
}

/** Writes what a field returned; throws when a list becomes longer than the response may. */
type Writer = (value: unknown, response: Answer) => string;

function compile(compilation: Compilation, operation: OperationDefinitionNode): Plan | undefined {
  const type = compilation.schema.getRootType(operation.operation);
  if (!type || operation.operation === 'mutation') return undefined;
  const groups = collectFields(compilation, type, [operation.selectionSet]);
  const roots: (RootField | string)[] = [];
  for (const [responseName, nodes] of groups) {
    const label = `${JSON.stringify(responseName)}:`;
    const [node] = nodes;
    if (node.name.value === '__typename') {
      roots.push(`${label}${JSON.stringify(type.name)}`);
      continue;
    }
    const field = type.getFields()[node.name.value];
    const query = operation.operation === 'query' ? queries[node.name.value] : eventOf(field?.name);
    // Introspection, which graphql-js resolves.
    if (!field || !query) return undefined;
    roots.push({
      label,
      query,
      argumentsOf: compileArguments(field, node),
      fieldsBelow: compilation.size.fieldsBelow(nodes),
      write: leafEncoder(field.type) ?? compileType(compilation, field.type, nodes),
    });
  }

  const placeCount = roots.filter((root) => typeof root !== 'string').length;
  const { hasPictures, hasLists } = compilation;
  const plan: Compiled = { roots, number: ++plans, placeCount, hasPictures, hasLists };
  return (variables, context) => {
    const values: Awaitable<unknown>[] = [];
    let isWaiting = false;
    for (const root of roots) {
      if (typeof root === 'string') {
        values.push(undefined);
        continue;
      }
      const value = root.query(root.argumentsOf(variables), context);
      if (value instanceof Promise) isWaiting = true;
      values.push(value);
    }
    if (!isWaiting) return writeData(plan, values, context);
    return Promise.all(values).then((known) => writeData(plan, known, context));
  };
}

/** What a subscription's field responds with is there before it is executed. */
function eventOf(name = ''): Query {
  return (_args, { event }) => event?.[name] as object;
}

/** The arguments that graphql-js would find, for variables that are there and not null without it. */
function compileArguments(field: RootDefinition, node: FieldNode): RootField['argumentsOf'] {
  const given = node.arguments ?? [];
  if (given.every(({ value }) => isConstant(value))) {
    const fixed = getArgumentValues(field, node);
    return () => fixed;
  }
  const [only, ...others] = given;
  const isPlain = others.length === 0 && field.args.length === 1;
  if (isPlain && only?.value.kind === Kind.VARIABLE) {
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

type RootDefinition = GraphQLField<unknown, unknown>;

/** Scalars that hold no variable; lists and objects might. */
function isConstant({ kind }: ValueNode): boolean {
  return kind !== Kind.VARIABLE && kind !== Kind.LIST && kind !== Kind.OBJECT;
}

/** What was made before of the same lists and records, or made now; a single record is made as fast as it is found. */
function writeData(plan: Compiled, values: readonly unknown[], context: RequestContext): Body {
  const { roots, number, placeCount, hasPictures, hasLists } = plan;
  const origin = hasPictures ? JSON.stringify(context.baseUrl()).slice(0, -1) : '';
  if (!hasLists) return writeText(roots, values, origin);
  for (const [index, root] of roots.entries()) {
    const value = values[index];
    if (typeof root !== 'string' && Array.isArray(value)) {
      countValues(context, value.length, root.fieldsBelow);
    }
  }
  const sources = values.filter(isObject);
  if (sources.length < placeCount) return writeText(roots, values, origin);
  return memory.get(sources, `${number} ${origin}`, () => ({
    body: Buffer.from(writeText(roots, values, origin)),
  })).body;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function writeText(
  roots: readonly (RootField | string)[],
  values: readonly unknown[],
  origin: string,
): string {
  const response = { origin, room: maxWholeBytes };
  let text = '{"data":{';
  for (const [index, root] of roots.entries()) {
    if (index > 0) text += ',';
    if (typeof root === 'string') {
      text += root;
      continue;
    }
    text += root.label + root.write(values[index], response);
    checkLength(text, maxWholeBytes);
    response.room = maxWholeBytes - text.length;
  }
  return `${text}}}`;
}

/** Throws when a text is longer than a plan writes. */
function checkLength(text: string, maxLength: number): void {
  if (text.length > maxLength) throw new Error('The response is too long for a plan.');
}

/** Plans are told apart by their numbers. */
const memory = new ResponseMemory();
let plans = 0;

function compileType(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Writer {
  if (isNonNullType(type)) {
    const write = compileType(compilation, type.ofType, nodes);
    return (value, response) => {
      if (value === null || value === undefined) throw new Error('null where it may not be');
      return write(value, response);
    };
  }
  const write = compileNullable(compilation, type, nodes);
  return (value, response) =>
    value === null || value === undefined ? 'null' : write(value, response);
}

function compileNullable(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Writer {
  if (isListType(type)) {
    compilation.hasLists = true;
    const writeItem = compileType(compilation, type.ofType, nodes);
    return (value, response) => {
      const items = value as readonly unknown[];
      if (!Array.isArray(value)) throw new Error('no list where one must be');
      let text = '[';
      for (let index = 0; index < items.length; index++) {
        if (index > 0) text += ',';
        text += writeItem(items[index], response);
        checkLength(text, response.room);
      }
      return `${text}]`;
    };
  }
  if (isObjectType(type)) return compileObject(compilation, type, nodes);
  throw new Error(`${type} is no list and no object.`);
}

/** One field of an object: its label, and how its text comes about. */
interface Part {
  /** What stands before the value: a brace or comma, the response name, a colon. */
  readonly label: string;
  readonly name: string;
  readonly kind: 'constant' | 'leaf' | 'picture' | 'object';
  /** Of the leaf among all leaves of the type. */
  readonly slot: number;
  readonly encode: (value: unknown) => string;
  readonly write: Writer;
}

function compileObject(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Writer {
  const sets = nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));
  const fields = type.getFields();
  const names = Object.keys(fields);
  const parts: Part[] = [];
  for (const [responseName, [node, ...others]] of collectFields(compilation, type, sets)) {
    const name = node.name.value;
    const label = `${parts.length === 0 ? '{' : ','}${JSON.stringify(responseName)}:`;
    if (name === '__typename') {
      const constant = label + JSON.stringify(type.name);
      parts.push({ ...noPart, label: constant, name, kind: 'constant' });
      continue;
    }
    const field = fields[name];
    if (!field) throw new Error(`${type.name} has no field ${name}.`);
    const encode = leafEncoder(field.type);
    if (encode !== undefined) {
      const kind = isPictureField(type.name, name) ? 'picture' : 'leaf';
      if (kind === 'picture') compilation.hasPictures = true;
      parts.push({ ...noPart, label, name, kind, slot: names.indexOf(name), encode });
    } else {
      const write = compileType(compilation, field.type, [node, ...others]);
      parts.push({ ...noPart, label, name, kind: 'object', write });
    }
  }
  if (parts.length === 0) return () => '{}';

  return (value, response) => {
    const record = value as Readonly<Record<string, unknown>>;
    const texts = textsOf(record);
    let text = '';
    for (const part of parts) {
      text += part.label;
      if (part.kind === 'leaf') {
        text += texts[part.slot] ?? keepText(texts, part, record);
      } else if (part.kind === 'picture') {
        const address = texts[part.slot] ?? keepText(texts, part, record);
        // What is stored as a path is of this service.
        text += address[1] === '/' ? response.origin + address.slice(1) : address;
      } else if (part.kind === 'object') {
        text += part.write(record[part.name], response);
      }
    }
    return `${text}}`;
  };
}

const noPart = {
  slot: -1,
  encode: () => {
    throw new Error('This field is no leaf.');
  },
  write: () => {
    throw new Error('This field is no object.');
  },
};

/**
 * The JSON texts of a record's leaves, by the place of each among the fields of its type. A record
 * has one type and never changes, so they stay right; they go when the record goes.
 */
const recordTexts = new WeakMap<object, (string | undefined)[]>();

function textsOf(record: object): (string | undefined)[] {
  let texts = recordTexts.get(record);
  if (texts === undefined) {
    texts = [];
    recordTexts.set(record, texts);
  }
  return texts;
}

function keepText(
  texts: (string | undefined)[],
  { slot, name, encode }: Part,
  record: Readonly<Record<string, unknown>>,
): string {
  const text = encode(record[name]);
  // Filled in order: an array with holes would be slower to read.
  while (texts.length < slot) texts.push(undefined);
  texts[slot] = text;
  return text;
}

/** How a leaf, or a list of leaves, becomes JSON; `undefined` for objects and lists of them. */
function leafEncoder(type: GraphQLOutputType): ((value: unknown) => string) | undefined {
  if (isNonNullType(type)) {
    const encode = leafEncoder(type.ofType);
    return (
      encode &&
      ((value) => {
        const text = encode(value);
        if (text === 'null') throw new Error('null where it may not be');
        return text;
      })
    );
  }
  if (isListType(type)) {
    const encode = leafEncoder(type.ofType);
    return (
      encode &&
      ((value) => {
        if (value === null || value === undefined) return 'null';
        if (!Array.isArray(value)) throw new Error('no list where one must be');
        return `[${value.map(encode).join()}]`;
      })
    );
  }
  if (isObjectType(type)) return undefined;
  const leaf = type as GraphQLLeafType;
  return (value) =>
    value === null || value === undefined ? 'null' : JSON.stringify(leaf.serialize(value));
}

type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/**
 * The fields of selection sets that are merged into one object, by response name, in the order in
 * which graphql-js meets them (GraphQL October 2021, section 6.3.2).
 */
export function collectFields(
  { fragments, variables }: Pick<Compilation, 'fragments' | 'variables'>,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Map<string, FieldNodes> {
  const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (!isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        const group = groups.get(responseName);
        if (group) group.push(selection);
        else groups.set(responseName, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value ?? type.name;
        if (condition === type.name) collect(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment?.typeCondition.name.value === type.name) collect(fragment.selectionSet);
      }
    }
  }

  for (const set of sets) collect(set);
  return groups;
}

function isIncluded(node: SelectionNode, variables: Arguments): boolean {
  if (!node.directives?.length) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
  );
}
