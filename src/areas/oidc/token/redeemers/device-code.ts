/** A device asks whether it was allowed: RFC 8628 section 3.4. */

import type { Transaction } from '../../../../state/state.js';
import type { Client } from '../../clients/client.js';
import { devices, writeDevice } from '../../device/devices.js';
import { keyOf } from '../../random-text.js';
import { needed } from '../../read-parameters.js';
import { type FreshTexts, type Issued, issueTokens, type Rejection } from '../redeem.js';
import type { Redeemer } from './redeemer.js';

export const redeemDeviceCode: Redeemer = (form, client) => {
  const key = keyOf(needed(form, 'device_code'));
  return (view, fresh) => redeem(view, client, key, fresh);
};

function redeem(
  view: Transaction,
  client: Client,
  key: string,
  fresh: FreshTexts,
): Issued | Rejection {
  const { nowMs } = view;
  const device = view.read(devices, key);
  if (device === undefined || device.clientId !== client.clientId) {
    return reject('invalid_grant', 'The device_code is not one that this client was given lately.');
  }
  const { outcome, askedAtMs, expiresAtMs, intervalSeconds: interval } = device;
  if (outcome === 'used') return reject('invalid_grant', 'The device_code was used before.');
  if (nowMs >= expiresAtMs) {
    const end = new Date(expiresAtMs).toISOString();
    return reject('expired_token', `The device_code expired at '${end}'. Begin again.`);
  }
  if (askedAtMs !== undefined && nowMs < askedAtMs + interval * 1000) {
    const slower = interval + 5;
    writeDevice(view, key, { ...device, askedAtMs: nowMs, intervalSeconds: slower });
    return reject('slow_down', `Ask again in ${slower} seconds, and no sooner from now on.`);
  }
  if (outcome === 'denied') return reject('access_denied', 'The user denied it.');
  if (outcome === undefined) {
    writeDevice(view, key, { ...device, askedAtMs: nowMs });
    const message = `The user has not decided yet. Ask again in ${interval} seconds.`;
    return reject('authorization_pending', message);
  }
  writeDevice(view, key, { ...device, outcome: 'used' });
  return issueTokens(view, client, outcome, fresh);
}

function reject(code: string, message: string): Rejection {
  return { code, message };
}
