/**
 * Normalizes the host and port of a Host header or target: RFC 3986 sections 3.2.2, 3.2.3 and 6.2.
 */

import { isIPv6 } from 'node:net';

/** A host or an IPv6 address in brackets, with an optional port, without characters of markup. */
const authority = /^(?:\[([\da-f:.]+)\]|([\w~-]+(?:\.[\w~-]+)*\.?))(?::(\d*))?$/i;

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** Most hosts: valid without further checks. */
const plainHost = new RegExp(
  `^(?!.*xn--)(?:(?:[a-z\\d-]+\\.)*[a-z][a-z\\d-]*|(?:${octet}\\.){3}${octet})(?::[1-5]?\\d{1,4})?$`,
  'i',
);

/** Hosts that need a check: a number at the end makes an IPv4 address, and xn-- begins Punycode. */
const perhapsMalformed = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$|xn--/i;

function isValidName(name: string): boolean {
  return plainHost.test(name) || URL.canParse(`http://${name}`);
}

/** Returns whether a text is a host with an optional port. */
export function isHost(text: string): boolean {
  return plainHost.test(text) || normalizeHost(text, 'http') !== undefined;
}

/**
 * Returns the host in lower case, without the default port of the scheme, or `undefined` for a text
 * that is not a host. An empty port is the default one. A dot at the end (the DNS root) is kept.
 */
export function normalizeHost(text: string, scheme: string): string | undefined {
  const [, address, name, port = ''] = authority.exec(text) ?? [];
  if (address !== undefined ? !isIPv6(address) : name === undefined) return undefined;
  if (name !== undefined && perhapsMalformed.test(name) && !isValidName(name)) return undefined;
  const number = Number(port);
  if (number > 65535) return undefined;
  const host = (
    address === undefined ? `${name}` : new URL(`http://[${address}]`).hostname
  ).toLowerCase();
  return port === '' || number === defaultPorts[scheme] ? host : `${host}:${number}`;
}
