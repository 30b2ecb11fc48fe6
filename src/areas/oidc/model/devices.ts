/** Devices that wait for a user's approval, identified by two codes: RFC 8628. */

import { randomBytes } from 'node:crypto';
import { keyOf, randomText } from '#http/credentials/secret-text.js';
import type { Sandbox, Space, Transaction } from '#state/state.js';
import type { Client } from './client.js';
import { type Grant, userGrant } from './grants.js';
import { addConsent, type Session } from './session.js';

export interface Device {
  readonly clientId: string;
  readonly userCode: string;
  readonly scopes: readonly string[];
  readonly targets: readonly string[] | undefined;
  readonly expiresAtMs: number;
  /** The minimum time between two polls. */
  readonly intervalSeconds: number;
  readonly askedAtMs?: number;
  readonly outcome?: 'denied' | 'used' | Grant;
}

export const devices: Space<Device> = { name: 'oidc-devices', maxKeys: 1000 };
/** Keyed by the user code: the key of the device, until the user decides. */
const userCodes: Space<string> = { name: 'oidc-user-codes', maxKeys: 1000 };

export const deviceSeconds = 600;
export const intervalSeconds = 5;
/** For this time, a late device gets expired_token. */
const rememberedMs = 3600 * 1000;

/** No vowels, so that codes contain no words, and no letters that look alike (section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

export async function addDevice(
  sandbox: Sandbox,
  { clientId }: Client,
  wanted: Pick<Device, 'scopes' | 'targets'>,
): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
  const deviceCode = randomText('odc');
  const userCode = drawUserCode();
  await sandbox.transact((view) => {
    const expiresAtMs = view.nowMs + deviceSeconds * 1000;
    const device = { clientId, userCode, ...wanted, expiresAtMs, intervalSeconds };
    writeDevice(view, keyOf(deviceCode), device);
    view.write(userCodes, userCode, keyOf(deviceCode), { expiresAtMs });
  });
  return { deviceCode, userCode };
}

function drawUserCode(): string {
  let number = BigInt(`0x${randomBytes(16).toString('hex')}`);
  let drawn = '';
  for (let count = 0; count < 8; count++) {
    drawn += letters[Number(number % BigInt(letters.length))];
    number /= BigInt(letters.length);
  }
  return tidyUserCode(drawn);
}

export function writeDevice(view: Transaction, key: string, device: Device): void {
  view.write(devices, key, device, { expiresAtMs: device.expiresAtMs + rememberedMs });
}

/** Normalizes a code that a user typed: in any case, with or without separators. */
export function tidyUserCode(text: string): string {
  const typed = text.toUpperCase().replace(/[^A-Z]/g, '');
  return `${typed.slice(0, 4)}-${typed.slice(4)}`;
}

export async function findWaiting(sandbox: Sandbox, userCode: string): Promise<Device | undefined> {
  const key = await sandbox.read(userCodes, userCode);
  return key === undefined ? undefined : sandbox.read(devices, key);
}

/** Stores the decision of the session's user, once. */
export async function decideOnDevice(
  sandbox: Sandbox,
  userCode: string,
  decision: Session | 'denied',
): Promise<void> {
  await sandbox.transact((view) => {
    const key = view.read(userCodes, userCode);
    const device = key === undefined ? undefined : view.read(devices, key);
    if (key === undefined || device === undefined) return;
    view.write(userCodes, userCode, undefined);
    if (decision === 'denied') return writeDevice(view, key, { ...device, outcome: decision });
    writeDevice(view, key, { ...device, outcome: userGrant(device, decision) });
    addConsent(view, decision.username, device.clientId, device.scopes);
  });
}
