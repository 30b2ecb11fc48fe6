/** The part of the area that its first request loads. */

import { oncePer } from '#base/once-per.js';
import { keyedMac } from '#http/credentials/keyed-mac.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { IssuerSteering } from '#kit/offers/issuer.js';
import type { Runtime, Services } from '#kit/services.js';
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
import { Issuer } from './messages/issuer.js';
import { paths } from './messages/paths.js';
import { issuerSteering } from './misbehaviour/steer-issuer.js';
import { describeReadyClients } from './model/find-client.js';
import { IssuerKeys } from './model/issuer-keys.js';
import { describeReadyUsers } from './model/users.js';
import { grantTokens } from './token/token-endpoint.js';
import { accessVerifier } from './token/verify-access.js';

export { issuerJudge } from './misbehaviour/issuer-judge.js';

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

export const steeringOf = ({ runtime }: Services): IssuerSteering => ({
  ...accessVerifier(keysOf(runtime)),
  ...issuerSteering,
});

export const credentialsAt = (baseUrl: string) => ({
  oidc: {
    issuer: new Issuer(baseUrl).url,
    clients: describeReadyClients(),
    users: describeReadyUsers(),
  },
});

export async function endpoints({ runtime, limits }: Services): Promise<readonly Endpoint[]> {
  const mac = keyedMac(await runtime.signingKey('oidc', undefined));
  const parts = { services: { ...runtime, ...limits }, keys: keysOf(runtime), mac };
  return [
    ...mounts.flatMap(([mount, makers]) => makers.map((make) => make(parts, mount))),
    ...settingsEndpoints(),
    ...oidcTestPlan,
  ];
}
