/**
 * The parameters of a GraphQL request (GraphQL over HTTP, section 5), from a parsed JSON body or from
 * a query string. Members nobody knows are ignored.
 */

import { JsonSyntaxError, parseJson } from '../../server/parse-json.js';

export interface Parameters {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

/** The request is none of GraphQL's; the message says what is expected instead. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError';
}

/** Throws {@link MalformedRequestError}. */
export function readBodyParameters(body: unknown): Parameters {
  if (Array.isArray(body)) {
    throw new MalformedRequestError(
      'The body is a JSON array; several queries at once are not taken. Send one JSON object each.',
    );
  }
  if (!isObject(body)) {
    throw new MalformedRequestError(
      `The body is ${nameOf(body)}. Send a JSON object with the property query.`,
    );
  }
  checkQuery(body.query, Object.hasOwn(body, 'query'));
  checkExtensions(body.extensions);
  return {
    query: body.query,
    variables: objectOf('variables', body.variables),
    operationName: operationNameOf(body.operationName),
  };
}

/** Throws {@link MalformedRequestError}. */
export function readQueryParameters(parameters: Readonly<Record<string, unknown>>): Parameters {
  for (const name of ['query', 'variables', 'operationName', 'extensions']) {
    if (Array.isArray(parameters[name])) {
      throw new MalformedRequestError(`The query parameter ${name} is given more than once.`);
    }
  }
  checkQuery(parameters.query, parameters.query !== undefined);
  checkExtensions(jsonOf('extensions', parameters.extensions));
  return {
    query: parameters.query,
    variables: objectOf('variables', jsonOf('variables', parameters.variables)),
    operationName: operationNameOf(parameters.operationName),
  };
}

function checkQuery(query: unknown, isGiven: boolean): asserts query is string {
  if (typeof query === 'string' && query !== '') return;
  if (!isGiven) {
    throw new MalformedRequestError(
      'The query property is missing. It holds the GraphQL document, as in {"query": "{ books { title } }"}.',
    );
  }
  const found = query === '' ? 'empty' : nameOf(query);
  throw new MalformedRequestError(
    `The query property is ${found}; it must be a string with a GraphQL document.`,
  );
}

function operationNameOf(name: unknown): string | undefined {
  if (name === undefined || name === null || name === '') return undefined;
  if (typeof name === 'string') return name;
  throw new MalformedRequestError(
    `The operationName property is ${nameOf(name)}; it must be a string or null.`,
  );
}

/** Nothing here reads extensions, yet what they are not allowed to be is refused. */
function checkExtensions(extensions: unknown): void {
  objectOf('extensions', extensions);
}

function objectOf(name: string, value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw new MalformedRequestError(
    `The ${name} property is ${nameOf(value)}; it must be a JSON object or null.`,
  );
}

function jsonOf(name: string, text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new MalformedRequestError(`The query parameter ${name} is no JSON. ${error.message}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
