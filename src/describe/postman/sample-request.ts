/** Requests of collections, independent of the tool. */

import type { ResponsePart } from '#kit/example.js';
import type { SampleAuth, SampleBody } from '#kit/request-collection.js';
import type { JsonObject } from '../openapi/json.js';

/** Any text in it may contain variables, such as `{{binId}}`. */
export interface SampleRequest {
  readonly method: string;
  /** In the syntax of the description, such as `/api/Events/{id}`. */
  readonly path: string;
  /** Values of its path parameters. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SampleBody;
  readonly auth?: SampleAuth;
}

/** Requirements on a response. */
export interface Expectation {
  readonly status: number;
  readonly isEmpty: boolean;
  /** With its parameters if they are known; absent if there is no body, or any type. */
  readonly contentType?: string;
  /** Whether there is a body of which only the type is known. */
  readonly isSome?: boolean;
  /** Schema of a JSON body, without references. */
  readonly schema?: JsonObject;
  /** Names of headers that it always has. */
  readonly headers: readonly string[];
}

/** A request of a collection, and the expected responses. */
export interface Sample {
  /** Unique in a collection, and usable as an identifier. */
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly request: SampleRequest;
  /** More than one only if earlier changes by others affect it. */
  readonly expected: readonly Expectation[];
  /** Variables that get a value from the response. */
  readonly keeps: Readonly<Record<string, ResponsePart>>;
  /** Variables that lose their value. */
  readonly forgets?: readonly string[];
}

/** Returns the names of the variables in a value. */
export function variablesIn(value: unknown): string[] {
  const found = JSON.stringify(value ?? null).matchAll(/\{\{(\w+)\}\}/g);
  return [...new Set(Array.from(found, ([, name = '']) => name))];
}

export function bodyText(body: SampleBody): string {
  if (body.kind === 'text') return body.text;
  if (body.kind === 'json') return JSON.stringify(body.value, null, 2);
  return body.fields.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

/** Percent-encodes a text except for its variables. */
export function encoded(text: string): string {
  return text
    .split(/(\{\{\w+\}\})/)
    .map((part, index) => (index % 2 === 0 ? encodeURIComponent(part) : part))
    .join('');
}

/** Returns the path with its parameters filled in, and the query. */
export function targetOf({ path, pathValues, query }: SampleRequest): string {
  const filled = path.replace(/(?<!\{)\{(\w+)\}/g, (_, name) => encoded(pathValues[name] ?? ''));
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}
