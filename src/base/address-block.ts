/** Blocks of addresses that count as one caller. */

import ipaddr from 'ipaddr.js';

export interface AddressBlock {
  readonly name: string;
  /** Its share of a limit, as a multiple of the share of a single address. */
  readonly share: number;
}

/** Limits the text that a proxy may send instead of an address. */
const maxLength = 100;

/** An IPv6 /64 is one network, a home gets a /56, and a site, such as a school, a /48 (RFC 6177). */
const ipv6Blocks = [
  { bits: 64, share: 1 },
  { bits: 56, share: 2 },
  { bits: 48, share: 4 },
];

/**
 * Returns the blocks that contain an address, the narrowest first. An IPv4 address in IPv6 form is
 * treated as IPv4.
 */
export function addressBlocks(address: string): readonly AddressBlock[] {
  if (!ipaddr.isValid(address)) return [{ name: address.slice(0, maxLength), share: 1 }];
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return [{ name: parsed.toString(), share: 1 }];
  return ipv6Blocks.map(({ bits, share }) => ({ name: network(parsed, bits), share }));
}

function network(address: ipaddr.IPv6, bits: number): string {
  const parts = address.parts.map((part, index) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * index));
    return part & (0xffff << (16 - kept));
  });
  return `${new ipaddr.IPv6(parts).toRFC5952String()}/${bits}`;
}
