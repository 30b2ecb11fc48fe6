/**
 * The authority and its certificates: where they are stored, and which client certificates are
 * accepted.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { foreignProgram } from '../support/foreign-program.js';
import { rawExchange } from '../support/raw-exchange.js';
import { send } from '../support/service.js';

let service: Service;
const folder = mkdtempSync(join(tmpdir(), 'practice-trust-'));
const kept = join(folder, 'kept', 'root');
beforeAll(async () => {
  service = await createService({ tls: true, tlsDir: kept });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const file = async (path: string, of = service) => (await send(of.url, `GET /tls/${path}`)).bytes;

interface Asked {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
  readonly json: any;
}

/** Sends a request to a host of the shared port, with the given certificate and trust. */
async function ask(host: string, path: string, options: object = {}, of = service): Promise<Asked> {
  const { port } = new URL(of.tlsUrl ?? '');
  const given = { servername: host, headers: { host: `${host}:${port}` }, agent: false };
  const to = { host: '127.0.0.1', port, path, rejectUnauthorized: false };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...to, ...given, ...options }, resolve)
      .on('error', reject)
      .end();
  });
  const text = (await response.toArray()).join('');
  return { status: response.statusCode ?? 0, headers: response.headers, json: JSON.parse(text) };
}

test.each([
  ['none', 401, /sent no certificate/],
  ['good', 200, undefined],
  ['expired', 403, /expired client is rejected: it expired at 20/],
  ['foreign', 403, /issued by CN=Practice API untrusted root.* is not trusted/],
  ['wrong-usage', 403, /lacks client authentication \(clientAuth\)/],
  ['revoked', 403, /revoked: its serial number [0-9A-F]+ is on the list/],
])('the client certificate: %s is %i', async (kind, status, message) => {
  const pem = kind === 'none' ? undefined : await file(`client/${kind}.pem`);
  const response = await ask('mtls.localhost', '/api/auth/mtls', { key: pem, cert: pem });
  expect(response.status).toBe(status);
  if (message === undefined) expect(response.json).toMatchObject({ scheme: 'mtls' });
  else expect(response.json.message).toMatch(message);
  if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Certificate realm=/);
  // A passphrase decrypts its other form.
  if (kind === 'none') return;
  const pfx = await file(`client/${kind}.p12`);
  const again = await ask('mtls.localhost', '/api/auth/mtls', { pfx, passphrase: 'changeit' });
  expect(again.status).toBe(status);
});

test('other hosts request no certificate, and ignore any', async () => {
  const pem = await file('client/good.pem');
  const response = await ask('good.localhost', '/api/auth/mtls', { key: pem, cert: pem });
  expect(response.status).toBe(401);
  expect(response.json.message).toMatch(
    /Send one to https:\/\/mtls\.localhost:\d+\/api\/auth\/mtls/,
  );
});

test('only hsts.localhost sends HSTS, and only over TLS', async () => {
  const hosts = ['hsts.localhost', 'good.localhost', 'mtls.localhost', 'localhost'];
  const sent = await Promise.all(hosts.map((host) => ask(host, '/health')));
  const values = sent.map(({ headers }) => headers['strict-transport-security']);
  expect(values).toEqual(['max-age=3600', undefined, undefined, undefined]);
  const { host } = new URL(service.url);
  const { headers } = await send(service.url, 'GET /health', {
    headers: { Host: `hsts.${host}` },
  });
  expect(headers).not.toHaveProperty('strict-transport-security');
});

test.each([
  ['good.localhost', 'good.localhost'],
  ['127.0.0.1:8080', '127.0.0.1'],
  ['[::1]', '[::1]'],
])('plain HTTP for %s on the port for TLS gets the right URL', async (host, shown) => {
  const { port } = new URL(service.tlsUrl ?? '');
  const text = `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const response = await rawExchange(`http://127.0.0.1:${port}`, text);
  expect(response.status).toBe(400);
  expect(JSON.parse(response.body)).toEqual({
    status: 400,
    error: 'Bad Request',
    message: `This port requires TLS. Send the request to https://${shown}:${port}.`,
  });
});

test('a folder stores the root, readable by its owner only, and client certificates stay valid', async () => {
  const [root, pem] = [await file('ca.pem'), await file('client/good.pem')];
  expect(statSync(join(kept, 'ca-key.pem')).mode & 0o777).toBe(0o600);
  const next = await createService({ tls: true, tlsDir: kept });
  expect(await file('ca.pem', next)).toEqual(root);
  const trusting = { ca: root, rejectUnauthorized: true };
  expect((await ask('good.localhost', '/health', trusting, next)).status).toBe(200);
  const own = { ...trusting, key: pem, cert: pem };
  expect((await ask('mtls.localhost', '/api/auth/mtls', own, next)).status).toBe(200);
  const revoked = await file('client/revoked.pem');
  const with403 = { key: revoked, cert: revoked };
  const rejected = await ask('mtls.localhost', '/api/auth/mtls', with403, next);
  expect(rejected.json.message).toContain('revoked');
  await next.close();
});

test.each<[string, (into: string) => void, RegExp]>([
  ['is a file', (into) => writeFileSync(into, ''), /ENOTDIR|EEXIST/],
  ['has no key', (into) => copy(into, ['ca.pem']), /ca-key\.pem is missing/],
  ['has no certificate', (into) => copy(into, ['ca-key.pem']), /ca\.pem is missing/],
  [
    'has an invalid certificate',
    (into) => {
      copy(into, ['ca.pem', 'ca-key.pem']);
      writeFileSync(join(into, 'ca.pem'), 'nothing');
    },
    /ca\.pem is not in PEM format/,
  ],
  [
    'has a truncated key',
    (into) => {
      copy(into, ['ca.pem', 'ca-key.pem']);
      writeFileSync(
        join(into, 'ca-key.pem'),
        readFileSync(join(kept, 'ca-key.pem')).subarray(0, 90),
      );
    },
    /ca-key\.pem is not in PEM format/,
  ],
])('a service does not start if the folder %s', async (name, fill, message) => {
  const broken = join(mkdtempSync(join(folder, 'broken-')), name.replaceAll(' ', '-'));
  fill(broken);
  const started = createService({ tls: true, tlsDir: broken });
  await expect(started).rejects.toThrow(message);
  await expect(started).rejects.toThrow(`TLS_DIR is ${broken}, but`);
});

function copy(into: string, names: readonly string[]): void {
  mkdirSync(into);
  for (const name of names) writeFileSync(join(into, name), readFileSync(join(kept, name)));
}

const openssl = foreignProgram('openssl');
openssl.test('openssl opens every .p12 with only the password changeit', async () => {
  const names = ['ca.p12', 'client/good.p12', 'client/expired.p12', 'client/foreign.p12'];
  for (const name of names) {
    const input = await file(name);
    const open = (password: string) =>
      spawnSync(openssl.command, ['pkcs12', '-nodes', '-passin', `pass:${password}`], { input });
    const opened = open('changeit');
    expect([name, opened.status]).toEqual([name, 0]);
    expect(opened.stdout.toString()).toContain('BEGIN CERTIFICATE');
    expect(opened.stdout.toString().includes('PRIVATE KEY')).toBe(name !== 'ca.p12');
    expect(open('changed').status).not.toBe(0);
  }
});
