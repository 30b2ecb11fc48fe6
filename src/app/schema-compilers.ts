/**
 * Validators of the routes' schemas, compiled when first used: compiling all of them at start would be
 * most of the start-up time.
 */

import type { Ajv, AnySchema, ErrorObject, Options } from 'ajv';
import type {
  FastifySchemaCompiler,
  FastifySchemaValidationError,
  FastifyServerOptions,
} from 'fastify';
import { lazily } from '../base/lazily.js';
import { requireLazily } from '../base/require-lazily.js';
import { cutText } from '../base/text/cut-text.js';
import { gotParameter, gotValue } from '../base/text/got-value.js';
import { isOwnTime } from '../base/text/is-own-time.js';
import { joinBriefly } from '../base/text/join-briefly.js';
import {
  controlCharacterFault,
  notBlankPattern,
  plainTextPattern,
} from '../base/text/text-patterns.js';
import type { FieldFault } from '../http/http-error.js';
import { describeSchema } from '../kit/describe/describe-schema.js';

const ajv = requireLazily<typeof import('ajv')>('ajv');
const ajvFormats = requireLazily<typeof import('ajv-formats')>('ajv-formats');

/** How the framework is to compile schemas; told when it is made, it does not load its own compilers. */
export function lazySchemaController(): SchemaController {
  // Verbose: the faults carry the schemas they break, from which the messages are made.
  const options = {
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
    verbose: true,
  };
  const exact = lazily(() => newAjv({ ...options, coerceTypes: false }));
  // What arrives in a URL or a header is always text: numbers and booleans are parsed from it.
  const fromText = lazily(() => newAjv({ ...options, coerceTypes: 'array' }));

  const compileValidator: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart }) => {
    const validator = lazily(() => (httpPart === 'body' ? exact() : fromText()).compile(schema));
    const numbers = httpPart === 'body' ? [] : numericProperties(schema);
    return (data: unknown) => {
      const validate = validator();
      const sent = numbers.length === 0 ? undefined : takeNumbers(numbers, data as SentParameters);
      if (validate(data)) return true;
      if (sent !== undefined) restoreNumbers(validate.errors ?? [], sent);
      return { error: validate.errors as unknown as Error };
    };
  };
  return {
    compilersFactory: {
      buildValidator: (() => compileValidator) as unknown as ValidatorFactory,
      // No route has a schema of its response left: see `leaveOutResponses` of part-app.ts.
      buildSerializer: () => () => JSON.stringify,
    },
  };
}

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;
type Factories = NonNullable<SchemaController['compilersFactory']>;
type ValidatorFactory = NonNullable<Factories['buildValidator']>;

/** Numbers as they are written in a URL. Coercion would read `0x10`, `1e1` and white space as well. */
const writtenNumbers = { integer: /^-?\d+$/, number: /^-?(?:\d+|\d*\.\d+)$/ } as const;

interface NumericProperty {
  readonly name: string;
  readonly written: RegExp;
}

function numericProperties(schema: unknown): NumericProperty[] {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, TypedSchema>> };
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'number' ? [{ name, written: writtenNumbers[type] }] : [],
  );
}

interface TypedSchema {
  readonly type?: unknown;
}

type SentParameters = Record<string, unknown>;

/**
 * The numbers as they were written. What is not written as a number leaves an empty text in its place, which is never
 * coerced, so that the validator finds the fault.
 */
function takeNumbers(
  numbers: readonly NumericProperty[],
  data: SentParameters,
): SentParameters | undefined {
  let sent: SentParameters | undefined;
  for (const { name, written } of numbers) {
    const text = data[name];
    if (typeof text !== 'string') continue;
    sent ??= {};
    sent[name] = text;
    if (!written.test(text)) data[name] = '';
  }
  return sent;
}

/** The faults quote what came, not what was made of it. */
function restoreNumbers(faults: readonly ErrorObject[], sent: SentParameters): void {
  for (const fault of faults) {
    const name = fault.instancePath.slice(1);
    if (Object.hasOwn(sent, name)) fault.data = sent[name];
  }
}

function newAjv(options: Options): Ajv {
  const { Ajv } = ajv();
  const made = new Ajv(options);
  ajvFormats().default(made);
  const isTime = (made.formats['date-time'] as FormatOfText).validate;
  made.addFormat('date-time', { validate: (text: string) => isOwnTime(text) || isTime(text) });
  return made;
}

interface FormatOfText {
  readonly validate: (text: string) => boolean;
}

/** Nobody reads more faults than that. */
const maxFaults = 1_000;

/** What is wrong with each field, for the one who sent it: what it must be, and what came. */
export function describeFaults(
  faults: readonly FastifySchemaValidationError[],
  part: string | undefined,
): FieldFault[] {
  const described = new Map<string, FieldFault>();
  for (const fault of faults as readonly ErrorObject[]) {
    if (described.size >= maxFaults) break;
    const field = fieldOf(fault);
    const message = sentence(field, fault, part);
    if (!described.has(field)) described.set(field, { field, message });
  }
  return [...described.values()];
}

/** Names in what callers send may be of any length. */
const maxFieldCharacters = 1000;

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.slice(1).split('/').filter(Boolean).map(unescapePointer);
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return cutText(path.join('.'), maxFieldCharacters);
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

const partNames: Readonly<Record<string, string>> = {
  body: 'field',
  querystring: 'query parameter',
  params: 'path parameter',
  headers: 'header',
};

/** The caller wrote the names in a body and in a query; what another name is of is told. */
function subjectOf(field: string, part: string): string {
  return part === 'body' || part === 'querystring' ? field : `The ${partNames[part]} ${field}`;
}

function sentence(field: string, fault: ErrorObject, part = 'body'): string {
  const { keyword, message } = fault;
  const name = partNames[part] ?? 'field';
  const expected = describeSchema(fault.parentSchema ?? {});
  const control = controlFault(fault);
  const what = control ?? (expected === undefined ? message : `must be ${expected}`);
  const got = control === undefined ? gotIn(field, fault, part) : '';
  if (field === '') return `The ${part === 'body' ? 'body' : `set of ${name}s`} ${what}${got}.`;
  const subject = subjectOf(field, part);
  if (keyword === 'required') return `${subject} is missing${wantedOf(fault)}.`;
  if (keyword === 'additionalProperties') {
    const supported = joinBriefly(Object.keys(fault.parentSchema?.properties ?? {}));
    return `There is no ${name} ${field} here${supported === '' ? '' : `; it supports ${supported}`}.`;
  }
  return `${subject} ${what}${got}.`;
}

/** What a missing property would have to be, where there are words for it. */
function wantedOf({ params, parentSchema }: ErrorObject): string {
  const { properties = {} } = (parentSchema ?? {}) as {
    properties?: Readonly<Record<string, object>>;
  };
  const { missingProperty } = params as { readonly missingProperty: string };
  const schema = Object.hasOwn(properties, missingProperty) ? properties[missingProperty] : {};
  const wanted = describeSchema({ ...schema });
  return wanted === undefined ? '' : `; it must be ${wanted}`;
}

function gotIn(field: string, { keyword, data }: ErrorObject, part: string): string {
  if (Array.isArray(data)) {
    if (keyword === 'minItems' || keyword === 'maxItems') {
      return `; got ${data.length === 1 ? '1 item' : `${data.length} items`}`;
    }
    if (keyword === 'uniqueItems') return '; got equal ones';
  }
  return part === 'body' ? gotValue(field, data) : gotParameter(field, data);
}

/** The pattern alone says what is forbidden, not which of the characters, most invisible, it is. */
function controlFault({ keyword, schema, data }: ErrorObject): string | undefined {
  const isOurs =
    keyword === 'pattern' && (schema === notBlankPattern || schema === plainTextPattern);
  return isOurs ? controlCharacterFault(String(data)) : undefined;
}
