/** Which addresses count as one caller. */

import ipaddr from 'ipaddr.js';

/** What a proxy makes up in place of an address is cut, so that what is remembered stays small. */
const maxLength = 100;

/**
 * An IPv4 address itself, also when it is written as an IPv6 one, and of an IPv6 address its /64: who
 * has one address of such a block usually has them all (RFC 6177).
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, maxLength);
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}
