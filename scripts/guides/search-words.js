/**
 * Words that people search for, by the page that explains them, in addition to the page's own text.
 */

/** @type {Readonly<Record<string, string>>} */
export const searchWords = {
  'getting-started':
    'install start run quickstart begin tutorial setup hello npx first windows powershell cmd offline first request clone yarn pnpm macos linux mobile android emulator port already in use eaddrinuse',
  methods: 'get post put patch delete options echo anything form data body',
  httpbin: 'httpbin.org http bin postman-echo',
  http: 'protocol lab cors error errors origin preflight cross-origin',
  'http/caching': 'cache etag max-age 304 not modified vary stale cdn',
  'http/codings': 'gzip brotli deflate zstd compression decompress encoding bomb',
  'http/connection': 'keep-alive idle timeout connection reuse pool',
  'http/cookies': 'cookie jar set-cookie samesite secure third-party',
  'http/dump': 'raw request headers order debug',
  'http/expect': '100-continue',
  'http/formats':
    'accept content-type charset encoding utf-8 negotiation 406 unicode utf8 umlaut emoji',
  'http/ranges': 'download resume partial 206 416 range',
  'http/redirects': 'redirect 301 302 303 307 308 location loop',
  'http/respond': 'mock stub canned script response sequence',
  'http/status': 'status code 418 teapot 500 404 codes error codes errors',
  'http/streaming': 'stream chunked ndjson trailers drip llm tokens',
  'http/uploads': 'upload file multipart form-data tus resumable',
  resources:
    'rest crud books filter sort list records todo posts api test data sample data demo dataset users products example fixtures',
  'own-data':
    'react vue angular svelte mock stub fake database seed fixtures custom data crud import',
  payments:
    'stripe checkout card test card 4242 payment intent refund dispute webhook signature pk_test sk_test paymentintent 3ds chargeback paypal payment gateway',
  'payments/lost-responses': 'idempotency idempotent key double charge retry timeout',
  'payments/subscriptions':
    'stripe billing invoice trial proration renewal past due dunning test clock recurring coupon',
  'json-server': 'json server db.json jsonplaceholder typicode mock fake reqres',
  'resources/batches': 'bulk batch many transaction',
  'resources/changes': 'sync delta incremental replicate synchronize',
  'resources/fields': 'sparse fieldset select columns',
  'resources/formats': 'csv xml yaml jsonapi export',
  'resources/idempotency': 'duplicate idempotent retry safe twice',
  'resources/jobs': 'async asynchronous polling 202 background long-running',
  'resources/patches': 'json-patch merge-patch patch update partial update change one field',
  'resources/preconditions': 'concurrency optimistic locking if-match lost update conflict 412',
  'resources/preferences': 'prefer',
  'resources/problems': 'error problem+json rfc7807 rfc9457 validation message',
  'resources/relations': 'embed expand include join nested related',
  'resources/trash': 'undo restore undelete soft delete',
  pagination: 'page cursor offset infinite scroll next paging',
  'rate-limit': 'throttle throttling 429 quota too many requests limit',
  'retry-like-a-professional':
    'retry retries backoff jitter exponential resilience circuit breaker',
  faults:
    'delay latency slow timeout chaos flaky failure simulate error 503 outage hang break reset econnreset etimedout socket hang up',
  sandboxes:
    'isolate isolation private namespace parallel reset clean clock time travel tenant delete all data clear wipe parallel tests',
  versioning: 'version deprecation sunset deprecated',
  auth: 'login authentication authorization credentials password token security',
  'auth/api-key': 'key',
  'auth/basic': 'password username basic 401',
  'auth/bearer': 'token bearer access 403 roles',
  'auth/csrf': 'xsrf forgery form',
  'auth/jwt': 'token refresh claims rs256 jwks',
  'auth/mtls': 'mtls mutual certificate client',
  'auth/oauth': 'oauth2 token client credentials scope grant access',
  'auth/passkeys': 'webauthn fido passwordless biometric',
  'auth/session': 'login logout session cookie remember 2fa totp mfa two-factor two factor',
  'auth/sigv4': 'sigv4 aws s3 signature',
  'add-a-login': 'login sign-in signin sso spa',
  'protect-an-api': 'resource server verify token audience',
  oidc: 'openid oauth login sso identity provider idp keycloak auth0 okta pkce id_token logout userinfo login discovery issuer federation saml authorization code flow oauth server',
  'oidc-devices-and-keys': 'device dpop par tv token exchange',
  graphql: 'query mutation apollo schema introspection n+1',
  subscriptions: 'subscription realtime graphql-ws',
  soap: 'wsdl xml envelope ws-security',
  'realtime/events': 'sse eventsource server-sent stream push live realtime',
  'realtime/websocket': 'ws socket sockets chat push realtime socket.io json-rpc',
  'handle-webhooks':
    'webhook delivery subscription event receiver listen forward retry schedule redeliver replay at least once duplicate order stripe listen svix standard webhooks slack github shopify dead letter queue tunnel hookdeck smee',
  'test-a-webhook-receiver':
    'test verify webhook receiver ci junit signature replay duplicate idempotent express flask',
  webhooks:
    'webhook callback requestbin bin capture inspect hook ngrok receive stripe github webhook.site beeceptor hmac signature long polling wait',
  tls: 'https ssl certificate self-signed http2 alpn http2 h2 alpn client-certificate expired',
  pictures: 'image images avatar placeholder photo svg picture lorem picsum',
  accounts: 'account key sign up quota',
  configuration: 'settings config port environment variables flags options env cli help',
  hosting:
    'docker container kubernetes k8s deploy deployment compose nginx proxy prometheus production metrics health logs logging memory reverse proxy load balancer self-hosted self hosted server raspberry traefik caddy apache',
  state: 'state file restart persist persistence save keep backup restore volume sigkill',
  'shared-state': 'redis valkey replicas scale cluster',
  'in-ci':
    'ci github actions gitlab pipeline jenkins testcontainers docker java junit maven gradle go golang pytest newman k6 kotlin circleci azure',
  embedding:
    'library programmatic createservice import npm node csharp c# dotnet ruby php rust swift',
  openapi: 'swagger spec generate client sdk code generation typescript types codegen schema',
  teaching:
    'classroom class students school course lesson workshop teacher university grading exam test grade marks',
  'testing/assertions': 'assert expect check verify',
  'testing/node': 'jest vitest mocha node javascript unit',
  'testing/other-tools': 'k6 jmeter java load gatling karate rest-assured groovy kotlin',
  'testing/playwright': 'e2e browser cypress selenium end-to-end',
  'testing/postman': 'postman newman collection insomnia bruno hoppscotch import',
  'testing/python': 'pytest httpx requests python',
  'testing/shell': 'bash curl script terminal',
  'test-an-http2-client':
    'http2 h2 frame frames hpack goaway settings conformance h2spec client nghttp2 flow control window',
  'tls-clients': 'okhttp java python go curl client clients certificate',
  verdicts: 'verdict judge rules findings broken outcome ci',
  'practice-apis': 'practice api apis tutorial base url replacement local copy',
  'practice-apis/jsonplaceholder': 'json placeholder typicode lorem ipsum posts comments todos',
  'practice-apis/dummyjson': 'dummy json products carts recipes quotes fake',
  'practice-apis/fakestore': 'fake store api fakestoreapi shop products cart',
  'practice-apis/reqres': 'reqres.in req res users login register',
  'practice-apis/restful-booker': 'restful booker herokuapp booking hotel',
  'practice-apis/petstore': 'swagger petstore pet store pets openapi-generator',
  'practice-apis/postman-echo': 'postman echo hawk oauth 1.0a transform',
  benchmarks: 'performance speed fast throughput load test',
  robustness: 'fuzz attack hostile denial dos',
  llm: 'llm ai chatgpt gpt openai anthropic claude ollama gemini google genai generatecontent deepseek mistral llama lm studio ndjson chat model models tokens prompt embeddings agent codex langchain function calling structured output',
  'llm/broken-streams': 'llm stream cut broken sse tool call',
  'llm/rate-limits-and-retries': 'llm 429 overloaded 529',
  'llm/test-your-error-handling': 'llm error errors sdk',
  grpc: 'grpc rpc protobuf protocol buffers proto file grpcbin grpcurl buf grpcio grpc-js protoc stub http2 reflection health check addsvc hello unary streaming connect connectrpc',
  'grpc/browser': 'grpc-web grpcweb connect connectrpc connect-web connect-es envoy browser cors',
  'grpc/deadlines-and-retries':
    'deadline deadline_exceeded timeout grpc-timeout cancel cancellation cancelled retry hedging pushback unavailable exceeded',
  'grpc/test-your-error-handling':
    'error errors status code rst_stream goaway keepalive ping too_many_pings trailers misbehave judge client test plan',
  mcp: 'mcp model context protocol ai agent agents tools claude cursor copilot inspector stdio',
  'mcp/test-your-client': 'mcp client judge',
  'mcp/oauth': 'mcp login authorization',
  compared:
    'alternative alternatives comparison versus vs peers dummyjson reqres wiremock mockserver mockoon prism msw microcks aimock scalar go-httpbin webhook.site beeceptor jsonplaceholder apichallenges catastrophic',
  'run-a-class':
    'class classroom pupils pupil join board teacher lesson leaderboard scoreboard ranking exam',
  challenges:
    'challenge challenges exercise exercises task tasks practise hint hints points kata learn quiz',
  'explore-and-report':
    'bug bugs defect exploratory owasp security report hunt penetration testing pentest security testing',
  'auth/hmac': 'signature hmac',
  'auth/digest': 'digest nonce',
  'auth/signature': 'rfc9421 message signatures',
  'oidc-test-plan': 'misbehave attack client test',
  glossary: 'terms definitions meaning words cheat sheet vocabulary jargon',
};
