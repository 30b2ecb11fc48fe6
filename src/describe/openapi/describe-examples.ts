/** Recorded calls as the examples of an operation: what was really sent, and what really came back. */

import type { Steps } from '../../base/run-steps.js';
import type { JsonObject, JsonValue } from './json.js';
import { mapInSteps, mapMembers } from './map-members.js';
import type { RecordedCall } from './recorded-calls.js';

/** The example of a parameter, from the first call that was taken; `undefined` when it has none. */
export function parameterExample(
  calls: readonly RecordedCall[],
  place: 'path' | 'query' | 'header' | 'cookie',
  name: string,
  { type }: JsonObject,
): JsonValue | undefined {
  const request = calls.find(isTaken)?.request ?? {};
  const values = place === 'header' ? request.headers : place === 'cookie' ? {} : request[place];
  const value = Object.entries(values ?? {}).find(([each]) => {
    return place === 'header' ? each.toLowerCase() === name.toLowerCase() : each === name;
  })?.[1];
  if (value === undefined) return undefined;
  if (type === 'array') return [value].flat();
  return type === 'string' ? String(value) : value;
}

/** The example of a header of responses with that status. */
export function headerExample(
  calls: readonly RecordedCall[],
  status: string,
  name: string,
  { type }: JsonObject,
): JsonValue | undefined {
  const response = calls.find((call) => String(call.answer.status) === status)?.answer;
  const value = response?.headers[name.toLowerCase()];
  return value !== undefined && type === 'integer' ? Number(value) : value;
}

/** Bodies of that media type that were taken. */
export function requestExamples(
  calls: readonly RecordedCall[],
  mediaType: string,
): JsonObject | undefined {
  const examples = calls.filter(isTaken).flatMap(({ name, request: { headers, body } }) => {
    // What is sent as JSON is kept without its Content-Type.
    const isOfType = mediaTypeOf(headers?.['Content-Type'] ?? 'application/json') === mediaType;
    if (!isOfType || body === undefined) return [];
    const isForm = mediaType === 'application/x-www-form-urlencoded';
    return [exampleOf(name, isForm ? readForm(String(body)) : body)];
  });
  return examples.length === 0 ? undefined : Object.fromEntries(examples);
}

/** A form as its schema sees it: repeated fields are lists. */
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

/** Bodies of responses with that status and media type, which can be a range. */
export function responseExamples(
  calls: readonly RecordedCall[],
  status: string,
  mediaType: string,
  otherTypes: readonly string[],
): JsonObject | undefined {
  const examples = calls.flatMap(({ name, answer: response }) => {
    const { body, headers } = response;
    if (String(response.status) !== status || body === undefined) return [];
    const sent = mediaTypeOf(headers['content-type'] ?? '');
    const isOfType = sent === mediaType || (mediaType === '*/*' && !otherTypes.includes(sent));
    return isOfType ? [exampleOf(name, body)] : [];
  });
  return examples.length === 0 ? undefined : Object.fromEntries(examples);
}

/** Whether the service took the request, so that its body can be an example of what it takes. */
function isTaken({ answer: response }: RecordedCall): boolean {
  return response.status < 300;
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

/** From here on an example becomes a component. */
const minUses = 3;

/**
 * The same paths, in which examples that occur again and again are references to components, and those
 * components.
 */
export function* shareExamples(
  paths: JsonObject,
): Steps<{ paths: JsonObject; examples: JsonObject }> {
  const uses = new Map<string, number>();
  yield* visitExamples(paths, (_key, example) => {
    const text = JSON.stringify(example);
    uses.set(text, (uses.get(text) ?? 0) + 1);
    return example;
  });
  const shared = new Map<string, string>();
  const examples: Record<string, JsonObject> = {};
  const referring = yield* visitExamples(paths, (key, example) => {
    const text = JSON.stringify(example);
    if ((uses.get(text) ?? 0) < minUses) return example;
    let name = shared.get(text);
    if (name === undefined) {
      const taken = Object.keys(examples).filter((each) => each.replace(/\d+$/, '') === key).length;
      name = taken === 0 ? key : `${key}${taken + 1}`;
      shared.set(text, name);
      examples[name] = example;
    }
    return { $ref: `#/components/examples/${name}` };
  });
  return { paths: referring, examples };
}

/** Replaces every example of the bodies of requests and responses. */
function visitExamples(
  paths: JsonObject,
  replace: (key: string, example: JsonObject) => JsonObject,
): Steps<JsonObject> {
  const inContent = (content: JsonObject) =>
    mapMembers(content, (media) => {
      const { examples, ...rest } = media;
      if (examples === undefined) return media;
      return {
        ...rest,
        examples: mapMembers(examples as JsonObject, (each, key) => replace(key, each)),
      };
    });
  const inBody = (body: JsonObject): JsonObject =>
    body.content === undefined ? body : { ...body, content: inContent(body.content as JsonObject) };
  return mapInSteps(paths, (item) =>
    mapMembers(item, ({ requestBody, responses, ...rest }) => ({
      ...rest,
      ...(requestBody !== undefined && { requestBody: inBody(requestBody as JsonObject) }),
      responses: mapMembers(responses as JsonObject, inBody),
    })),
  );
}
