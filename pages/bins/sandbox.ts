/** Requests about bins, in the sandbox of the bar. Bins of the shared sandbox cannot be listed. */

import { callJsonOpen, callOpen } from '../shared/call.js';
import { withVisitor } from '../shared/visitor/visitor-headers.js';

let ownIds: ReadonlySet<string> = new Set();

/** Other bins may be in any sandbox; visitors who know their ids reach them without a name. */
export function setOwnBins(ids: readonly string[]): void {
  ownIds = new Set(ids);
}

/** Throws like {@link callOpen}. */
export function callInSandbox(url: string, init: RequestInit = {}): Promise<Response> {
  return callOpen(url, { ...init, headers: inSandbox(url, init.headers) });
}

export function callJsonInSandbox<Result>(
  url: string,
  method?: string,
  body?: unknown,
): Promise<Result> {
  return callJsonOpen<Result>(url, method, body, inSandbox(url));
}

/** For streams, which {@link callInSandbox} cannot read. */
export function fetchInSandbox(url: string | URL, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, headers: inSandbox(String(url), init.headers) });
}

function inSandbox(url: string, headers?: HeadersInit): Headers {
  const all = withVisitor(url, headers);
  const [, binId] = /\/api\/webhooks\/bins\/([\w-]+)/.exec(url) ?? [];
  if (binId !== undefined && !ownIds.has(binId)) all.delete('X-Sandbox');
  return all;
}
