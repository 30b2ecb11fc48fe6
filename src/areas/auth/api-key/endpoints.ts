/** API keys: one endpoint for each place where a key can be. */

import { Type } from 'typebox';
import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import { realm } from '../../../http/credentials/realm.js';
import type { Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { endpoint } from '../../../kit/endpoint.js';
import { cookieValues } from '../cookie-values.js';

interface KeyLocation {
  /** The last segment of its path. */
  readonly name: string;
  readonly securityScheme: string;
  readonly location: string;
  readonly howTo: string;
  /** Returns every key sent there; with more than one it is not clear which is meant. */
  readonly read: (request: Request) => readonly string[];
}

const locations: readonly KeyLocation[] = [
  {
    name: 'header',
    securityScheme: 'apiKeyHeader',
    location: 'X-API-Key header',
    howTo: 'Send it in the header X-API-Key',
    read: (request) => headerValues(request, 'x-api-key'),
  },
  {
    name: 'query',
    securityScheme: 'apiKeyQuery',
    location: 'api_key query parameter',
    howTo: 'Send it as ?api_key= in the URL',
    read: ({ query }) => [(query as Record<string, string | string[]>).api_key ?? []].flat(),
  },
  {
    name: 'cookie',
    securityScheme: 'apiKeyCookie',
    location: 'api_key cookie',
    howTo: 'Send it as Cookie: api_key=',
    read: ({ headers }) => cookieValues(headers.cookie, 'api_key'),
  },
];

/** No scheme is registered for API keys; a 401 needs a challenge all the same. */
const challenge = `ApiKey realm=${quoted(realm)}`;

export const apiKeyEndpoints = (apiKey: string) =>
  locations.map(({ name, securityScheme, location, howTo, read }) =>
    endpoint('GET', `/api/auth/api-key/${name}`, {
      summary: `Authenticate by an API key (${name})`,
      description: `${howTo}. GET /api/auth shows the key under apiKey. Other places are ignored.`,
      security: [{ [securityScheme]: [] }],
      responses: {
        200: Type.Object({
          authenticated: Type.Literal(true),
          scheme: Type.Literal('api-key'),
          location: Type.String({ description: 'Where the key was found.' }),
        }),
        400: errorSchema,
        401: errorSchema,
      },
      handle(request) {
        const keys = read(request);
        if (keys.length > 1) {
          const message = `There are ${keys.length} API keys, so it is not clear which one is meant. Send one.`;
          throw new HttpError(400, message);
        }
        const [key] = keys;
        if (!key) {
          const message = `The API key is missing. ${howTo}; other places are ignored.`;
          throw unauthorized(message, challenge);
        }
        if (!isSameSecret(key, apiKey)) throw unauthorized('Invalid API key.', challenge);
        return { authenticated: true, scheme: 'api-key', location };
      },
    }),
  );
