/** An OpenID provider to practise against: OpenID Connect Core 1.0, OAuth 2.1, and what they refer to. */

import { type TSchema, Type } from 'typebox';
import { keyedMac } from '../../http/credentials/keyed-mac.js';
import type { Reply, Request } from '../../http/exchange.js';
import type { Area, Services } from '../../kit/area.js';
import type { App } from '../../kit/endpoint.js';
import { ownSandbox } from '../../kit/own-sandbox.js';
import { AuthorizeEndpoint } from './authorize/authorize-endpoint.js';
import { addPushedRequests } from './authorize/push-endpoint.js';
import { belowPath } from './below-path.js';
import { aliasPattern, certificateHost, checkAlias } from './clients/certificate-alias.js';
import { describeReadyClients } from './clients/ready-clients.js';
import { addRegistration } from './clients/registration-routes.js';
import { oidcCollection } from './collection.js';
import { addDeviceAuthorization, addDeviceRoutes } from './device/device-routes.js';
import { describeIssuer } from './discovery/describe-issuer.js';
import { Proofs } from './dpop/proofs.js';
import { Issuer, issuerOf, paths } from './issuer.js';
import { IssuerKeys } from './keys/issuer-keys.js';
import { publishedKeys } from './keys/key-ring.js';
import { LogoutEndpoint } from './logout/logout-endpoint.js';
import { askedConduct, conductOf } from './misbehaviour/conduct.js';
import { noteEvent } from './misbehaviour/runs.js';
import { spoilKeys } from './misbehaviour/spoil-id-token.js';
import { spoilDiscovery } from './misbehaviour/spoil-userinfo.js';
import { addTestPlanRoutes, belowRuns } from './misbehaviour/test-plan-routes.js';
import { resourceHandlers } from './resource/resource-handlers.js';
import * as schemas from './schemas.js';
import { knownScopes, scopeMeanings } from './scopes.js';
import { addSettingsRoutes } from './settings/settings-routes.js';
import { shapeFailure } from './shape-failure.js';
import { TokenEndpoint } from './token/token-endpoint.js';
import * as tokenSchemas from './token/token-schemas.js';
import { tokenHandlers } from './tokens/token-handlers.js';
import { describeReadyUsers } from './users/ready-users.js';

const seeIndex = 'GET /api/auth has the clients and the users.';
const seen: TSchema = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

export const oidcArea = {
  name: 'oidc',
  title: 'OpenID Connect',
  guide: 'oidc',
  start: paths.discovery,
  summary: 'An issuer with login pages, codes, refresh tokens, registration and keys to rotate.',
  examples: () => [
    {
      title: 'Discover the issuer',
      method: 'GET',
      path: paths.discovery,
      answer: { status: 200, has: '"issuer"' },
    },
  ],
  collections: [oidcCollection],
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
  shapeFailure,

  async addRoutes(app, services) {
    const keys = new IssuerKeys();
    const mac = keyedMac(await services.signingKey('oidc', undefined));
    const proofs = new Proofs(mac);
    for (const issuers of [app, belowRuns(app, services)]) {
      addIssuer(issuers, services, keys);
      addBrowserRoutes(issuers, services, keys, mac);
      addTokenRoutes(issuers, services, keys, proofs);
      addPushedRequests(issuers, services, proofs);
      addDeviceRoutes(issuers, services, mac);
      addRegistration(issuers, services);
    }
    const aliases = belowPath(app, aliasPattern, checkAlias);
    addTokenRoutes(aliases, services, keys, proofs);
    addPushedRequests(aliases, services, proofs);
    addDeviceAuthorization(aliases, services);
    addSettingsRoutes(app, services);
    addTestPlanRoutes(app, services);
  },
} satisfies Area;

function addIssuer(app: App, services: Services, keys: IssuerKeys): void {
  const discover = async (request: Request) => {
    const sandbox = services.sandboxOf(request);
    const conduct = await conductOf(sandbox, askedConduct(request));
    await noteEvent(sandbox, conduct, 'discovered');
    const issuer = issuerOf(services, request);
    const asking = certificateHost(request, services.certificates, issuer.url);
    return spoilDiscovery(conduct?.misbehaviour, describeIssuer(issuer, asking));
  };
  app.get(paths.discovery, { schema: schemas.discover }, discover);
  app.get(paths.metadata, { schema: schemas.describeServer }, discover);
  app.get(paths.keys, { schema: schemas.showKeys }, async (request) => {
    const sandbox = services.sandboxOf(request);
    const ring = await keys.ringOf(sandbox);
    const conduct = await conductOf(sandbox, askedConduct(request));
    const published = publishedKeys(ring, await sandbox.now());
    return { keys: [...(await spoilKeys(conduct?.misbehaviour, published))] as never[] };
  });
  app.post(paths.rotate, { schema: schemas.rotateKeys }, async (request) => {
    const sandbox = ownSandbox(services, request, 'Keys are rotated in');
    const ring = await keys.rotate(sandbox);
    return { keys: [...publishedKeys(ring, await sandbox.now())] as never[] };
  });
}

function addBrowserRoutes(
  app: App,
  services: Services,
  keys: IssuerKeys,
  mac: ReturnType<typeof keyedMac>,
): void {
  const endpoint = new AuthorizeEndpoint(services, keys, mac);
  const exit = new LogoutEndpoint(services, keys, mac);
  const hidden = { schema: schemas.anyHidden };
  const authorize = (request: Request, reply: Reply) => endpoint.authorize(request, reply);
  const logout = (request: Request, reply: Reply) => exit.logout(request, reply);
  app.get(paths.authorize, { schema: schemas.authorize }, authorize);
  app.post(paths.authorize, { schema: schemas.authorizeByForm }, authorize);
  app.post(paths.login, hidden, (request, reply) => endpoint.login(request, reply));
  app.post(paths.consent, hidden, (request, reply) => endpoint.consent(request, reply));
  app.get(paths.logout, { schema: schemas.logout }, logout);
  app.post(paths.logout, { schema: schemas.logoutByForm }, logout);
}

function addTokenRoutes(app: App, services: Services, keys: IssuerKeys, proofs: Proofs): void {
  const tokens = new TokenEndpoint(services, keys, proofs);
  const handle = tokenHandlers(services, keys, proofs);
  const resource = resourceHandlers(services, keys, proofs);
  app.post(paths.token, { schema: tokenSchemas.grantTokens }, (...exchange) =>
    tokens.grant(...exchange),
  );
  app.get(paths.userinfo, { schema: schemas.userinfo }, handle.userinfo);
  app.post(paths.userinfo, { schema: schemas.userinfoByForm }, handle.userinfo);
  app.post(paths.introspect, { schema: tokenSchemas.introspect }, handle.introspect);
  app.post(paths.revoke, { schema: tokenSchemas.revoke }, handle.revoke);
  app.get(paths.me, { schema: schemas.showMe }, resource.me);
  app.get(paths.orders, { schema: schemas.showOrders }, resource.orders);
  app.get(paths.resourceMetadata, { schema: schemas.describeResource }, resource.metadata);
}
