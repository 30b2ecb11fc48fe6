/**
 * The sandbox that the visitor's bins are in. Without a name of its own the page would share one with
 * strangers, whose bins nobody may list. Where an account is used, its sandbox is the visitor's already.
 */

import { isInSandbox } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';
import { randomName, storedSandbox, storeSandbox } from '../shared/sandbox-name.js';
import { storedServiceKey, withServiceKey } from '../shared/service-key.js';

let name = storedSandbox() ?? randomName('bins');
let isNamed = storedServiceKey() === undefined && !isInSandbox();
let ownIds: ReadonlySet<string> = new Set();
storeSandbox(name);

/** `undefined` where the account, or the address of the page, says whose bins are shown. */
export function sandboxName(): string | undefined {
  return isNamed ? name : undefined;
}

export function changeSandbox(other: string): void {
  name = other;
  isNamed = true;
  storeSandbox(name);
}

/** For a service that takes no notice of the key that this browser has. */
export function leaveAccount(): void {
  isNamed = true;
}

/** Bins that are not among these may be anywhere; whoever knows their ids reaches them without a name. */
export function setOwnBins(ids: readonly string[]): void {
  ownIds = new Set(ids);
}

/** As {@link call} of all pages does, in the sandbox. */
export function callInSandbox(url: string, init: RequestInit = {}): Promise<Response> {
  return call(url, { ...init, headers: withSandbox(url, init.headers) });
}

export function callJsonInSandbox<Answer>(
  url: string,
  method?: string,
  body?: unknown,
): Promise<Answer> {
  return callJson<Answer>(url, method, body, withSandbox(url));
}

/** For streams, which are not read by {@link callInSandbox}. */
export function fetchInSandbox(url: string | URL, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, headers: withServiceKey(withSandbox(String(url), init.headers)) });
}

function withSandbox(url: string, headers?: HeadersInit): Headers {
  const all = new Headers(headers);
  const [, binId] = /\/api\/webhooks\/bins\/([\w-]+)/.exec(url) ?? [];
  if (isNamed && (binId === undefined || ownIds.has(binId))) all.set('X-Sandbox', name);
  return all;
}
