/** An OpenID provider to practise against: OpenID Connect Core 1.0, OAuth 2.1, and what they refer to. */

import { type TSchema, Type } from 'typebox';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import type { Reply, Request } from '../../http/exchange.js';
import { shapeOAuthFailure } from '../../http/oauth/oauth-error.js';
import type { App } from '../../kit/app.js';
import type { Area } from '../../kit/area.js';
import { authorize, submitConsent, submitLogin } from './authorize/authorize-endpoint.js';
import { pushRequest } from './authorize/push-endpoint.js';
import { belowPath } from './below-path.js';
import { aliasPattern, checkAlias } from './clients/certificate-alias.js';
import { describeReadyClients } from './clients/ready-clients.js';
import { deleteClient, readClient, registerClient, replaceClient } from './clients/registration.js';
import * as registrationSchemas from './clients/registration-schemas.js';
import { oidcCollection } from './collection.js';
import { authorizeDevice } from './device/authorize-device.js';
import { showDevicePage, submitDevicePage } from './device/device-page.js';
import { discover } from './discovery/describe-issuer.js';
import { Proofs } from './dpop/proofs.js';
import { type Exchange, exchangeOf, type IssuerParts } from './exchange.js';
import { Issuer, paths } from './issuer.js';
import { IssuerKeys } from './keys/issuer-keys.js';
import { rotateKeys, showKeys } from './keys/key-handlers.js';
import { logOut } from './logout/logout-endpoint.js';
import { addTestPlanRoutes, belowRuns } from './misbehaviour/test-plan-routes.js';
import { describeResource, listOrders, showMe } from './resource/resource-handlers.js';
import * as schemas from './schemas.js';
import { knownScopes, scopeMeanings } from './scopes.js';
import { addSettingsRoutes } from './settings/settings-routes.js';
import { grantTokens } from './token/token-endpoint.js';
import * as tokenSchemas from './token/token-schemas.js';
import { introspect, revoke, showUserinfo } from './tokens/token-handlers.js';
import { describeReadyUsers } from './users/ready-users.js';

const seeIndex = 'GET /api/auth has the clients and the users.';
const seen: TSchema = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

export const oidcArea = {
  name: 'oidc',
  title: 'OpenID Connect',
  guide: 'oidc',
  front: {
    start: paths.discovery,
    examples: () => [
      {
        title: 'Discover the issuer',
        method: 'GET',
        path: paths.discovery,
        answer: { status: 200, has: '"issuer"' },
      },
    ],
  },
  summary: 'An issuer with login pages, codes, refresh tokens, registration and keys to rotate.',
  postman: [oidcCollection],
  provides: {
    listedCredentials: {
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
    },
  },
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
      description: 'The registration_access_token that POST /oidc/register gives (RFC 7592).',
    },
  },
  failures: {
    shape: ({ route }, { status, message }) =>
      route?.path.startsWith('/oidc/') ? shapeOAuthFailure(status, message) : undefined,
  },
  async addRoutes(app, services) {
    const mac = keyedMac(await services.signingKey('oidc', undefined));
    const parts = { services, keys: new IssuerKeys(), proofs: new Proofs(mac), mac };
    for (const issuers of [app, belowRuns(app, services)]) {
      addIssuerRoutes(issuers, parts);
      addClientRoutes(issuers, parts);
      addRegistrationRoutes(issuers, parts);
    }
    addClientRoutes(belowPath(app, aliasPattern, checkAlias), parts);
    addSettingsRoutes(app);
    addTestPlanRoutes(app, services);
  },
} satisfies Area;

const handlerOf =
  (parts: IssuerParts) => (handle: (at: Exchange) => unknown) => (request: Request, reply: Reply) =>
    handle(exchangeOf(parts, request, reply));

/** Adds what describes the issuer, and logins and logouts. */
function addIssuerRoutes(app: App, parts: IssuerParts): void {
  const by = handlerOf(parts);
  const hidden = { schema: schemas.anyHidden };
  app.get(paths.discovery, { schema: schemas.discover }, by(discover));
  app.get(paths.metadata, { schema: schemas.describeServer }, by(discover));
  app.get(paths.keys, { schema: schemas.showKeys }, by(showKeys));
  app.post(paths.rotate, { schema: schemas.rotateKeys }, by(rotateKeys));
  app.get(paths.authorize, { schema: schemas.authorize }, by(authorize));
  app.post(paths.authorize, { schema: schemas.authorizeByForm }, by(authorize));
  app.post(paths.login, hidden, by(submitLogin));
  app.post(paths.consent, hidden, by(submitConsent));
  app.get(paths.logout, { schema: schemas.logout }, by(logOut));
  app.post(paths.logout, { schema: schemas.logoutByForm }, by(logOut));
}

/** Adds what clients use that may have a certificate. */
function addClientRoutes(app: App, parts: IssuerParts): void {
  const by = handlerOf(parts);
  app.post(paths.token, { schema: tokenSchemas.grantTokens }, by(grantTokens));
  app.get(paths.userinfo, { schema: schemas.userinfo }, by(showUserinfo));
  app.post(paths.userinfo, { schema: schemas.userinfoByForm }, by(showUserinfo));
  app.post(paths.introspect, { schema: tokenSchemas.introspect }, by(introspect));
  app.post(paths.revoke, { schema: tokenSchemas.revoke }, by(revoke));
  app.get(paths.me, { schema: schemas.showMe }, by(showMe));
  app.get(paths.orders, { schema: schemas.showOrders }, by(listOrders));
  app.get(paths.resourceMetadata, { schema: schemas.describeResource }, by(describeResource));
  app.post(paths.par, { schema: tokenSchemas.push }, by(pushRequest));
  app.post(
    paths.deviceAuthorization,
    { schema: tokenSchemas.authorizeDevice },
    by(authorizeDevice),
  );
}

/** Adds the page for devices, and the registration of clients. */
function addRegistrationRoutes(app: App, parts: IssuerParts): void {
  const by = handlerOf(parts);
  const registering = { schema: registrationSchemas.register, reportsFaultsItself: true };
  const replacing = { schema: registrationSchemas.replaceClient, reportsFaultsItself: true };
  app.get(paths.device, { schema: schemas.showDevice }, by(showDevicePage));
  app.post(paths.deviceForm, { schema: schemas.anyHidden }, by(submitDevicePage));
  app.post(paths.register, registering, by(registerClient));
  app.get(paths.registered, { schema: registrationSchemas.readClient }, by(readClient));
  app.put(paths.registered, replacing, by(replaceClient));
  app.delete(paths.registered, { schema: registrationSchemas.deleteClient }, by(deleteClient));
}
