/** The default description omits from the full one only other formats and examples. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/describe/openapi/json.js';
import { useService } from '../support/service.js';

const { send } = useService();

/** Client generators and the reference are slow with large descriptions. */
const maxBytes = 835_000;

interface Described {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
  readonly parameters: readonly JsonObject[];
}

type Resolve = (value: JsonValue | undefined) => JsonValue;

/** Compares descriptions with their references resolved, however they share parts. */
class Whole {
  readonly operations = new Map<string, Described>();
  readonly resolve: Resolve;

  constructor(description: JsonObject) {
    this.resolve = resolver(description);
    for (const [path, item] of Object.entries(description.paths as JsonObject)) {
      const { parameters: common = [], ...methods } = item as Record<string, JsonObject>;
      for (const [method, operation] of Object.entries(methods)) {
        const id = String(operation.operationId);
        const all = [common, operation.parameters ?? []].flat();
        const parameters = this.resolve(all) as readonly JsonObject[];
        this.operations.set(id, { id, path, method, operation, parameters });
      }
    }
  }
}

/** Resolves references, and omits documentation. */
function resolver(description: JsonObject): Resolve {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value ?? null;
    const { $ref, ...members } = value as JsonObject;
    if (typeof $ref === 'string') {
      const steps = $ref.slice(2).split('/');
      return resolve(
        steps.reduce<JsonValue | undefined>(
          (node, step) => (node as JsonObject)[step],
          description,
        ),
      );
    }
    const entries = Object.entries(members).flatMap(([name, each]) => {
      const isTitle = name === 'title' && typeof each === 'string';
      return /^examples?$/.test(name) || isTitle ? [] : [[name, resolve(each)]];
    });
    return Object.fromEntries(entries);
  };
  return resolve;
}

let json: Whole;
let all: Whole;
let text: string;
beforeAll(async () => {
  ({ text } = await send('GET /openapi.json'));
  json = new Whole(JSON.parse(text));
  all = new Whole((await send('GET /openapi.json?formats=all')).json);
});

test(`it has at most ${maxBytes} bytes`, () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
});

test('formats=json is the default, and other values are rejected', async () => {
  expect((await send('GET /openapi.json?formats=json')).text === text).toBe(true);
  for (const value of ['', 'xml', 'ALL']) {
    const { status, json: error } = await send(`GET /openapi.json?formats=${value}`);
    expect(status, value).toBe(400);
    expect(error.message).toContain('formats');
  }
  expect((await send('GET /openapi.yaml?formats=all')).status).toBe(200);
});

/** The differences of all operations, each with its name. */
function differences(find: (short: Described, whole: Described) => readonly string[]): string[] {
  return [...all.operations].flatMap(([id, whole]) => {
    const short = json.operations.get(id);
    if (short === undefined) return [`${id} is missing`];
    return find(short, whole).map((each) => `${id}: ${each}`);
  });
}

test('it has the same operations', () => {
  expect([...json.operations.keys()].sort()).toEqual([...all.operations.keys()].sort());
  const parts = ['tags', 'summary', 'description', 'deprecated', 'x-methods'];
  const found = differences((short, whole) =>
    [
      ...parts.map((part) => [part, short.operation[part], whole.operation[part]] as const),
      ['security', short.operation.security ?? [], whole.operation.security] as const,
      ['address', `${short.method} ${short.path}`, `${whole.method} ${whole.path}`] as const,
    ].flatMap(([part, one, other]) =>
      JSON.stringify(one) === JSON.stringify(other) ? [] : [part],
    ),
  );
  expect(found).toEqual([]);
});

/** Described once, in the text of the whole. */
const ofEveryOperation = ['X-Sandbox', 'X-Request-Id'];
/** Counts, nested lists and views, whose comparisons the list of the same records describes. */
const ofListedRecords = /\/(?:count|upcoming|\{id\}\/\w+)$/;
/** Few callers need them: refinements of simulated errors, jobs of the lab, texts in CSV, and texts compared with others. */
const isDetail = ({ name, schema }: JsonObject, path: string) =>
  ['times', 'key', 'jobSeconds', 'jobFails', 'formulas'].includes(String(name)) ||
  (/_(?:ne|in|[gl]te?)$/.test(String(name)) && ofListedRecords.test(path)) ||
  (/_[gl]te?$/.test(String(name)) && (schema as JsonObject).type === 'string');

test('it has the same parameters, except for common ones and details', () => {
  const keyOf = ({ in: place, name }: JsonObject) => `${place} ${name}`;
  const found = differences(({ parameters }, whole) => {
    const shown = new Map(parameters.map((each) => [keyOf(each), JSON.stringify(each)]));
    return whole.parameters.flatMap((each) => {
      const key = keyOf(each);
      if (shown.get(key) === JSON.stringify(each)) return [];
      const isLeftOut = !shown.has(key);
      if (isLeftOut && (ofEveryOperation.includes(String(each.name)) || isDetail(each, whole.path)))
        return [];
      return [`${key} ${isLeftOut ? 'is missing' : 'differs'}`];
    });
  });
  expect(found).toEqual([]);
});

/** Formats instead of JSON. */
const otherTypes = {
  request: /^(?!application\/(?:json|(?:merge|json)-patch\+json)$)/,
  response:
    /^(?:message\/http|text\/(?:csv|html|event-stream)|application\/(?:vnd\.api\+json|x-ndjson|xml|yaml|graphql|problem\+json))$/,
};

function contentDifferences(where: string, short: JsonObject, whole: JsonObject): string[] {
  const [shown, content] = [short.content, whole.content] as readonly (JsonObject | undefined)[];
  const hasJson = content?.['application/json'] !== undefined;
  return Object.entries(content ?? {}).flatMap(([type, media]) => {
    const described = shown?.[type];
    const isOther = otherTypes[where === 'request' ? 'request' : 'response'].test(type);
    if (hasJson && isOther) return described === undefined ? [] : [`${where} has ${type}`];
    return JSON.stringify(described) === JSON.stringify(media) ? [] : [`${where} ${type}`];
  });
}

test('it has the same bodies, in JSON where possible', () => {
  const found = differences((short, whole) => {
    const [one, other] = [
      json.resolve(short.operation.requestBody),
      all.resolve(whole.operation.requestBody),
    ];
    if (one === null || other === null) return one === other ? [] : ['the request body'];
    return contentDifferences('request', one as JsonObject, other as JsonObject);
  });
  expect(found).toEqual([]);
});

test('it has the same responses, each with its status', () => {
  const leftOut =
    /^(?:X-Request-Id|Cache-Control|X-Simulated|X-Fault|Vary|X-Content-Type-Options|Content-Security-Policy)$/;
  const found = differences((short, whole) => {
    const shown = json.resolve(short.operation.responses) as Record<string, JsonObject>;
    const responses = all.resolve(whole.operation.responses) as Record<string, JsonObject>;
    const isShared = (whole.operation.responses as Record<string, JsonObject>).default?.$ref;
    return Object.entries(responses).flatMap(([status, response]) => {
      // An operation that never succeeds, such as a redirect, has a default: tools require a
      // success.
      const hasSuccess = Object.keys(responses).some((each) => each.startsWith('2'));
      if (status === 'default' && isShared) return status in shown === hasSuccess ? [status] : [];
      const described = shown[status];
      if (described === undefined) return [`${status} is missing`];
      const headers = (described.headers ?? {}) as JsonObject;
      const missing = Object.entries((response.headers ?? {}) as JsonObject).filter(
        ([name, header]) =>
          !leftOut.test(name) && JSON.stringify(headers[name]) !== JSON.stringify(header),
      );
      return [
        ...missing.map(([name]) => `${status} ${name}`),
        ...contentDifferences(status, described, response),
      ];
    });
  });
  expect(found).toEqual([]);
});

test('statuses are explicit', () => {
  for (const { id, operation } of json.operations.values()) {
    for (const status of Object.keys(operation.responses as JsonObject)) {
      expect(status, id).toMatch(/^(?:[1-5]\d\d|default)$/);
    }
  }
});

describe('an operation of any method', () => {
  const anyMethod = () =>
    [...json.operations.values()].filter((each) => 'x-methods' in each.operation);

  test('is described once, says so, and is GET or POST', () => {
    expect(anyMethod().length).toBeGreaterThan(10);
    for (const { id, method, operation } of anyMethod()) {
      expect(method, id).toMatch(/^(?:get|post)$/);
      expect(operation.description, id).toContain('Any method works');
    }
  });

  test('has no other operation at its path that repeats one of its methods', () => {
    for (const { id, path, operation } of anyMethod()) {
      const methods = operation['x-methods'] as readonly string[];
      const others = [...json.operations.values()].filter(
        (each) => each.path === path && each.id !== id,
      );
      const repeated = others.filter(({ method }) => methods.includes(method.toUpperCase()));
      expect(repeated.map((each) => each.id)).toEqual([]);
    }
    const paths = [...json.operations.values()].filter(({ path }) => path === '/api/methods/any');
    expect(paths.map(({ method }) => method)).toEqual(['post']);
  });

  test('is called ANY in lists', async () => {
    const { endpoints } = (await send('GET /api')).json;
    const listed = endpoints.filter(({ method }: { method: string }) => method === 'ANY');
    const paths = anyMethod()
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/api/'));
    expect(listed.map(({ path }: { path: string }) => path).sort()).toEqual(paths.sort());
  });
});
