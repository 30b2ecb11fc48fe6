import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { GivenPlan, GivenRule } from '../../src/faults/plan/fault-plan.js';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const newSandbox = () => ({ 'x-sandbox': `plan-${randomUUID()}` });

/** A sandbox with these rules in effect. */
async function plan(...rules: GivenRule[]) {
  return planAll({ rules });
}

async function planAll(json: GivenPlan) {
  const headers = newSandbox();
  const { status, text } = await send('PUT /api/sandbox/faults', { headers, json });
  expect(status, text).toBe(200);
  return headers;
}

const faults = (headers: Record<string, string>) => send('GET /api/sandbox/faults', { headers });

async function statuses(headers: Record<string, string>, ...targets: string[]) {
  const seen: number[] = [];
  for (const target of targets) seen.push((await send(target, { headers })).status);
  return seen;
}

const book = 'GET /api/Books/1';

describe('a plan', () => {
  test('is empty at first, is returned with its defaults, and ends', async () => {
    const headers = newSandbox();
    expect((await faults(headers)).json).toEqual({ rules: [] });
    const json = { seed: 5, rules: [{ sequence: [{ status: 503 }] }] };
    const put = await send('PUT /api/sandbox/faults', { headers, json });
    const completed = {
      seed: 5,
      rules: [{ name: 'rule-1', match: {}, sequence: [{ status: 503 }], then: 'pass', acted: 0 }],
    };
    expect([put.status, put.json]).toEqual([200, completed]);
    expect((await faults(headers)).json).toEqual(completed);
    expect(await statuses(headers, book, book)).toEqual([503, 200]);
    expect((await faults(headers)).json.rules[0].acted).toBe(1);
    expect((await send('DELETE /api/sandbox/faults', { headers })).status).toBe(204);
    expect((await faults(headers)).json).toEqual({ rules: [] });
    expect((await send('DELETE /api/sandbox/faults', { headers })).status).toBe(204);
    expect(await statuses(headers, book)).toEqual([200]);
  });

  test('chooses a seed, and returns it', async () => {
    const [one, other] = [await plan(), await plan()];
    const seeds = [(await faults(one)).json.seed, (await faults(other)).json.seed];
    expect(seeds[0]).not.toBe(seeds[1]);
  });

  test('replaces the previous plan and resets the counts', async () => {
    const headers = await plan({ sequence: [{ status: 500 }, { status: 501 }] });
    expect(await statuses(headers, book)).toEqual([500]);
    const json = { rules: [{ sequence: [{ status: 502 }] }] };
    await send('PUT /api/sandbox/faults', { headers, json });
    expect(await statuses(headers, book, book)).toEqual([502, 200]);
  });

  test('belongs to its sandbox, and is reset with it', async () => {
    const headers = await plan({ sequence: [{ status: 500 }], then: 'last' });
    expect(await statuses(newSandbox(), book)).toEqual([200]);
    expect(await statuses({}, book)).toEqual([200]);
    expect((await send('DELETE /api/sandbox', { headers })).status).toBe(204);
    expect((await faults(headers)).json).toEqual({ rules: [] });
    expect(await statuses(headers, book)).toEqual([200]);
    expect((await send('GET /api/sandbox/faults/log', { headers })).json).toEqual({
      attempts: [],
      series: [],
    });
  });

  test('can be created again after a reset', async () => {
    const headers = await plan({ sequence: [{ status: 500 }] });
    await statuses(headers, book);
    await send('DELETE /api/sandbox', { headers });
    const json = { rules: [{ sequence: [{ status: 502 }] }] };
    await send('PUT /api/sandbox/faults', { headers, json });
    expect(await statuses(headers, book, book)).toEqual([502, 200]);
  });

  test.each(['GET', 'PUT', 'DELETE'])(
    'in the shared sandbox is rejected for %s',
    async (method) => {
      const json = { rules: [] };
      const response = await send(
        `${method} /api/sandbox/faults`,
        method === 'PUT' ? { json } : {},
      );
      expect(response.status).toBe(403);
      expect(response.json.message).toContain('X-Sandbox');
      expect((await send('GET /api/sandbox/faults/log')).status).toBe(403);
    },
  );

  test('is independent of the clock of its sandbox', async () => {
    const headers = await plan({
      sequence: [{ status: 503, retryAfter: { seconds: 3, as: 'date' } }],
    });
    await send('PUT /api/sandbox/clock', { headers, json: { offsetSeconds: 1e8 } });
    const { status, headers: sent } = await send(book, { headers });
    expect(status).toBe(503);
    const waitMs = Date.parse(String(sent['retry-after'])) - Date.now();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(60_000);
  });
});

describe('rules', () => {
  test('match by method, path and header, and the first acts', async () => {
    const headers = await plan(
      { match: { method: 'delete' }, sequence: [{ status: 500 }], then: 'last' },
      { match: { path: '/api/books/:id' }, sequence: [{ status: 501 }], then: 'last' },
      { match: { header: { 'X-Which': 'this' } }, sequence: [{ status: 502 }], then: 'last' },
      { match: { path: '/api/auth/*' }, sequence: [{ status: 503 }], then: 'last' },
    );
    const targets = [
      'DELETE /api/Books/1',
      'GET /api/Books/1?x=1',
      'GET /api/Books/1/',
      'GET /api/auth/bearer',
    ];
    expect(await statuses(headers, ...targets)).toEqual([500, 501, 501, 503]);
    const which = { ...headers, 'x-which': 'this' };
    expect(await statuses(which, 'GET /api/methods/get', book)).toEqual([502, 501]);
    expect(await statuses(headers, 'GET /api/methods/get', 'GET /api/Events/1')).toEqual([
      200, 200,
    ]);
  });

  test('that are used up are still the first that match', async () => {
    const headers = await plan(
      { match: { path: '/api/Books/1' }, sequence: [{ status: 500 }] },
      { sequence: [{ status: 501 }], then: 'last' },
    );
    expect(await statuses(headers, book, book, book, 'GET /api/Books/2')).toEqual([
      500, 200, 200, 501,
    ]);
  });

  test('are named in the response, with their number', async () => {
    const headers = await plan({
      name: 'flaky.books',
      sequence: [{ status: 500 }, {}, { delayMs: 1 }],
      then: 'repeat',
    });
    const seen = [];
    for (let request = 0; request < 4; request++) {
      const { headers: sent } = await send(book, { headers });
      seen.push([sent['x-fault'], sent['x-simulated']]);
    }
    expect(seen).toEqual([
      ['flaky.books#1', 'true'],
      [undefined, undefined],
      ['flaky.books#2', 'true'],
      ['flaky.books#3', 'true'],
    ]);
    expect((await faults(headers)).json.rules[0].acted).toBe(3);
  });

  test.each([
    'GET /api/sandbox',
    'GET /api/sandbox/clock',
    'GET /api/sandbox/faults',
    'GET /api/sandbox/faults/log',
    'GET /health',
    'GET /health/ready',
    'GET /',
    'GET /bins',
    'GET /openapi.json',
    'GET /api/methods',
  ])('never match %s', async (target) => {
    const headers = await plan({ sequence: [{ status: 500 }], then: 'last' });
    const { headers: sent } = await send(target, { headers });
    expect(sent).not.toHaveProperty('x-fault');
  });

  test('never match a page or a preflight', async () => {
    const headers = await plan({ sequence: [{ status: 500 }], then: 'last' });
    const page = await send('GET /graphql', { headers: { ...headers, accept: 'text/html' } });
    expect(page.headers).not.toHaveProperty('x-fault');
    const asking = { ...headers, 'access-control-request-method': 'PUT' };
    expect((await send('OPTIONS /api/Books/1', { headers: asking })).status).toBe(204);
    const { json: bin } = await send('POST /api/webhooks/bins');
    expect((await send(`OPTIONS /api/webhooks/${bin.id}`, { headers: asking })).status).toBe(204);
    expect((await send(`POST /api/webhooks/${bin.id}`, { headers })).status).toBe(500);
  });

  test('make the same choices with the same seed', async () => {
    const sequence = [{ probability: 0.5, fault: { status: 500 } }];
    const rules: GivenRule[] = [{ sequence, then: 'repeat' }];
    const targets = Array.from({ length: 30 }, () => book);
    const [one, same, other] = [
      await planAll({ rules, seed: 11 }),
      await planAll({ rules, seed: 11 }),
      await planAll({ rules, seed: 12 }),
    ];
    const drawn = await statuses(one, ...targets);
    expect(new Set(drawn)).toEqual(new Set([200, 500]));
    expect(await statuses(same, ...targets)).toEqual(drawn);
    expect(await statuses(other, ...targets)).not.toEqual(drawn);
  });

  test('fail exactly the planned ones of 100 concurrent requests', async () => {
    const headers = await plan({ sequence: Array.from({ length: 37 }, () => ({ status: 503 })) });
    const responses = await Promise.all(Array.from({ length: 100 }, () => send(book, { headers })));
    const marks = responses.flatMap(({ headers: sent }) => sent['x-fault'] ?? []);
    expect(marks.sort()).toEqual(
      Array.from({ length: 37 }, (_, index) => `rule-1#${index + 1}`).sort(),
    );
    expect((await faults(headers)).json.rules[0].acted).toBe(37);
    const { json: log } = await send('GET /api/sandbox/faults/log', { headers });
    expect(log.attempts).toHaveLength(100);
  });
});

describe('a planned status', () => {
  const response = async (
    fault: GivenRule['sequence'][number],
    target = book,
    more: Record<string, string> = {},
  ) => {
    const headers = await plan({ name: 'r', sequence: [fault] });
    return send(target, { headers: { ...headers, ...more } });
  };

  test('has the error shape, and names its rule', async () => {
    const { status, json, headers } = await response({ status: 503 });
    expect(status).toBe(503);
    expect(json.message).toBe('Simulated failure: planned by the rule r.');
    expect(headers).not.toHaveProperty('retry-after');
  });

  test.each([
    [401, 'www-authenticate'],
    [405, 'allow'],
    [407, 'proxy-authenticate'],
    [426, 'upgrade'],
  ])('of %i has %s', async (status, header) => {
    expect((await response({ status })).headers[header]).toBeTruthy();
  });

  test('has Retry-After in seconds, or as a date', async () => {
    const inSeconds = await response({ status: 429, retryAfter: 7 });
    expect([inSeconds.headers['retry-after'], inSeconds.json.retryAfter]).toEqual(['7', 7]);
    const at = await response({ status: 503, retryAfter: { seconds: 7, as: 'date' } });
    const waitMs = Date.parse(String(at.headers['retry-after'])) - Date.now();
    expect(String(at.headers['retry-after'])).toMatch(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
    expect(waitMs).toBeGreaterThan(-30_000);
    expect(waitMs).toBeLessThanOrEqual(8000);
  });

  test('has the given headers and body, which cannot run as a script', async () => {
    const headers = { 'X-Own': 'a', 'X-Latin': 'é', 'Content-Type': 'text/html' };
    const sent = await fetch(`${service.url}/api/Books/1`, {
      headers: await plan({ sequence: [{ status: 503, headers, body: '<b>' }] }),
    });
    expect(sent.headers.get('x-own')).toBe('a');
    // One byte, as in every head, whatever the body is.
    expect(sent.headers.get('x-latin')).toBe('é');
    expect(sent.headers.get('content-type')).toBe('text/html');
    expect(sent.headers.get('x-content-type-options')).toBe('nosniff');
    expect(sent.headers.get('content-security-policy')).toMatch(/^sandbox/);
    expect(await sent.text()).toBe('<b>');
  });

  test('that is cacheable is cached for its sandbox only', async () => {
    const headers = { 'Cache-Control': 'public, max-age=60', Vary: 'Accept' };
    const sent = await response({ status: 503, headers }, 'GET /api/methods/get');
    expect(sent.headers.vary).toBe('Accept, X-Sandbox, X-Service-Key');
    expect((await response({ status: 503 }, 'GET /api/methods/get')).headers.vary).toBe(
      'X-Sandbox, X-Service-Key',
    );
    const ofCollection = await response({ status: 503 });
    expect(ofCollection.headers.vary).toBe('X-Sandbox, X-Service-Key, Accept');
  });

  test('has a JSON body where it is not a string', async () => {
    const sent = await response({
      status: 500,
      body: { status: 500, message: 'mine', error: 'Internal Server Error', list: [1] },
    });
    expect(sent.json.list).toEqual([1]);
  });

  test.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/graphql-response+json'],
  ])('in the shape of GraphQL has the type that %s accepts', async (accept, type) => {
    const headers = await plan({ sequence: [{ status: 502, shape: 'protocol' }] });
    const sent = await send('POST /graphql', {
      headers: { ...headers, accept },
      json: { query: '{ books { id } }' },
    });
    expect(sent.status).toBe(502);
    expect(sent.headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(sent.json).toEqual({
      errors: [
        {
          message: 'Simulated failure: planned by the rule rule-1.',
          extensions: { code: 'INTERNAL' },
        },
      ],
    });
  });

  test.each([
    ['text/xml', 503, 'text/xml; charset=utf-8', '<faultcode>soap:Server</faultcode>'],
    ['text/xml', 429, 'text/xml; charset=utf-8', '<faultcode>soap:Client</faultcode>'],
    [
      'application/soap+xml',
      503,
      'application/soap+xml; charset=utf-8',
      '<soap:Value>soap:Receiver</soap:Value>',
    ],
  ])('in the shape of SOAP to %s of %i is a Fault', async (type, status, responseType, code) => {
    const headers = await plan({ sequence: [{ status, shape: 'protocol' }] });
    const sent = await send('POST /api/soap/calculator', {
      headers: { ...headers, 'content-type': type },
      body: '<x/>',
    });
    expect(sent.status).toBe(status);
    expect(sent.headers['content-type']).toBe(responseType);
    expect(sent.text).toContain(code);
  });

  test('in the shape of OAuth has its codes', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = {
      ...(await plan({ sequence: [{ status: 503, shape: 'protocol', after: true }] })),
      ...form,
    };
    const { oauth } = await demoCredentials({ send });
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
    }).toString();
    const sent = await send('POST /api/auth/oauth/token', { headers, body });
    expect(sent.status).toBe(503);
    expect(sent.json).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: expect.any(String),
    });
    expect(sent.headers['cache-control']).toBe('no-store');
  });

  test('in the shape of a protocol is the common one for other paths', async () => {
    expect((await response({ status: 500, shape: 'protocol' })).json.message).toContain('rule r');
    const wsdl = await response(
      { status: 500, shape: 'protocol' },
      'GET /api/soap/calculator?wsdl',
    );
    expect(JSON.parse(wsdl.text).status).toBe(500);
  });
});

describe('whether the work was done', () => {
  const json = {
    name: 'Made',
    category: 'x',
    venue: 'x',
    city: 'x',
    startsAt: '2027-01-01T00:00:00Z',
    endsAt: '2027-01-02T00:00:00Z',
    price: 1,
    capacity: 1,
    organizer: 'x',
  };
  async function isDone(fault: GivenRule['sequence'][number]) {
    const headers = await plan({ match: { method: 'POST' }, sequence: [fault] });
    const sent = await send('POST /api/Events', { headers, json }).catch(() => undefined);
    const { json: found } = await send('GET /api/Events?name=Made', { headers });
    return [sent?.status, found.length];
  }

  test.each([
    [{ status: 503 }, [503, 0]],
    [{ status: 503, after: true }, [503, 1]],
    [{ status: 503, after: false }, [503, 0]],
    [{ delayMs: 1, status: 500 }, [500, 0]],
    [{ delayMs: 1 }, [201, 1]],
    [{ contentType: 'text/plain' }, [201, 1]],
    [{}, [201, 1]],
  ])('by %j: %j', async (fault, expected) => {
    expect(await isDone(fault)).toEqual(expected);
  });

  test('a status after the work has none of the headers of the work', async () => {
    const headers = await plan({ sequence: [{ status: 503, after: true }] });
    const sent = await send('POST /api/Events', { headers, json });
    expect(sent.headers).not.toHaveProperty('location');
    expect(sent.headers).not.toHaveProperty('etag');
    expect(sent.headers['x-fault']).toBe('rule-1#1');
  });
});

describe('an invalid plan is rejected, and nothing of it stored', () => {
  test.each<[string, object, string[]]>([
    ['no rules', {}, ['rules']],
    ['an unknown member', { rules: [], more: 1 }, ['more']],
    [
      'too many rules',
      { rules: Array.from({ length: 21 }, () => ({ sequence: [{}] })) },
      ['rules'],
    ],
    [
      'too many faults',
      { rules: [{ sequence: Array.from({ length: 51 }, () => ({})) }] },
      ['rules.0.sequence'],
    ],
    ['no sequence', { rules: [{}] }, ['rules.0.sequence']],
    ['an empty sequence', { rules: [{ sequence: [] }] }, ['rules.0.sequence']],
    ['an unknown value of then', { rules: [{ sequence: [{}], then: 'stop' }] }, ['rules.0.then']],
    ['an invalid seed', { rules: [], seed: -1 }, ['seed']],
    [
      'faults of all kinds',
      {
        rules: [
          {
            sequence: [
              { status: 200 },
              { status: 204, body: 'x' },
              { status: 304 },
              { status: 101 },
              { status: 600 },
              { status: '503' },
              { delayMs: 10_001 },
              { delayMs: { min: -1, max: 5 } },
              { slow: 0 },
              { hang: false },
              { truncate: -1 },
              { corruptEncoding: 'br' },
              { retryAfter: {}, status: 503 },
              { shape: 'rest', status: 503 },
              { surprise: 1 },
              { probability: 2, fault: {} },
              { probability: 0.5, fault: { probability: 0.5, fault: {} } },
            ],
          },
        ],
      },
      [
        'rules.0.sequence.0.status',
        'rules.0.sequence.1.status',
        'rules.0.sequence.2.status',
        'rules.0.sequence.3.status',
        'rules.0.sequence.4.status',
        'rules.0.sequence.5.status',
        'rules.0.sequence.6.delayMs',
        'rules.0.sequence.7.delayMs.min',
        'rules.0.sequence.8.slow',
        'rules.0.sequence.9.hang',
        'rules.0.sequence.10.truncate',
        'rules.0.sequence.11.corruptEncoding',
        'rules.0.sequence.12.retryAfter.seconds',
        'rules.0.sequence.13.shape',
        'rules.0.sequence.14.surprise',
        'rules.0.sequence.15.probability',
        'rules.0.sequence.16.fault.fault',
        'rules.0.sequence.16.fault.probability',
      ],
    ],
    [
      'an error that no schema describes',
      { rules: [{ match: { path: '/(a)' }, sequence: [{ hang: true, reset: true }] }] },
      ['rules.0.match.path', 'rules.0.sequence.0.reset'],
    ],
  ])('for %s', async (_name, json, fields) => {
    const headers = newSandbox();
    const response = await send('PUT /api/sandbox/faults', { headers, json });
    expect(response.status).toBe(400);
    expect(response.json.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      [...fields].sort(),
    );
    expect((await faults(headers)).json).toEqual({ rules: [] });
  });

  test('accepts the largest allowed plan', async () => {
    const sequence = Array.from(
      { length: 50 },
      () =>
        ({
          status: 503,
          headers: { 'X-A': '1' },
          retryAfter: { seconds: 1, as: 'date' },
          delayMs: { min: 0, max: 1 },
        }) as const,
    );
    const headers = await plan(
      ...Array.from({ length: 20 }, () => ({ match: { path: '/api/x' }, sequence })),
    );
    expect((await faults(headers)).json.rules).toHaveLength(20);
  });

  test.each([
    [
      'is nested deeply',
      `{"rules":[{"sequence":[${'{"probability":0.5,"fault":'.repeat(400)}{}${'}'.repeat(400)}]}]}`,
    ],
    ['has a hundred thousand faults', `{"rules":[{"sequence":[${'{},'.repeat(100_000)}{}]}]}`],
    [
      'has prototype keys',
      '{"rules":[{"sequence":[{"__proto__":{"status":503}}],"match":{"constructor":{}}}],"__proto__":{}}',
    ],
    ['is a list', '[]'],
    [
      'is too large',
      `{"rules":[{"sequence":[{"status":503,"body":"${'x'.repeat(1024 * 1024)}"}]}]}`,
    ],
  ])('when it %s', async (_name, body) => {
    const headers = { ...newSandbox(), 'content-type': 'application/json' };
    const { status, json } = await send('PUT /api/sandbox/faults', { headers, body });
    expect([400, 413]).toContain(status);
    expect(json.message.length).toBeGreaterThan(10);
    expect((await faults(headers)).json).toEqual({ rules: [] });
  });

  test('a header named like a member of Object.prototype works like others', async () => {
    const headers = { ...newSandbox(), 'content-type': 'application/json' };
    const body =
      '{"rules":[{"match":{"header":{"__proto__":"a","constructor":"b"}},"sequence":[{"status":500}],"then":"last"}]}';
    expect((await send('PUT /api/sandbox/faults', { headers, body })).status).toBe(200);
    const { 'content-type': _type, ...own } = headers;
    expect(await statuses(own, book)).toEqual([200]);
    const spelled = { ...own, constructor: 'b', ['__proto__']: 'a' };
    expect(
      (await send(book, { headers: Object.entries(spelled) as [string, string][] })).status,
    ).toBeLessThan(501);
  });
});

describe('the response of a rule', () => {
  const gzipped = gzipSync('practice');
  const respond = async (fault: object) => {
    const headers = await plan({ sequence: [{ status: 503, ...fault }] });
    return send(book, { headers });
  };

  test('has a body in any coding, unchanged', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const bodyBase64 = gzipped.toString('base64');
    const sandbox = await plan({ sequence: [{ status: 503, headers, bodyBase64 }] });
    const response = await fetch(`${service.url}/api/Books/1`, { headers: sandbox });
    expect([response.status, await response.text()]).toEqual([503, 'practice']);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/);
  });

  test.each([
    ['latin1', 'é', 'latin1'],
    ['utf-8', 'é 안녕', 'utf8'],
  ] as const)('has headers in %s', async (headerEncoding, value, encoding) => {
    const { headers } = await respond({ headerEncoding, headers: { 'X-A': value } });
    expect(Buffer.from(String(headers['x-a']), 'latin1')).toEqual(Buffer.from(value, encoding));
  });

  test.each([
    [-1, '-1'],
    [{ seconds: -5 }, '-5'],
  ])('has Retry-After %s unchanged', async (retryAfter, sent) => {
    expect((await respond({ retryAfter })).headers['retry-after']).toBe(sent);
  });

  test.each([
    [{ status: 503, body: 'a', bodyBase64: 'YQ==' }, 'rules.0.sequence.0.bodyBase64'],
    [{ status: 503, bodyBase64: 'YQ' }, 'rules.0.sequence.0.bodyBase64'],
    [{ status: 503, bodyBase64: 'A'.repeat(88 * 1024) }, 'rules.0.sequence.0.bodyBase64'],
    [{ bodyBase64: 'YQ==' }, 'rules.0.sequence.0.bodyBase64'],
    [{ headerEncoding: 'utf-8' }, 'rules.0.sequence.0.headerEncoding'],
    [{ status: 503, headers: { 'X-A': '안' } }, 'rules.0.sequence.0.headers.X-A'],
    [{ status: 503, retryAfter: 'a\nb' }, 'rules.0.sequence.0.retryAfter'],
    [{ status: 503, retryAfter: 1.5 }, 'rules.0.sequence.0.retryAfter'],
  ])('is rejected when it is wrong, case %#', async (fault, field) => {
    const headers = newSandbox();
    const json = { rules: [{ sequence: [fault] }] };
    const response = await send('PUT /api/sandbox/faults', { headers, json });
    expect([response.status, response.json.errors[0].field]).toEqual([400, field]);
  });
});

describe('a Retry-After that a client must ignore', () => {
  const put = (sandbox: string, sequence: object[]) =>
    service.send(`PUT /s/${sandbox}/api/sandbox/faults`, { json: { rules: [{ sequence }] } });
  const ignored = (value: string) =>
    `A client must ignore Retry-After: ${JSON.stringify(value)} is neither seconds nor a date.`;

  test('is sent unchanged, and the response to the plan has a warning', async () => {
    const sandbox = `ignored-${randomUUID()}`;
    const { status, json } = await put(sandbox, [
      { status: 503, retryAfter: 2 },
      { status: 503, retryAfter: -1 },
      { probability: 1, fault: { status: 429, headers: { 'retry-AFTER': '1.5' } } },
      { status: 503, headers: [['Retry-After', 'Thu, 01 Jan 1970 00:00:00 GMT']] },
      { status: 503, retryAfter: { seconds: -3, as: 'date' } },
      { status: 503, retryAfter: { seconds: -3 } },
    ]);
    expect(status).toBe(200);
    expect(json.warnings).toEqual([
      `Rule rule-1, fault 2: ${ignored('-1')}`,
      `Rule rule-1, fault 3: ${ignored('1.5')}`,
      `Rule rule-1, fault 6: ${ignored('-3')}`,
    ]);
    expect((await service.send(`GET /s/${sandbox}/api/sandbox/faults`)).json.warnings).toEqual(
      json.warnings,
    );
    const sent = [];
    for (let left = 3; left > 0; left--) {
      const { headers } = await service.send(`GET /s/${sandbox}/api/Books/1`);
      sent.push(headers['retry-after']);
    }
    expect(sent).toEqual(['2', '-1', '1.5']);
  });

  test('causes at most 20 warnings, and none in a right plan', async () => {
    const many = await put('ignored-many', Array(50).fill({ status: 503, retryAfter: -5 }));
    expect(many.json.warnings).toHaveLength(20);
    const right = await put('ignored-none', [{ status: 503, retryAfter: 0 }, { reset: true }]);
    expect(right.json).not.toHaveProperty('warnings');
  });

  test.each([-86_401, 86_401, 1.5, '1', null])(
    'beyond a day, or of another type, is 400: %j',
    async (retryAfter) => {
      const { status, json } = await put('ignored-wrong', [{ status: 503, retryAfter }]);
      expect(status).toBe(400);
      expect(json.errors[0].field).toBe('rules.0.sequence.0.retryAfter');
    },
  );

  test('causes a warning where a response is stored', async () => {
    const path = 'PUT /s/ignored-stored/api/http/responses/later';
    const stored = await service.send(path, { json: { headers: { 'Retry-After': '-1' } } });
    expect(stored.json.warnings).toEqual([ignored('-1')]);
    const fine = await service.send(path, { json: { headers: { 'Retry-After': '120' } } });
    expect(fine.json.warnings).toEqual([]);
  });
});
