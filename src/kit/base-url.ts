/** Determines the base URL of links in responses. */

import type { Socket } from 'node:net';
import { isAnyAddress } from '#base/is-any-address.js';
import { normalizeHost } from '#base/normalize-host.js';
import type { Config } from '#config/settings.js';
import { prefixOf } from '#http/address/sandbox-address.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { trustedProxies } from '#wire/trusted-proxies.js';

const webScheme = /^https?$/;

/**
 * Returns an origin, with IPv6 addresses in brackets (RFC 3986 section 3.2.2). For a service that listens on all addresses,
 * it is the origin that this machine can use.
 */
export function originOf(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  if (isAnyAddress(host)) return `${scheme}://localhost:${port}`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Makes the function that returns the base URL of a request, without a slash at the end. It
 * includes `/s/{sandbox}`.
 */
export function baseUrlReader(
  config: Pick<Config, 'baseUrl' | 'host' | 'port' | 'trustProxy'>,
): (request: Request) => string {
  const { baseUrl } = config;
  const baseUrlOf = receivedUrlReader(config);
  if (baseUrl === undefined) return baseUrlOf;
  // Links lead to the main port.
  return (request) =>
    request.raw.mount?.prefix ? baseUrlOf(request) : baseUrl + prefixOf(request.raw);
}

/** Returns the base URL to which a request was sent. */
function receivedUrlReader(
  config: Pick<Config, 'host' | 'port' | 'trustProxy'>,
): (request: Request) => string {
  const isTrusted = trustedProxies(config);
  return (request) => {
    const { headers, raw, socket } = request;
    const isForwarded = isTrusted(socket.remoteAddress ?? '');
    const forwarded = (name: string) => (isForwarded ? forwardedValue(request, name) : undefined);
    const spoken = isEncrypted(socket) ? 'https' : 'http';
    const scheme = (forwarded('x-forwarded-proto') ?? spoken).toLowerCase();
    if (!webScheme.test(scheme)) {
      throw new HttpError(400, 'X-Forwarded-Proto must be http or https.');
    }
    const sentHost = forwarded('x-forwarded-host') ?? headers.host;
    // Only HTTP/1.0 clients may omit the host; they get the configured one.
    if (!sentHost) {
      return originOf(config.host, socket.localPort ?? config.port, spoken) + prefixOf(raw);
    }
    // The Host header was checked on arrival; a trusted proxy may have sent another host.
    const host = normalizeHost(sentHost, scheme);
    if (host === undefined) throw new HttpError(400, 'X-Forwarded-Host is not a host name.');
    return `${scheme}://${host}${prefixOf(raw)}`;
  };
}

function isEncrypted(socket: Socket): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

/**
 * Returns the value that the proxy of the client added. Proxies append their values, so values of
 * one proxy have the same distance from the end. If there are fewer values, the first is from the
 * most distant proxy.
 */
function forwardedValue({ headers, ips = [] }: Request, name: string): string | undefined {
  const sent = headers[name];
  if (sent === undefined) return undefined;
  const values = String(sent)
    .split(',')
    .map((value) => value.trim());
  return values.at(-Math.max(1, ips.length - 1)) ?? values[0];
}
