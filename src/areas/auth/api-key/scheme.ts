import { Type } from 'typebox';
import { credential, valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { quoted, realm, unauthorized } from '#http/credentials/challenge.js';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import type { Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { endpoint } from '#kit/endpoint.js';
import { cookieValues } from '../cookie-values.js';
import { type Scheme, seeIndex } from '../scheme.js';

const settings = {
  apiKey: credential({
    flag: 'auth-api-key',
    placeholder: 'key',
    meaning: 'the API key',
    demo: 'demo-api-key',
    parse: parseApiKey,
  }),
};

export function parseApiKey(text: string): string {
  // The characters that a cookie can hold without quotes or escapes (RFC 6265 section 4.1.1), except the percent sign.
  if (!/^[!#$&-+\--:<-[\]-~]+$/.test(text)) {
    throw new Error(
      'must be printable ASCII without space, quote, comma, semicolon, backslash or percent',
    );
  }
  return text;
}

const apiKeyOf = (config: Config) => valuesIn(config, settings).apiKey;

const value = '{{apiKey}}';

/** The places of the key in a request. Two keys in one request are ambiguous. */
const locations = [
  {
    name: 'header',
    securityScheme: 'apiKeyHeader',
    location: 'X-API-Key header',
    howTo: 'Send it in the header X-API-Key',
    read: (request: Request) => headerValues(request, 'x-api-key'),
  },
  {
    name: 'query',
    securityScheme: 'apiKeyQuery',
    location: 'api_key query parameter',
    howTo: 'Send it as ?api_key= in the URL',
    read: ({ query }: Request) =>
      [(query as Record<string, string | string[]>).api_key ?? []].flat(),
  },
  {
    name: 'cookie',
    securityScheme: 'apiKeyCookie',
    location: 'api_key cookie',
    howTo: 'Send it as Cookie: api_key=',
    read: ({ headers }: Request) => cookieValues(headers.cookie, 'api_key'),
  },
];

/** HTTP has no registered scheme for API keys, but a 401 needs a challenge. */
const challenge = `ApiKey realm=${quoted(realm)}`;

const apiKeyEndpoints = (apiKey: string) =>
  locations.map(({ name, securityScheme, location, howTo, read }) =>
    endpoint('GET', `/api/auth/api-key/${name}`, {
      summary: `Authenticate with an API key (${name})`,
      description: `${howTo}. GET /api/auth shows the key under apiKey. A key sent elsewhere is ignored.`,
      security: [{ [securityScheme]: [] }],
      responses: {
        200: Type.Object({
          authenticated: Type.Literal(true),
          scheme: Type.Literal('api-key'),
          location: Type.String({ description: 'Where the key was found.' }),
        }),
      },
      handle(request) {
        const keys = read(request);
        if (keys.length > 1) {
          const message = `The request has ${keys.length} API keys. Send only one.`;
          throw new HttpError(400, message);
        }
        const [key] = keys;
        if (!key) {
          const message = `The API key is missing. ${howTo}; a key sent elsewhere is ignored.`;
          throw unauthorized(message, challenge);
        }
        if (!isSameSecret(key, apiKey)) throw unauthorized('Invalid API key.', challenge);
        return { authenticated: true, scheme: 'api-key', location };
      },
    }),
  );

export const apiKeyScheme = {
  name: 'api-key',
  title: 'API keys',
  settings,
  index: { schema: { apiKey: Type.String() }, read: (config) => ({ apiKey: apiKeyOf(config) }) },
  credentials: (config) => [
    { title: 'API key', parts: [{ name: 'Key', value: apiKeyOf(config) }] },
  ],
  securitySchemes: {
    apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: seeIndex },
    apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key', description: seeIndex },
    apiKeyCookie: { type: 'apiKey', in: 'cookie', name: 'api_key', description: seeIndex },
  },
  collection: {
    variables: (config) => ({ apiKey: apiKeyOf(config) }),
    // Tools have no setting for a key in a cookie, so they send it as a header.
    presents: {
      apiKeyHeader: { kind: 'apiKey', in: 'header', name: 'X-API-Key', value },
      apiKeyQuery: { kind: 'apiKey', in: 'query', name: 'api_key', value },
    },
  },
  endpoints: ({ config }) => apiKeyEndpoints(apiKeyOf(config)),
} satisfies Scheme;
