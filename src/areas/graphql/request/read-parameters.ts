/** The parameters of a GraphQL request (GraphQL over HTTP, section 5). Unknown members are ignored. */

import { isObject } from '../../../base/json-object.js';
import { JsonSyntaxError, parseJson } from '../../../http/json/parse-json.js';

export interface Parameters {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
  /** What its client calls the operation, where many share a stream. */
  readonly operationId?: string;
}

/** The request is none of GraphQL's; the message says what is expected instead. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError';
}

/** Where the parameters of a request are. */
interface Source {
  readonly nameOf: (parameter: string) => string;
  /** Such as it must be there. */
  readonly exampleOfQuery: string;
  readonly read: (parameter: string) => unknown;
}

/** Throws {@link MalformedRequestError}. */
export function readBodyParameters(body: unknown): Parameters {
  if (Array.isArray(body)) {
    throw new MalformedRequestError(
      'The body is a JSON array; several queries at once are not supported. Send one JSON object each.',
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
      throw new MalformedRequestError(`${name} must be given once.`);
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
  const query = queryOf(source);
  const id = objectOf('extensions', source)?.operationId;
  const isId = typeof id === 'string' && id !== '' && id.length <= maxOperationId;
  return {
    query,
    variables: objectOf('variables', source),
    operationName: operationNameOf(source),
    ...(isId && { operationId: id }),
  };
}

/** At most so long, in characters: it comes with each response. */
const maxOperationId = 200;

function queryOf({ nameOf, exampleOfQuery, read }: Source): string {
  const query = read('query');
  if (typeof query === 'string' && query !== '') return query;
  if (query === undefined) {
    throw new MalformedRequestError(
      `${nameOf('query')} is missing. It holds the GraphQL document, as in ${exampleOfQuery}.`,
    );
  }
  const found = query === '' ? 'empty' : kindOf(query);
  throw new MalformedRequestError(
    `${nameOf('query')} is ${found}; it must be a string with a GraphQL document.`,
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
