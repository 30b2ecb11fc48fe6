/** Which addresses count as one caller. */

import ipaddr from 'ipaddr.js';

/** Addresses that probably belong together, and how much they may do together. */
export interface AddressBlock {
  readonly name: string;
  /** How many times what a single address may. */
  readonly share: number;
}

/** What a proxy makes up in place of an address is cut, so that what is remembered stays small. */
const maxLength = 100;

/**
 * Who has one address of an IPv6 /64 has them all; a home is given a /56, and a site a /48, which is 65,536
 * of the former (RFC 6177). A /48 can be a school, so the wider ones take more, but not much more.
 */
const ipv6Blocks = [
  { bits: 64, share: 1 },
  { bits: 56, share: 2 },
  { bits: 48, share: 4 },
];

/**
 * The blocks that an address counts for, the narrowest first: an IPv4 address itself, also when it is
 * written as an IPv6 one, and of an IPv6 address the networks around it.
 */
export function addressBlocks(address: string): readonly AddressBlock[] {
  if (!ipaddr.isValid(address)) return [{ name: address.slice(0, maxLength), share: 1 }];
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return [{ name: parsed.toString(), share: 1 }];
  return ipv6Blocks.map(({ bits, share }) => ({ name: network(parsed, bits), share }));
}

/** The narrowest block of an address: the owner of what it takes of things that are scarce. */
export function addressOwner(address: string): string {
  return addressBlocks(address)[0]?.name ?? '';
}

function network(address: ipaddr.IPv6, bits: number): string {
  const parts = address.parts.map((part, place) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * place));
    return part & (0xffff << (16 - kept));
  });
  return `${new ipaddr.IPv6(parts).toRFC5952String()}/${bits}`;
}
