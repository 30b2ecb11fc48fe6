/**
 * Selects the bodies of a description: JSON only, which tools need, or every format and every
 * example.
 */

import type { JsonObject, JsonValue } from './json.js';

export const formatChoices = ['json', 'all'] as const;

export type Formats = (typeof formatChoices)[number];

/** Other formats of the same data. */
const dataTypes = [
  'application/vnd.api+json',
  'application/x-ndjson',
  'application/xml',
  'application/yaml',
  'text/csv',
];

/** Pages and streams instead of data. */
const otherViews = [
  'application/graphql',
  'application/problem+json',
  'text/event-stream',
  'text/html',
];

const left: Readonly<Record<'requests' | 'responses', ReadonlySet<string>>> = {
  requests: new Set(dataTypes),
  responses: new Set([...dataTypes, ...otherViews]),
};

/** Omits other formats from content that has JSON. */
export function withJsonOnly(content: JsonObject, of: 'requests' | 'responses'): JsonObject {
  if (content['application/json'] === undefined) return content;
  return Object.fromEntries(Object.entries(content).filter(([type]) => !left[of].has(type)));
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
