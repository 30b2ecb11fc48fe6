/** The endpoint at which devices get their codes: RFC 8628 sections 3.1 and 3.2. */

import { Type } from 'typebox';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { oauthRejections } from '../../../kit/describe/oauth-schemas.js';
import { readScopes } from '../authorize/authorization-request.js';
import { readClientForm } from '../clients/authenticate-client.js';
import { deviceGrant } from '../clients/client.js';
import { issuerEndpoint } from '../exchange.js';
import { clientForm, forClients, optionalTexts, text } from '../schemas.js';
import { readTargets } from '../token/targets.js';
import { addDevice, deviceSeconds, intervalSeconds } from './devices.js';

export const authorizeDevice = issuerEndpoint('POST', 'deviceAuthorization', {
  ...forClients,
  summary: 'Get two codes for a device without a browser',
  description: 'RFC 8628: one for the device, and one for a person to type in at /oidc/device.',
  bodies: clientForm(optionalTexts('scope', 'resource')),
  responses: {
    200: Type.Object({
      device_code: text,
      user_code: text,
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer(),
      interval: Type.Integer(),
    }),
    ...oauthRejections,
  },
  async handle(at) {
    const { form, client } = await readClientForm(at);
    if (!client.grantTypes.includes(deviceGrant)) {
      throw new OAuthError('unauthorized_client', `This client may not use ${deviceGrant}.`);
    }
    const targets = readTargets(form, at.issuer);
    const scopes = form.has('scope') ? readScopes(form.get('scope')) : ['profile'];
    const { deviceCode, userCode } = await addDevice(at.sandbox, client, { scopes, targets });
    const uri = at.issuer.at('device');
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: deviceSeconds,
      interval: intervalSeconds,
    };
  },
});
