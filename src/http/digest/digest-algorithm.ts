/** The algorithms of RFC 7616 section 6.1, the strongest first. */

import { hash } from 'node:crypto';

export const digestAlgorithms = [
  'SHA-512-256-sess',
  'SHA-512-256',
  'SHA-256-sess',
  'SHA-256',
  'MD5-sess',
  'MD5',
] as const;

/** No RFC registers SHA-512, but httpbin offers it and clients support it. */
export type DigestAlgorithm = (typeof digestAlgorithms)[number] | 'SHA-512';

/** Returns whether the first nonce and cnonce make a session key (section 3.4.2). */
export function isSession(algorithm: DigestAlgorithm): boolean {
  return algorithm.endsWith('-sess');
}

/** Hashes UTF-8 text or bytes to lower-case hex: H() of section 3.3. */
export function digestHash(algorithm: DigestAlgorithm, data: string | Uint8Array): string {
  if (algorithm.startsWith('MD5')) return hash('md5', data);
  if (algorithm.startsWith('SHA-256')) return hash('sha256', data);
  return hash(algorithm === 'SHA-512' ? 'sha512' : 'sha512-256', data);
}
