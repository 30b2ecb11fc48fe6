/** Builds the signature base: a line for each component, and one for the parameters (RFC 9421 sections 2 and 2.5). */

import {
  type InnerList,
  type Parameters,
  structuredFields,
} from '#http/headers/structured-fields.js';
import { partsOf, type SignedMessage, type SignedRequest } from './messages/message.js';
import { attempt, check, isInnerList, unlessFaulty } from './messages/message-fault.js';
import type { MessageFields } from './messages/message-fields.js';

/** The part where a signature differs. */
export interface Difference {
  /** A component, a parameter or a field; `signature` if no other part explains it. */
  readonly part: string;
  readonly message: string;
}

export function inputDifference(message: string): Difference {
  return { part: 'signature-input', message };
}

interface SignatureBase {
  readonly lines: readonly string[];
  /** The first component without a value; the lines end before it. */
  readonly missing?: Difference;
}

export function signatureBase(message: SignedMessage, input: InnerList): SignatureBase {
  const { serializeInnerList, serializeItem } = structuredFields();
  const lines: string[] = [];
  for (const item of input[0]) {
    const [name, parameters] = item;
    const part = serializeItem(item);
    const value = unlessFaulty(
      () => componentValue(message, String(name), parameters),
      (fault) => ({ part, message: fault }),
    );
    if (typeof value !== 'string') return { lines, missing: value };
    lines.push(`${part}: ${value}`);
  }
  lines.push(`"@signature-params": ${serializeInnerList(input)}`);
  return { lines };
}

/** Returns the bytes of the lines, without a line break at the end. */
export function baseBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join('\n'), 'latin1');
}

const flags = ['sf', 'bs', 'req', 'tr'];
const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

function componentValue(message: SignedMessage, name: string, parameters: Parameters): string {
  check(name !== '@signature-params', 'It is the last line, and cannot cover itself.');
  for (const [parameter, value] of parameters) {
    check(
      flags.includes(parameter)
        ? value === true
        : ['key', 'name'].includes(parameter) && typeof value === 'string',
      'Valid parameters of a component are sf, bs, req and tr without a value, and key and name with a string.',
    );
  }
  if (parameters.has('req')) {
    check(message.kind === 'response', 'Only a response has components of its request.');
    const { request } = message;
    check(request !== undefined, 'The request of this response is unknown.');
    const rest = new Map([...parameters].filter(([parameter]) => parameter !== 'req'));
    return componentValue(request, name, rest);
  }
  if (name.startsWith('@')) return derivedValue(message, name, parameters);
  return fieldValue(parameters.has('tr') ? message.trailers : message.fields, name, parameters);
}

function fieldValue(fields: MessageFields, name: string, parameters: Parameters): string {
  check(fieldName.test(name), 'The name of a field must be a token in lower case.');
  check(!parameters.has('name'), 'Only @query-param has a name.');
  const values = fields.valuesOf(name);
  const where = parameters.has('tr') ? 'trailers' : 'headers';
  check(values.length > 0, `The message has no such field among its ${where}.`);
  const key = parameters.get('key');
  const isStrict = parameters.has('sf');
  if (parameters.has('bs')) {
    check(!isStrict && key === undefined, 'bs cannot be combined with sf or key.');
    return values.map((value) => `:${Buffer.from(value, 'latin1').toString('base64')}:`).join(', ');
  }
  if (typeof key === 'string') return memberOf(fields, name, key);
  if (!isStrict) return fields.textOf(name);
  return attempt(() => fields.serializedOf(name), 'The field is not a structured field: ');
}

function memberOf(fields: MessageFields, name: string, key: string): string {
  const { serializeInnerList, serializeItem } = structuredFields();
  const dictionary = attempt(() => fields.dictionaryOf(name), 'The field is not a dictionary: ');
  const member = dictionary.get(key);
  check(member !== undefined, 'The dictionary does not have this key.');
  return attempt(() => (isInnerList(member) ? serializeInnerList(member) : serializeItem(member)));
}

function derivedValue(message: SignedMessage, name: string, parameters: Parameters): string {
  for (const parameter of parameters.keys()) {
    const isNamed = parameter === 'name' && name === '@query-param';
    check(isNamed, `${name} has no parameter ${parameter}.`);
  }
  if (name === '@status') {
    check(message.kind === 'response', 'Only a response has a status.');
    return String(message.status);
  }
  const derive = Object.hasOwn(derived, name) ? derived[name] : undefined;
  check(derive !== undefined, 'Unknown component (RFC 9421 section 2.2).');
  const isRequest = message.kind === 'request';
  check(isRequest, 'A response has this component only from its request: add the parameter req.');
  return derive(message, parameters.get('name'));
}

const derived: Readonly<Record<string, (request: SignedRequest, name: unknown) => string>> = {
  '@method': ({ method }) => method,
  '@scheme': ({ scheme }) => scheme,
  '@authority': ({ authority }) => authority,
  '@request-target': ({ target }) => target,
  '@path': ({ target }) => partsOf(target).path,
  '@query': ({ target }) => partsOf(target).query || '?',
  '@query-param': queryParameter,
  '@target-uri': ({ scheme, authority, target }) => {
    const { path, query } = partsOf(target);
    return `${scheme}://${authority}${path}${query}`;
  },
};

function queryParameter({ queryParameters }: SignedRequest, name: unknown): string {
  check(typeof name === 'string', '@query-param needs a name.');
  const [value, other] = queryParameters().get(name) ?? [];
  const isOnce = other === undefined;
  check(isOnce, 'The parameter occurs more than once, so its name is ambiguous.');
  check(value !== undefined, 'The query does not have this parameter.');
  return value;
}
