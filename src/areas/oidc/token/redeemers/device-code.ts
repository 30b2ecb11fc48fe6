/** A device asks whether it was allowed: RFC 8628 section 3.4. */

import { keyOf } from '../../../../http/credentials/secret-text.js';
import { needed } from '../../../../http/oauth/form.js';
import { OAuthError } from '../../../../http/oauth/oauth-error.js';
import { devices, writeDevice } from '../../device/devices.js';
import { issueTokens } from '../issue.js';
import { invalidGrant, type Redeemer } from './redeemer.js';

export const redeemDeviceCode: Redeemer = ({ form, client }) => {
  const key = keyOf(needed(form, 'device_code'));
  return (view, fresh) => {
    const { nowMs } = view;
    const device = view.read(devices, key);
    if (device === undefined || device.clientId !== client.clientId) {
      return invalidGrant('The device_code is not one that this client was given lately.');
    }
    const { outcome, askedAtMs, expiresAtMs, intervalSeconds: interval } = device;
    if (outcome === 'used') return invalidGrant('The device_code was used before.');
    if (nowMs >= expiresAtMs) {
      const end = new Date(expiresAtMs).toISOString();
      const message = `The device_code expired at '${end}'. Begin again.`;
      return new OAuthError('expired_token', message);
    }
    if (askedAtMs !== undefined && nowMs < askedAtMs + interval * 1000) {
      const slower = interval + 5;
      writeDevice(view, key, { ...device, askedAtMs: nowMs, intervalSeconds: slower });
      const message = `Ask again in ${slower} seconds, and no sooner from now on.`;
      return new OAuthError('slow_down', message);
    }
    if (outcome === 'denied') return new OAuthError('access_denied', 'The user denied it.');
    if (outcome === undefined) {
      writeDevice(view, key, { ...device, askedAtMs: nowMs });
      const message = `The user has not decided yet. Ask again in ${interval} seconds.`;
      return new OAuthError('authorization_pending', message);
    }
    writeDevice(view, key, { ...device, outcome: 'used' });
    return issueTokens(view, client, outcome, fresh);
  };
};
