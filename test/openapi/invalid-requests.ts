/** Requests that are invalid in one way each, derived from a valid one and the description. */

import type { JsonObject, JsonValue } from '../../src/describe/openapi/json.js';
import type { RecordedRequest } from '../../src/describe/openapi/recorded-calls.js';
import type { Contract, Parameter } from './contract.js';

export interface InvalidRequest extends Omit<RecordedRequest, 'body'> {
  /** The error in the request. */
  readonly fault: string;
  readonly body?: string | Uint8Array | undefined;
}

const oddTexts = [
  '',
  'x',
  '-1',
  '1e999',
  '99999999999999999999',
  '\u0000',
  'ä/..',
  'a'.repeat(300),
];
const oddHeaders = ['', 'x', '"', ',;=', '\u00e4', 'a'.repeat(300)];
const oddCredentials = [
  '',
  'Basic',
  'Basic !',
  'Basic Og==',
  'Bearer',
  'Bearer !',
  'Digest x="',
  'x',
];
const oddTypes = ['', 'x', 'text/plain', 'application/xml', 'application/json; charset=utf-16'];
const oddBodies: readonly (string | Uint8Array)[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"__proto__": {"x": 1}}',
  '['.repeat(3000),
  '<a',
  '<a/>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  'a=%zz',
  'a=1&a=2',
  Uint8Array.of(0xc3, 0x28),
];
const oddValues: readonly JsonValue[] = [null, true, -1, 1e308, '', 'x'.repeat(2000), [], {}];

/** Valid values of these delay a response, or change it. */
const actsOnResponse = new Set(['delay', 'error', 'times', 'key', 'wait']);

export function* invalidRequests(
  contract: Contract,
  operationId: string,
  right: RecordedRequest,
): Generator<InvalidRequest> {
  const { operation } = contract.operation(operationId);
  const body = right.body === undefined ? undefined : textOf(right.body);
  const isJson = right.body !== undefined && typeof right.body !== 'string';
  const headers = {
    ...right.headers,
    ...(isJson && { 'Content-Type': 'application/json' }),
  };
  const like = { ...right, headers, body };

  yield { ...like, fault: 'an unknown query parameter', query: { ...right.query, unheardOf: '1' } };
  const parameters = contract.parameters(operationId);
  // Filters of lists are parsed alike, so that two invalid values are enough for each.
  const isList = parameters.some(({ name }) => name === 'filters' || name === 'id_in');
  const texts = isList ? oddTexts.slice(0, 2) : oddTexts;
  for (const parameter of parameters) yield* invalidParameters(like, parameter, texts);
  const { security } = operation as { security: JsonValue[] };
  for (const value of security.length > 0 ? oddCredentials : []) {
    yield {
      ...like,
      fault: `Authorization ${value}`,
      headers: { ...headers, Authorization: value },
    };
  }
  for (const value of ['', 'x', 'image/png', 'application/json;q=2', '*/*;q=0']) {
    yield { ...like, fault: `Accept ${value}`, headers: { ...headers, Accept: value } };
  }
  if (operation.requestBody === undefined) return;
  for (const value of oddTypes) {
    const sent = { ...headers, 'Content-Type': value };
    yield { ...like, fault: `Content-Type ${value}`, headers: sent };
  }
  yield { ...like, fault: 'a coding', headers: { ...headers, 'Content-Encoding': 'gzip' } };
  for (const value of oddBodies) {
    yield { ...like, fault: `the body ${String(value).slice(0, 40)}`, body: value };
  }
  if (isJson) yield* invalidFields(like, right.body as JsonObject);
}

type Like = Omit<InvalidRequest, 'fault'>;

function* invalidParameters(
  like: Like,
  { name, in: place }: Parameter,
  texts: readonly string[],
): Generator<InvalidRequest> {
  if (place === 'query') {
    const values = actsOnResponse.has(name) ? ['', 'x', '-1', '999999'] : texts;
    for (const value of [...values, ['a', 'b']]) {
      const query = { ...like.query, [name]: value };
      yield { ...like, fault: `the query parameter ${name}=${value}`, query };
    }
  } else if (place === 'path') {
    for (const value of oddTexts.filter((text) => text !== '')) {
      const path = { ...like.path, [name]: value };
      yield { ...like, fault: `the path parameter ${name}=${value}`, path };
    }
  } else if (place === 'header') {
    for (const value of oddHeaders) {
      const headers = { ...like.headers, [name]: value };
      yield { ...like, fault: `the header ${name}: ${value}`, headers };
    }
  } else {
    for (const value of ['', `${name}=`, `${name}=%zz; ${name}="x"`]) {
      yield { ...like, fault: `the cookie ${value}`, headers: { ...like.headers, Cookie: value } };
    }
  }
}

function* invalidFields(like: Like, right: JsonObject): Generator<InvalidRequest> {
  yield { ...like, fault: 'an unknown field', body: JSON.stringify({ ...right, unheardOf: 1 }) };
  for (const name of Object.keys(right)) {
    const { [name]: _left, ...rest } = right;
    yield { ...like, fault: `no field ${name}`, body: JSON.stringify(rest) };
    for (const value of oddValues) {
      const body = JSON.stringify({ ...right, [name]: value });
      yield { ...like, fault: `the field ${name} of ${JSON.stringify(value).slice(0, 40)}`, body };
    }
  }
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
