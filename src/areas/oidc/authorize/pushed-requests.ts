/** Authorization requests that clients sent before the browser comes: RFC 9126. */

import { isFault } from '../../../http/credentials/fault.js';
import { keyOf, randomText } from '../../../http/credentials/secret-text.js';
import { type Form, parseForm } from '../../../http/oauth/form.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import { formMs } from './browser.js';

interface PushedRequest {
  readonly clientId: string;
  /** Its parameters, as a form. */
  readonly text: string;
}

/** By the hash of the address. */
const pushedRequests: Space<PushedRequest> = { name: 'oidc-pushed-requests', maxKeys: 1000 };

/** Those that got responses, for as long as a page of theirs may be open: it is looked at with each step. */
const answeredRequests: Space<true> = { name: 'oidc-answered-requests', maxKeys: 1000 };

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
      value: { clientId: client.clientId, text },
      expiresAtMs,
      result: undefined,
    };
  });
  return uri;
}

/** For the client that pushed it alone, and until it gets a response. */
export async function readPushed(
  sandbox: Sandbox,
  { clientId }: Client,
  uri: string,
): Promise<Form | undefined> {
  const kept = await sandbox.read(pushedRequests, keyOf(uri));
  if (kept?.clientId !== clientId) return undefined;
  const form = parseForm(kept.text);
  return isFault(form) ? undefined : form;
}

/** Whether a response was given to it before. */
export async function hasResponse(sandbox: Sandbox, uri: string): Promise<boolean> {
  return (await sandbox.read(answeredRequests, keyOf(uri))) !== undefined;
}

/** Uses a request up; false when it was already. */
export async function usePushed(sandbox: Sandbox, uri: string): Promise<boolean> {
  const key = keyOf(uri);
  return sandbox.transact((view) => {
    if (view.read(answeredRequests, key) !== undefined) return false;
    view.write(pushedRequests, key, undefined);
    view.write(answeredRequests, key, true, { expiresAtMs: view.nowMs + formMs });
    return true;
  });
}
