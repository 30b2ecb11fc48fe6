/** Requests as collections show them, before any tool's way of writing them. */

import type { ResponsePart, SampleAuth, SampleBody } from '../../kit/request-collection.js';
import type { JsonObject } from '../openapi/json.js';

/** Any text in it may contain variables, such as `{{binId}}`. */
export interface SampleRequest {
  readonly method: string;
  /** As in the description, such as `/api/Events/{id}`. */
  readonly path: string;
  /** The values of its parameters. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SampleBody;
  readonly auth?: SampleAuth;
}

/** What a response must be like. */
export interface Expectation {
  readonly status: number;
  readonly isEmpty: boolean;
  /** With its parameters where they are known; none where there is no body, or any. */
  readonly contentType?: string;
  /** Whether there is a body of which nothing but its type is known. */
  readonly isSome?: boolean;
  /** Of a JSON body; without references. */
  readonly schema?: JsonObject;
  /** The names of headers that it always has. */
  readonly headers: readonly string[];
}

/** A request of a collection and what is expected of its response. */
export interface Sample {
  /** Unique in a collection, and usable as a name in programs. */
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly request: SampleRequest;
  /** More than one only where what others did before decides. */
  readonly expected: readonly Expectation[];
  /** Which variables get a value from the response. */
  readonly keeps: Readonly<Record<string, ResponsePart>>;
  /** And which lose theirs. */
  readonly forgets?: readonly string[];
}

/** The names of the variables in it. */
export function variablesIn(value: unknown): string[] {
  const found = JSON.stringify(value ?? null).matchAll(/\{\{(\w+)\}\}/g);
  return [...new Set(Array.from(found, ([, name = '']) => name))];
}

export function bodyText(body: SampleBody): string {
  if (body.kind === 'text') return body.text;
  if (body.kind === 'json') return JSON.stringify(body.value, null, 2);
  return body.fields.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

/** Percent-encoded, but for the variables in it. */
export function encoded(text: string): string {
  return text
    .split(/(\{\{\w+\}\})/)
    .map((part, index) => (index % 2 === 0 ? encodeURIComponent(part) : part))
    .join('');
}

/** The path with its parameters filled in, and the query. */
export function targetOf({ path, pathValues, query }: SampleRequest): string {
  const filled = path.replace(/(?<!\{)\{(\w+)\}/g, (_, name) => encoded(pathValues[name] ?? ''));
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}
