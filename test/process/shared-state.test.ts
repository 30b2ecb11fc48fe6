/** The program with its state in a server. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testsWith } from '../support/foreign-program.js';
import { freePort, newPrefix, startRedis } from '../support/redis.js';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const logLines = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

describe('the program with STATE_URL', () => {
  testsWith('redis').test(
    'waits for the server, says so, and begins when it is there',
    async () => {
      const port = await freePort();
      const program = runProgram(['--port', '0'], {
        STATE_URL: `redis://:hush@127.0.0.1:${port}`,
        STATE_PREFIX: newPrefix(),
      });
      await expect.poll(() => logLines(program.output().stdout)).toHaveLength(1);
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

  testsWith('redis', 'openssl').test(
    'talks TLS to a server by rediss://, and checks who it is',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'practice-api-tls-'));
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
      await promisify(execFile)('openssl', [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=localhost',
        ],
        ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
      ]);
      const tlsPort = await freePort();
      const redis = await startRedis({
        settings: [
          ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no'],
          ...['--tls-cert-file', certificate, '--tls-key-file', key],
        ],
      });
      const settings = { STATE_URL: `rediss://localhost:${tlsPort}`, STATE_PREFIX: newPrefix() };
      const suspicious = runProgram(['--port', '0'], settings);
      await expect
        .poll(() => logLines(suspicious.output().stdout))
        .toMatchObject([{ reason: expect.stringMatching(/self.signed certificate/) }]);
      suspicious.process.kill('SIGTERM');
      await suspicious.ended;
      const trusting = runProgram(['--port', '0'], {
        ...settings,
        NODE_EXTRA_CA_CERTS: certificate,
      });
      expect((await fetch(`${await trusting.started}/api/RateLimit`)).status).toBe(200);
      trusting.process.kill('SIGTERM');
      await trusting.ended;
      await redis.close();
      rmSync(folder, { recursive: true });
    },
  );

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
