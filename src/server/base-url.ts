/** The address that links in answers begin with. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/settings.js';
import { HttpError } from './http-error.js';

/** A host as RFC 3986 section 3.2.2 has it, with an optional port; nothing that markup could hide in. */
const validHost = /^(?:\[[0-9a-f:.]+\]|[\w.~-]+)(?::\d{1,5})?$/i;

const webScheme = /^https?$/i;

/** The address of a server of ours; an IPv6 address stands in brackets (RFC 3986 section 3.2.2). */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Makes the function that areas ask for the base URL of a request; it ends without a slash. */
export function baseUrlReader({
  baseUrl,
  host,
  port,
}: Config): (request: FastifyRequest) => string {
  if (baseUrl !== undefined) return () => baseUrl;
  // Only HTTP/1.0 clients may leave the host out; they get the configured one.
  const fallback = originOf(host, port);
  return ({ host, protocol }) => {
    if (!host) return fallback;
    // The Host header was checked on arrival; a trusted proxy may have named another host.
    if (!validHost.test(host)) throw new HttpError(400, 'X-Forwarded-Host is not a host name.');
    if (!webScheme.test(protocol)) {
      throw new HttpError(400, 'X-Forwarded-Proto must be http or https.');
    }
    return `${protocol}://${host}`;
  };
}

/**
 * Refuses what RFC 9112 section 3.2 says a server must refuse: an HTTP/1.1 request without Host, with
 * several, or with one that is no host. A host in the target takes the place of that in the header
 * (section 3.2.2).
 */
export function checkHost({ rawHeaders, httpVersion, headers, url }: IncomingMessage): void {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) throw new HttpError(400, 'The request has more than one Host header.');
    host = rawHeaders[index + 1] ?? '';
  }
  if (host === undefined && httpVersion === '1.1') {
    throw new HttpError(400, 'The request has no Host header, which HTTP/1.1 requires.');
  }
  if (host && !validHost.test(host)) {
    throw new HttpError(
      400,
      'The Host header is not a host name or address with an optional port.',
    );
  }
  if (!url?.startsWith('/')) takeHostOfTarget(url ?? '', headers);
}

/** A target in absolute form is for a web server, at an address without a user. */
const absoluteForm = /^https?:\/\/([^/?]*)/i;

function takeHostOfTarget(target: string, headers: IncomingHttpHeaders): void {
  const authority = absoluteForm.exec(target)?.[1];
  if (authority === undefined) return;
  if (!validHost.test(authority)) {
    throw new HttpError(
      400,
      'The URL must name a host name or address with an optional port, and no user.',
    );
  }
  headers.host = authority;
}
