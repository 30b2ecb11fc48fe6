/** Mistakes of beginners and of their shells: the message says how to fix each. */

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a method in lower case', () => {
  test.each([
    ['get', 'HTTP methods are case-sensitive: send GET, not get.'],
    ['Post', 'HTTP methods are case-sensitive: send POST, not Post.'],
    ['grab', 'The request does not begin with a known HTTP method.'],
  ])('%s', async (method, message) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.end(`${method} /api/Books/1 HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    const response = await text(socket);
    expect(response).toContain('400 Bad Request');
    expect(response).toContain(message);
  });
});

describe('a body that a shell, an editor or another language has changed', () => {
  test.each([
    ["'{title:x}'", 'a single quote, which the shell of Windows does not remove'],
    [' \'{"title":"x"}\'', 'a single quote, which the shell of Windows does not remove'],
    ["{'title': 'x'}", 'a single quote; strings need double quotes'],
    ['{title:x}', 'names and strings need double quotes, which the shell of Windows may have'],
    ['{“title”: “x”}', 'a curly quote; type straight double quotes'],
    ['{"title": “x”}', 'a curly quote; type straight double quotes'],
    ['{"title":"x",}', 'no comma may precede }'],
    ['{"tags":["x", ]}', 'no comma may precede ]'],
  ])('%s', async (body, message) => {
    for (const target of ['POST /api/Books', 'PUT /api/sandbox/faults', 'POST /graphql']) {
      const headers = { ...json, 'x-sandbox': 'mending' };
      const response = await service.send(target, { headers, body });
      expect(response.status, target).toBe(400);
      expect(response.text.replaceAll('\\"', '"'), target).toContain(message);
    }
  });
});

test.each([
  'PATCH /api/Books/1',
  'PUT /api/sandbox/faults',
  'PUT /api/sandbox/data',
  'POST /api/auth/jwt/login',
  'POST /api/classes',
  'POST /api/webhooks/bins',
  'PATCH /s/mending/my/posts/1',
])(
  'JSON with the Content-Type of a form at %s names curl -d and the right type',
  async (target) => {
    const headers = target.includes('/s/') ? form : { ...form, 'x-sandbox': 'mending' };
    const { status, json: error } = await service.send(target, { headers, body: '{"title":"x"}' });
    if (status === 404) return;
    expect(status).toBe(415);
    expect(error.message).toContain('the default of curl -d. Send ');
    expect(error.message).toContain('application/json');
  },
);

test.each([
  ['/api/Books?per_page=3', 'limit'],
  ['/api/Books?pageSize=3', 'limit'],
  ['/api/Books?skip=3', 'offset'],
  ['/api/Books?search=x', 'q'],
  ['/api/Books?order_by=title', 'sort'],
  ['/api/Books?select=title', 'fields'],
  ['/api/Books?expand=x', 'embed'],
])('the parameter of other services in %s: did you mean %s', async (path, meant) => {
  const { status, json: error } = await service.send(`GET ${path}`);
  expect(status).toBe(400);
  expect(error.message).toContain(`Did you mean ${meant}?`);
});

test.each([
  ['PUT /api/Books', 'PUT /api/Books/{id} is supported.'],
  ['DELETE /s/mending/api/Books?x=1', 'DELETE /s/mending/api/Books/{id} is supported.'],
  ['PATCH /api/movies/', 'PATCH /api/movies/{id} is supported.'],
])('%s names the path of a record', async (target, message) => {
  const { status, json: error } = await service.send(target, { json: {} });
  expect(status).toBe(405);
  expect(error.message).toContain(message);
});
