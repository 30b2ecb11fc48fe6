/** OAuth 2.0 with the client credentials grant (RFC 6749 section 4.4). */

import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userSetting } from '../user.js';
import { oauthCollection } from './collection.js';
import { knownScopes, oauthEndpoints } from './endpoints.js';

const settings = {
  /** The OAuth client, as `id:secret`. */
  oauthClient: userSetting(
    'auth-oauth-client',
    'the OAuth client',
    'demo-client:demo-client-secret',
    'id:secret',
  ),
};

const clientOf = (config: Config) => valuesIn(config, settings).oauthClient;

export const oauthScheme = {
  name: 'oauth',
  title: 'OAuth 2.0 client credentials',
  settings,
  index: {
    schema: {
      oauth: Type.Object({
        clientId: Type.String(),
        clientSecret: Type.String(),
        scopes: Type.Array(Type.String()),
      }),
    },
    read(config) {
      const { username, password } = clientOf(config);
      return { oauth: { clientId: username, clientSecret: password, scopes: knownScopes } };
    },
  },
  credentials(config) {
    const { username, password } = clientOf(config);
    return [
      {
        title: 'OAuth 2.0 client',
        parts: [
          { name: 'Client id', value: username },
          { name: 'Client secret', value: password },
          { name: 'Scopes', value: knownScopes.join(' ') },
        ],
      },
    ];
  },
  securitySchemes: {
    oauth: {
      type: 'oauth2',
      description: `RFC 6749. ${seeIndex}`,
      flows: {
        clientCredentials: {
          tokenUrl: '/api/auth/oauth/token',
          scopes: Object.fromEntries(knownScopes.map((scope) => [scope, `The scope ${scope}.`])),
        },
      },
    },
    oauthClient: {
      type: 'http',
      scheme: 'basic',
      description: `The client id and secret (RFC 6749 section 2.3.1). ${seeIndex}`,
    },
  },
  collection: {
    ...oauthCollection,
    variables(config) {
      const { username, password } = clientOf(config);
      return { oauthClientId: username, oauthClientSecret: password };
    },
  },
  endpoints: ({ config }) => oauthEndpoints(clientOf(config)),
} satisfies Scheme;
