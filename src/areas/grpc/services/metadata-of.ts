/** The metadata of a call, as its client sent it. */

import type { Call } from '../model/call.js';

/** Headers of HTTP/2 and of the protocols, which are no metadata. */
const ofProtocol = new Set([
  'host',
  'te',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'transfer-encoding',
  'connection',
]);

const isOfProtocol = (name: string) =>
  ofProtocol.has(name) || name.startsWith('grpc-') || name.startsWith('connect-');

/** Credentials of accounts are not shown. */
const secret = 'x-service-key';

export function metadataOf({ request }: Call): { name: string; values: string[] }[] {
  const values = new Map<string, string[]>();
  const { rawHeaders } = request.raw;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (isOfProtocol(name) || name === secret) continue;
    const known = values.get(name);
    const value = rawHeaders[index + 1] ?? '';
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return [...values].map(([name, all]) => ({ name, values: all }));
}
