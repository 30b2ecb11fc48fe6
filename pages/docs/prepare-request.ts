/**
 * Prepares a request of the viewer: adds the visitor's key, and prevents the browser's login
 * dialog.
 */

import type { Request } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { addressOf } from '../shared/address-of.js';
import { noteRequest } from '../shared/sandbox-name.js';
import { withVisitor } from '../shared/visitor-headers.js';
import { type Description, isSecuredBy, operationsOf } from './description.js';

/** Makes the function that the viewer calls before each request. */
export function requestPreparer(
  description: Description,
): (request: Request) => Promise<Request> | Request {
  const digestSchemes = Object.entries(description.components.securitySchemes)
    .filter(([, { scheme }]) => scheme === 'digest')
    .map(([name]) => name);
  const digestAddresses = operationsOf(description)
    .filter((operation) => digestSchemes.some((name) => isSecuredBy(operation, name)))
    .map(({ path }) => addressPattern(addressOf(path)));

  return (request) => {
    const headers = { ...request.headers };
    // Key and sandbox are only for this service.
    if (request.url.startsWith(addressOf('/'))) {
      noteRequest(request.method ?? 'GET');
      const own = withVisitor(request.url, ownHeaders(headers));
      const [key, sandbox] = [own.get('X-Service-Key'), own.get('X-Sandbox')];
      if (key !== null) headers['X-Service-Key'] = key;
      if (sandbox !== null) headers['X-Sandbox'] = sandbox;
    }
    const prepared: Request = { ...request, headers, credentials: 'omit' };
    if (headers.Cookie !== undefined) return withCookie(prepared, headers.Cookie);
    // The browser's own credentials include its cookies; paths that set and need cookies send no
    // challenge.
    if (givesCookies.some((path) => request.url.startsWith(addressOf(path)))) {
      return { ...prepared, credentials: 'same-origin' };
    }
    const [address = ''] = request.url.split('?', 1);
    const isDigest = digestAddresses.some((pattern) => pattern.test(address));
    return isDigest ? withDigest(prepared) : prepared;
  };
}

const givesCookies = ['/api/auth/csrf/', '/api/auth/session/'];

/** Returns a pattern for URLs of the template, with any values of its parameters. */
function addressPattern(template: string): RegExp {
  const parts = template.split(/\{[^}]*\}/);
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^/]+')}$`);
}

/** A sandbox that was entered in the viewer overrides the sandbox of the bar. */
function ownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = headers['X-Sandbox'];
  return given ? { 'X-Sandbox': given } : {};
}

/** Scripts cannot set the Cookie header, so the browser must store the cookie for the path. */
function withCookie(request: Request, cookie: string): Request {
  const { Cookie: _, ...headers } = request.headers ?? {};
  const { pathname } = new URL(request.url);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin
  document.cookie = `${cookie}; Path=${pathname}; Max-Age=60; SameSite=Strict`;
  return { ...request, headers, credentials: 'same-origin' };
}

/**
 * The viewer does not support Digest, so it collects Basic credentials; these are used to respond
 * to the challenge.
 */
async function withDigest(request: Request): Promise<Request> {
  const { Authorization: basic, ...headers } = request.headers ?? {};
  if (basic === undefined) return request;
  const [username = '', ...password] = atob(basic.replace(/^Basic /, '')).split(':');
  const [{ DigestClient }, challenged] = await Promise.all([
    import('digest-fetch'),
    fetch(request.url, { method: request.method ?? 'GET', headers, credentials: 'omit' }),
  ]);
  const challenge = challenged.headers.get('WWW-Authenticate') ?? '';
  const [, algorithm = 'MD5'] = /\balgorithm="?([\w-]+)/i.exec(challenge) ?? [];
  const client = new DigestClient(username, password.join(':'), { algorithm });
  client.parseAuth(challenge);
  const signed = client.addAuth(request.url, { method: request.method, headers });
  return { ...request, headers: signed.headers };
}
