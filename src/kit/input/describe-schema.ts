/** Describes the values that a JSON Schema accepts. */

import { cutText, joinBriefly } from '#base/text/cut-text.js';
import {
  base64Pattern,
  notBlankPattern,
  plainTextPattern,
  printablePattern,
} from '#base/text/text-patterns.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const maxShownCharacters = 1000;

const typeNames: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const patternWords: ReadonlyMap<unknown, string> = new Map([
  [undefined, ''],
  [plainTextPattern, ' without control characters'],
  [printablePattern, ' without control characters'],
  [notBlankPattern, ' that is not blank'],
  [base64Pattern, ' in padded base64'],
]);

const formatWords: Readonly<Record<string, string>> = {
  'date-time': 'a time such as 2027-03-12T18:00:00Z',
  date: 'a date such as 2027-03-12',
  email: 'an email address such as ada@example.com',
  uri: 'a URL such as https://example.com',
};

/**
 * Returns text such as `an integer from 1 to 100`, to follow "must be"; `undefined` for other
 * schemas. For a caller's schema, it shows patterns, because descriptions need not explain them.
 */
export function describeSchema(schema: JsonSchema, isOfCaller = false): string | undefined {
  const { type } = schema;
  if (Array.isArray(schema.enum)) return describeWords(schema.enum);
  if (schema.const !== undefined) return cutText(JSON.stringify(schema.const), maxShownCharacters);
  const types = Array.isArray(type) ? type : [type];
  const named = types.filter((each) => each !== 'null');
  const details = named.map((each) => describeDetails(String(each), schema, isOfCaller));
  if (details.length === 0 || details.includes(undefined)) return undefined;
  const either = details.join(' or ');
  return types.length === named.length ? either : `${either}, or null`;
}

function describeWords(words: readonly unknown[]): string {
  const named = words.filter((word) => word !== null);
  const isNullable = named.length > 0 && named.length < words.length;
  return isNullable ? `one of ${joinBriefly(named)}, or null` : `one of ${joinBriefly(words)}`;
}

function describeDetails(
  type: string,
  schema: JsonSchema,
  isOfCaller: boolean,
): string | undefined {
  const name = typeNames[type];
  if (type === 'integer' || type === 'number') {
    return `${name}${range(schema.minimum, schema.maximum)}`;
  }
  if (type === 'string') {
    if (schema.format !== undefined) return formatWords[String(schema.format)];
    const which = patternWords.get(schema.pattern);
    if (which !== undefined) return `${name}${length(schema)}${which}`;
    if (isOfCaller) {
      const pattern = cutText(String(schema.pattern), maxShownCharacters);
      return `${name}${length(schema)} that matches ${pattern}`;
    }
    const [example] = Array.isArray(schema.examples) ? schema.examples : [];
    if (example !== undefined)
      return `${name} such as ${cutText(String(example), maxShownCharacters)}`;
    return describedForm(schema.description);
  }
  if (type === 'array') {
    const items = describeSchema((schema.items ?? {}) as JsonSchema, isOfCaller);
    const { minItems, maxItems } = schema;
    const least = minItems !== undefined && minItems === maxItems ? 'exactly' : 'at most';
    const most = maxItems === undefined ? '' : ` of ${least} ${maxItems} items`;
    const different = schema.uniqueItems === true ? ', all different' : '';
    return `${name}${most}${items === undefined ? '' : `, each ${items}`}${different}`;
  }
  if (type === 'object' && Array.isArray(schema.type) && Array.isArray(schema.examples)) {
    return `${name} such as ${cutText(onOneLine(schema.examples[0]), maxShownCharacters)}`;
  }
  return name;
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*(?=[}\]])|(?<=[{[])\n\s*/g, '')
    .replaceAll(/\n\s*/g, ' ');
}

/** Uses the description of the schema, because patterns are hard to read. */
function describedForm(description: unknown): string | undefined {
  if (typeof description !== 'string' || description === '') return undefined;
  return `of this form: ${cutText(description.replace(/\.$/, ''), maxShownCharacters)}`;
}

function length({ minLength, maxLength }: JsonSchema): string {
  if (maxLength === undefined)
    return minLength === undefined ? '' : ` of at least ${counted(minLength)}`;
  return minLength === undefined
    ? ` of at most ${counted(maxLength)}`
    : ` of ${minLength} to ${maxLength} characters`;
}

function counted(count: unknown): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function range(minimum: unknown, maximum: unknown): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}
