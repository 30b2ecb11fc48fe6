/** Paths that people try first: beginnings, usual names, wrong base URLs of SDKs, and their own collections. */

import { expect, test } from 'vitest';
import { usual } from '../../src/app/suggestions/usual-paths.js';
import { useService } from '../support/service.js';

const service = useService();

async function messageAt(target: string): Promise<string> {
  const { status, json, text } = await service.send(target);
  expect(status, `${target}: ${text}`).toBe(404);
  return json.message ?? json.error.message;
}

test('each beginning of a described path names paths below it', async () => {
  const { json } = await service.send('GET /openapi.json');
  const paths = Object.keys(json.paths);
  const beginnings = new Set(
    paths.flatMap((path) => {
      const segments = path.slice(1).split('/');
      const literal = segments.findIndex((segment) => segment.includes('{'));
      const end = literal < 0 ? segments.length - 1 : literal;
      return segments.slice(0, end).map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
    }),
  );
  let count = 0;
  for (const beginning of beginnings) {
    const { status, text } = await service.send(`GET ${beginning}`);
    if (status !== 404) continue;
    count++;
    const [, meant = ''] = /Did you mean ([^?]*)\?/.exec(text) ?? [];
    expect(meant.toLowerCase(), beginning).toContain(`${beginning.toLowerCase()}/`);
  }
  expect(count).toBeGreaterThan(30);
});

test.each([
  ['GET /api/http/status', '/api/http/status/{codes}'],
  ['GET /API/HTTP/Status/', '/api/http/status/{codes}'],
  ['GET /api/webhooks/verify', '/api/webhooks/verify/{'],
  ['GET /swagger.json', '/openapi.json'],
  ['GET /api-docs', '/openapi.json or /docs'],
  ['GET /Swagger/', '/openapi.json'],
  ['POST /oauth/token', '/api/auth/oauth/token'],
  ['POST /api/login', '/api/auth/jwt/login'],
  ['GET /auth/me', '/api/auth/jwt/me'],
  ['POST /api/register', '/account'],
  ['GET /api/graphql', '/graphql'],
  ['GET /api/v1/books', '/api/Books'],
  ['POST /api/mcp', '/mcp'],
  ['GET /posts', '/api/Posts'],
  ['GET /healthz', '/health'],
  ['GET /s/mine/swagger.json', '/s/mine/openapi.json'],
  ['POST /v1/v1/messages', '/llm/anthropic/v1/messages'],
  ['GET /api/api/Books/1', '/api/Books/1'],
  ['GET /postman', '/guides/testing/postman or /downloads'],
  ['GET /Help', '/guides or /guides/getting-started'],
  ['GET /windows', '/guides/getting-started'],
  ['GET /board', '/class'],
  ['GET /s/mine/mockoon', '/s/mine/guides/compared'],
  ['GET /guides/postman', '/guides/testing/postman?'],
  ['GET /guides/jwt', '/guides/auth/jwt?'],
])('%s names %s', async (target, meant) => {
  expect(await messageAt(target)).toContain(`Did you mean ${meant}`);
});

test('each path that stands for a usual one exists', async () => {
  const headers = { accept: 'text/html' };
  for (const { names, here } of usual) {
    for (const path of here) {
      const { status } = await fetch(service.url + path, { headers, redirect: 'manual' });
      expect(status, `${path} for ${names[0]}`).not.toBe(404);
    }
  }
});

test.each([
  ['GET /api/Products/search?q=a', 'DummyJSON is', '/dummyjson here'],
  ['GET /api/todos/random', 'DummyJSON is', '/dummyjson here'],
])('%s names another API that has it', async (target, ...parts) => {
  const { status, json } = await service.send(target);
  expect(status).toBe(400);
  for (const part of parts) expect(json.message).toContain(part);
});

test('the login of a tutorial names the APIs that have it', async () => {
  const message = await messageAt('POST /auth/login');
  expect(message).toContain('The base URL of DummyJSON is');
  expect(message).toContain('The base URL of FakeStoreAPI is');
});

test.each([
  ['/', '/mcp'],
  ['/s/mine', '/s/mine/mcp'],
  ['/mcp/sse', '/mcp'],
])('a client of MCP at %s learns where the server is', async (path, right) => {
  const headers = { accept: 'application/json, text/event-stream' };
  const json = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const sent = await service.send(`POST ${path}`, { headers, json });
  expect(sent.status).toBe(405);
  expect(sent.text).toContain(`POST ${right} is supported.`);
});

test('/graphql works with a slash at its end', async () => {
  const { json } = await service.send('POST /graphql/', {
    json: { query: '{ book(id: 1) { id } }' },
  });
  expect(json.data.book.id).toBe(1);
});

test.each([
  ['POST /v1/chat/completions', '/llm/openai/v1/chat/completions'],
  ['POST /chat/completions', '/llm/openai/v1/chat/completions'],
  ['POST /llm/openai/chat/completions', '/llm/openai/v1/chat/completions'],
  ['POST /s/mine/llm/openai/chat/completions', '/s/mine/llm/openai/v1/chat/completions'],
  ['POST /v1/responses', '/llm/openai/v1/responses'],
  ['GET /v1/models', '/llm/anthropic/v1/models'],
])('%s has the message where the SDK of OpenAI shows it', async (target, meant) => {
  const { json } = await service.send(target, { json: {} });
  expect(json.error.type).toBe('invalid_request_error');
  expect(json.error.message).toContain(meant);
});

test.each([
  ['POST /v1/messages', '/llm/anthropic/v1/messages'],
  ['POST /llm/anthropic/v1/v1/messages', '/llm/anthropic/v1/messages'],
])('%s has the message where the SDK of Anthropic shows it', async (target, meant) => {
  const { json } = await service.send(target, { json: {} });
  expect(json.error.type).toBe('not_found_error');
  expect(json.error.message).toContain(`Did you mean ${meant}?`);
});

test('with data of the caller, its collections come first', async () => {
  const data = { posts: [{ id: 1 }], comments: [{ id: 1 }], profile: { name: 'Ada' } };
  const { status } = await service.send('PUT /s/suggesting/api/sandbox/data', { json: data });
  expect(status).toBe(200);
  const own = (path: string) => `/s/suggesting/my${path} or /s/suggesting/json-server${path}`;
  expect(await messageAt('GET /s/suggesting/posts')).toContain(
    `Did you mean ${own('/posts')} or /s/suggesting/api/Posts?`,
  );
  expect(await messageAt('GET /s/suggesting/api/comments/1')).toContain(own('/comments/1'));
  expect(await messageAt('GET /s/suggesting/Profile')).toContain(own('/profile'));
  expect(await messageAt('GET /comments')).not.toContain('Did you mean');
});

test('a page has no link to a path with a parameter', async () => {
  const headers = { accept: 'text/html' };
  const { text } = await service.send('GET /api/http/status', { headers });
  expect(text).toContain('<li><code>/api/http/status/{codes}</code></li>');
});

test.each(['/nowhere', '/', '/x/y/z', `/${'a/'.repeat(90)}`, '/api/Books/9999', '/__proto__'])(
  'nothing is suggested for %s',
  async (path) => {
    const { json } = await service.send(`GET ${path}`);
    expect(json.message ?? '').not.toContain('Did you mean');
  },
);
