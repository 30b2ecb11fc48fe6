/** Checks the parameters of a request by their declaration, and parses their values. */

import { ApiError, type ErrorDetails, invalidRequest } from '../wire/errors.js';
import type { Form } from '../wire/form.js';
import { shownName } from '../wire/form.js';
import { hideNumbers } from '../wire/hide-numbers.js';
import { cardNumbered, type Type } from './declarations.js';
import type { Params, Value } from './objects.js';

/** Characters of a text without another limit. */
const maxText = 5000;

/** The limits of Stripe's metadata. */
const maxMetadata = { keys: 50, keyCharacters: 40, valueCharacters: 500 };

/** Members of a list. */
const maxItems = 100;

const wholeNumber = /^-?\d{1,15}$/;
const decimalNumber = /^-?\d{1,15}(?:\.\d{1,12})?$/;

type Fields = Readonly<Record<string, Type>>;
type Given = string | Form;

/** Throws 400 for the first fault. */
export function checkParameters(fields: Fields, form: Form): Params {
  return checkMembers(fields, form, '') as Params;
}

function checkMembers(fields: Fields, form: Form, path: string): Value {
  rejectUnknown(fields, form, path);
  const checked: Record<string, Value> = {};
  for (const [name, type] of Object.entries(fields)) {
    if (name === '~' || name === '?') continue;
    const isRequired = name.endsWith('!');
    const key = isRequired ? name.slice(0, -1) : name;
    const given = form.get(key);
    const param = path === '' ? key : `${path}[${key}]`;
    if (given !== undefined) checked[key] = check(type, given, param);
    else if (isRequired) {
      throw fault(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
    }
  }
  return checked;
}

function rejectUnknown(fields: Fields, form: Form, path: string): void {
  const notOffered = typeof fields['~'] === 'string' ? fields['~'].split(' ') : [];
  const unknown: string[] = [];
  for (const name of form.keys()) {
    if (name in fields || `${name}!` in fields) continue;
    const param = path === '' ? shownName(name) : `${path}[${shownName(name)}]`;
    if (notOffered.includes(name)) {
      throw fault(`This service does not offer the parameter ${param}.`, { param });
    }
    if (unknown.length < maxShown) unknown.push(param);
  }
  if (unknown.length === 0) return;
  const many = unknown.length > 1 ? 's' : '';
  throw fault(`Received unknown parameter${many}: ${unknown.join(', ')}`, {
    code: 'parameter_unknown',
    param: unknown[0],
  });
}

const maxShown = 5;

function check(type: Type, given: Given, param: string): Value {
  if (typeof type === 'string') return checkScalar(type, given, param);
  if (Array.isArray(type)) return checkList(type[0] as Type, given, param);
  const fields = type as Fields;
  const inner = fields['?'];
  if (inner !== undefined) return given === '' ? '' : check(inner, given, param);
  if (typeof given === 'string') throw fault('Invalid object', { param });
  return checkMembers(fields, given, param);
}

function checkList(type: Type, given: Given, param: string): Value {
  if (given === '') return [];
  if (typeof given === 'string') throw fault('Invalid array', { param });
  if (given.size > maxItems) {
    throw fault(`Invalid array: ${param} has at most ${maxItems} items.`, { param });
  }
  const items = [...given].map(([key, item]) => {
    if (!/^\d{1,4}$/.test(key)) throw fault('Invalid array', { param });
    return [Number(key), item] as const;
  });
  return items
    .sort(([one], [other]) => one - other)
    .map(([index, item]) => check(type, item, `${param}[${index}]`));
}

function checkScalar(declared: string, given: Given, param: string): Value {
  if (declared.startsWith('metadata')) return checkMetadata(given, param);
  if (declared === 'range') return checkRange(given, param);
  const isUnsettable = declared.endsWith('?');
  const type = isUnsettable ? declared.slice(0, -1) : declared;
  if (type === 'hash') throw fault('Invalid object', { param });
  if (typeof given !== 'string') throw fault('Invalid string: {...}', { param });
  if (given === '') {
    if (isUnsettable || /^string/.test(type)) return '';
    throw fault(`${param} is empty, and cannot be unset. Leave it out, or send a value.`, {
      code: 'parameter_invalid_empty',
      param,
    });
  }
  const [kind = '', ...choices] = type.split('|');
  if (choices.includes(given)) return given;
  if (kind === '') throw notAmong(param, choices);
  return parseScalar(kind, given, param);
}

function parseScalar(kind: string, given: string, param: string): Value {
  if (kind === 'integer') {
    if (wholeNumber.test(given)) return Number(given);
    throw fault(`Invalid integer: ${shown(given)}`, { code: 'parameter_invalid_integer', param });
  }
  if (kind === 'decimal') {
    if (decimalNumber.test(given)) return given;
    throw fault(`Invalid decimal: ${shown(given)}`, { param });
  }
  if (kind === 'boolean') {
    // The SDK for Python writes a capital.
    if (/^[Tt]rue$/.test(given)) return true;
    if (/^[Ff]alse$/.test(given)) return false;
    throw fault(`Invalid boolean: ${shown(given)}`, { param });
  }
  if (kind === 'card number') return nameOfCard(given, param);
  const limit = Number(kind.split(':')[1] ?? maxText);
  if (given.length <= limit) return given;
  throw fault(`Invalid string: ${shown(given)}; must be at most ${limit} characters`, { param });
}

/** A card number leaves the request here; the rest of the service sees only the name of a test card. */
function nameOfCard(given: string, param: string): string {
  const card = cardNumbered(given.replace(/[ -]/g, ''));
  if (card !== undefined) return card.name;
  throw new ApiError(
    'Your card was declined. Your request used a card number that is not a test number. GET /payments lists the test cards.',
    { type: 'card_error', code: 'card_declined', decline_code: 'test_mode_live_card', param },
  ).toHttpError();
}

function notAmong(param: string, choices: readonly string[]) {
  const last = choices.length > 1 ? `, or ${choices.at(-1)}` : '';
  const first = choices.length > 1 ? choices.slice(0, -1) : choices;
  return fault(`Invalid ${param}: must be one of ${first.join(', ')}${last}`, { param });
}

function checkMetadata(given: Given, param: string): Value {
  if (given === '') return '';
  if (typeof given === 'string') throw fault('Invalid object', { param });
  const { keys, keyCharacters, valueCharacters } = maxMetadata;
  if (given.size > keys) {
    throw fault(`Metadata has at most ${keys} keys.`, { param });
  }
  const checked: Record<string, string> = {};
  for (const [key, value] of given) {
    const name = `${param}[${shownName(key)}]`;
    if (typeof value !== 'string') throw fault('Invalid string: {...}', { param: name });
    if (key.length > keyCharacters) {
      throw fault(`Metadata keys have at most ${keyCharacters} characters.`, { param: name });
    }
    if (value.length > valueCharacters) {
      const limit = `Metadata values have at most ${valueCharacters} characters.`;
      throw fault(limit, { param: name });
    }
    define(checked, key, value);
  }
  return checked;
}

/** A caller chooses the name, which may be `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });
}

const ends = ['gt', 'gte', 'lt', 'lte'];

function checkRange(given: Given, param: string): Value {
  if (typeof given === 'string') return parseScalar('integer', given, param);
  return checkMembers(Object.fromEntries(ends.map((end) => [end, 'integer'])), given, param);
}

const maxShownText = 40;
const maxExamined = 200;

const shown = (text: string): string => {
  const hidden = hideNumbers(text.slice(0, maxExamined));
  return hidden.length > maxShownText ? `${hidden.slice(0, maxShownText)}...` : hidden;
};

const fault = (message: string, details: ErrorDetails) => invalidRequest(message, details);
