/** Words that people search for, each with a page that must be among the first results. */

import { beforeAll, expect, test } from 'vitest';
import { type Search, searchIn } from '../../pages/search/find.js';
import { useService } from '../support/service.js';

const service = useService();
let search: Search;
beforeAll(async () => {
  const { json: file } = await service.send('GET /guides/search.json');
  const { json: endpoints } = await service.send('GET /endpoints.json');
  search = searchIn(file, endpoints);
});

const pagesOf = (text: string) => search(text).found.map(({ path }) => path);

test.each([
  ['docker', '/guides/hosting'],
  ['container', '/guides/hosting'],
  ['kubernetes', '/guides/hosting'],
  ['nginx', '/guides/hosting'],
  ['classroom', '/guides/teaching'],
  ['students', '/guides/teaching'],
  ['isolate', '/guides/sandboxes'],
  ['isolation', '/guides/sandboxes'],
  ['sandbox', '/guides/sandboxes'],
  ['time travel', '/guides/sandboxes'],
  ['mock', '/guides/own-data'],
  ['stub', '/guides/http/respond'],
  ['fake data', '/guides/own-data'],
  ['delay', '/guides/faults'],
  ['latency', '/guides/faults'],
  ['timeout', '/guides/faults'],
  ['chaos', '/guides/faults'],
  ['retry', '/guides/retry-like-a-professional'],
  ['backoff', '/guides/retry-like-a-professional'],
  ['CI', '/guides/in-ci'],
  ['GitHub Actions', '/guides/in-ci'],
  ['token', '/guides/auth/bearer'],
  ['login', '/guides/add-a-login'],
  ['password', '/guides/auth/basic'],
  ['basic auth', '/guides/auth/basic'],
  ['oauth', '/guides/auth/oauth'],
  ['openid', '/guides/oidc'],
  ['keycloak', '/guides/oidc'],
  ['pkce', '/guides/oidc'],
  ['sso', '/guides/oidc'],
  ['jwt', '/guides/auth/jwt'],
  ['api key', '/guides/auth/api-key'],
  ['mtls', '/guides/auth/mtls'],
  ['webauthn', '/guides/auth/passkeys'],
  ['csrf', '/guides/auth/csrf'],
  ['SSE', '/guides/realtime/events'],
  ['EventSource', '/guides/realtime/events'],
  ['websocket', '/guides/realtime/websocket'],
  ['ws', '/guides/realtime/websocket'],
  ['db.json', '/guides/json-server'],
  ['json-server', '/guides/json-server'],
  ['webhook', '/guides/webhooks'],
  ['requestbin', '/guides/webhooks'],
  ['pagination', '/guides/pagination'],
  ['cursor', '/guides/pagination'],
  ['429', '/guides/rate-limit'],
  ['throttling', '/guides/rate-limit'],
  ['cors', '/guides/http'],
  ['etag', '/guides/http/caching'],
  ['caching', '/guides/http/caching'],
  ['gzip', '/guides/http/codings'],
  ['redirect', '/guides/http/redirects'],
  ['cookie', '/guides/http/cookies'],
  ['upload file', '/guides/http/uploads'],
  ['multipart', '/guides/http/uploads'],
  ['teapot', '/guides/http/status'],
  ['csv', '/guides/resources/formats'],
  ['bulk', '/guides/resources/batches'],
  ['async', '/guides/resources/jobs'],
  ['duplicate', '/guides/resources/idempotency'],
  ['optimistic locking', '/guides/resources/preconditions'],
  ['undo', '/guides/resources/trash'],
  ['graphql', '/guides/graphql'],
  ['n+1', '/guides/graphql'],
  ['subscriptions', '/guides/subscriptions'],
  ['wsdl', '/guides/soap'],
  ['swagger', '/guides/openapi'],
  ['postman', '/guides/testing/postman'],
  ['cypress', '/guides/testing/playwright'],
  ['jest', '/guides/testing/node'],
  ['pytest', '/guides/testing/python'],
  ['k6', '/guides/testing/other-tools'],
  ['install', '/guides/getting-started'],
  ['port', '/guides/configuration'],
  ['environment variables', '/guides/configuration'],
  ['redis', '/guides/shared-state'],
  ['persistence', '/guides/state'],
  ['state file', '/guides/state'],
  ['https', '/guides/tls'],
  ['self-signed', '/guides/tls'],
  ['deprecated', '/guides/versioning'],
  ['placeholder image', '/guides/pictures'],
  ['BASE_URL', '/guides/configuration'],
  ['/api/auth/jwt/refresh', '/docs#/auth/postAuthJwtRefresh'],
  ['isbn', '/docs#/resources/getBooksIsbnByIsbn'],
  ['mcp', '/guides/mcp'],
  ['mcp findings', '/mcp'],
  ['model context protocol', '/guides/mcp'],
  ['agent', '/guides/llm'],
  ['cursor editor', '/guides/mcp'],
  ['mcp client', '/guides/mcp/test-your-client'],
  ['llm', '/guides/llm'],
  ['language model', '/guides/llm'],
  ['chatgpt', '/guides/llm'],
  ['openai', '/guides/llm'],
  ['anthropic', '/guides/llm'],
  ['claude', '/guides/llm'],
  ['ollama', '/guides/llm'],
  ['gemini', '/guides/llm'],
  ['langchain', '/guides/llm'],
  ['embeddings', '/guides/llm'],
  ['function calling', '/guides/llm'],
  ['broken stream', '/guides/llm/broken-streams'],
  ['dummyjson', '/guides/compared'],
  ['reqres', '/guides/compared'],
  ['wiremock', '/guides/compared'],
  ['mockserver', '/guides/compared'],
  ['mockoon', '/guides/compared'],
  ['prism', '/guides/compared'],
  ['msw', '/guides/compared'],
  ['aimock', '/guides/compared'],
  ['microcks', '/guides/compared'],
  ['go-httpbin', '/guides/compared'],
  ['alternatives', '/guides/compared'],
  ['webhook.site', '/guides/webhooks'],
  ['httpbin', '/guides/httpbin'],
  ['postman-echo', '/guides/httpbin'],
  ['jsonplaceholder', '/guides/json-server'],
  ['powershell', '/guides/getting-started'],
  ['windows', '/guides/getting-started'],
  ['offline', '/guides/getting-started'],
  ['yarn', '/guides/getting-started'],
  ['java', '/guides/in-ci'],
  ['maven', '/guides/in-ci'],
  ['junit', '/guides/in-ci'],
  ['golang', '/guides/in-ci'],
  ['kotlin', '/guides/in-ci'],
  ['python', '/guides/testing/python'],
  ['javascript', '/guides/testing/node'],
  ['typescript', '/guides/openapi'],
  ['spring', '/guides/oidc/spring'],
  ['flask', '/guides/oidc/flask'],
  ['fastapi', '/guides/oidc/fastapi'],
  ['express', '/guides/oidc/express'],
  ['asp.net', '/guides/oidc/aspnet-core'],
  ['test data', '/guides/resources'],
  ['sample data', '/guides/resources'],
  ['class', '/class'],
  ['run a class', '/guides/run-a-class'],
  ['teacher', '/guides/teaching'],
  ['pupils', '/guides/run-a-class'],
  ['challenge', '/guides/challenges'],
  ['hints', '/guides/challenges'],
  ['bug', '/guides/explore-and-report'],
  ['owasp', '/guides/explore-and-report'],
  ['passkey', '/guides/auth/passkeys'],
  ['error codes', '/guides/http/status'],
  ['rate limit', '/guides/rate-limit'],
  ['http2', '/guides/tls'],
  ['certificate', '/guides/tls'],
  ['logout', '/guides/oidc'],
  ['dpop', '/guides/oidc-devices-and-keys'],
  ['digest', '/guides/auth/digest'],
  ['hmac', '/guides/auth/hmac'],
  ['sigv4', '/guides/auth/sigv4'],
  ['session', '/guides/auth/session'],
  ['totp', '/guides/auth/session'],
  ['soap', '/guides/soap'],
  ['metrics', '/guides/hosting'],
  ['prometheus', '/guides/hosting'],
  ['performance', '/guides/benchmarks'],
  ['json patch', '/guides/resources/patches'],
  ['version', '/guides/versioning'],
  ['range', '/guides/http/ranges'],
  ['streaming', '/guides/http/streaming'],
  ['content negotiation', '/guides/http/formats'],
])('%s finds %s among the first three', (text, page) => {
  expect(
    pagesOf(text)
      .slice(0, 3)
      .map((path) => path.replace(/(?<=guides.*)#.*/, '')),
  ).toContain(page);
});

test('each result has the line that contains the word', () => {
  const { found } = search('gzip');
  expect(found.length).toBeGreaterThan(3);
  const lines = found.filter(({ line }) => line.length > 1);
  expect(lines.length).toBeGreaterThan(2);
  for (const { line } of lines) expect(line[1]?.toLowerCase()).toBe('gzip');
});

test('a misspelled word has similar ones, and several words find what has most of them', () => {
  expect(search('webhoks')).toMatchObject({ isWhole: false, found: [] });
  expect(search('webhoks').similar).toContain('webhooks');
  expect(search('qqqq xxxx')).toEqual({ found: [], isWhole: false, similar: [] });
  const { found, isWhole } = search('cookie qqqq');
  expect([isWhole, found[0]?.path]).toEqual([false, '/guides/http/cookies']);
});

test.each(['', ' ', '()[]{}*+?.^$|\\', '🙂', 'a'.repeat(10_000), '<script>', 'a '.repeat(2000)])(
  'any text has an outcome: %.20j',
  (text) => {
    expect(Array.isArray(search(text).found)).toBe(true);
  },
);
