/**
 * The parameters of a GraphQL request (GraphQL over HTTP, section 5), from a parsed JSON body or from
 * a query string. Members nobody knows are ignored.
 */

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

/** How a message names a parameter, and an example of the one that must be there. */
interface Naming {
  readonly nameOf: (parameter: string) => string;
  readonly example: string;
}

const inBody: Naming = {
  nameOf: (parameter) => `The ${parameter} property`,
  example: '{"query": "{ books { title } }"}',
};

const inAddress: Naming = {
  nameOf: (parameter) => `The query parameter ${parameter}`,
  example: '?query={books{title}}',
};

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
  checkQuery(body.query, Object.hasOwn(body, 'query'), inBody);
  const extensions = objectOf('extensions', body.extensions, inBody);
  return {
    query: body.query,
    variables: objectOf('variables', body.variables, inBody),
    operationName: operationNameOf(body.operationName, inBody),
    ...operationIdOf(extensions),
  };
}

/** Throws {@link MalformedRequestError}. */
export function readQueryParameters(parameters: Readonly<Record<string, unknown>>): Parameters {
  for (const name of ['query', 'variables', 'operationName', 'extensions']) {
    if (Array.isArray(parameters[name])) {
      throw new MalformedRequestError(`${name} must be given once.`);
    }
  }
  checkQuery(parameters.query, parameters.query !== undefined, inAddress);
  const extensions = objectOf('extensions', jsonOf('extensions', parameters.extensions), inAddress);
  return {
    query: parameters.query,
    variables: objectOf('variables', jsonOf('variables', parameters.variables), inAddress),
    operationName: operationNameOf(parameters.operationName, inAddress),
    ...operationIdOf(extensions),
  };
}

function checkQuery(
  query: unknown,
  isGiven: boolean,
  { nameOf, example }: Naming,
): asserts query is string {
  if (typeof query === 'string' && query !== '') return;
  if (!isGiven) {
    throw new MalformedRequestError(
      `${nameOf('query')} is missing. It holds the GraphQL document, as in ${example}.`,
    );
  }
  const found = query === '' ? 'empty' : kindOf(query);
  throw new MalformedRequestError(
    `${nameOf('query')} is ${found}; it must be a string with a GraphQL document.`,
  );
}

function operationNameOf(name: unknown, { nameOf }: Naming): string | undefined {
  if (name === undefined || name === null || name === '') return undefined;
  if (typeof name === 'string') return name;
  throw new MalformedRequestError(
    `${nameOf('operationName')} is ${kindOf(name)}; it must be a string or null.`,
  );
}

/** At most so long, in characters: it comes with each response. */
const maxOperationId = 200;

/** The one extension that is read here. */
function operationIdOf(
  extensions: Readonly<Record<string, unknown>> | undefined,
): Pick<Parameters, 'operationId'> | undefined {
  const id = extensions?.operationId;
  const isId = typeof id === 'string' && id !== '' && id.length <= maxOperationId;
  return isId ? { operationId: id } : undefined;
}

function objectOf(
  name: string,
  value: unknown,
  { nameOf }: Naming,
): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
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
