/** The URLs that other machines can use, as the banner shows them. */

import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { isAnyAddress } from '#base/is-any-address.js';
import { originOf } from './base-url.js';

export interface NetworkUrl {
  readonly url: string;
  /** The name of the network interface, such as `wlan0`. */
  readonly name: string;
}

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, Known>[] | undefined>
>;
type Known = 'address' | 'family' | 'internal';

/** A client needs a zone beside them (RFC 4007 section 6), which URLs do not have. */
const linkLocal = /^fe[89ab]/i;

/** Returns the URLs of a service that listens on all addresses, IPv4 first. Returns none if it listens on a single address. */
export function networkUrls(
  host: string,
  port: number,
  interfaces: Interfaces = networkInterfaces(),
): readonly NetworkUrl[] {
  if (!isAnyAddress(host)) return [];
  const families = host.includes(':') ? ['IPv4', 'IPv6'] : ['IPv4'];
  const all = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos.filter(({ internal }) => !internal).map((info) => ({ name, ...info })),
  );
  return families.flatMap((wanted) =>
    all
      .filter(({ family, address }) => family === wanted && !linkLocal.test(address))
      .map(({ address, name }) => ({ url: originOf(address, port), name })),
  );
}
