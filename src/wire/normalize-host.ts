/** The host and port of a Host header or target, in one spelling: RFC 3986 sections 3.2.2, 3.2.3 and 6.2. */

import { isIPv6 } from 'node:net';

/** A host, an IPv6 address being in brackets, and what follows a colon; nothing that markup could hide in. */
const authority = /^(?:\[([\da-f:.]+)\]|([\w~-]+(?:\.[\w~-]+)*\.?))(?::(\d*))?$/i;

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** What most requests name, and what is right without a closer look. */
const plainHost = new RegExp(
  `^(?!.*xn--)(?:(?:[a-z\\d-]+\\.)*[a-z][a-z\\d-]*|(?:${octet}\\.){3}${octet})(?::[1-5]?\\d{1,4})?$`,
  'i',
);

/** A number at the end makes a host an IPv4 address, and xn-- begins Punycode; URLs have neither malformed. */
const perhapsMalformed = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$|xn--/i;

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
  if (name !== undefined && perhapsMalformed.test(name) && !URL.canParse(`http://${name}`)) {
    return undefined;
  }
  const number = Number(port);
  if (number > 65535) return undefined;
  const host = (
    address === undefined ? `${name}` : new URL(`http://[${address}]`).hostname
  ).toLowerCase();
  return port === '' || number === defaultPorts[scheme] ? host : `${host}:${number}`;
}
