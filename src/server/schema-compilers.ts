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
import { controlCharacterFault, notBlankPattern, plainTextPattern } from '../data/text-patterns.js';
import { lazily } from '../lazily.js';
import { requireLazily } from '../require-lazily.js';
import { describeSchema } from './describe-schema.js';
import type { FieldFault } from './http-error.js';

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
  // What arrives in a URL or a header is always text: numbers and booleans are read from it.
  const fromText = lazily(() => newAjv({ ...options, coerceTypes: 'array' }));

  const compileValidator: FastifySchemaCompiler<AnySchema> = ({ schema, httpPart }) => {
    const validator = lazily(() => (httpPart === 'body' ? exact() : fromText()).compile(schema));
    const numbers = httpPart === 'body' ? [] : numericProperties(schema);
    return (data: unknown) => {
      const validate = validator();
      for (const number of numbers) refuseStrangeNumber(number, data as Record<string, unknown>);
      return validate(data) ? true : { error: validate.errors as unknown as Error };
    };
  };
  return {
    compilersFactory: {
      buildValidator: (() => compileValidator) as unknown as ValidatorFactory,
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

/** Leaves an empty text in its place, which is never coerced, so that the validator finds the fault. */
function refuseStrangeNumber({ name, written }: NumericProperty, data: Record<string, unknown>) {
  const text = data[name];
  if (typeof text === 'string' && !written.test(text)) data[name] = '';
}

function newAjv(options: Options): Ajv {
  const { Ajv } = ajv();
  const made = new Ajv(options);
  ajvFormats().default(made);
  return made;
}

/** More faults than that nobody reads. */
const maxFaults = 1_000;

/** What is wrong with each field, in words for the one who sent it. */
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

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.slice(1).split('/').filter(Boolean).map(unescapePointer);
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return path.join('.');
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

function sentence(field: string, fault: ErrorObject, part = 'body'): string {
  const { keyword, message } = fault;
  const name = partNames[part] ?? 'field';
  const expected = describeSchema(fault.parentSchema ?? {});
  const what = controlFault(fault) ?? (expected === undefined ? message : `must be ${expected}`);
  if (field === '') return `The ${part === 'body' ? 'body' : `set of ${name}s`} ${what}.`;
  if (keyword === 'required') return `The ${name} ${field} is missing.`;
  if (keyword === 'additionalProperties') {
    const taken = Object.keys(fault.parentSchema?.properties ?? {}).join(', ');
    return `There is no ${name} ${field} here${taken === '' ? '' : `; it supports ${taken}`}.`;
  }
  return `The ${name} ${field} ${what}.`;
}

/** The pattern alone says what is forbidden, not which of the characters, most invisible, it is. */
function controlFault({ keyword, schema, data }: ErrorObject): string | undefined {
  const isOurs =
    keyword === 'pattern' && (schema === notBlankPattern || schema === plainTextPattern);
  return isOurs ? controlCharacterFault(String(data)) : undefined;
}
