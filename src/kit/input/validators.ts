/** Validators of schemas, compiled when they are first used. */

import type { Ajv, ErrorObject, Options } from 'ajv';
import { lazily } from '../../base/lazily.js';
import { requireLazily } from '../../base/require-lazily.js';
import { isOwnTime } from '../../base/text/is-own-time.js';

const ajv = requireLazily<typeof import('ajv')>('ajv');
const ajvFormats = requireLazily<typeof import('ajv-formats')>('ajv-formats');

// Verbose: the faults carry the schemas they break, from which the messages are made.
const options = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  verbose: true,
};
const exact = lazily(() => newAjv({ ...options, coerceTypes: false }));
// Values in a URL or a header are text: numbers and booleans are parsed from it.
const fromText = lazily(() => newAjv({ ...options, coerceTypes: 'array' }));

/** Returns what is wrong with a value; `undefined` for nothing. */
export type Validate = (value: unknown) => readonly ErrorObject[] | undefined;

/** Makes the validator of a JSON body, which gets the defaults of the schema. */
export function bodyValidator(schema: object): Validate {
  const validator = lazily(() => exact().compile(schema));
  return (value) => {
    const validate = validator();
    return validate(value) ? undefined : (validate.errors ?? []);
  };
}

/** Makes the validator of an object of texts, which puts parsed values and defaults into it. */
export function textValidator(schema: object): Validate {
  const validator = lazily(() => fromText().compile(schema));
  const numbers = numericProperties(schema);
  return (value) => {
    const validate = validator();
    const sent = numbers.length === 0 ? undefined : takeNumbers(numbers, value as SentParameters);
    if (validate(value)) return undefined;
    if (sent !== undefined) restoreNumbers(validate.errors ?? [], sent);
    return validate.errors ?? [];
  };
}

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
