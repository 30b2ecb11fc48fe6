/**
 * Redirects between the ports of a service with TLS, followed by a client that checks certificates.
 */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { beforeAll, expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { send, useStarted } from '../support/service.js';

const service = useStarted(() => createService({ tls: true }));
let ca: string;
beforeAll(async () => {
  ca = (await send(service.url, 'GET /tls/ca.pem')).text;
});

async function exchange(
  url: string | URL,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
) {
  const request = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, ca, headers, agent: false }, resolve).on('error', reject).end();
  });
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, text };
}

const otherPort = '/api/http/redirect/other-port';

test('a plain request is redirected to the port with TLS, which reports that request', async () => {
  const { status, headers, text } = await exchange(service.url + otherPort);
  const location = `${service.tlsUrl}/api/http/redirect/end?hops=1`;
  expect([status, headers.location]).toEqual([302, location]);
  expect(JSON.parse(text)).toEqual({ status: 302, location });
  const end = await exchange(location);
  expect(JSON.parse(end.text)).toMatchObject({ method: 'GET', hops: 1 });
});

test('a request with TLS is redirected to another port with TLS and a valid certificate, and back', async () => {
  const there = await exchange(service.tlsUrl + otherPort);
  const location = there.headers.location ?? '';
  expect(new URL(location).origin).not.toBe(service.tlsUrl);
  expect(location).toMatch(/^https:/);
  expect((await exchange(location)).status).toBe(200);
  const back = await exchange(new URL(otherPort, location));
  expect(new URL(back.headers.location ?? '').origin).toBe(service.tlsUrl);
});

test.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s keeps the sandbox of its path and supports status and to',
  async (method) => {
    const query = '?status=307&to=/api/methods/any%3Fa=1';
    const { status, headers } = await exchange(`${service.url}/s/mine${otherPort}${query}`, method);
    const location = `${service.tlsUrl}/s/mine/api/methods/any?a=1`;
    expect([status, headers.location]).toEqual([307, location]);
  },
);

test('over HTTP/2 too', async () => {
  const session = connect(service.tlsUrl ?? '', { ca });
  const stream = session.request({ ':path': otherPort });
  const headers = await new Promise<IncomingHttpHeaders & IncomingHttpStatusHeader>((resolve) => {
    stream.on('response', resolve);
  });
  session.close();
  stream.resume();
  expect(headers[':status']).toBe(302);
  expect(headers.location).toMatch(
    /^https:\/\/127\.0\.0\.1:\d+\/api\/http\/redirect\/end\?hops=1$/,
  );
});

test('other names of this machine redirect to localhost, which the certificate names', async () => {
  const { port } = new URL(service.url);
  const host = `mine.localhost:${port}`;
  const { headers } = await exchange(service.url + otherPort, 'GET', { host });
  const { port: tlsPort } = new URL(service.tlsUrl ?? '');
  expect(headers.location).toBe(`https://localhost:${tlsPort}/api/http/redirect/end?hops=1`);
});

test.each([
  ['a Host of another port, as behind a mapped port', 'localhost:1', 404, /mapped port/],
  ['a Host without a port, as behind a proxy', 'api.example', 404, /proxy/],
  ['a malformed Host', 'a b', 400, /Host header/],
])('%s', async (_title, host, status, message) => {
  const response = await exchange(service.url + otherPort, 'GET', { host });
  expect(response.status).toBe(status);
  expect(JSON.parse(response.text).message).toMatch(message);
});

test('a target on another host is rejected, and so is a status that is no redirect', async () => {
  expect((await exchange(`${service.url}${otherPort}?to=//example.org/`)).status).toBe(400);
  expect((await exchange(`${service.url}${otherPort}?status=200`)).status).toBe(400);
});
