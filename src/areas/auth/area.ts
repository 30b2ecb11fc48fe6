/** The authentication schemes. A new scheme is added to this list. */

import { settingsOf, signingKey, valuesIn } from '#config/setting.js';
import { keyedMac } from '#http/credentials/keyed-mac.js';
import { shapeOAuthFailure } from '#http/oauth/oauth-error.js';
import type { Area } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import type { Offered } from '#kit/offers/offers.js';
import type { Services } from '#kit/services.js';
import { apiKeyScheme } from './api-key/scheme.js';
import { basicScheme } from './basic/scheme.js';
import { bearerScheme } from './bearer/scheme.js';
import { csrfScheme } from './csrf/scheme.js';
import { digestScheme } from './digest/scheme.js';
import { hmacScheme } from './hmac/scheme.js';
import { jwtScheme } from './jwt/scheme.js';
import { listAll } from './list-all.js';
import { mtlsScheme } from './mtls/scheme.js';
import { oauthScheme } from './oauth/scheme.js';
import type { Scheme } from './scheme.js';
import { sigv4Scheme } from './sigv4/scheme.js';

const list = [
  basicScheme,
  digestScheme,
  apiKeyScheme,
  bearerScheme,
  jwtScheme,
  oauthScheme,
  hmacScheme,
  sigv4Scheme,
  csrfScheme,
  mtlsScheme,
] as const;

const schemes: readonly Scheme[] = list;

const ownSettings = {
  /** Signs nonces, refresh and CSRF tokens; at least 32 bytes, random by default. */
  nonceKey: signingKey('auth-nonce-key', 'key that signs nonces, refresh and CSRF tokens'),
};

export const authArea = {
  name: 'auth',
  title: 'Authentication',
  guide: 'auth',
  summary: `${schemes.map(({ title }) => title).join(', ')}.`,
  front: {
    group: 'login',
    live: {
      method: 'GET',
      path: '/api/auth/basic',
      shows: [
        'HTTP/1.1 401 Unauthorized',
        'www-authenticate: Basic realm="Practice API", charset="UTF-8"',
      ],
    },
    parts: schemes.map(({ name }) => ({ path: `/api/auth/${name}`, guide: `auth/${name}` })),
    start: '/api/auth',
    banner: (baseUrl) => ['Credentials', `${baseUrl}/api/auth`],
    examples: (config) => schemes.flatMap(({ examples }) => examples?.(config) ?? []),
    credentials: (config) => schemes.flatMap(({ credentials }) => credentials?.(config) ?? []),
  },
  settings: settingsOf([...list, { settings: ownSettings }]),
  postman: schemes.flatMap(({ collection = [] }) => collection),
  securitySchemes: Object.assign({}, ...schemes.map(({ securitySchemes }) => securitySchemes)),
  needs: [credentialsToken],
  offers: schemes.flatMap(({ offers = [] }) => offers),
  failures: {
    shape: ({ route }, { status, message }) =>
      route?.path.startsWith('/api/auth/oauth/') ? shapeOAuthFailure(status, message) : undefined,
  },
  isLate: true,
  async endpoints({ runtime }: Services, offered: Offered) {
    const { config } = runtime;
    const { nonceKey } = valuesIn(config, ownSettings);
    const mac = keyedMac(await runtime.signingKey('nonce', nonceKey));
    const ofSchemes = await Promise.all(schemes.map((each) => each.endpoints(runtime, mac)));
    const others = await Promise.all(offered.all(credentialsToken));
    const all: Endpoint[] = [listAll(schemes, config, others, () => all), ...ofSchemes.flat()];
    return all;
  },
} satisfies Area;
