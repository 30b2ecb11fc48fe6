/** Authorization requests that clients sent before the browser comes: RFC 9126. */

import { isFault } from '../../../http/credentials/fault.js';
import { type Form, parseForm } from '../../../http/oauth-form.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import { keyOf, randomText } from '../random-text.js';

interface PushedRequest {
  readonly clientId: string;
  /** Its parameters, as a form. */
  readonly text: string;
  readonly expiresAtMs: number;
}

/** By the hash of the address. */
const pushedRequests: Space<PushedRequest> = { name: 'oidc-pushed-requests', maxKeys: 1000 };

const scheme = 'urn:ietf:params:oauth:request_uri:';
export const pushedSeconds = 60;

export function isPushedUri(uri: string): boolean {
  return uri.startsWith(scheme);
}

/** Returns the address of it. */
export async function keepPushed(sandbox: Sandbox, client: Client, form: Form): Promise<string> {
  const uri = scheme + randomText('opr');
  const text = new URLSearchParams([...form]).toString();
  await sandbox.update(pushedRequests, keyOf(uri), (_none, nowMs) => {
    const expiresAtMs = nowMs + pushedSeconds * 1000;
    return {
      value: { clientId: client.clientId, text, expiresAtMs },
      expiresAtMs,
      result: undefined,
    };
  });
  return uri;
}

/** Once, and for the client that pushed it alone. */
export async function takePushed(
  sandbox: Sandbox,
  { clientId }: Client,
  uri: string,
): Promise<Form | undefined> {
  const text = await sandbox.update(
    pushedRequests,
    keyOf(uri),
    (kept: PushedRequest | undefined) => {
      if (kept === undefined) return { value: undefined, result: undefined };
      if (kept.clientId === clientId) return { value: undefined, result: kept.text };
      return { value: kept, expiresAtMs: kept.expiresAtMs, result: undefined };
    },
  );
  const form = parseForm(text ?? '');
  return text === undefined || isFault(form) ? undefined : form;
}
