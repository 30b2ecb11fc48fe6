/**
 * Parses the parameters of a GraphQL request (GraphQL over HTTP, section 5). Ignores unknown
 * members.
 */

import { isObject } from '#base/json-object.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';

export interface Parameters {
  /** Empty if the request has only the hash of a persisted query. */
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
  /** The client's id of the operation, if many share a stream. */
  readonly operationId?: string;
  /** Hash of a persisted query, in lower-case hexadecimal digits. */
  readonly sha256Hash?: string;
}

/** Thrown if the request is not a GraphQL request; the message says what is expected instead. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError';
}

/** Describes where the parameters of a request are sent. */
interface Source {
  readonly nameOf: (parameter: string) => string;
  /** Example of the required form. */
  readonly exampleOfQuery: string;
  readonly read: (parameter: string) => unknown;
}

/** Throws {@link MalformedRequestError}. */
export function readBodyParameters(body: unknown): Parameters {
  if (Array.isArray(body)) {
    throw new MalformedRequestError(
      'The body is a JSON array, but batches are not supported. Send one JSON object for each query.',
    );
  }
  if (!isObject(body)) {
    throw new MalformedRequestError(
      `The body is ${kindOf(body)}. Send a JSON object with the property query.`,
    );
  }
  return readFrom({
    nameOf: (parameter) => `The ${parameter} property`,
    exampleOfQuery: '{"query": "{ books { title } }"}',
    read: (parameter) => body[parameter],
  });
}

/** Throws {@link MalformedRequestError}. */
export function readQueryParameters(parameters: Readonly<Record<string, unknown>>): Parameters {
  for (const name of ['query', 'variables', 'operationName', 'extensions']) {
    if (Array.isArray(parameters[name])) {
      throw new MalformedRequestError(`${name} must not be repeated.`);
    }
  }
  return readFrom({
    nameOf: (parameter) => `The query parameter ${parameter}`,
    exampleOfQuery: '?query={books{title}}',
    read: (name) =>
      name === 'variables' || name === 'extensions'
        ? jsonOf(name, parameters[name])
        : parameters[name],
  });
}

function readFrom(source: Source): Parameters {
  const extensions = objectOf('extensions', source);
  const sha256Hash = persistedHashOf(extensions, source);
  const query = sha256Hash !== undefined && !source.read('query') ? '' : queryOf(source);
  const id = extensions?.operationId;
  const isId = typeof id === 'string' && id !== '' && id.length <= maxOperationId;
  return {
    query,
    variables: objectOf('variables', source),
    operationName: operationNameOf(source),
    ...(isId && { operationId: id }),
    ...(sha256Hash !== undefined && { sha256Hash }),
  };
}

/** In characters; it is repeated in each response. */
const maxOperationId = 200;

function queryOf({ nameOf, exampleOfQuery, read }: Source): string {
  const query = read('query');
  if (typeof query === 'string' && query !== '') return query;
  if (query === undefined) {
    throw new MalformedRequestError(
      `${nameOf('query')} is missing. It must be the GraphQL document, as in ${exampleOfQuery}.`,
    );
  }
  const found = query === '' ? 'empty' : kindOf(query);
  throw new MalformedRequestError(
    `${nameOf('query')} is ${found}; it must be a string with a GraphQL document.`,
  );
}

function persistedHashOf(
  extensions: Readonly<Record<string, unknown>> | undefined,
  { nameOf }: Source,
): string | undefined {
  const persisted = extensions?.persistedQuery ?? undefined;
  if (persisted === undefined) return undefined;
  const where = `${nameOf('extensions')} has a persistedQuery`;
  if (!isObject(persisted)) {
    throw new MalformedRequestError(
      `${where} that is ${kindOf(persisted)}. It must be an object, such as {"version": 1, "sha256Hash": "…"}.`,
    );
  }
  const { version, sha256Hash } = persisted;
  if (version !== 1) {
    throw new MalformedRequestError(`${where} with an unsupported version. The version must be 1.`);
  }
  if (typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash)) return sha256Hash;
  throw new MalformedRequestError(
    `${where} without a valid sha256Hash. It must be 64 hexadecimal digits in lower case.`,
  );
}

function operationNameOf({ nameOf, read }: Source): string | undefined {
  const name = read('operationName') ?? '';
  if (typeof name === 'string') return name === '' ? undefined : name;
  throw new MalformedRequestError(
    `${nameOf('operationName')} is ${kindOf(name)}; it must be a string or null.`,
  );
}

function objectOf(
  name: string,
  { nameOf, read }: Source,
): Readonly<Record<string, unknown>> | undefined {
  const value = read(name) ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw new MalformedRequestError(
    `${nameOf(name)} is ${kindOf(value)}; it must be a JSON object or null.`,
  );
}

function jsonOf(name: string, text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new MalformedRequestError(`${name} must be JSON. ${error.message}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
