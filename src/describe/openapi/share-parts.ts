/**
 * Turns repeated parts of operations (examples, parameters, headers, responses) into components.
 */

import { STATUS_CODES } from 'node:http';
import type { Steps } from '#base/run-steps.js';
import type { JsonObject, JsonValue } from './json.js';

type Kind = 'examples' | 'parameters' | 'headers' | 'responses' | 'requestBodies';

type Replace = (part: JsonObject, hint: string) => JsonObject;

type SharedParts = ReturnType<typeof sharedParts>;

/**
 * Shares components of one kind: counts the parts first, then replaces frequent ones by references.
 */
function sharedParts(kind: Kind) {
  const uses = new Map<string, Use>();
  let names: ReadonlyMap<string, string> | undefined;
  const components: Record<string, JsonObject> = {};
  const count: Replace = (part, hint) => {
    const text = textOf(part);
    uses.set(text, { hint, count: (uses.get(text)?.count ?? 0) + 1 });
    return part;
  };
  const share: Replace = (part) => {
    if (part.$ref !== undefined) return part;
    names ??= namesOf(kind, uses);
    const name = names.get(textOf(part));
    if (name === undefined) return part;
    components[name] = withCommonExample(components[name] ?? part, part);
    return { $ref: `#/components/${kind}/${name}` };
  };
  return { components, count, share };
}

interface Use {
  readonly hint: string;
  readonly count: number;
}

/** Names the parts that become components. Of parts with the same hint, the most used has no number. */
function namesOf(kind: Kind, uses: ReadonlyMap<string, Use>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const byCount = [...uses].sort(([, one], [, other]) => other.count - one.count);
  for (const [text, { hint, count }] of byCount) {
    const name = freeName(hint, taken);
    if (!isShorter(text, count, kind + name)) continue;
    taken.add(name);
    names.set(text, name);
  }
  return names;
}

/**
 * Compares parts without their examples. A required parameter keeps its example, without which there
 * is no request.
 */
function textOf({ example, ...part }: JsonObject): string {
  return JSON.stringify(part.required ? { ...part, example: example ?? null } : part);
}

/** Keeps the example of a parameter only if it belongs to both; other parts keep the first. */
function withCommonExample({ example, ...part }: JsonObject, other: JsonObject): JsonObject {
  const isSame = JSON.stringify(example) === JSON.stringify(other.example);
  return example === undefined || (part.in !== undefined && !isSame) ? part : { ...part, example };
}

/** Returns whether a component and its references are shorter than the repeated part. */
function isShorter({ length }: string, uses: number, { length: ofName }: string): boolean {
  const reference = '{"$ref":"#/components//"}'.length + ofName;
  return length + ofName + uses * reference < uses * length;
}

function freeName(hint: string, taken: ReadonlySet<string>): string {
  const words = hint.split(/[^a-z0-9]+/i).filter(Boolean);
  // In lower case, to differ from components of every operation.
  const [first = 'part', ...others] = words.map(
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  const base = [first.charAt(0).toLowerCase() + first.slice(1), ...others].join('');
  let name = base;
  for (let number = 2; taken.has(name); number++) name = base + number;
  return name;
}

/** Moves parameters of all operations of a path to the path, with an example that all have. */
export function hoistParameters(paths: JsonObject): JsonObject {
  const entries = Object.entries(paths).map(([path, item]) => {
    const operations = Object.values(item as JsonObject) as JsonObject[];
    if (operations.length === 1) return [path, item];
    const [first = [], ...others] = operations.map(({ parameters }) => parameters as JsonObject[]);
    const common = first.filter((each) =>
      others.every((parameters) => parameters.some((other) => isAlike(each, other))),
    );
    if (common.length === 0) return [path, item];
    const own = mapMembers(item as JsonObject, ({ parameters, ...operation }) => ({
      ...operation,
      parameters: (parameters as JsonObject[]).filter(
        (each) => !common.some((other) => isAlike(each, other)),
      ),
    }));
    const shared = common.map((each) => {
      const alike = others.flatMap((list) => list.filter((other) => isAlike(each, other)));
      return alike.reduce(withCommonExample, each);
    });
    return [path, { parameters: shared, ...own }];
  });
  return Object.fromEntries(entries);
}

function isAlike(one: JsonObject, other: JsonObject): boolean {
  return textOf(one) === textOf(other);
}

/** Returns the paths with references to shared parts, and the components by kind. */
export function* shareParts(paths: JsonObject): Steps<{
  paths: JsonObject;
  components: Readonly<Record<Kind, JsonObject>>;
}> {
  const examples = sharedParts('examples');
  const parameters = sharedParts('parameters');
  const headers = sharedParts('headers');
  const responses = sharedParts('responses');
  const requestBodies = sharedParts('requestBodies');
  const parts = { examples, parameters, headers };
  const mapAtPath = (replace: 'count' | 'share') => (list: JsonValue) =>
    (list as JsonObject[]).map((each) => parameters[replace](each, String(each.name)));
  yield* mapOperations(paths, mapParts(parts, 'count'), mapAtPath('count'));
  const withParts = yield* mapOperations(paths, mapParts(parts, 'share'), mapAtPath('share'));
  const mapWhole = (replace: 'count' | 'share') => (operation: JsonObject) =>
    mapRequestBody(mapResponses(operation, responses[replace]), requestBodies[replace]);
  yield* mapOperations(withParts, mapWhole('count'));
  return {
    paths: yield* mapOperations(withParts, mapWhole('share')),
    components: {
      examples: examples.components,
      parameters: parameters.components,
      headers: headers.components,
      responses: responses.components,
      requestBodies: requestBodies.components,
    },
  };
}

function* mapOperations(
  paths: JsonObject,
  map: (operation: JsonObject) => JsonObject,
  mapAtPath: (parameters: JsonValue) => JsonValue = (parameters) => parameters,
): Steps<JsonObject> {
  const mapped: Record<string, JsonObject> = {};
  for (const [path, item] of Object.entries(paths)) {
    const { parameters, ...operations } = item as JsonObject;
    const shared = parameters === undefined ? {} : { parameters: mapAtPath(parameters) };
    mapped[path] = { ...shared, ...mapMembers(operations as JsonObject, map) };
    yield;
  }
  return mapped;
}

/** Maps the parts inside the responses of an operation, and outside of them. */
function mapParts(
  parts: Readonly<Record<Exclude<Kind, 'responses' | 'requestBodies'>, SharedParts>>,
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
    ...((parameters as readonly JsonObject[]).length > 0 && {
      parameters: (parameters as readonly JsonObject[]).map((each) =>
        parts.parameters[replace](each, String(each.name)),
      ),
    }),
    responses: mapMembers(responses as JsonObject, mapBody),
  });
}

function mapRequestBody({ requestBody, ...operation }: JsonObject, replace: Replace): JsonObject {
  if (requestBody === undefined) return operation;
  return { ...operation, requestBody: replace(requestBody as JsonObject, 'body') };
}

function mapResponses({ responses, ...operation }: JsonObject, replace: Replace): JsonObject {
  const mapped = mapMembers(responses as JsonObject, (response, status) =>
    // The default response is described in place.
    status === 'default' ? response : replace(response, responseName(status)),
  );
  return { ...operation, responses: mapped };
}

/** Short names, because these responses are in most operations. */
const shortNames: Readonly<Record<string, string>> = {
  400: 'bad',
  401: 'login',
  404: 'none',
  406: 'format',
  412: 'unmet',
  413: 'large',
  414: 'long url',
  415: 'type',
};

const responseName = (status: string): string =>
  shortNames[status] ?? STATUS_CODES[status] ?? 'response';

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
