/** The host and port of a Host header or target, in one spelling: RFC 3986 sections 3.2.2, 3.2.3 and 6.2. */

import { isIPv6 } from 'node:net';

/** A host, an IPv6 address being in brackets, and what follows a colon; nothing that markup could hide in. */
const authority = /^(?:\[([\da-f:.]+)\]|([\w~-]+(?:\.[\w~-]+)*\.?))(?::(\d*))?$/i;

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** What most requests name, and what is right without a closer look. */
const plainHost = /^[a-z\d-]+(?:\.[a-z\d-]+)*(?::[1-5]?\d{1,4})?$/i;

/** Whether a text is a host with an optional port. */
export function isHost(text: string): boolean {
  return plainHost.test(text) || normalizeHost(text, 'http') !== undefined;
}

/**
 * In lower case, without the port that the scheme has anyway; `undefined` for what is no host. An empty
 * port is the default one; a dot at the end, which names the root of the domain names, stays.
 */
export function normalizeHost(text: string, scheme: string): string | undefined {
  const [, address, name, port = ''] = authority.exec(text) ?? [];
  if (address !== undefined ? !isIPv6(address) : name === undefined) return undefined;
  const number = Number(port);
  if (number > 65535) return undefined;
  const host = (
    address === undefined ? `${name}` : new URL(`http://[${address}]`).hostname
  ).toLowerCase();
  return port === '' || number === defaultPorts[scheme] ? host : `${host}:${number}`;
}
