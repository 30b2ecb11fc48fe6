/** Determines the proxies whose headers about the client and its URL are trusted. */

import { BlockList, isIPv6 } from 'node:net';
import type { Config } from '#config/settings.js';

export type IsTrusted = (address: string) => boolean;

/** Returns a function for all addresses, none, or a list of addresses and subnets. */
export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): IsTrusted {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const list = new BlockList();
  for (const proxy of trustProxy) {
    const [address = '', bits] = proxy.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
