/** Names of headers and parameters whose values recordings show: an allow list. */

import type { Fields } from '#http/exchange.js';
import { faultParameters } from '../describe/fault-parameters.js';
import { isSecret } from '../endpoint.js';

/** Usual query parameters without secrets, also where they are not declared. The log has them too. */
export const harmlessParameters = [
  'api-version',
  'delay',
  'error',
  'format',
  'limit',
  'offset',
  'order',
  'page',
  'per_page',
  'size',
  'sort',
  'status',
  'wait',
] as const;

/** Standard headers, and headers of every response. */
const harmlessHeaders = new Set(
  `accept accept-charset accept-encoding accept-language accept-patch accept-ranges
  access-control-allow-headers access-control-allow-methods access-control-allow-origin
  access-control-expose-headers access-control-max-age access-control-request-headers
  access-control-request-method age allow cache-control connection content-digest
  content-disposition content-encoding content-language content-length content-location
  content-range content-security-policy content-type date deprecation dnt etag expect expires
  forwarded host idempotency-key if-match if-modified-since if-none-match if-range
  if-unmodified-since keep-alive last-event-id last-modified link location max-forwards origin
  pragma prefer preference-applied priority range referrer-policy repr-digest retry-after
  sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-websocket-accept
  sec-websocket-key sec-websocket-version server-timing strict-transport-security sunset te
  traceparent trailer transfer-encoding upgrade upgrade-insecure-requests user-agent vary via
  want-content-digest want-repr-digest www-authenticate x-content-type-options x-fault
  x-forwarded-for x-forwarded-host x-forwarded-proto x-requested-with x-sandbox
  x-simulated`.split(/\s+/),
);

/** Words in names whose values are never shown, even if they are declared. */
const secretWords = new Set(
  `assertion auth authentication authorization cert challenge cookie credential credentials csrf
  dpop hmac jwt key nonce otp pass
  passcode passphrase passwd password pin pw pwd secret session sig signature ticket token totp
  verifier xsrf`.split(/\s+/),
);

function hasSecretWord(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
  return words.split(/[^a-z\d]+/).some((word) => secretWords.has(word));
}

/** Returns whether a part of the path is a secret; every part is declared, by the path itself. */
export function isSecretPart(name: string, declared: Fields = {}): boolean {
  const schema = Object.hasOwn(declared, name) ? declared[name] : undefined;
  return hasSecretWord(name) || (schema !== undefined && isSecret(schema));
}

/** Returns whether an endpoint declares a parameter or header, and it is no secret. */
function isDeclaredHarmless(name: string, declared: Fields = {}): boolean {
  const schema = Object.hasOwn(declared, name) ? declared[name] : undefined;
  return schema !== undefined && !isSecret(schema) && !hasSecretWord(name);
}

export function isHarmlessParameter(name: string, declared: Fields | undefined): boolean {
  if ((harmlessParameters as readonly string[]).includes(name)) return true;
  const isFault = Object.hasOwn(faultParameters, name) && name !== 'key';
  return isFault || isDeclaredHarmless(name, declared);
}

/** `name` is in lower case; names of `declared` may be in any letter case. */
export function isHarmlessHeader(name: string, declared: Fields = {}): boolean {
  if (harmlessHeaders.has(name)) return true;
  const own = Object.keys(declared).find((each) => each.toLowerCase() === name);
  return own !== undefined && isDeclaredHarmless(own, declared);
}
