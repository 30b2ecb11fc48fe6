/** An OpenID provider for testing clients: OpenID Connect Core 1.0, OAuth 2.1, and related standards. */

import { type TSchema, Type } from 'typebox';
import { shapeOAuthFailure } from '#http/oauth/oauth-error.js';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { issuerToken } from '#kit/offers/issuer.js';
import type { RequestCollection } from '#kit/request-collection.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { knownScopes, scopeMeanings } from './messages/known-scopes.js';
import { paths } from './messages/paths.js';

const loaded = () => import('./loaded.js');

const needsToken = 'It needs a token from a login in a browser.';
const needsClient = 'It needs the token of a registered client.';

const needsRun = 'It needs a run that was started before.';

const oidcCollection: RequestCollection = {
  leftOut: {
    getOidcAuthorize: 'It is for browsers, and redirects to an application.',
    postOidcAuthorize: 'It is for browsers, and redirects to an application.',
    getOidcDevice: 'It is for browsers.',
    postOidcDeviceAuthorization: 'Each run would leave a waiting device behind.',
    postOidcPar: 'It redirects to a page for browsers.',
    postOidcLogout: 'It is for browsers, and redirects to an application.',
    postOidcUserinfo: needsToken,
    getOidcLogout: 'It is for browsers, and redirects to an application.',
    postOidcKeysRotate: 'All users without a sandbox share the same keys.',
    postOidcToken: 'It needs a code from a login in a browser.',
    getOidcUserinfo: needsToken,
    postOidcIntrospect: needsToken,
    postOidcRevoke: needsToken,
    getOidcApiMe: needsToken,
    getOidcApiOrders: needsToken,
    putSandboxOidc: 'The shared sandbox cannot have settings.',
    getSandboxOidc: 'The shared sandbox cannot have settings.',
    getOidcTestPlanRunsByRun: needsRun,
    putOidcTestPlanRunsByRunByMisbehaviour: needsRun,
    postOidcRegister: 'Each run would leave a client behind.',
    getOidcRegisterByClientId: needsClient,
    putOidcRegisterByClientId: needsClient,
    deleteOidcRegisterByClientId: needsClient,
  },
};

const seeIndex = 'GET /api/auth has the clients and the users.';
const seen: TSchema = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

export const oidcArea = {
  name: 'oidc',
  title: 'OpenID Connect',
  guide: 'oidc',
  front: {
    group: 'login',
    start: paths.discovery,
    page: { path: paths.issuer },
    purposes: [
      {
        purpose: 'test',
        title: 'Identity',
        says: 'An OpenID Connect issuer, which misbehaves on request.',
        base: '/oidc',
        line: 'curl -s {base}/oidc/.well-known/openid-configuration',
        links: [
          ['Log in now', '/oidc'],
          ['Test plan', '/guides/oidc-test-plan'],
          ['Guide', '/guides/oidc'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'Discover the issuer',
        method: 'GET',
        path: paths.discovery,
        response: { status: 200, has: '"issuer"' },
      },
    ],
  },
  summary: 'An issuer with login pages, codes, refresh tokens, registration and keys to rotate.',
  postman: [oidcCollection],
  offers: [
    judgeToken.of(async () => (await loaded()).issuerJudge),
    issuerToken.of(async (services) => (await loaded()).steeringOf(services)),
    credentialsToken.of(async () => ({
      title: 'OpenID Connect',
      schema: {
        oidc: Type.Object({
          issuer: Type.String(),
          clients: Type.Array(seen),
          users: Type.Array(seen),
        }),
      },
      read: (await loaded()).credentialsAt,
    })),
  ],
  securitySchemes: {
    oidc: {
      type: 'oauth2',
      description: `OpenID Connect. ${seeIndex}`,
      flows: {
        authorizationCode: {
          authorizationUrl: paths.authorize,
          tokenUrl: paths.token,
          scopes: Object.fromEntries(
            knownScopes.map((scope) => [scope, `To ${scopeMeanings[scope]}.`]),
          ),
        },
      },
    },
    oidcClient: { type: 'http', scheme: 'basic', description: `A client’s secret. ${seeIndex}` },
    oidcRegistration: {
      type: 'http',
      scheme: 'bearer',
      description: 'The registration_access_token from POST /oidc/register (RFC 7592).',
    },
  },
  failures: {
    shape: ({ route }, { status, message }) =>
      route?.path.startsWith('/oidc/') ? shapeOAuthFailure(status, message) : undefined,
  },
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
} satisfies Area;
