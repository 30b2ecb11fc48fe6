/** The form of an operation: its fields, with values that work unchanged. */

import {
  type Description,
  type ListedOperation,
  type Media,
  type Parameter,
  resolved,
  type Schema,
} from '../description.js';
import { firstStepOf } from './first-steps.js';
import { typeText } from './type-text.js';

export interface Field {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'form';
  readonly isRequired: boolean;
  /** Others than `main` are folded. */
  readonly group: 'main' | 'more' | 'filter' | 'common';
  /** Such as `integer, 1 to 100`. */
  readonly type: string;
  readonly description: string;
  /** The only possible values; empty if there are others. */
  readonly choices: readonly string[];
  /** One line is one value. */
  readonly isList: boolean;
  /** Several parameters of any names, as in a query. */
  readonly isOpen: boolean;
  readonly isFile: boolean;
  /** Initial value. */
  readonly value: string;
}

/** A body of one media type. */
export interface BodyForm {
  readonly type: string;
  /** Fields of a form; absent for text. */
  readonly fields?: readonly Field[];
  /** Initial text. */
  readonly text: string;
  readonly schema: Schema | undefined;
}

export interface OperationForm {
  /** Several for an endpoint that accepts any method; the first is chosen. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly fields: readonly Field[];
  readonly bodies: readonly BodyForm[];
  readonly isBodyRequired: boolean;
  /** The action that is needed first. */
  readonly firstStep: string | undefined;
}

const maxHeaders = 2;
const maxOthers = 8;

const common = new Set(['delay', 'error', 'times', 'key', 'x-sandbox', 'x-request-id']);

const ofEveryOperation: readonly Parameter[] = [
  { name: 'X-Sandbox', in: 'header', description: 'Overrides the sandbox of this page.' },
  { name: 'X-Request-Id', in: 'header', description: 'The response returns it.' },
];

export function formOf(description: Description, operation: ListedOperation): OperationForm {
  const { method, path, requestBody, parameters = [] } = operation;
  const step = firstStepOf(operation);
  const all = [...parameters, ...ofEveryOperation].map((each) => resolved(description, each));
  const listed = all.filter((each) => each !== undefined);
  const named = new Set(listed.map(({ name = '' }) => name));
  const body = resolved(description, requestBody);
  return {
    methods: [...new Set([method.toUpperCase(), ...(operation['x-methods'] ?? [])])],
    path,
    fields: foldOptional(
      listed.map((each) => {
        const field = fieldOf(description, each, named);
        const isFirst = step?.parameters.includes(field.name);
        return isFirst ? { ...field, isRequired: true, value: '' } : field;
      }),
    ),
    bodies: Object.entries(body?.content ?? {}).map(([type, media]) =>
      bodyOf(description, type, media),
    ),
    isBodyRequired: body?.required ?? false,
    firstStep: step?.sentence,
  };
}

function fieldOf(
  description: Description,
  parameter: Parameter,
  names: ReadonlySet<string>,
): Field {
  const { name = '', in: place = 'query', required = false } = parameter;
  const whole = wholeSchema(description, parameter.schema);
  const isOpen = whole.type === 'object';
  const initial = parameter.example ?? whole.example ?? (required ? firstOf(whole) : undefined);
  return {
    name,
    place: place as Field['place'],
    isRequired: required,
    group: groupOf(name, place, names),
    type: typeText(description, parameter.schema),
    description: parameter.description ?? whole.description ?? '',
    choices: choicesOf(whole),
    isList: whole.type === 'array',
    isOpen,
    isFile: false,
    value: isOpen ? pairsOf(initial) : textOf(initial),
  };
}

/** Writes an object as `name=value&name=value`, which its input accepts. */
function pairsOf(value: unknown): string {
  return new URLSearchParams(Object(value) as Record<string, string>).toString();
}

/** Folds the optional ones if there are many: of the headers, or of all others. */
function foldOptional(fields: readonly Field[]): Field[] {
  const isShown = ({ group }: Field) => group === 'main';
  const isHeader = ({ place }: Field) => place === 'header';
  const shown = fields.filter(isShown);
  const headers = shown.filter(isHeader).length;
  const isMany = (field: Field) =>
    isHeader(field) ? headers > maxHeaders : shown.length - headers > maxOthers;
  return fields.map((field) => {
    const isOptional = !field.isRequired && field.value === '';
    return isShown(field) && isOptional && isMany(field) ? { ...field, group: 'more' } : field;
  });
}

/** An optional name that others extend, such as `pages_gt`, is a filter. */
function groupOf(name: string, place: string, names: ReadonlySet<string>): Field['group'] {
  if (common.has(name.toLowerCase())) return 'common';
  const isFilter = /_(?:ne|in|gte?|lte?)$/.test(name) || names.has(`${name}_ne`);
  return place === 'query' && isFilter ? 'filter' : 'main';
}

function bodyOf(description: Description, type: string, { schema, example }: Media): BodyForm {
  const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type);
  const whole = wholeSchema(description, schema);
  const text = typeof example === 'string' ? example : example === undefined ? '' : pretty(example);
  if (!isForm) return { type, text, schema };
  const values = Object(example) as Readonly<Record<string, unknown>>;
  const names = [...new Set([...Object.keys(whole.properties ?? {}), ...Object.keys(values)])];
  const fields = names.map((name): Field => {
    const property = whole.properties?.[name];
    const each = wholeSchema(description, property);
    const of = each.items === undefined ? each : wholeSchema(description, each.items);
    return {
      name,
      place: 'form',
      isRequired: whole.required?.includes(name) ?? false,
      group: 'main',
      type: property === undefined ? 'text' : typeText(description, property),
      description: each.description ?? '',
      choices: choicesOf(each),
      isList: each.type === 'array',
      isOpen: false,
      isFile: of.contentMediaType !== undefined || of.format === 'binary',
      value: textOf(values[name]),
    };
  });
  return names.length > 0 ? { type, fields, text: '', schema } : { type, text, schema };
}

/** Adds the first of several alternatives. */
function wholeSchema(description: Description, schema: Schema | undefined): Schema {
  const found = resolved(description, schema) ?? {};
  const [first] = found.oneOf ?? found.anyOf ?? [];
  return first === undefined ? found : { ...wholeSchema(description, first), ...found };
}

const firstOf = ({ default: initial, enum: choices, const: only }: Schema): unknown =>
  initial ?? choices?.[0] ?? only;

function choicesOf({ type, enum: choices, anyOf }: Schema): string[] {
  if (type === 'boolean') return ['true', 'false'];
  return anyOf === undefined ? (choices ?? []).map(String) : [];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === undefined || value === null ? '' : String(value);
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);
