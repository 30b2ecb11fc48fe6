/**
 * The headers of every answer: a request id, and CORS (WHATWG Fetch, "HTTP extensions") open to every
 * origin. Our own hook, because preflights are answered on every path while a plain OPTIONS stays a
 * verb like any other.
 */

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Config } from '../config/settings.js';
import { addVary, forbidKeeping } from '../http/caching/caching.js';
import type { Reply, Request } from '../http/exchange.js';

/** Browsers forbid these verbs to pages, so naming them would promise too much. */
const forbiddenMethods = new Set(['CONNECT', 'TRACE']);
const allowedMethods = METHODS.filter((method) => !forbiddenMethods.has(method)).join(', ');

/** How long a browser may remember a preflight; Chromium remembers no longer than this. */
const preflightSeconds = 7200;

const saneId = /^[\w.:~+/=@-]{1,128}$/;

/** The caller's request id when it is short and printable, else a new one. */
export function requestIdOf(message: IncomingMessage): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && saneId.test(sent) ? sent : newRequestId();
}

/** The beginning of a UUID of version 8 (RFC 9562 section 5.8), which no other process has. */
const processPart = `${randomUUID().slice(0, 14)}8${randomUUID().slice(15, 24)}`;
let requests = 0;

/** An id that no other request has. One of random digits alone would cost as much as routing does. */
export function newRequestId(): string {
  requests += 1;
  return processPart + requests.toString(16).padStart(12, '0');
}

/** For a year, this host alone (RFC 6797). */
const stayOnHttps = 'max-age=31536000';

/** Makes the function that sets what every answer carries. */
export function commonHeaders({ baseUrl, tlsPort }: Config): typeof setCommonHeaders {
  if (!baseUrl?.startsWith('https:')) {
    return tlsPort === undefined ? setCommonHeaders : setWithHsts;
  }
  return (request, reply) => {
    setCommonHeaders(request, reply);
    reply.header('strict-transport-security', stayOnHttps);
  };
}

/** The one host with TLS here that asks to be visited so ever after, which would be in the way of all others. */
const hstsHost = 'hsts.localhost';
const stayForAnHour = 'max-age=3600';

function setWithHsts(request: Request, reply: Reply): void {
  setCommonHeaders(request, reply);
  if ((request.raw.socket as Partial<TLSSocket>).servername === hstsHost) {
    reply.header('strict-transport-security', stayForAnHour);
  }
}

function setCommonHeaders(request: Request, reply: Reply): void {
  reply.header('x-request-id', request.id);
  reply.header('access-control-allow-origin', '*');
  // Nothing here is credentialed, so it stands for all headers (WHATWG Fetch, "CORS protocol").
  reply.header('access-control-expose-headers', '*');
  forbidKeeping(reply);
}

/** Whether the request asks about the server as a whole (RFC 9110 section 9.3.7). */
export function isServerWide({ raw }: Request): boolean {
  return raw.method === 'OPTIONS' && raw.url === '*';
}

export function respondServerWide(reply: Reply): void {
  reply.header('allow', METHODS.join(', ')).code(204).send();
}

/** Whether the request asks what a page may send, rather than sending it. */
export function isPreflight({ raw }: Request): boolean {
  return raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined;
}

export function respondToPreflight(request: Request, reply: Reply): void {
  reply.header('access-control-allow-methods', allowedMethods);
  reply.header('access-control-max-age', preflightSeconds);
  addVary(reply, 'Access-Control-Request-Headers');
  const asked = request.headers['access-control-request-headers'];
  if (asked) reply.header('access-control-allow-headers', asked);
  reply.code(204).send();
}
