/** The libraries for X.509, loaded when they are first needed: never by a service without TLS. */

import { webcrypto } from 'node:crypto';
import { lazily } from '../../base/lazily.js';

export const loadPki = lazily(async () => {
  const [pki, asn1] = await Promise.all([import('pkijs'), import('asn1js')]);
  return { pki, asn1, subtle: webcrypto.subtle };
});
