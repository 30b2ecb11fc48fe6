/** Responds to a Digest challenge by hand, so that tests can get any part of it wrong. */

import { createHash } from 'node:crypto';

export interface DigestResponse {
  readonly username: string;
  readonly password: string;
  readonly method?: string;
  readonly uri: string;
  readonly nc?: number;
  readonly cnonce?: string;
  readonly body?: string;
  /** The qop to use if several are offered. */
  readonly qop?: string;
  /** Replaces computed values; `undefined` omits a parameter. */
  readonly changes?: Readonly<Record<string, string | undefined>>;
}

export function challengeParams(challenge: string): Record<string, string> {
  const pairs = [...challenge.matchAll(/([\w-]+)=(?:"([^"]*)"|([^\s,]+))/g)];
  return Object.fromEntries(pairs.map(([, name, quoted, plain]) => [name, quoted ?? plain]));
}

export function authenticateByDigest(challenge: string, parts: DigestResponse): string {
  const { realm, nonce, opaque, algorithm = 'MD5', qop: offered } = challengeParams(challenge);
  const qop = parts.qop ?? offered?.split(',')[0];
  const { method = 'GET', uri, username, password, cnonce = 'c0ffee', body = '' } = parts;
  const nc = (parts.nc ?? 1).toString(16).padStart(8, '0');
  const name = algorithm.replace('-sess', '');
  const hashName = name.toLowerCase().replace(/^sha-/, 'sha');
  const h = (text: string) => createHash(hashName).update(text).digest('hex');
  let a1 = h(`${username}:${realm}:${password}`);
  if (algorithm.endsWith('-sess')) a1 = h(`${a1}:${nonce}:${cnonce}`);
  const a2 = h(`${method}:${uri}${qop === 'auth-int' ? `:${h(body)}` : ''}`);
  const response = h(qop ? `${a1}:${nonce}:${nc}:${cnonce}:${qop}:${a2}` : `${a1}:${nonce}:${a2}`);
  const params: Record<string, string | undefined> = {
    username: `"${username}"`,
    realm: `"${realm}"`,
    nonce: `"${nonce}"`,
    uri: `"${uri}"`,
    response: `"${response}"`,
    opaque: `"${opaque}"`,
    algorithm,
    ...(qop && { qop, nc, cnonce: `"${cnonce}"` }),
    ...parts.changes,
  };
  const sent = Object.entries(params).filter(([, value]) => value !== undefined);
  return `Digest ${sent.map(([key, value]) => `${key}=${value}`).join(', ')}`;
}
