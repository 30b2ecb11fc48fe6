/** The authentication schemes. A new scheme is added to this list. */

import { settingsOf, signingKey, valuesIn } from '../../config/setting.js';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import { shapeOAuthFailure } from '../../http/oauth/oauth-error.js';
import type { Area, Services } from '../../kit/area.js';
import type { Endpoint } from '../../kit/endpoint.js';
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
    guideOf(path) {
      const scheme = schemes.find(({ name }) => `${path}/`.startsWith(`/api/auth/${name}/`));
      return scheme && `auth/${scheme.name}`;
    },
    start: '/api/auth',
    banner: (baseUrl) => ['Credentials', `${baseUrl}/api/auth`],
    examples: (config) => schemes.flatMap(({ examples }) => examples?.(config) ?? []),
    presets: schemes.flatMap(({ presets = [] }) => presets),
    credentials: (config) => schemes.flatMap(({ credentials }) => credentials?.(config) ?? []),
  },
  settings: settingsOf([...list, { settings: ownSettings }]),
  postman: schemes.flatMap(({ collection = [] }) => collection),
  securitySchemes: Object.assign({}, ...schemes.map(({ securitySchemes }) => securitySchemes)),
  provides: {
    tokenOwner(config) {
      const owners = schemes.flatMap(({ tokenOwner }) => tokenOwner?.(config) ?? []);
      return (token) => owners.map((ownerOf) => ownerOf(token)).find((owner) => owner);
    },
  },
  failures: {
    shape: ({ route }, { status, message }) =>
      route?.path.startsWith('/api/auth/oauth/') ? shapeOAuthFailure(status, message) : undefined,
  },
  async endpoints(services: Services) {
    const { nonceKey } = valuesIn(services.config, ownSettings);
    const mac = keyedMac(await services.signingKey('nonce', nonceKey));
    const ofSchemes = await Promise.all(schemes.map((each) => each.endpoints(services, mac)));
    const all: Endpoint[] = [listAll(schemes, services, () => all), ...ofSchemes.flat()];
    return all;
  },
} satisfies Area;
