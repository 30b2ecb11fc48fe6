/**
 * Seals the state that a client keeps between rounds of a request: it is bound to the sandbox, the
 * request and the client, and expires.
 */

import { isSameSecret } from '#http/credentials/is-same-secret.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import { invalidParams } from '../messages/rpc-error.js';

/** By the clock of the sandbox. */
const lifetimeMs = 10 * 60 * 1000;

export interface StateBinding {
  readonly sandbox: string;
  readonly method: string;
  readonly name: string;
  readonly principal: string;
}

function macOf(mac: KeyedMac, { sandbox, method, name, principal }: StateBinding, payload: string) {
  return mac('mcp-state', sandbox, method, name, principal, payload);
}

export function sealState(
  mac: KeyedMac,
  binding: StateBinding,
  state: unknown,
  nowMs: number,
): string {
  const content = JSON.stringify({ state, expiresAtMs: nowMs + lifetimeMs });
  const payload = Buffer.from(content).toString('base64url');
  return `${payload}.${macOf(mac, binding, payload).toString('base64url')}`;
}

/** Throws an error with code -32602 for a state that was changed, or belongs to another request. */
export function openState(
  mac: KeyedMac,
  binding: StateBinding,
  sealed: unknown,
  nowMs: number,
): unknown {
  if (sealed === undefined) return undefined;
  const [payload = ''] = String(sealed).split('.', 1);
  // Compares texts, because Node's decoder ignores characters that are not of base64url.
  const expected = `${payload}.${macOf(mac, binding, payload).toString('base64url')}`;
  if (!isSameSecret(String(sealed), expected)) {
    throw invalidParams('requestState was changed, or belongs to another request.');
  }
  const { state, expiresAtMs } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (nowMs >= expiresAtMs) throw invalidParams('requestState has expired. Begin again.');
  return state;
}
