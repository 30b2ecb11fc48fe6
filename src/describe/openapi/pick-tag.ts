/** Reduces the description to the operations of one tag. */

import type { JsonObject, JsonValue } from './json.js';

type Parts = Record<string, Record<string, JsonValue>>;

/** Keeps the components that the operations use. */
export function pickTag(description: JsonObject, tag: string): JsonObject {
  const tags = description.tags as readonly JsonObject[];
  const paths = Object.entries(description.paths as Parts).filter(([, item]) =>
    Object.values(item).some((each) => tagsOf(each).includes(tag)),
  );
  const { securitySchemes, ...all } = description.components as Parts;
  const used = { paths: Object.fromEntries(paths) };
  const components: Parts = {};
  gather(used, all, components);
  return {
    ...description,
    tags: tags.filter(({ name }) => name === tag),
    ...used,
    components: { ...components, securitySchemes: schemesOf(used, securitySchemes) },
  };
}

const tagsOf = (operation: JsonValue): readonly string[] =>
  ((operation as JsonObject).tags ?? []) as readonly string[];

/** Copies what `value` references, and what that references. */
function gather(value: JsonValue, all: Parts, into: Parts): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as JsonObject;
  if (typeof $ref === 'string') {
    const [kind = '', name = ''] = $ref.split('/').slice(-2);
    into[kind] ??= {};
    const found = all[kind]?.[name];
    if (found !== undefined && into[kind][name] === undefined) {
      into[kind][name] = found;
      gather(found, all, into);
    }
  }
  for (const each of Object.values(value)) gather(each, all, into);
}

function schemesOf({ paths }: { paths: JsonObject }, schemes: JsonObject = {}): JsonObject {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as JsonObject));
  const names = operations.flatMap((operation) =>
    (((operation as JsonObject).security ?? []) as readonly JsonObject[]).flatMap(Object.keys),
  );
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => names.includes(name)));
}
