import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { describeTls } from './describe-tls.js';

/** A pre-shared key: TLS without certificates. */
const key = Buffer.from('practice');
const psk = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;

test('TLS is described by its version, cipher, protocol and host name', async () => {
  const server = createServer({ ...psk, pskCallback: () => key, ALPNProtocols: ['http/1.1'] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({
    ...psk,
    host: '127.0.0.1',
    port,
    servername: 'lab.test',
    ALPNProtocols: ['http/1.1'],
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ psk: key, identity: 'client' }),
  });
  const [socket] = (await once(server, 'secureConnection')) as [TLSSocket];
  expect(describeTls(socket)).toEqual({
    version: 'TLSv1.2',
    cipher: 'TLS_PSK_WITH_AES_128_GCM_SHA256',
    alpn: 'http/1.1',
    sni: 'lab.test',
    clientCertificate: null,
  });
  client.destroy();
  socket.destroy();
  server.close();
});

test('the certificate of a client is described by its names, dates and fingerprint', () => {
  const certificate = {
    subject: { O: ['Practice', 'Lab'], CN: 'client' },
    issuer: { CN: 'root' },
    serialNumber: '01',
    valid_from: 'Jan  1 00:00:00 2026 GMT',
    valid_to: 'Jan  1 00:00:00 2027 GMT',
    fingerprint256: 'AA:BB',
  };
  const socket = {
    encrypted: true,
    authorized: false,
    alpnProtocol: false,
    servername: false,
    getProtocol: () => 'TLSv1.3',
    getCipher: () => ({ standardName: 'TLS_AES_128_GCM_SHA256' }),
    getPeerCertificate: () => certificate,
  } as unknown as TLSSocket;
  expect(describeTls(socket)).toEqual({
    version: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    alpn: null,
    sni: null,
    clientCertificate: {
      subject: 'O=Practice, O=Lab, CN=client',
      issuer: 'CN=root',
      serialNumber: '01',
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2027-01-01T00:00:00.000Z',
      fingerprint256: 'AA:BB',
      isAuthorized: false,
    },
  });
});

test('a connection without TLS has no description', () => {
  expect(describeTls(new Socket())).toBeNull();
});
