import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

const v1 = {
  id: expect.any(Number),
  name: expect.any(String),
  email: expect.any(String),
  phone: expect.any(String),
  address: expect.any(String),
  memberSince: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
};
const vendor = (version: number | string) => `application/vnd.service.v${version}+json`;
const profile = (query = '', headers: Record<string, string> = {}) =>
  service.send(`GET /api/versioned/profile${query}`, { headers });

test('version 1 is flat and announces its sunset', async () => {
  const { status, headers, json } = await service.send('GET /api/v1/profile');
  expect(status).toBe(200);
  expect(json).toEqual(v1);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    deprecation: `@${Date.UTC(2026, 6, 1) / 1000}`,
    sunset: 'Fri, 31 Dec 2027 23:59:59 GMT',
    link: `<${service.url}/api/v2/profile>; rel="successor-version"`,
    'x-api-version': '1',
    'x-api-version-source': 'path',
  });
});

test('version 2 is nested and announces nothing', async () => {
  const { status, headers, json } = await service.send('GET /api/v2/profile');
  expect(status).toBe(200);
  expect(Object.keys(json).join()).toBe(
    'id,firstName,lastName,displayName,contact,address,preferences,createdAt,apiVersion',
  );
  expect(Object.keys(json.contact).join()).toBe('email,phone');
  expect(Object.keys(json.contact.phone).join()).toBe('countryCode,number');
  expect(Object.keys(json.address).join()).toBe('street,city,state,postalCode,country');
  expect(Object.keys(json.preferences).join()).toBe('language,timezone,newsletter');
  expect(json.preferences.newsletter).toBeTypeOf('boolean');
  expect(json.apiVersion).toBe('2');
  expect(headers).toMatchObject({ 'x-api-version': '2', 'x-api-version-source': 'path' });
  for (const name of ['deprecation', 'sunset', 'link']) expect(headers).not.toHaveProperty(name);
});

test('both versions describe the same person', async () => {
  const one = (await service.send('GET /api/v1/profile')).json;
  const two = (await service.send('GET /api/v2/profile')).json;
  expect(one.id).toBe(two.id);
  expect(one.name).toBe(`${two.firstName} ${two.lastName}`);
  expect(one.email).toBe(two.contact.email);
  expect(one.phone).toContain(two.contact.phone.number);
  for (const part of Object.values(two.address)) expect(one.address).toContain(part);
  expect(two.createdAt.startsWith(one.memberSince)).toBe(true);
});

describe('the version', () => {
  test.each<[string, string, Record<string, string>, string, string, string?]>([
    ['by default', '', {}, '2', 'default'],
    ['by header 1', '', { 'X-API-Version': '1' }, '1', 'header'],
    ['by header 2', '', { 'x-api-version': '2' }, '2', 'header'],
    ['by query 1', '?api-version=1', {}, '1', 'query'],
    ['by query v2', '?api-version=v2', {}, '2', 'query'],
    ['by query 2.0', '?api-version=2.0', {}, '2', 'query'],
    ['by media type 1', '', { Accept: vendor(1) }, '1', 'accept', vendor(1)],
    ['by media type 2', '', { Accept: vendor(2) }, '2', 'accept', vendor(2)],
    [
      'by media type with parameters and weights',
      '',
      { Accept: `${vendor(2)};q=0.3, ${vendor(1)}; charset=utf-8; q=0.7` },
      '1',
      'accept',
      vendor(1),
    ],
    ['by header before query', '?api-version=2', { 'X-API-Version': '1' }, '1', 'header'],
    ['by header before media type', '', { 'X-API-Version': '2', Accept: vendor(1) }, '2', 'header'],
    ['by query before media type', '?api-version=1', { Accept: vendor(2) }, '1', 'query'],
    ['by default for a browser', '', { Accept: 'text/html,*/*;q=0.8' }, '2', 'default'],
  ])('%s', async (_case, query, headers, version, source, contentType) => {
    const response = await profile(query, headers);
    expect(response.status).toBe(200);
    expect(response.headers['x-api-version']).toBe(version);
    expect(response.headers['x-api-version-source']).toBe(source);
    expect(response.headers['content-type']).toBe(contentType ?? 'application/json; charset=utf-8');
    expect(response.headers.vary).toBe('X-API-Version, Accept');
    const { json } = await service.send(`GET /api/v${version}/profile`);
    expect(response.json).toEqual(json);
    expect(response.headers).toHaveProperty(version === '1' ? 'sunset' : 'vary');
    expect(response.headers.deprecation !== undefined).toBe(version === '1');
    const head = await service.send(`HEAD /api/versioned/profile${query}`, { headers });
    expect(head.headers['x-api-version']).toBe(version);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['3 by header', '', { 'X-API-Version': '3' }, 'header'],
    ['empty by header', '', { 'X-API-Version': '' }, 'header'],
    ['both by header', '', { 'X-API-Version': '1, 2' }, 'header'],
    ['3 by header though the query is right', '?api-version=1', { 'X-API-Version': '3' }, 'header'],
    ['2.1 by query', '?api-version=2.1', {}, 'query'],
    ['empty by query', '?api-version=', {}, 'query'],
    ['both by query', '?api-version=1&api-version=2', {}, 'query'],
    ['3 by media type', '', { Accept: vendor(3) }, 'accept'],
    ['latest by media type', '', { Accept: vendor('latest') }, 'accept'],
  ])(
    '%s is 400, and the response lists the supported versions',
    async (_case, query, headers, source) => {
      const response = await profile(query, headers);
      expect(response.status).toBe(400);
      expect(response.json).toEqual({
        status: 400,
        error: 'Bad Request',
        message: expect.stringContaining('Supported are 1 and 2.'),
        source,
        supportedVersions: ['1', '2'],
      });
      expect(response.headers.vary).toBe('X-API-Version, Accept');
      const latest = { 'x-api-version': '2', 'x-api-version-source': 'default' };
      expect(response.headers).toMatchObject(latest);
    },
  );
});

test.each<[string, number, string, string, Record<string, string>?]>([
  ['GET /api/v1/nothing', 404, '1', 'path'],
  ['GET /api/V2', 404, '2', 'path'],
  ['POST /api/v1/profile', 405, '1', 'path'],
  ['GET /api/v2/profile?error=503', 503, '2', 'path'],
  ['GET /api/v1/profile?delay=long', 400, '1', 'path'],
  ['GET /api/%761/profile?error=500', 500, '1', 'path'],
  ['GET /api/v1/%zz', 400, '1', 'path'],
  ['DELETE /api/versioned/profile', 405, '2', 'default'],
  ['DELETE /api/versioned/profile?api-version=1', 405, '1', 'query'],
  ['GET /api/versioned/profile?error=404', 404, '1', 'accept', { Accept: vendor(1) }],
  ['GET /api/versioned/profile?error=406', 406, '1', 'header', { 'X-API-Version': '1' }],
  ['GET /api/versioned/profile?api-version=3', 400, '2', 'default'],
  ['GET /api/versioned/profile', 400, '2', 'default', { Accept: vendor(9) }],
])('%s is %i in a version, too', async (request, expected, version, source, headers = {}) => {
  const response = await service.send(request, { headers });
  expect(response.status).toBe(expected);
  expect(response.headers).toMatchObject({
    'x-api-version': version,
    'x-api-version-source': source,
  });
});

test('responses without a version have no version header', async () => {
  for (const path of ['/api/versions', '/api/v3/profile', '/api/v10/profile', '/api']) {
    const { headers } = await service.send(`GET ${path}`);
    expect(headers).not.toHaveProperty('x-api-version');
  }
});

test('the versions are listed with URLs that work and ways to select one', async () => {
  const { json } = await service.send('GET /api/versions');
  expect(json).toEqual({
    current: '2',
    supported: [
      {
        version: '1',
        status: 'deprecated',
        sunset: '2027-12-31T23:59:59.000Z',
        url: `${service.url}/api/v1/profile`,
      },
      { version: '2', status: 'current', sunset: null, url: `${service.url}/api/v2/profile` },
    ],
    negotiation: {
      path: expect.any(String),
      header: expect.stringContaining('X-API-Version'),
      query: expect.stringContaining('api-version'),
      accept: expect.stringContaining(vendor(1)),
      precedence: ['header', 'query', 'accept', 'default'],
    },
  });
  for (const { url, version } of json.supported) {
    const response = await service.send(`GET ${new URL(url).pathname}`);
    expect(response.headers['x-api-version']).toBe(version);
  }
});

test.each(['/api/v3/profile', '/api/v/profile', '/api/v1/profile/x'])('%s is 404', async (path) => {
  expect((await service.send(`GET ${path}`)).status).toBe(404);
});
