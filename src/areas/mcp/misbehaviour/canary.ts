/** URLs that no right client requests. A request to one shows what a client accepted. */

import type { Request } from '#http/exchange.js';
import type { TestCase } from '#kit/verdict/test-runs.js';

export const canaryPath = '/mcp/canary/:run/:name';

export function canaryUrl({ baseUrl }: Request, { run, name }: TestCase): string {
  return `${baseUrl}/mcp/canary/${run}/${name}`;
}

/** Returns the same URL at another origin: the other name of this machine, if it has one. */
export function foreignCanaryUrl(request: Request, misbehaviour: TestCase): string {
  const url = new URL(canaryUrl(request, misbehaviour));
  const { hostname } = url;
  url.hostname =
    hostname === 'localhost' ? '127.0.0.1' : hostname === '127.0.0.1' ? 'localhost' : 'mcp.example';
  return url.href;
}
