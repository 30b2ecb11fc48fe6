import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { Steps } from '#base/run-steps.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import type { Area } from '#kit/area.js';
import type { CataloguedRoute } from '#kit/route-catalogue.js';
import { describeService } from './describe-service.js';
import type { Formats } from './formats.js';
import type { RecordedCall, RecordedCalls } from './recorded-calls.js';

const area: Area = {
  name: 'dice',
  title: 'Dice',
  front: {
    start: '/api/dice',
  },
  summary: 'Dice to roll.',
  securitySchemes: { token: { type: 'oauth2', flows: { x: { tokenUrl: '/api/token' } } } },
  endpoints: () => [],
};

function route(spec: Partial<CataloguedRoute['spec']>, changes: Partial<CataloguedRoute> = {}) {
  const catalogued = { area, isInfrastructure: false };
  return {
    area: catalogued,
    method: 'GET',
    methods: [changes.method ?? 'GET'],
    url: '/api/dice/:id',
    spec: { handle: () => undefined, ...spec },
    isOpen: false,
    ...changes,
  };
}

function resultOf<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function describeOne(
  only: CataloguedRoute,
  {
    isAccountRequired = false,
    recordedCalls = {} as RecordedCalls,
    formats = 'all' as Formats,
  } = {},
) {
  const options = { baseUrl: 'https://example.com', isAccountRequired, recordedCalls, formats };
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the description
  const description = resultOf(describeService([only], options)) as any;
  const [operation] = Object.values(description.paths['/api/dice/{id}']);
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the description
  return { description, operation: operation as any };
}

test('a parameter with a default may be left out', () => {
  const query = { sides: Type.Integer({ default: 6 }), dice: Type.Integer() };
  const { operation } = describeOne(route({ query }));
  const required = operation.parameters.filter(({ required }: { required?: true }) => required);
  expect(required.map(({ name }: { name: string }) => name)).toEqual(['id', 'dice']);
});

test('a schema with a title becomes a component, wherever it is used', () => {
  const die = Type.Object({ sides: Type.Integer() }, { title: 'Die' });
  const responses = { 200: Type.Array(die), 201: die };
  const { description, operation } = describeOne(route({ responses }));
  const reference = { $ref: '#/components/schemas/Die' };
  expect(operation.responses[200].content['application/json'].schema.items).toEqual(reference);
  expect(operation.responses[201].content['application/json'].schema).toEqual(reference);
  expect(description.components.schemas.Die.properties).toHaveProperty('sides');
});

test('two schemas that differ cannot have the same title', () => {
  const responses = { 200: Type.Integer({ title: 'Die' }), 201: Type.String({ title: 'Die' }) };
  expect(() => describeOne(route({ responses }))).toThrow('Die');
});

test('every operation rejects a malformed request, in its own shape or in the common one', () => {
  const own = Type.Object({ error_description: Type.String() });
  const { operation } = describeOne(route({ responses: { 400: own } }));
  const { anyOf } = operation.responses[400].content['application/json'].schema;
  expect(anyOf).toEqual([expect.any(Object), { $ref: '#/components/schemas/Error' }]);
});

test('infrastructure has no simulated faults and no sandboxes', () => {
  const { operation } = describeOne(route({}, { area: { area, isInfrastructure: true } }));
  const names = operation.parameters.map(({ name, $ref }: Record<string, string>) => name ?? $ref);
  expect(names).toEqual(['id', '#/components/parameters/RequestId']);
  expect(operation.responses[400].headers).not.toHaveProperty('X-Simulated');
});

test('a URL in a security scheme has the base URL of this service', () => {
  const { description } = describeOne(route({}));
  const { token } = description.components.securitySchemes;
  expect(token.flows.x.tokenUrl).toBe('https://example.com/api/token');
});

describe('where accounts are required', () => {
  const required = { isAccountRequired: true };

  test('an operation needs a key in addition to its other credentials', () => {
    const own = route({ security: [{ token: ['read'] }] });
    const { description, operation } = describeOne(own, required);
    expect(operation.security).toEqual([{ token: ['read'], serviceKey: [] }]);
    expect(description.components.securitySchemes.serviceKey.name).toBe('X-Service-Key');
    expect(describeOne(route({}), required).operation.security).toEqual([{ serviceKey: [] }]);
  });

  test('it responds with 401 without a key, and with 429 after too many attempts', () => {
    const { responses } = describeOne(route({}), required).operation;
    expect(responses[401].headers).toHaveProperty('WWW-Authenticate');
    expect(responses[429].headers).toHaveProperty('Retry-After');
  });

  test('open operations stay open', () => {
    const { operation } = describeOne(route({}, { isOpen: true }), required);
    expect(operation.security).toEqual([]);
    expect(operation.responses).not.toHaveProperty('401');
  });
});

describe('recorded calls', () => {
  const call = (
    name: string,
    status: number,
    body: RecordedCall['response']['body'],
  ): RecordedCall => ({
    name,
    request: { path: { id: 7 }, query: { dice: 2 } },
    response: {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', 'retry-after': '3' },
      ...(body !== undefined && { body }),
    },
  });
  const rolled = route({
    query: { dice: Type.Integer() },
    responses: { 200: Type.Array(Type.Integer()), 404: errorSchema, 429: errorSchema },
  });
  const recordedCalls = {
    getDiceById: [
      call('No die', 404, { n: 1 }),
      call('Two dice', 200, [1, 6]),
      call('Again', 429, {}),
    ],
  };

  test('are the examples of responses with their status', () => {
    const { responses } = describeOne(rolled, { recordedCalls }).operation;
    const { examples } = responses[200].content['application/json'];
    expect(examples).toEqual({ twoDice: { summary: 'Two dice', value: [1, 6] } });
    expect(responses[429].headers['Retry-After'].example).toBe(3);
  });

  test('are the examples of parameters if they were accepted', () => {
    const { parameters } = describeOne(rolled, { recordedCalls }).operation;
    const dice = parameters.find(({ name }: { name?: string }) => name === 'dice');
    expect(dice.example).toBe(2);
    const rejected = { getDiceById: [call('No die', 404, {})] };
    const [, without] = describeOne(rolled, { recordedCalls: rejected }).operation.parameters;
    expect(without).not.toHaveProperty('example');
  });

  test('become components when they are repeated', () => {
    const responses = { 200: Type.Unknown(), 201: Type.Unknown(), 202: Type.Unknown() };
    const body = { text: 'long enough that a reference to it is shorter than the example' };
    const same = [200, 201, 202].map((status) => call('Alike', status, body));
    const { description, operation } = describeOne(route({ responses }), {
      recordedCalls: { getDiceById: same },
    });
    const reference = { $ref: '#/components/examples/alike' };
    expect(operation.responses[201].content['application/json'].examples.alike).toEqual(reference);
    expect(description.components.examples.alike.value).toEqual(body);
  });
});

describe('with JSON only', () => {
  const formats = 'json';
  const content = {
    'application/json': { schema: Type.Array(Type.Integer()) },
    'text/csv': { schema: Type.String() },
    'image/png': { schema: Type.Unknown() },
  };

  test('other formats of the same data are left out, and all else is kept', () => {
    const responses = { 200: { content } };
    const { operation } = describeOne(route({ responses }), { formats });
    expect(Object.keys(operation.responses[200].content)).toEqual([
      'application/json',
      'image/png',
    ]);
    const whole = describeOne(route({ responses })).operation;
    expect(Object.keys(whole.responses[200].content)).toEqual(Object.keys(content));
  });

  test('parts of all operations are described once, in the introduction', () => {
    const responses = { 200: Type.Null(), 404: errorSchema };
    const { description, operation } = describeOne(route({ responses }), { formats });
    expect(description.info.description).toContain('`X-Sandbox`');
    expect(JSON.stringify(operation)).not.toMatch(/X-Sandbox|X-Request-Id/);
    expect(Object.keys(operation.responses).sort()).toEqual(['200', '400', '404']);
    expect(description.security).toEqual([]);
  });

  test('parameters of all operations of a path are described at the path', () => {
    const options = { baseUrl: 'https://example.com', isAccountRequired: false, formats } as const;
    const routes = [route({}), route({}, { method: 'DELETE' })];
    // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the description
    const description = resultOf(describeService(routes, { ...options, recordedCalls: {} })) as any;
    const item = description.paths['/api/dice/{id}'];
    expect(item.parameters.map(({ name }: { name: string }) => name)).toContain('id');
    expect(item.get.parameters).toBeUndefined();
  });

  test('texts with the same limits are one schema', () => {
    const name = Type.String({
      minLength: 1,
      maxLength: 120,
      pattern: `^[^\\u0000-\\u001f]{1,120}$`,
    });
    const responses = Object.fromEntries(
      [200, 201, 202, 203].map((status) => [status, Type.Object({ name })]),
    );
    const { description } = describeOne(route({ responses }), { formats });
    expect(Object.keys(description.components.schemas)).toContain('Text120');
  });
});
