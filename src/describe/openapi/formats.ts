/**
 * Selects the bodies of a description: JSON only, which tools need, or every format and every
 * example.
 */

import type { JsonObject, JsonValue } from './json.js';

export const formatChoices = ['json', 'all'] as const;

export type Formats = (typeof formatChoices)[number];

/** JSON itself, and its patches. */
const jsonTypes = /^application\/(?:json|(?:merge|json)-patch\+json)$/;

/** In responses, other formats of the same data, and pages, streams and messages instead of data. */
const otherResponses: ReadonlySet<string> = new Set([
  'application/graphql',
  'application/problem+json',
  'application/vnd.api+json',
  'application/x-ndjson',
  'application/xml',
  'application/yaml',
  'message/http',
  'text/csv',
  'text/event-stream',
  'text/html',
]);

/** Omits other formats from content that has JSON: a generated client would accept any body, and return any data. */
export function withJsonOnly(content: JsonObject, of: 'requests' | 'responses'): JsonObject {
  if (content['application/json'] === undefined) return content;
  const isKept = (type: string) =>
    of === 'requests' ? jsonTypes.test(type) : !otherResponses.has(type);
  return Object.fromEntries(Object.entries(content).filter(([type]) => isKept(type)));
}

/** In characters of JSON. Longer examples appear only in the description of all formats. */
const maxExampleLength = 250;

/** Keeps one example of a request: the first short one, or else the shortest. */
export function withRequestExample(content: JsonObject): JsonObject {
  const lengthOf = (example: JsonValue) => JSON.stringify(example).length;
  const entries = Object.entries(content).map(([type, media]) => {
    const { examples = {}, ...rest } = media as { readonly examples?: JsonObject };
    const all = Object.values(examples);
    const short = all.find((example) => lengthOf(example) <= maxExampleLength);
    const [shortest] = all.sort((a, b) => lengthOf(a) - lengthOf(b));
    const example = (short ?? shortest) as JsonObject | undefined;
    return [type, { ...rest, ...(example && { example: example.value }) }];
  });
  return Object.fromEntries(entries);
}

/** Keeps the first short example, if any: of `types`, or of all types. */
export function withShortExample(content: JsonObject, types?: RegExp): JsonObject {
  const entries = Object.entries(content).map(([type, media]) => {
    const { examples, ...rest } = media as { readonly examples?: JsonObject };
    const isShown = types === undefined || types.test(type);
    const short = Object.values(isShown && examples ? examples : {}).find(
      (example) => JSON.stringify(example).length <= maxExampleLength,
    );
    return [type, { ...rest, ...(short && { example: (short as JsonObject).value }) }];
  });
  return Object.fromEntries(entries);
}

/** Media types other than JSON, whose schemas help no client. */
export const withoutSchemas = /^(?!.*[/+]json$)/;

/** Response headers for browsers and caches rather than callers. */
export const headersForBrowsers: readonly string[] = [
  'Content-Security-Policy',
  'Vary',
  'X-Content-Type-Options',
];
