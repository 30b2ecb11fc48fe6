/** Where devices get their codes, and where people allow them: RFC 8628 sections 3.1 to 3.3. */

import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { App } from '../../../kit/endpoint.js';
import { RejectedRequest, readScopes } from '../authorize/authorization-request.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import { deviceGrant } from '../clients/client.js';
import { issuerOf, paths } from '../issuer.js';
import { noStore, oauthError } from '../oauth-error.js';
import { formParameters } from '../read-parameters.js';
import { askedTargets, targetFault } from '../resource/targets.js';
import { anyHidden, showDevice } from '../schemas.js';
import { authorizeDevice as deviceSchema } from '../token/token-schemas.js';
import { DevicePage } from './device-page.js';
import { addDevice, deviceSeconds, intervalSeconds } from './devices.js';

export function addDeviceRoutes(app: App, services: Services, mac: KeyedMac): void {
  const page = new DevicePage(services, mac);
  addDeviceAuthorization(app, services);
  app.get(paths.device, { schema: showDevice }, (request, reply) => page.show(request, reply));
  app.post(paths.deviceForm, { schema: anyHidden }, (request, reply) => page.take(request, reply));
}

export function addDeviceAuthorization(app: App, services: Services): void {
  const { certificates } = services;
  async function authorizeDevice(request: Request, reply: Reply) {
    reply.headers(noStore);
    const form = await formParameters(request);
    const sandbox = services.sandboxOf(request);
    const issuer = issuerOf(services, request);
    const client = await authenticateClient(request, form, { sandbox, issuer, certificates });
    if (!client.grantTypes.includes(deviceGrant)) {
      throw oauthError('unauthorized_client', `This client may not use ${deviceGrant}.`);
    }
    const fault = targetFault(form, issuer);
    if (fault !== undefined) throw oauthError('invalid_target', fault);
    const targets = askedTargets(form);
    const scopes = scopesOf(form.get('scope'));
    const wanted = targets === undefined ? { scopes } : { scopes, targets };
    const { deviceCode, userCode } = await addDevice(sandbox, client, wanted);
    const uri = issuer.at('device');
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: deviceSeconds,
      interval: intervalSeconds,
    };
  }

  app.post(paths.deviceAuthorization, { schema: deviceSchema }, authorizeDevice);
}

function scopesOf(scope: string | undefined): readonly string[] {
  if (scope === undefined) return ['profile'];
  try {
    return readScopes(scope);
  } catch (error) {
    if (error instanceof RejectedRequest) throw oauthError(error.code, error.message);
    throw error;
  }
}
