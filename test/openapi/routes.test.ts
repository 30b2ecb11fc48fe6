/** The description has every route, counted from the routes themselves. */

import { expect, test } from 'vitest';
import { dialects } from '../../src/areas/practice-apis/dialects.js';
import { configFrom } from '../../src/config/config.js';
import { routeTemplate } from '../../src/http/address/route-path.js';
import { settings } from '../../src/service.js';
import { useService } from '../support/service.js';
import { endpointsOfAreas } from '../support/services.js';
import { describesOptions } from './alike.js';

// Routes of accounts only reject if accounts are not required, and are not described.
const { send } = useService({ accounts: 'required' });

/** Described routes outside of areas. */
const others = [
  'GET /',
  'GET /api',
  'GET /api/methods',
  'GET /api/soap',
  'GET /api/webhooks',
  'GET /api/sse',
  'GET /api/ws',
  'GET /health',
  'GET /health/ready',
  'GET /openapi.json',
  'GET /openapi.yaml',
  'GET /downloads',
  'GET /downloads/practice-api.postman_collection.json',
  'GET /downloads/practice-api.http',
];

/**
 * The page of an issuer, the forms of its pages, what needs an id of an
 * earlier response, and what clients of language models seldom read.
 */
const undescribed = [
  // Paths with too many names for any resource.
  'GET /json-server/:resource/:id/:nested/*',
  'GET /oidc',
  ...['login', 'consent', 'device_answer'].map((form) => `POST /oidc/${form}`),
  'POST /mcp/messages',
  ...['GET', 'POST'].map((method) => `${method} /mcp/elicitations/:id`),
  ...['GET', 'POST', 'HEAD'].map((method) => `${method} /mcp/canary/:run/:name`),
  'GET /.well-known/oauth-protected-resource/mcp/runs/:run/:name',
  ...['authenticate', 'checkout'].flatMap((page) =>
    ['GET', 'POST'].map((method) => `${method} /payments/${page}/:key`),
  ),
  ...['GET', 'DELETE'].map((method) => `${method} /api/sandbox/llm/findings`),
  'GET /grpc/proto/*',
  'GET /grpc/test-plan',
  'GET /payments/test-plan',
  'POST /payments/test-plan/runs',
  'GET /payments/test-plan/runs/:run',
  'PUT /payments/test-plan/runs/:run/:name',
  'POST /grpc/test-plan/runs',
  'GET /grpc/test-plan/runs/:run',
  'PUT /grpc/test-plan/runs/:run/:name',
  ...['GET', 'DELETE'].map((method) => `${method} /api/sandbox/grpc/findings`),
  'GET /api/http2/plan',
  'POST /api/http2/plan/runs',
  'GET /api/http2/plan/runs/:run',
  'PUT /api/http2/plan/runs/:run/:case',
  'GET /llm/test-plan',
  'POST /llm/test-plan/runs',
  'GET /llm/test-plan/runs/:run',
  'PUT /llm/test-plan/runs/:run/:name',
  ...['/llm', '/llm/test-plan/runs/:run/:name'].flatMap((base) => [
    `GET ${base}/openai/v1/responses/:response`,
    `DELETE ${base}/openai/v1/responses/:response`,
    `POST ${base}/openai/v1/responses/:response/cancel`,
    `GET ${base}/openai/v1/responses/:response/input_items`,
    `GET ${base}/openai/v1/models/:model`,
    `POST ${base}/openai/v1/embeddings`,
    `POST ${base}/anthropic/v1/messages/count_tokens`,
    `GET ${base}/anthropic/v1/models/:model`,
    ...['openai', 'anthropic'].map((provider) => `GET ${base}/${provider}/v1/models`),
  ]),
  ...['chat/completions', 'responses'].map(
    (path) => `POST /llm/test-plan/runs/:run/:name/openai/v1/${path}`,
  ),
  'POST /llm/test-plan/runs/:run/:name/anthropic/v1/messages',
  ...['/llm', '/llm/test-plan/runs/:run/:name'].flatMap((base) => [
    ...['ps', 'tags', 'version'].map((name) => `GET ${base}/ollama/api/${name}`),
    ...['embed', 'show'].map((name) => `POST ${base}/ollama/api/${name}`),
    `GET ${base}/gemini/v1beta/models`,
    `GET ${base}/gemini/v1beta/models/:model`,
    ...['batchEmbedContents', 'countTokens', 'embedContent'].map(
      (name) => `POST ${base}/gemini/v1beta/models/:model::${name}`,
    ),
  ]),
  ...['chat', 'generate'].map((name) => `POST /llm/test-plan/runs/:run/:name/ollama/api/${name}`),
  ...['generateContent', 'streamGenerateContent'].map(
    (name) => `POST /llm/test-plan/runs/:run/:name/gemini/v1beta/models/:model::${name}`,
  ),
  ...['POST messages', 'POST messages/count_tokens', 'GET models', 'GET models/:model'].map(
    (each) => each.replace(' ', ' /llm/test-plan/runs/:run/:name/anthropic/'),
  ),
];

/** Practice APIs describe themselves, at `/openapi.json` below their base URLs. */
const isSelfDescribed = (path: string) =>
  dialects.some(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`)) ||
  // `GET /payments` lists the operations, and the SDKs of Stripe have their types.
  path.startsWith('/v1/') ||
  // Methods of gRPC have `.proto` files and reflection.
  /^\/\w[\w.]*\.[A-Z]\w*\//.test(path);

const describable = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

/** Every method and path that the areas add to an application, as its router sees them. */
async function routesOfAreas(): Promise<string[]> {
  const routes: string[] = [];
  for (const { endpoint } of await endpointsOfAreas(configFrom(settings, {}))) {
    const { methods, path, spec } = endpoint;
    const { describedAs: describedPath = path } = spec;
    // One operation describes any method.
    const isAny = methods.length > describable.length;
    const shown = spec.body === undefined && spec.bodies === undefined ? 'GET' : 'POST';
    for (const method of isAny ? [shown] : methods) {
      // Several may be described as one, and the OPTIONS of collections with their other methods.
      if (method === 'OPTIONS' && methods.length === 1 && describesOptions(path)) continue;
      if (isSelfDescribed(path)) continue;
      if (undescribed.includes(`${method} ${describedPath}`)) continue;
      routes.push(`${method} ${describedPath}`);
    }
  }
  return [...new Set(routes)];
}

test('every route is described, once, and nothing else is', async () => {
  const { paths } = (await send('GET /openapi.json?formats=all')).json;
  const described = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = (await routesOfAreas())
    .filter((route) => describable.includes(route.split(' ')[0] ?? ''))
    .map((route) => routeTemplate(route).replace('*', '{subPath}'));
  expect(expected.length).toBeGreaterThan(100);
  expect(described.sort()).toEqual([...expected, ...others].sort());
});

test('no two operations have the same name', async () => {
  const { paths } = (await send('GET /openapi.json?formats=all')).json;
  const names = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-zA-Z0-9]+$/);
});
