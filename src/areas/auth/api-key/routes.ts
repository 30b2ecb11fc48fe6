/** API keys: one endpoint for each place where a key can travel. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import { realm } from '../../../http/credentials/realm.js';
import { HttpError } from '../../../http/http-error.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { securedBy } from '../secured-by.js';
import { keyLocations } from './read-api-key.js';
import { apiKeySettings } from './settings.js';

const recordSchema = Type.Object({
  authenticated: Type.Literal(true),
  scheme: Type.Literal('api-key'),
  location: Type.String({ description: 'Where the key was found.' }),
});

/** No scheme is registered for API keys; a 401 needs a challenge all the same. */
const challenge = `ApiKey realm=${quoted(realm)}`;

export function addApiKeyRoutes(app: App, { config }: Services): void {
  const { apiKey } = valuesIn(config, apiKeySettings);
  for (const { name, scheme, location, howTo, read } of keyLocations) {
    app.get(
      `/api/auth/api-key/${name}`,
      {
        schema: {
          summary: `Authenticate by an API key (${name})`,
          description: `${howTo}. GET /api/auth shows the key under apiKey. Other places are ignored.`,
          security: securedBy(scheme),
          response: { 200: recordSchema, 400: errorSchema, 401: errorSchema },
        },
      },
      async (request) => {
        const [key, ...others] = read(request);
        if (others.length > 0) {
          const message = `There are ${others.length + 1} API keys, so it is not clear which one is meant. Send one.`;
          throw new HttpError(400, message);
        }
        if (!key)
          throw unauthorized(
            `The API key is missing. ${howTo}; other places are ignored.`,
            challenge,
          );
        if (!isSameSecret(key, apiKey)) throw unauthorized('Invalid API key.', challenge);
        return { authenticated: true, scheme: 'api-key', location } as const;
      },
    );
  }
}
