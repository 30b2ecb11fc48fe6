/** Paths that other services use for what this service has elsewhere. */

interface Usual {
  readonly names: readonly string[];
  readonly here: readonly string[];
}

export const usual: readonly Usual[] = [
  {
    names: [
      ...['/openapi', '/openapi.yaml', '/swagger', '/swagger.json', '/swagger-ui', '/redoc'],
      ...['/swagger-ui.html', '/swagger-ui/index.html', '/swagger/index.html', '/api-docs'],
      ...['/swagger/v1/swagger.json', '/v2/api-docs', '/v3/api-docs', '/api/docs', '/spec'],
      ...['/api/swagger.json', '/api/openapi', '/documentation', '/reference'],
    ],
    here: ['/openapi.json', '/docs'],
  },
  {
    names: ['/login', '/signin', '/sign-in', '/api/login', '/api/signin', '/auth', '/auth/login'],
    here: ['/api/auth/jwt/login', '/api/auth/session/login', '/oidc'],
  },
  {
    names: [
      ...['/token', '/oauth/token', '/oauth2/token', '/connect/token', '/api/token'],
      ...['/oauth2/v1/token', '/oauth/access_token', '/api/oauth/token', '/auth/token'],
    ],
    here: ['/api/auth/oauth/token', '/oidc/token'],
  },
  { names: ['/authorize', '/oauth/authorize', '/oauth2/authorize'], here: ['/oidc/authorize'] },
  { names: ['/me', '/auth/me', '/api/me', '/users/me', '/user'], here: ['/api/auth/jwt/me'] },
  {
    names: ['/register', '/signup', '/sign-up', '/api/register', '/api/signup', '/auth/register'],
    here: ['/account', '/api/accounts'],
  },
  {
    names: ['/healthz', '/livez', '/readyz', '/healthcheck', '/api/health', '/ping', '/status'],
    here: ['/health'],
  },
  { names: ['/echo', '/api/echo', '/api/methods'], here: ['/api/methods/any'] },
  { names: ['/webhook', '/webhooks', '/hooks', '/bin'], here: ['/bins', '/api/webhooks'] },
  { names: ['/ws', '/websocket', '/socket', '/socket.io'], here: ['/api/ws/echo', '/realtime'] },
  { names: ['/sse', '/stream', '/api/stream'], here: ['/api/sse', '/realtime'] },
  { names: ['/graphiql', '/playground', '/gql', '/api/gql', '/v1/graphql'], here: ['/graphql'] },
  { names: ['/upload', '/uploads', '/api/upload', '/files'], here: ['/api/http/uploads'] },
  { names: ['/v1', '/openai', '/openai/v1', '/llm/v1'], here: ['/llm/openai/v1/models', '/llm'] },
  { names: ['/ai', '/models', '/chatgpt', '/claude', '/anthropic', '/gemini'], here: ['/llm'] },
  { names: ['/stripe', '/checkout'], here: ['/payments'] },
  { names: ['/schema', '/schema.graphql'], here: ['/graphql'] },
  { names: ['/wsdl'], here: ['/api/soap'] },
  {
    names: ['/teacher', '/classroom', '/pupil', '/pupils', '/students', '/board', '/join'],
    here: ['/class'],
  },
  { names: ['/console', '/try', '/home', '/index', '/index.html'], here: ['/'] },
  {
    names: [
      ...['/postman', '/newman', '/insomnia', '/bruno', '/hoppscotch', '/collection'],
      ...['/postman.json', '/collection.json', '/postman_collection.json'],
    ],
    here: ['/guides/testing/postman', '/downloads'],
  },
  {
    names: ['/help', '/manual', '/readme', '/readme.md', '/faq', '/search'],
    here: ['/guides', '/guides/getting-started'],
  },
  { names: ['/windows', '/powershell', '/install'], here: ['/guides/getting-started'] },
  { names: ['/pytest', '/python'], here: ['/guides/testing/python'] },
  { names: ['/jest', '/vitest', '/node'], here: ['/guides/testing/node'] },
  { names: ['/playwright', '/cypress', '/selenium'], here: ['/guides/testing/playwright'] },
  { names: ['/curl', '/shell', '/httpie'], here: ['/guides/testing/shell'] },
  { names: ['/junit', '/ci', '/k6'], here: ['/guides/in-ci'] },
  {
    names: ['/mockoon', '/wiremock', '/mockserver', '/prism', '/msw', '/webhook.site'],
    here: ['/guides/compared'],
  },
];

const byName = new Map(usual.flatMap(({ names, here }) => names.map((name) => [name, here])));

/** Returns the paths of this service for a usual name, and a path without `/api`, of those that exist. */
export function usualPaths(path: string, isKnown: (path: string) => boolean): readonly string[] {
  const name = path.toLowerCase().replace(/\/$/, '');
  const bare = name.startsWith('/api/') ? [name.slice('/api'.length)] : [];
  return [...(byName.get(name) ?? []), ...bare].filter(isKnown);
}
