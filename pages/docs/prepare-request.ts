/** A request of the viewer as it goes: with the visitor's key, and such that no challenge opens the browser's dialog. */

import type { Request } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { addressOf } from '../shared/address-of.js';
import { noteRequest } from '../shared/sandbox-name.js';
import { withVisitor } from '../shared/visitor-headers.js';
import { type Description, isSecuredBy, operationsOf } from './description.js';

/** Gives what the viewer asks for each request before it is sent. */
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
    // Key and sandbox are for this service alone.
    if (request.url.startsWith(addressOf('/'))) {
      noteRequest(request.method ?? 'GET');
      const own = withVisitor(request.url, ownHeaders(headers));
      const [key, sandbox] = [own.get('X-Service-Key'), own.get('X-Sandbox')];
      if (key !== null) headers['X-Service-Key'] = key;
      if (sandbox !== null) headers['X-Sandbox'] = sandbox;
    }
    const prepared: Request = { ...request, headers, credentials: 'omit' };
    if (headers.Cookie !== undefined) return withCookie(prepared, headers.Cookie);
    // The browser's own credentials are its cookies too; what gives cookies and wants them back challenges nobody.
    if (givesCookies.some((path) => request.url.startsWith(addressOf(path)))) {
      return { ...prepared, credentials: 'same-origin' };
    }
    const [address = ''] = request.url.split('?', 1);
    const isDigest = digestAddresses.some((pattern) => pattern.test(address));
    return isDigest ? withDigest(prepared) : prepared;
  };
}

const givesCookies = ['/api/auth/csrf/', '/api/auth/session/'];

/** What addresses of the template match, with anything in place of its parameters. */
function addressPattern(template: string): RegExp {
  const parts = template.split(/\{[^}]*\}/);
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^/]+')}$`);
}

/** The sandbox that was typed into the viewer counts more than that of the bar. */
function ownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = headers['X-Sandbox'];
  return given ? { 'X-Sandbox': given } : {};
}

/** Scripts cannot set the header: the browser sends what it keeps for the address. */
function withCookie(request: Request, cookie: string): Request {
  const { Cookie: _, ...headers } = request.headers ?? {};
  const { pathname } = new URL(request.url);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is there on secure origins alone
  document.cookie = `${cookie}; Path=${pathname}; Max-Age=60; SameSite=Strict`;
  return { ...request, headers, credentials: 'same-origin' };
}

/** The viewer knows no Digest and was told of Basic: what it has been given is turned into an answer to a challenge. */
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
  const answered = client.addAuth(request.url, { method: request.method, headers });
  return { ...request, headers: answered.headers };
}
