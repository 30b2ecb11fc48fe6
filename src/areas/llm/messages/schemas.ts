/** JSON Schemas of callers: of tools and of responses. */

import type { JsonObject } from '#base/json-object.js';
import { admitSchemas } from '#json-schema/admit-schemas.js';
import { record } from '#kit/input/fields/parts.js';
import { described, mapped } from '#kit/input/fields/reader.js';
import { reject } from './mistake.js';

/** Accepts keywords of schemas that only annotate: extensions such as `x-mcp-header`, and `encrypted` of Codex. */
export const isAnnotation = (keyword: string): boolean =>
  keyword === 'encrypted' || keyword.startsWith('x-');

/** The rules for schemas of tools and of responses. */
export const schemaRules = { isAnnotation, allowsRecursion: true } as const;

/** Reads a JSON Schema, without the name of its draft. */
export const jsonSchema = described(
  mapped(record, ({ $schema: _, ...schema }): JsonObject => schema),
  { type: 'object', additionalProperties: true, examples: [{ type: 'object', properties: {} }] },
);

/** Rejects schemas that cost too much. Each has the path of its field. */
export const admitAt =
  (pathTo: (path: string, step: string | number) => string) =>
  (schemas: readonly (readonly [path: string, schema: JsonObject])[]): void => {
    const [fault] = admitSchemas(Object.fromEntries(schemas), schemaRules);
    if (fault === undefined) return;
    const [first, ...rest] = fault.path;
    reject(rest.reduce<string>(pathTo, String(first ?? schemas[0]?.[0])), `${fault.what}.`);
  };
