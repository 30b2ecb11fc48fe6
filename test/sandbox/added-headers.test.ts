/** Faults that add headers to a right response. */

import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/faults/plan/fault-plan.js';
import { isProxied } from '../support/create-service.js';
import { asWeb, issuerAt, redirectUri, verifier } from '../support/oidc.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService();
let planned = 0;

async function plan(path: string, ...sequence: Fault[]): Promise<string> {
  planned += 1;
  const prefix = `/s/added-${planned}`;
  const json = { rules: [{ name: 'added', match: { path }, sequence }] };
  const { status, text } = await service.send(`PUT ${prefix}/api/sandbox/faults`, { json });
  expect(status, text).toBe(200);
  return prefix;
}

const book = '/api/Books/:id';

describe('headers without a status', () => {
  test('are added to the right response, once', async () => {
    const prefix = await plan(book, { headers: { 'WWW-Authenticate': 'Bearer', Age: '7' } });
    const plain = await service.send('GET /api/Books/1');
    const { status, headers, text } = await service.send(`GET ${prefix}/api/Books/1`);
    expect([status, text]).toEqual([200, plain.text]);
    expect(headers).toMatchObject({
      'www-authenticate': 'Bearer',
      age: '7',
      'x-simulated': 'true',
      'x-fault': 'added#1',
    });
    const { headers: after } = await service.send(`GET ${prefix}/api/Books/1`);
    expect(after).not.toHaveProperty('www-authenticate');
  });

  test('replace headers of the same name, and may repeat', async () => {
    const headers = { ETag: '"mine"', Link: ['</a>', '</b>'], Vary: 'Accept' };
    const prefix = await plan(book, { headers, delayMs: 1 });
    const response = await service.send(`GET ${prefix}/api/Books/1`);
    expect(response.headers.etag).toBe('"mine"');
    expect(response.headers.link).toBe('</a>, </b>');
    expect(response.headers.vary).toBe('Accept, X-Sandbox, X-Service-Key');
  });

  test.skipIf(isProxied)('keep their letter case and their encoding', async () => {
    const headers = { 'X-Naïve': 'no', 'X-GREEting': '안녕' };
    const rejected = await service.send('PUT /s/added-0/api/sandbox/faults', {
      json: { rules: [{ sequence: [{ headers }] }] },
    });
    expect(rejected.status).toBe(400);
    const fault: Fault = { headers: { 'X-GREEting': '안녕' }, headerEncoding: 'utf-8' };
    const prefix = await plan(book, fault);
    const connection = openConnection(service.url);
    connection.send(requestText(`GET ${prefix}/api/Books/1`));
    await connection.until('The Hobbit');
    connection.socket.destroy();
    expect(connection.received().toString('utf8')).toContain('\r\nX-GREEting: 안녕\r\n');
  });

  test.each([
    ['HEAD', 200],
    ['DELETE', 204],
  ])('are added to the response of %s', async (method, status) => {
    const prefix = await plan('/api/Events/:id', { headers: { 'X-Added': 'yes' } });
    const response = await service.send(`${method} ${prefix}/api/Events/1`);
    expect(response.status).toBe(status);
    expect(response.headers['x-added']).toBe('yes');
  });

  test('are added to a right error, which is no success', async () => {
    const prefix = await plan('/api/Books/*', { headers: { 'Retry-After': '5' } });
    const { status, headers } = await service.send(`GET ${prefix}/api/Books/999`);
    expect([status, headers['retry-after']]).toEqual([404, '5']);
    const { json } = await service.send(`GET ${prefix}/api/sandbox/faults/log`);
    expect(json.series[0].verdict.succeeded).toBe(false);
  });

  test('with a probability are added as often as drawn', async () => {
    const fault = { headers: { 'X-Added': 'yes' } };
    const prefix = await plan(book, { probability: 1, fault }, { probability: 0, fault });
    const [first, second] = [
      await service.send(`GET ${prefix}/api/Books/1`),
      await service.send(`GET ${prefix}/api/Books/1`),
    ];
    expect(first.headers['x-added']).toBe('yes');
    expect(second.headers).not.toHaveProperty('x-added');
  });

  test('cannot make a page of the body', async () => {
    const prefix = await plan(book, { headers: { 'Content-Type': 'text/html' } });
    const { headers } = await service.send(`GET ${prefix}/api/Books/1`);
    expect(headers['content-type']).toBe('text/html');
    expect(headers['content-security-policy']).toMatch(/^sandbox;/);
  });
});

test('oauth4webapi accepts a 200 of the token endpoint with a challenge', async () => {
  const prefix = await plan('/oidc/token', { headers: { 'WWW-Authenticate': 'Bearer realm="a"' } });
  const issuer = issuerAt(service, prefix);
  const response = await fetch(`${service.url}${prefix}/oidc/token`, {
    method: 'POST',
    headers: asWeb,
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: await issuer.code({ scope: 'openid' }),
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="a"');
  const server = { issuer: `${service.url}${prefix}/oidc` };
  const client = { client_id: 'demo-web' };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  expect(tokens).toHaveProperty('id_token');
});
