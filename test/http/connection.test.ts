import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { openConnection, requestText } from '../support/raw-connection.js';

// Behind a proxy it would be the connection of the proxy.
const service = useDirectService();

/** The bodies that connections receive, in turn. */
function bodiesIn(bytes: Buffer): Record<string, unknown>[] {
  return [...bytes.toString().matchAll(/\r\n\r\n(\{.*?\}\}?)(?=HTTP|$)/gs)].map(([, json = '']) =>
    JSON.parse(json),
  );
}

test('a connection is described with its ports, and counts its requests', async () => {
  const connection = openConnection(service.url);
  connection.send(requestText('GET /api/http/connection'));
  connection.send(requestText('GET /health'));
  connection.send(requestText('GET /api/http/connection', { Connection: 'close' }));
  await connection.until('"requests":3');
  const { localPort } = connection.socket;
  await connection.ended;
  const { hostname, port } = new URL(service.url);
  const local = { address: hostname, port: Number(port) };
  const bodies = bodiesIn(connection.received()).filter((body) => 'requests' in body);
  expect(bodies).toEqual([
    expect.objectContaining({ httpVersion: '1.1', requests: 1, isReused: false, local, tls: null }),
    expect.objectContaining({ requests: 3, isReused: true }),
  ]);
  expect(bodies[0]?.remote).toEqual({ address: hostname, port: localPort });
});

test('a new connection has a new count', async () => {
  for (let count = 0; count < 2; count++) {
    const connection = openConnection(service.url);
    connection.send('GET /api/http/connection HTTP/1.0\r\n\r\n');
    await connection.ended;
    const text = connection.received().toString();
    expect(text).toContain('"httpVersion":"1.0","requests":1,"isReused":false');
  }
});

test('only GET and HEAD are supported', async () => {
  const { status, headers } = await service.send('POST /api/http/connection');
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});
