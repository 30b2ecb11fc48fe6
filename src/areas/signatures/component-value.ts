/** The value of a component of a message: RFC 9421 section 2. */

import { type Fault, isFault } from '../../http/credentials/fault.js';
import { partsOf, type SignedMessage, type SignedRequest } from './message.js';
import type { MessageFields } from './message-fields.js';
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

function fieldValue(fields: MessageFields, name: string, parameters: Parameters): string | Fault {
  if (!fieldName.test(name)) return { fault: 'The name of a field is a token in lower case.' };
  if (parameters.has('name')) return { fault: 'Only @query-param has a name.' };
  const values = fields.valuesOf(name);
  const where = parameters.has('tr') ? 'trailers' : 'headers';
  if (values.length === 0) return { fault: `The message has no such field among its ${where}.` };
  const key = parameters.get('key');
  if (parameters.has('bs')) {
    if (parameters.has('sf') || key !== undefined)
      return { fault: 'bs cannot be combined with sf or key.' };
    return values.map((value) => `:${Buffer.from(value, 'latin1').toString('base64')}:`).join(', ');
  }
  if (typeof key === 'string') return memberOf(fields, name, key);
  return parameters.has('sf') ? strictly(fields, name) : fields.textOf(name);
}

function memberOf(fields: MessageFields, name: string, key: string): string | Fault {
  const { serializeInnerList, serializeItem } = structuredFields();
  const dictionary = fields.dictionaryOf(name);
  if (isFault(dictionary)) return { fault: `The field is no dictionary: ${dictionary.fault}` };
  const member = dictionary.get(key);
  if (member === undefined) return { fault: 'The dictionary has no such key.' };
  return attempt(() => (isInnerList(member) ? serializeInnerList(member) : serializeItem(member)));
}

function strictly(fields: MessageFields, name: string): string | Fault {
  const serialized = fields.serializedOf(name);
  return typeof serialized === 'string'
    ? serialized
    : { fault: `The field is no structured field: ${serialized.fault}` };
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

function queryParameter({ queryParameters }: SignedRequest, name: unknown): string | Fault {
  if (typeof name !== 'string') return { fault: '@query-param needs a name.' };
  const [value, ...others] = queryParameters().get(name) ?? [];
  if (others.length > 0)
    return { fault: 'The parameter comes more than once, so it cannot be signed by its name.' };
  return value ?? { fault: 'The query has no such parameter.' };
}
