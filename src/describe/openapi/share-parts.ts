/** What many operations have alike (examples, parameters, headers, responses) becomes a component that they refer to. */

import { STATUS_CODES } from 'node:http';
import type { Steps } from '../../base/run-steps.js';
import type { JsonObject } from './json.js';

/** From here on a part becomes a component. */
const minUses = 3;

type Kind = 'examples' | 'parameters' | 'headers' | 'responses';

type Replace = (part: JsonObject, hint: string) => JsonObject;

type SharedParts = ReturnType<typeof sharedParts>;

/** Components of one kind: parts are counted first, and then those with enough uses are replaced by references. */
function sharedParts(kind: Kind) {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  const components: Record<string, JsonObject> = {};
  const count: Replace = (part) => {
    const text = JSON.stringify(part);
    uses.set(text, (uses.get(text) ?? 0) + 1);
    return part;
  };
  const share: Replace = (part, hint) => {
    const text = JSON.stringify(part);
    if (part.$ref !== undefined || (uses.get(text) ?? 0) < minUses) return part;
    const name = names.get(text) ?? freeName(hint, components);
    names.set(text, name);
    components[name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  };
  return { components, count, share };
}

function freeName(hint: string, components: JsonObject): string {
  const words = hint.split(/[^a-z0-9]+/i).filter(Boolean);
  // In lower case, so that it is none of those that hold everywhere.
  const [first = 'part', ...others] = words.map(
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  const base = [first.charAt(0).toLowerCase() + first.slice(1), ...others].join('');
  let name = base;
  for (let number = 2; Object.hasOwn(components, name); number++) name = base + number;
  return name;
}

/** The same paths with references in place of what is shared, and the components by kind. */
export function* shareParts(paths: JsonObject): Steps<{
  paths: JsonObject;
  components: Readonly<Record<Kind, JsonObject>>;
}> {
  const examples = sharedParts('examples');
  const parameters = sharedParts('parameters');
  const headers = sharedParts('headers');
  const responses = sharedParts('responses');
  const parts = { examples, parameters, headers };
  yield* mapOperations(paths, mapParts(parts, 'count'));
  const withParts = yield* mapOperations(paths, mapParts(parts, 'share'));
  yield* mapOperations(withParts, (operation) => mapResponses(operation, responses.count));
  return {
    paths: yield* mapOperations(withParts, (each) => mapResponses(each, responses.share)),
    components: {
      examples: examples.components,
      parameters: parameters.components,
      headers: headers.components,
      responses: responses.components,
    },
  };
}

function* mapOperations(
  paths: JsonObject,
  map: (operation: JsonObject) => JsonObject,
): Steps<JsonObject> {
  const mapped: Record<string, JsonObject> = {};
  for (const [path, item] of Object.entries(paths)) {
    mapped[path] = mapMembers(item as JsonObject, map);
    yield;
  }
  return mapped;
}

/** Counts or shares what is inside of the responses of an operation, and beside them. */
function mapParts(
  parts: Readonly<Record<Exclude<Kind, 'responses'>, SharedParts>>,
  replace: 'count' | 'share',
): (operation: JsonObject) => JsonObject {
  const mapBody = ({ content, headers, ...body }: JsonObject): JsonObject => ({
    ...body,
    ...(content !== undefined && {
      content: mapMembers(content as JsonObject, ({ examples, ...media }) => ({
        ...media,
        ...(examples !== undefined && {
          examples: mapMembers(examples as JsonObject, parts.examples[replace]),
        }),
      })),
    }),
    ...(headers !== undefined && {
      headers: mapMembers(headers as JsonObject, parts.headers[replace]),
    }),
  });
  return ({ parameters, requestBody, responses, ...operation }) => ({
    ...operation,
    ...(requestBody !== undefined && { requestBody: mapBody(requestBody as JsonObject) }),
    parameters: (parameters as readonly JsonObject[]).map((each) =>
      parts.parameters[replace](each, String(each.name)),
    ),
    responses: mapMembers(responses as JsonObject, mapBody),
  });
}

function mapResponses({ responses, ...operation }: JsonObject, replace: Replace): JsonObject {
  const mapped = mapMembers(responses as JsonObject, (response, status) =>
    // Where any other response is possible, it is described in place.
    status === 'default' ? response : replace(response, STATUS_CODES[status] ?? 'answer'),
  );
  return { ...operation, responses: mapped };
}

function mapMembers(
  object: JsonObject,
  map: (member: JsonObject, key: string) => JsonObject,
): JsonObject {
  const entries = Object.entries(object).map(([key, member]) => [
    key,
    map(member as JsonObject, key),
  ]);
  return Object.fromEntries(entries);
}
