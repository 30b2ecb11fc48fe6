/** The endpoint at which devices get their codes: RFC 8628 sections 3.1 and 3.2. */

import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { readScopes } from '../authorize/authorization-request.js';
import { readClientForm } from '../clients/authenticate-client.js';
import { deviceGrant } from '../clients/client.js';
import type { Exchange } from '../exchange.js';
import { readTargets } from '../resource/targets.js';
import { addDevice, deviceSeconds, intervalSeconds } from './devices.js';

export async function authorizeDevice(at: Exchange) {
  const { form, client } = await readClientForm(at);
  if (!client.grantTypes.includes(deviceGrant)) {
    throw new OAuthError('unauthorized_client', `This client may not use ${deviceGrant}.`);
  }
  const targets = readTargets(form, at.issuer);
  const scopes = form.has('scope') ? readScopes(form.get('scope')) : ['profile'];
  const wanted = targets === undefined ? { scopes } : { scopes, targets };
  const { deviceCode, userCode } = await addDevice(at.sandbox, client, wanted);
  const uri = at.issuer.at('device');
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${userCode}`,
    expires_in: deviceSeconds,
    interval: intervalSeconds,
  };
}
