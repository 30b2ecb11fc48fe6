/** Authorization requests that clients sent before the browser comes: RFC 9126. */

import { keyOf, randomText } from '../../../http/credentials/secret-text.js';
import { type Form, readFormText } from '../../../http/oauth/form.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import { formMs } from './browser.js';

interface PushedRequest {
  readonly clientId: string;
  /** Its parameters, as a form. */
  readonly text: string;
}

/** By the hash of the URI. */
const pushedRequests: Space<PushedRequest> = { name: 'oidc-pushed-requests', maxKeys: 1000 };

/** Those that got responses, for as long as a page of theirs may be open: it is looked at with each step. */
const answeredRequests: Space<true> = { name: 'oidc-answered-requests', maxKeys: 1000 };

const scheme = 'urn:ietf:params:oauth:request_uri:';
export const pushedSeconds = 60;

export function isPushedUri(uri: string): boolean {
  return uri.startsWith(scheme);
}

/** Returns its URI. */
export async function keepPushed(
  sandbox: Sandbox,
  { clientId }: Client,
  form: Form,
): Promise<string> {
  const uri = scheme + randomText('opr');
  const text = new URLSearchParams([...form]).toString();
  await sandbox.update(pushedRequests, keyOf(uri), (_none, nowMs) => ({
    value: { clientId, text },
    expiresAtMs: nowMs + pushedSeconds * 1000,
    result: undefined,
  }));
  return uri;
}

/** Returns a request until it gets a response, to no other client than the one that pushed it. */
export async function readPushed(
  sandbox: Sandbox,
  { clientId }: Client,
  uri: string,
): Promise<Form | undefined> {
  const kept = await sandbox.read(pushedRequests, keyOf(uri));
  return kept?.clientId === clientId ? readFormText(kept.text) : undefined;
}

export async function hasResponse(sandbox: Sandbox, uri: string): Promise<boolean> {
  return (await sandbox.read(answeredRequests, keyOf(uri))) !== undefined;
}

/** Uses a request up. Returns false if it was used before. */
export async function usePushed(sandbox: Sandbox, uri: string): Promise<boolean> {
  const key = keyOf(uri);
  return sandbox.transact((view) => {
    if (view.read(answeredRequests, key) !== undefined) return false;
    view.write(pushedRequests, key, undefined);
    view.write(answeredRequests, key, true, { expiresAtMs: view.nowMs + formMs });
    return true;
  });
}
