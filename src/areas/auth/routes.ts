/** THE list of authentication schemes, and the index of their credentials and endpoints. */

import { Type } from 'typebox';
import { settingsOf, signingKey, valuesIn } from '../../config/setting.js';
import { prefixOf } from '../../http/address/sandbox-address.js';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import type { Request } from '../../http/exchange.js';
import { prefersPage } from '../../http/negotiation/read-preferences.js';
import { shapeOAuthFailure } from '../../http/oauth/oauth-error.js';
import { vary } from '../../http/schemas/header-schemas.js';
import type { App } from '../../kit/app.js';
import type { Area, Services } from '../../kit/area.js';
import { endpointSchema, listEndpoints } from '../../kit/describe/collect-endpoints.js';
import { sendList } from '../../site/list-page.js';
import { apiKeyScheme } from './api-key/scheme.js';
import { basicScheme } from './basic/scheme.js';
import { bearerScheme } from './bearer/scheme.js';
import { csrfScheme } from './csrf/scheme.js';
import { digestScheme } from './digest/scheme.js';
import { hmacScheme } from './hmac/scheme.js';
import { jwtScheme } from './jwt/scheme.js';
import { listCredentials } from './list-credentials.js';
import { mtlsScheme } from './mtls/scheme.js';
import { oauthScheme } from './oauth/scheme.js';
import { renderAuthPage } from './render-auth-page.js';
import type { Scheme } from './scheme.js';

const list = [
  basicScheme,
  digestScheme,
  apiKeyScheme,
  bearerScheme,
  jwtScheme,
  oauthScheme,
  hmacScheme,
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
  front: {
    guideOf: (path) => {
      const scheme = schemes.find(({ name }) => `${path}/`.startsWith(`/api/auth/${name}/`));
      return scheme && `auth/${scheme.name}`;
    },
    start: '/api/auth',
    banner: (baseUrl) => ['Credentials', `${baseUrl}/api/auth`],
    examples: (config) => schemes.flatMap(({ examples }) => examples?.(config) ?? []),
    presets: schemes.flatMap(({ presets = [] }) => presets),
    credentials: (config) => schemes.flatMap(({ credentials }) => credentials?.(config) ?? []),
  },
  summary: `${schemes.map(({ title }) => title).join(', ')}.`,
  settings: settingsOf([...list, { settings: ownSettings }]),
  postman: schemes.flatMap(({ collection = [] }) => collection),
  securitySchemes: Object.assign({}, ...schemes.map(({ securitySchemes }) => securitySchemes)),
  provides: {
    tokenOwner(config) {
      const owners = schemes.flatMap(({ tokenOwner }) => tokenOwner?.(config) ?? []);
      return (token) => {
        for (const ownerOf of owners) {
          const owner = ownerOf(token);
          if (owner !== undefined) return owner;
        }
        return undefined;
      };
    },
  },
  failures: {
    shape: ({ route }, { status, message }) =>
      route?.path.startsWith('/api/auth/oauth/') ? shapeOAuthFailure(status, message) : undefined,
  },
  async addRoutes(app, services) {
    addIndexRoute(app, services);
    const { nonceKey } = valuesIn(services.config, ownSettings);
    const mac = keyedMac(await services.signingKey('nonce', nonceKey));
    for (const scheme of schemes) await scheme.addRoutes(app, services, mac);
  },
} satisfies Area;

function addIndexRoute(app: App, { config, listedCredentials, baseUrlOf }: Services): void {
  const credentials = Object.assign({}, ...schemes.map(({ index }) => index?.read(config)));
  const listed = [...schemes.map(({ index }) => index), ...listedCredentials];
  const schema = {
    summary: 'List every credential and every endpoint',
    description:
      'The test credentials are here to be used; settings replace them. Browsers get a page.',
    response: {
      200: Type.Unsafe<object>(
        Type.Object({
          credentials: Type.Object(Object.assign({}, ...listed.map((each) => each?.schema)), {
            description: 'They guard nothing: they are here to be used.',
          }),
          endpoints: Type.Array(endpointSchema),
        }),
      ),
    },
    responseHeaders: { 200: vary },
  };
  // A page cannot be opened with a header.
  const isOpenTo = ({ headers }: Request) => prefersPage(headers.accept);
  app.get('/api/auth', { schema, config: { isOpenTo } }, async (request, reply) => {
    const prefix = prefixOf(request.raw);
    const baseUrl = baseUrlOf(request);
    const endpoints = listEndpoints(app.endpoints);
    const ofOthers = listedCredentials.map(({ title, read }) => ({
      title,
      credentials: read(baseUrl),
    }));
    const index = {
      credentials: Object.assign(
        {},
        credentials,
        ...ofOthers.map(({ credentials }) => credentials),
      ),
      endpoints: endpoints.map((each) => ({ ...each, path: prefix + each.path })),
    };
    return sendList(request, reply, index, (_listed, root) =>
      renderAuthPage({
        root,
        endpoints,
        prefix,
        credentials: [
          ...authArea.front.credentials(config),
          ...ofOthers.flatMap((each) => listCredentials(each.title, each.credentials)),
        ],
      }),
    );
  });
}
