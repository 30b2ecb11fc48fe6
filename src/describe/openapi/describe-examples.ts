/** Turns recorded calls into the examples of an operation: requests and their real responses. */

import type { JsonObject, JsonValue } from './json.js';
import type { RecordedCall } from './recorded-calls.js';

/** Returns the example of a parameter, from the first accepted call; `undefined` without one. */
export function parameterExample(
  calls: readonly RecordedCall[],
  place: 'path' | 'query' | 'header' | 'cookie',
  name: string,
  { type }: JsonObject,
): JsonValue | undefined {
  const request = (calls.find(isAccepted) ?? calls.find(isRedirected))?.request ?? {};
  const values = place === 'header' ? request.headers : place === 'cookie' ? {} : request[place];
  const value = Object.entries(values ?? {}).find(([each]) => {
    return place === 'header' ? each.toLowerCase() === name.toLowerCase() : each === name;
  })?.[1];
  if (value === undefined) return undefined;
  if (type === 'array') return [value].flat();
  return type === 'string' ? String(value) : value;
}

/** Returns the example of a header, from responses with that status. */
export function headerExample(
  calls: readonly RecordedCall[],
  status: string,
  name: string,
  { type }: JsonObject,
): JsonValue | undefined {
  const response = calls.find((call) => String(call.response.status) === status)?.response;
  const value = response?.headers[name.toLowerCase()];
  return value !== undefined && type === 'integer' ? Number(value) : value;
}

/** Returns accepted bodies of that media type. */
export function requestExamples(
  calls: readonly RecordedCall[],
  mediaType: string,
): JsonObject | undefined {
  const examples = calls.filter(isAccepted).flatMap(({ name, request: { headers, body } }) => {
    // Recordings omit the Content-Type of JSON.
    const isOfType = mediaTypeOf(headers?.['Content-Type'] ?? 'application/json') === mediaType;
    if (!isOfType || body === undefined) return [];
    const isForm = mediaType === 'application/x-www-form-urlencoded';
    return [exampleOf(name, isForm ? readForm(String(body)) : body)];
  });
  return examples.length === 0 ? undefined : Object.fromEntries(examples);
}

/** Parses a form as its schema describes it: repeated fields are lists. */
function readForm(text: string): JsonObject {
  const form = new URLSearchParams(text);
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...others] = form.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** Returns bodies of responses with that status and media type, which can be a range. */
export function responseExamples(
  calls: readonly RecordedCall[],
  status: string,
  mediaType: string,
  otherTypes: readonly string[],
): JsonObject | undefined {
  const examples = calls.flatMap(({ name, response }) => {
    const { body, headers } = response;
    if (String(response.status) !== status || body === undefined) return [];
    const sent = mediaTypeOf(headers['content-type'] ?? '');
    const isOfType = sent === mediaType || (mediaType === '*/*' && !otherTypes.includes(sent));
    return isOfType ? [exampleOf(name, body)] : [];
  });
  return examples.length === 0 ? undefined : Object.fromEntries(examples);
}

/** Returns whether the service accepted the request, so that its body can be an example. */
function isAccepted({ response }: RecordedCall): boolean {
  return response.status < 300;
}

/** Only redirects have nothing better to show. */
function isRedirected({ response }: RecordedCall): boolean {
  return response.status < 400;
}

function exampleOf(name: string, value: JsonValue): readonly [string, JsonObject] {
  return [keyOf(name), { summary: name, value }];
}

/** Such as `aPage` for "A page". */
function keyOf(name: string): string {
  const [first = '', ...others] = name.split(/[^a-z0-9]+/i).filter(Boolean);
  const capitalized = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return first.charAt(0).toLowerCase() + first.slice(1) + capitalized.join('');
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0] ?? '';
}
