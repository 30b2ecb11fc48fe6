/** An OpenID provider for testing clients: OpenID Connect Core 1.0, OAuth 2.1, and related standards. */

import { type TSchema, Type } from 'typebox';
import { oncePer } from '#base/once-per.js';
import { keyedMac } from '#http/credentials/keyed-mac.js';
import { shapeOAuthFailure } from '#http/oauth/oauth-error.js';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { issuerToken } from '#kit/offers/issuer.js';
import type { RequestCollection } from '#kit/request-collection.js';
import type { Runtime } from '#kit/services.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { authorizeEndpoints } from './authorize/authorize-endpoints.js';
import { pushRequest } from './authorize/push-request.js';
import { authorizeDevice, deviceEndpoints } from './endpoints/device-endpoints.js';
import { discoveryEndpoints, keyEndpoints } from './endpoints/discovery.js';
import { entrance } from './endpoints/entrance.js';
import { introspect, revoke } from './endpoints/introspect.js';
import { logoutEndpoints } from './endpoints/logout.js';
import { registrationEndpoints } from './endpoints/registration.js';
import { resourceEndpoints, userinfoEndpoints } from './endpoints/resource.js';
import { settingsEndpoints } from './endpoints/settings-endpoints.js';
import { checkStep, oidcTestPlan } from './endpoints/test-plan.js';
import type { IssuerEndpoint, Mount } from './exchange.js';
import { aliasPattern, checkAlias } from './messages/certificate-alias.js';
import { Issuer, paths } from './messages/issuer.js';
import { issuerJudge } from './misbehaviour/issuer-judge.js';
import { issuerSteering } from './misbehaviour/steer-issuer.js';
import { describeReadyClients } from './model/find-client.js';
import { IssuerKeys } from './model/issuer-keys.js';
import { knownScopes, scopeMeanings } from './model/scopes.js';
import { describeReadyUsers } from './model/users.js';
import { grantTokens } from './token/token-endpoint.js';
import { accessVerifier } from './token/verify-access.js';

const forClients: readonly IssuerEndpoint[] = [
  grantTokens,
  ...userinfoEndpoints,
  introspect,
  revoke,
  ...resourceEndpoints,
  pushRequest,
  authorizeDevice,
];

const ofIssuer: readonly IssuerEndpoint[] = [
  entrance,
  ...discoveryEndpoints,
  ...keyEndpoints,
  ...authorizeEndpoints,
  ...logoutEndpoints,
  ...forClients,
  ...deviceEndpoints,
  ...registrationEndpoints,
];

const mounts: readonly (readonly [Mount, readonly IssuerEndpoint[]])[] = [
  [{ below: '' }, ofIssuer],
  [{ below: paths.step, beforeHandler: checkStep }, ofIssuer],
  [{ below: aliasPattern, beforeHandler: checkAlias }, forClients],
];

const keysOf = oncePer((_runtime: Runtime) => new IssuerKeys());

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
    judgeToken.of(() => issuerJudge),
    issuerToken.of(({ runtime }) => ({
      ...accessVerifier(keysOf(runtime)),
      ...issuerSteering,
    })),
    credentialsToken.of(() => ({
      title: 'OpenID Connect',
      schema: {
        oidc: Type.Object({
          issuer: Type.String(),
          clients: Type.Array(seen),
          users: Type.Array(seen),
        }),
      },
      read: (baseUrl) => ({
        oidc: {
          issuer: new Issuer(baseUrl).url,
          clients: describeReadyClients(),
          users: describeReadyUsers(),
        },
      }),
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
  async endpoints({ runtime, limits }) {
    const mac = keyedMac(await runtime.signingKey('oidc', undefined));
    const parts = { services: { ...runtime, ...limits }, keys: keysOf(runtime), mac };
    return [
      ...mounts.flatMap(([mount, makers]) => makers.map((make) => make(parts, mount))),
      ...settingsEndpoints(),
      ...oidcTestPlan,
    ];
  },
} satisfies Area;
