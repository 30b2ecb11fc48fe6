/** Reads what a report says about a response: a status, parts of the response, or text. */

import { STATUS_CODES } from 'node:http';
import { fieldError, type HttpError } from '#http/http-error.js';

export interface Parts {
  readonly status?: number;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Absent, or in a list of one, because it may be null. */
  readonly body?: readonly [unknown];
}

export interface Statement {
  readonly parts: Parts;
  /** Text that is searched for what the replay shows. */
  readonly text?: string;
}

export const maxStatementText = 4_000;

type Side = 'expected' | 'actual';

export type Statements = Readonly<Record<Side, Statement>>;

const whatToName =
  'Name a status, a header, or a member of the body with its value, such as 404, "Location: /api/Albums/101" or {"body": {"price": 12}}.';

/** Throws 400 for a statement that says nothing, or many things, and for two that say the same. */
export function readStatements(given: Readonly<Record<Side, unknown>>): Statements {
  const expected = readStatement('expected', given.expected);
  const actual = readStatement('actual', given.actual);
  if (isSame(expected, actual)) {
    throw fieldError('actual', `expected and actual say the same. ${whatToName}`);
  }
  return { expected, actual };
}

function readStatement(side: Side, given: unknown): Statement {
  const value = typeof given === 'string' ? parsedText(given) : given;
  if (typeof value === 'string') return readText(side, value);
  if (typeof value === 'number' && isStatus(value)) return { parts: { status: value } };
  if (typeof value === 'number' || typeof value === 'boolean') return readText(side, String(value));
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    throw fieldError(side, `${side} says nothing. ${whatToName}`);
  }
  if (Array.isArray(value) && value.length > 1 && value.every(isStatus)) {
    throw severalStatuses(side, value);
  }
  return { parts: readParts(side, value) };
}

/** JSON objects and lists may be sent as text. */
function parsedText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readText(side: Side, given: string): Statement {
  const text = given.trim();
  if (text === '') throw fieldError(side, `${side} is empty. ${whatToName}`);
  if (text.length > maxStatementText) {
    throw fieldError(side, `${side} has more than ${maxStatementText} characters of text.`);
  }
  const statuses = statusesIn(text);
  if (statuses.length > 1) throw severalStatuses(side, statuses);
  const [status] = statuses;
  return { parts: status === undefined ? {} : { status }, text };
}

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;

/** Status codes of a text, except numbers in paths, versions and words. */
function statusesIn(text: string): number[] {
  const found = text.matchAll(/(?<![\w./=-])[1-5]\d\d(?![\w/-]|\.\d)/g);
  const codes = [...found].map(([code]) => Number(code));
  return [...new Set(codes)].filter((code) => STATUS_CODES[code] !== undefined);
}

function severalStatuses(side: Side, statuses: readonly number[]): HttpError {
  const listed = statuses.slice(0, 3).join(', ');
  return fieldError(side, `${side} names several statuses (${listed}). Name one.`);
}

const partNames = ['status', 'headers', 'body'];

function readParts(side: Side, value: object): Parts {
  if (Array.isArray(value) || !Object.keys(value).every((name) => partNames.includes(name))) {
    return { body: [value] };
  }
  const { status, headers } = value as { readonly status?: unknown; readonly headers?: unknown };
  const code = status === undefined ? undefined : Number(status);
  if (Array.isArray(status) || (code !== undefined && !isStatus(code))) {
    throw fieldError(side, `${side}.status must be one status, from 100 to 599.`);
  }
  if (headers !== undefined && (typeof headers !== 'object' || headers === null)) {
    throw fieldError(side, `${side}.headers must be an object of header names and values.`);
  }
  return {
    ...(code !== undefined && { status: code }),
    ...(headers !== undefined && { headers: inLowerCase(headers) }),
    ...('body' in value && { body: [value.body] as const }),
  };
}

const inLowerCase = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const bareStatus = /^(?:http\/\d(?:\.\d)? |status(?: code)?:? )?[1-5]\d\d(?: [a-z][a-z' -]*)?$/i;

function isSame(one: Statement, other: Statement): boolean {
  const [first, second] = [comparable(one), comparable(other)];
  return first === second;
}

/** A text that has only a status is the same as the status. */
function comparable({ parts, text }: Statement): string {
  const isText = text !== undefined && (parts.status === undefined || !bareStatus.test(text));
  if (!isText) return JSON.stringify(parts);
  return text
    .toLowerCase()
    .replace(/[\s.,;!]+/g, ' ')
    .trim();
}
