/** GraphQL over HTTP: methods, media types, statuses, and requests that are not GraphQL. */

import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const service = useService();
const graphql = useGraphQL(service);

const newer = 'application/graphql-response+json; charset=utf-8';
const older = 'application/json; charset=utf-8';
const query = '{ user(id: 1) { id } }';
const data = { user: { id: 1 } };

describe('the media type follows Accept', () => {
  test.each([
    [undefined, newer],
    ['*/*', newer],
    ['application/*', newer],
    ['application/graphql-response+json', newer],
    ['application/json, text/plain, */*', newer],
    ['APPLICATION/JSON', older],
    ['application/json', older],
    ['application/graphql-response+json;q=0.1, application/json;q=0.9', older],
  ])('%s → %s', async (accept, contentType) => {
    const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
    const good = await graphql.post({ query }, headers);
    expect(good.headers['content-type']).toBe(contentType);
    expect(good.status).toBe(200);
    expect(good.json).toEqual({ data });

    // Request errors: only the status differs.
    for (const rejected of [
      { query: '{' },
      { query: '{ unknown }' },
      { query: '{ book { id } }' },
      { query: '{ book(id: "1") { id } }' },
      { query: '{ book(id: 2147483648) { id } }' },
      { query: 'query ($id: Int!) { book(id: $id) { id } }' },
      { query: 'query ($id: Int!) { book(id: $id) { id } }', variables: { id: '1' } },
      { query: 'query A { users { id } } query B { users { id } }' },
      { query, operationName: 'Missing' },
    ]) {
      const response = await graphql.post(rejected, headers);
      expect(response.headers['content-type']).toBe(contentType);
      expect(response.status).toBe(contentType === older ? 200 : 400);
      expect(response.json).not.toHaveProperty('data');
      expect(response.errors.length).toBeGreaterThan(0);
    }

    // Field errors: 200 with data, for both.
    const partial = await graphql.post(
      { query: 'mutation { addTodo(title: "a", userId: 1, priority: "x") { id } }' },
      headers,
    );
    expect(partial.headers['content-type']).toBe(contentType);
    expect(partial.status).toBe(200);
    expect(partial.data).toBeNull();
    expect(Object.keys(partial.json)).toEqual(['errors', 'data']);
  });

  test.each(['application/xml', 'text/html', 'text/*', 'application/json;q=0'])(
    'Accept: %s → 406, and nothing is executed',
    async (accept) => {
      const mutation = 'mutation { createUser(name: "a", job: "b", city: "c") { id } }';
      const response = await graphql.post({ query: mutation }, { Accept: accept });
      expect(response.status).toBe(406);
      expect(response.headers['content-type']).toBe(newer);
      expect(response.errors[0].extensions.code).toBe('NOT_ACCEPTABLE');
      expect((await graphql.data('{ users { id } }')).users).toHaveLength(10);
    },
  );
});

describe('Content-Type', () => {
  const body = JSON.stringify({ query });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; anything="at all"',
  ])('%s is accepted', async (type) => {
    const response = await graphql.send('POST /graphql', {
      body,
      headers: { 'Content-Type': type },
    });
    expect(response.data).toEqual(data);
  });

  test.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql+json',
    'text/json',
    'application/jsonx',
    '',
    undefined,
  ])('%s → 404 in the shape of REST errors', async (type) => {
    for (const accept of ['*/*', 'application/json', 'application/graphql-response+json']) {
      const response = await service.send('POST /graphql', {
        body,
        headers: { Accept: accept, ...(type !== undefined && { 'Content-Type': type }) },
      });
      expect(response.status).toBe(404);
      expect(response.headers['content-type']).toBe(older);
      expect(response.json).toEqual({
        status: 404,
        error: 'Not Found',
        message: expect.stringContaining('application/json'),
      });
    }
  });

  test('a long path is not echoed completely', async () => {
    for (const [name, value] of [
      ['Content-Type', `text/${'x'.repeat(8000)}`],
      ['Content-Encoding', 'x'.repeat(8000)],
    ] as const) {
      const headers = { 'Content-Type': 'application/json', [name]: value };
      for (const path of ['/graphql', '/api/soap/calculator']) {
        const { status, json } = await service.send(`POST ${path}`, { body, headers });
        expect([404, 415]).toContain(status);
        expect(json.message.length).toBeLessThan(300);
      }
    }
  });

  test('a compressed body → 415', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const response = await service.send('POST /graphql', { body, headers });
    expect(response.status).toBe(415);
    expect(response.headers['accept-encoding']).toBe('identity');
  });
});

describe('a body that is no GraphQL request → 400, whatever Accept says', () => {
  const cases: readonly [body: string | Buffer, message: string][] = [
    ['{}', 'query property is missing'],
    ['{"query":""}', 'query property is empty'],
    ['{"query":null}', 'query property is null'],
    ['{"query":7}', 'query property is a number'],
    ['{"query":{}}', 'query property is an object'],
    ['', 'no body'],
    ['null', 'The body is null'],
    ['"{ users { id } }"', 'The body is a string'],
    ['7', 'The body is a number'],
    ['[]', 'JSON array'],
    ['[{"query":"{ users { id } }"}]', 'JSON array'],
    ['{"query":"{ users { id } }"', 'Invalid JSON at line 1, column'],
    ["{'query':'{ users { id } }'}", 'Invalid JSON at line 1, column 2'],
    ['{"query":"{ users { id } }","variables":"{}"}', 'variables property is a string'],
    ['{"query":"{ users { id } }","variables":[]}', 'variables property is an array'],
    ['{"query":"{ users { id } }","extensions":[]}', 'extensions property is an array'],
    ['{"query":"{ users { id } }","operationName":1}', 'operationName property is a number'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'UTF-8'],
    ['['.repeat(100_000), 'nested deeper than 500 levels'],
    [`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, 'nested deeper'],
    ['{"__proto__":{"query":"{ users { id } }"}}', 'query property is missing'],
  ];

  test.each(cases)('%s', async (body, message) => {
    for (const accept of ['*/*', 'application/json']) {
      const headers = { 'Content-Type': 'application/json', Accept: accept };
      const response = await graphql.send('POST /graphql', { body, headers });
      expect(response.status).toBe(400);
      expect(response.json).not.toHaveProperty('data');
      expect(response.errors[0].message).toContain(message);
      expect(response.errors[0].extensions.code).toBe('INVALID_REQUEST');
    }
  });

  test('a body over 1 MiB → 413', async () => {
    const json = { query, variables: { pad: 'x'.repeat(1024 * 1024) } };
    const response = await service.send('POST /graphql', { json });
    expect(response.status).toBe(413);
  });

  test('unknown members are ignored; null and empty ones count as missing', async () => {
    const json = { query, id: 1, variables: null, operationName: '', extensions: null };
    expect((await graphql.post(json)).data).toEqual(data);
  });

  test('variables may have any name', async () => {
    const body = `{"query":"query ($__proto__: Int, $constructor: Int) { a: posts(userId: $__proto__) { id } b: posts(userId: $constructor) { id } }","variables":{"__proto__":1,"constructor":null}}`;
    const headers = { 'Content-Type': 'application/json' };
    for (let run = 0; run < 3; run++) {
      const response = await graphql.send('POST /graphql', { body, headers });
      expect(response.status).toBe(200);
    }
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});

describe('GET', () => {
  const path = (parameters: Record<string, string>) =>
    `/graphql?${new URLSearchParams(parameters)}`;

  test('runs a query', async () => {
    const response = await graphql.send(`GET ${path({ query })}`);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe(newer);
    expect(response.headers.vary).toBe('X-Sandbox, X-Service-Key, Accept');
    expect(response.data).toEqual(data);
  });

  test('accepts variables and operationName', async () => {
    const parameters = {
      query: 'query A($id: Int!) { user(id: $id) { id } } query B { users { id } }',
      variables: '{"id":1}',
      operationName: 'A',
    };
    expect((await graphql.send(`GET ${path(parameters)}`)).data).toEqual(data);
  });

  test.each([
    [{}, 'missing'],
    [{ query: '' }, 'empty'],
    [{ query, variables: '{' }, 'must be JSON'],
    [{ query, variables: '7' }, 'a number'],
  ])('%j → 400', async (parameters, message) => {
    for (const accept of ['*/*', 'application/json']) {
      const target = `GET ${path(parameters as Record<string, string>)}`;
      const response = await graphql.send(target, { headers: { Accept: accept } });
      expect(response.status).toBe(400);
      expect(response.errors[0].message).toContain(message);
      expect(response.errors[0].extensions.code).toBe('INVALID_REQUEST');
    }
  });

  test('two queries → 400', async () => {
    const response = await graphql.send('GET /graphql?query=%7Ba%7D&query=%7Bb%7D');
    expect(response.status).toBe(400);
    expect(response.errors[0].message).toContain('must not be repeated');
  });

  test.each(['application/json', '*/*'])('a mutation → 405, with Accept %s', async (accept) => {
    for (const document of [
      'mutation { deleteTodo(id: 1) }',
      'mutation { __typename }',
      'mutation { unknown }',
    ]) {
      const headers = { Accept: accept };
      const response = await graphql.send(`GET ${path({ query: document })}`, { headers });
      expect(response.status).toBe(405);
      expect(response.headers.allow).toBe('POST');
      expect(response.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
    }
    expect((await graphql.data('{ todos { id } }')).todos).toHaveLength(200);
  });

  test('a query beside a mutation runs', async () => {
    const document = 'query A { user(id: 1) { id } } mutation B { deleteTodo(id: 1) }';
    const chosen = await graphql.send(`GET ${path({ query: document, operationName: 'A' })}`);
    expect(chosen.data).toEqual(data);
    const other = await graphql.send(`GET ${path({ query: document, operationName: 'B' })}`);
    expect(other.status).toBe(405);
  });

  test('a browser that sends a query gets the response, not a page', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const response = await graphql.send(`GET ${path({ query })}`, { headers });
    expect(response.data).toEqual(data);
  });

  test('a browser without a query gets the editor', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const path of ['/graphql', '/GraphQL', '/graphql/', '/graphql?query=']) {
      const response = await service.send(`GET ${path}`, { headers: { Accept: accept } });
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(response.headers.vary).toMatch(/^X-Sandbox, X-Service-Key, Accept\b/);
      expect(response.text).toContain('<script');
    }
    const other = await graphql.send('GET /graphql', { headers: { Accept: '*/*' } });
    expect(other.status).toBe(400);
  });

  test('?sdl returns the schema with its descriptions', async () => {
    const response = await service.send('GET /graphql?sdl');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/graphql; charset=utf-8');
    expect(response.text).toContain('type Book {');
    expect(response.text).toContain('"ISBN-13 without hyphens."');
  });

  test('HEAD has the headers of GET', async () => {
    const response = await service.send(`HEAD ${path({ query })}`);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe(newer);
  });
});

test.each(['PATCH', 'OPTIONS', 'PROPFIND'])('%s → 405', async (method) => {
  const response = await service.send(`${method} /graphql`);
  expect(response.status).toBe(405);
  expect(response.headers.allow).toBe('DELETE, GET, HEAD, POST, PUT');
});

test('the path works in any case and with a trailing slash', async () => {
  for (const path of ['/GraphQL', '/graphql/', '/GRAPHQL/?x=1']) {
    expect((await graphql.send(`POST ${path}`, { json: { query } })).data).toEqual(data);
  }
});

test('image URLs begin with the host of the request', async () => {
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({ query: '{ product(id: 1) { image } photos(albumId: 1) { url } }' });
  for (let run = 0; run < 3; run++) {
    const host = `host-${run}.example:8080`;
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { host, 'content-type': 'application/json' };
      const outgoing = httpRequest(
        { hostname, port, path: '/graphql', method: 'POST', headers },
        async (response) => resolve(Buffer.concat(await response.toArray()).toString()),
      );
      outgoing.on('error', reject).end(body);
    });
    const { data: found } = JSON.parse(text);
    expect(found.product.image).toBe(`http://${host}/images/products/1.svg`);
    expect(found.photos[0].url).toBe(`http://${host}/images/photos/1.svg`);
  }
});

test('a body that arrives in pieces is read completely', async () => {
  const json = JSON.stringify({ query: '{ user(id: 1) { name } } # ünïcödé ☃ 🦉' });
  const { hostname, port } = new URL(service.url);
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = httpRequest(
      { hostname, port, path: '/graphql', method: 'POST', headers },
      async (response) => resolve(Buffer.concat(await response.toArray()).toString()),
    );
    outgoing.on('error', reject);
    for (const byte of Buffer.from(json)) outgoing.write(Buffer.of(byte));
    outgoing.end();
  });
  expect(JSON.parse(text).data.user.name).toBeTruthy();
});
