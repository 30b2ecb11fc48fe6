/** The program with its state in a server. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testsWith } from '../support/foreign-program.js';
import { freePort, newPrefix, type Secured, startRedis } from '../support/redis.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startWatchedRedis } from '../support/redis-sentinel.js';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const logLines = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** PEM files, self-signed. */
async function makeCertificate(folder: string): Promise<{ certificate: string; key: string }> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  ]);
  return { certificate, key };
}

describe('the program with STATE_URL', () => {
  testsWith('redis').test(
    'waits for the server, says so, and starts when it is available',
    async () => {
      const port = await freePort();
      const program = runProgram(['--port', '0'], {
        STATE_URL: `redis://:hush@127.0.0.1:${port}`,
        STATE_PREFIX: newPrefix(),
      });
      await expect.poll(() => logLines(program.output().stdout)[0]).toBeDefined();
      expect(logLines(program.output().stdout)[0]).toMatchObject({
        level: 'warn',
        msg: `cannot reach the state at 127.0.0.1:${port}; trying again`,
      });
      const redis = await startRedis({ port, settings: ['--requirepass', 'hush'] });
      const url = await program.started;
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      expect((await fetch(`${url}/api/RateLimit`)).status).toBe(200);
      program.process.kill('SIGTERM');
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(JSON.stringify(program.output())).not.toContain('hush');
      await redis.close();
    },
  );

  testsWith('redis', 'openssl').describe('over TLS', () => {
    let folder: string;
    let secured: Secured;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'practice-api-tls-'));
      secured = { ...(await makeCertificate(folder)), password: 'hush' };
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    async function counts(url: string): Promise<void> {
      const program = runProgram(['--port', '0'], {
        STATE_URL: url,
        STATE_PREFIX: newPrefix(),
        NODE_EXTRA_CA_CERTS: secured.certificate,
      });
      const { headers, status } = await fetch(`${await program.started}/api/RateLimit`);
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '4']);
      program.process.kill('SIGTERM');
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(JSON.stringify(program.output())).not.toContain('hush');
    }

    test('connects to a server by rediss://, and checks its certificate', async () => {
      const redis = await startRedis({ secured });
      const url = `rediss://:hush@localhost:${redis.tlsPort}`;
      const suspicious = runProgram(['--port', '0'], { STATE_URL: url });
      await expect
        .poll(() => logLines(suspicious.output().stdout))
        .toMatchObject([{ reason: expect.stringMatching(/self.signed certificate/) }]);
      suspicious.process.kill('SIGTERM');
      await suspicious.ended;
      await counts(url);
      await redis.close();
    });

    test('connects to all nodes of a cluster by rediss+cluster://, with their password', async () => {
      const cluster = await startRedisCluster({ secured });
      await counts(cluster.url.replace('redis+cluster://', 'rediss+cluster://:hush@'));
      await cluster.close();
    });

    test('finds a server through a sentinel by rediss+sentinel://, and sends the password only to the server', async () => {
      const watched = await startWatchedRedis(secured);
      await counts(`rediss+sentinel://:hush@${watched.hosts}`);
      await watched.close();
    });
  });

  test('stops cleanly by a signal while it waits', async () => {
    const program = runProgram(['--port', '0'], {
      STATE_URL: `redis://127.0.0.1:${await freePort()}`,
    });
    await expect.poll(() => program.output().stdout).toContain('cannot reach');
    program.process.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.output().stderr).toBe('');
  });

  test.each(['http://x', 'redis://', 'redis://:hush@x:1/y', 'redis://x?hush', 'hush'])(
    'rejects %s without repeating it',
    async (value) => {
      const program = runProgram(['--port', '0'], { STATE_URL: value });
      expect((await program.ended).code).toBe(2);
      expect(program.output().stderr).toMatch(
        /^STATE_URL must look like redis:\/\/name:password@host:6379\/0/,
      );
      expect(program.output().stderr).not.toContain('hush');
    },
  );
});
