import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ h2c: true });
});
afterAll(() => service.close());

const cases = [
  ['/api/soap/calculator', 'application/json', 415],
  ['/api/soap/countries', undefined, 415],
  ['/s/withheld/api/soap/calculator', 'text/plain', 415],
  ['/oidc/token', 'application/json', 400],
  ['/oidc/token', undefined, 400],
  ['/s/withheld/oidc/token', 'multipart/form-data; boundary=x', 400],
  ['/oidc/revoke', 'application/json', 400],
  ['/oidc/introspect', 'application/json', 400],
  ['/oidc/par', 'application/json', 400],
  ['/api/auth/oauth/token', 'application/json', 400],
] as const;

const typeHeader = (type: string | undefined) => (type ? { 'Content-Type': type } : undefined);

describe.each(cases)(
  'POST %s with the type %s and a body that is never sent',
  (path, type, status) => {
    test.each([
      ['in chunks', { 'Transfer-Encoding': 'chunked' }],
      ['with a length', { 'Content-Length': '6' }],
    ])(`%s is ${status} at once`, async (_name, framing) => {
      const connection = openConnection(service.url);
      connection.send(requestText(`POST ${path}`, { ...framing, ...typeHeader(type) }));
      await connection.until('}');
      const response = splitResponse(connection.received());
      expect(response.status).toBe(status);
      if (status === 400)
        expect(String(connection.received())).toContain('"error":"invalid_request"');
      connection.socket.destroy();
    });

    test(`is ${status} over HTTP/2`, async () => {
      const session = connectHttp2(service.url);
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        ...(type && { 'content-type': type }),
      });
      const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      expect(headers[':status']).toBe(status);
      session.destroy();
    });
  },
);

test('a form with the right type still waits for its body', async () => {
  const connection = openConnection(service.url);
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Transfer-Encoding': 'chunked',
  };
  connection.send(requestText('POST /oidc/token', headers));
  connection.send('3\r\na=b\r\n0\r\n\r\n');
  await connection.until('invalid_');
  expect(splitResponse(connection.received()).status).toBeGreaterThanOrEqual(400);
  connection.socket.destroy();
});
