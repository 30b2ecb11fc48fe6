/** The value of a component of a message: RFC 9421 section 2. */

import { type Fault, isFault } from '../../http/credentials/fault.js';
import {
  type Field,
  partsOf,
  type SignedMessage,
  type SignedRequest,
  valuesOf,
} from './message.js';
import { attempt, isInnerList, type Parameters, structuredFields } from './structured-fields.js';

const flags = ['sf', 'bs', 'req', 'tr'];
const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

export function componentValue(
  message: SignedMessage,
  name: string,
  parameters: Parameters,
): string | Fault {
  for (const [parameter, value] of parameters) {
    if (flags.includes(parameter) && value === true) continue;
    if (['key', 'name'].includes(parameter) && typeof value === 'string') continue;
    return {
      fault:
        'A component has the parameters sf, bs, req and tr without a value, and key and name with a string.',
    };
  }
  if (parameters.has('req')) {
    if (message.kind === 'request')
      return { fault: 'Only a response has components of its request.' };
    if (message.request === undefined)
      return { fault: 'The request of this response is not here.' };
    const rest = new Map([...parameters].filter(([parameter]) => parameter !== 'req'));
    return componentValue(message.request, name, rest);
  }
  if (name.startsWith('@')) return derivedValue(message, name, parameters);
  return fieldValue(parameters.has('tr') ? message.trailers : message.fields, name, parameters);
}

function fieldValue(
  fields: readonly Field[],
  name: string,
  parameters: Parameters,
): string | Fault {
  if (!fieldName.test(name)) return { fault: 'The name of a field is a token in lower case.' };
  if (parameters.has('name')) return { fault: 'Only @query-param has a name.' };
  const values = valuesOf(fields, name);
  const where = parameters.has('tr') ? 'trailers' : 'headers';
  if (values.length === 0) return { fault: `The message has no such field among its ${where}.` };
  const key = parameters.get('key');
  if (parameters.has('bs')) {
    if (parameters.has('sf') || key !== undefined)
      return { fault: 'bs cannot be combined with sf or key.' };
    return values.map((value) => `:${Buffer.from(value, 'latin1').toString('base64')}:`).join(', ');
  }
  const text = values.join(', ');
  if (typeof key === 'string') return memberOf(text, key);
  return parameters.has('sf') ? strictly(text) : text;
}

function memberOf(text: string, key: string): string | Fault {
  const { parseDictionary, serializeInnerList, serializeItem } = structuredFields();
  const dictionary = attempt(() => parseDictionary(text));
  if (isFault(dictionary)) return { fault: `The field is no dictionary: ${dictionary.fault}` };
  const member = dictionary.get(key);
  if (member === undefined) return { fault: 'The dictionary has no such key.' };
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
}

/** A list is written as a dictionary of the same members is, and a single item as a list of one. */
function strictly(text: string): string | Fault {
  const fields = structuredFields();
  const list = attempt(() => fields.serializeList(fields.parseList(text)));
  if (!isProblem(list)) return list;
  const dictionary = attempt(() => fields.serializeDictionary(fields.parseDictionary(text)));
  return isProblem(dictionary)
    ? { fault: `The field is no structured field: ${dictionary.fault}` }
    : dictionary;
}

function isProblem(value: string | Fault): value is Fault {
  return typeof value !== 'string';
}

function derivedValue(
  message: SignedMessage,
  name: string,
  parameters: Parameters,
): string | Fault {
  for (const parameter of parameters.keys()) {
    if (parameter === 'name' && name === '@query-param') continue;
    return { fault: `${name} has no parameter ${parameter}.` };
  }
  if (name === '@status') {
    if (message.kind === 'response') return String(message.status);
    return { fault: 'Only a response has a status.' };
  }
  if (!Object.hasOwn(derived, name) && name !== '@query-param') {
    return { fault: 'There is no such component (RFC 9421 section 2.2).' };
  }
  if (message.kind === 'response') {
    return { fault: 'A response has it of its request alone: add the parameter req.' };
  }
  if (name === '@query-param') return queryParameter(message, parameters.get('name'));
  return derived[name]?.(message) ?? '';
}

const derived: Readonly<Record<string, (request: SignedRequest) => string>> = {
  '@method': ({ method }) => method,
  '@scheme': ({ scheme }) => scheme,
  '@authority': ({ authority }) => authority,
  '@request-target': ({ target }) => target,
  '@path': ({ target }) => partsOf(target).path,
  '@query': ({ target }) => partsOf(target).query || '?',
  '@target-uri': ({ scheme, authority, target }) => {
    const { path, query } = partsOf(target);
    return `${scheme}://${authority}${path}${query}`;
  },
};

/** Decoded as a form, and encoded as RFC 9421 section 2.2.8 has it. */
function queryParameter({ target }: SignedRequest, name: unknown): string | Fault {
  if (typeof name !== 'string') return { fault: '@query-param needs a name.' };
  const pairs = [...new URLSearchParams(partsOf(target).query)];
  const found = pairs.filter(([sent]) => percentEncoded(sent) === name);
  if (found.length > 1)
    return { fault: 'The parameter comes more than once, so it cannot be signed by its name.' };
  const value = found[0]?.[1];
  return value === undefined
    ? { fault: 'The query has no such parameter.' }
    : percentEncoded(value);
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
