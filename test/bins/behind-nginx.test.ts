/**
 * A proxy that obeys response headers: nginx serves internal files when it gets X-Accel-Redirect.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { foreignProgram } from '../support/foreign-program.js';
import { freePort } from '../support/redis.js';
import { useService } from '../support/service.js';

const nginx = foreignProgram('nginx');
const service = useService();

/** Runs `use` with the URL of an nginx in front of `upstream` that has an internal file. */
async function withNginx(upstream: string, use: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-nginx-'));
  // When root starts nginx, its workers run as a user outside of our group.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'internal'));
  writeFileSync(join(folder, 'internal', 'secret.txt'), 'SECRET');
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `
    daemon off; pid ${folder}/pid; error_log stderr; events {}
    http {
      access_log off; ${temporary.join(' ')}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass ${upstream}; }
        location /internal/ { internal; root ${folder}; }
      }
    }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const program = spawn(nginx.command, ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], {
    stdio: 'ignore',
  });
  const ended = once(program, 'close');
  const url = `http://127.0.0.1:${port}`;
  try {
    await expect
      .poll(() =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await use(url);
  } finally {
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

nginx.test('serves internal files when a response redirects there', async () => {
  const redirecting = createServer((_request, response) => {
    response.setHeader('X-Accel-Redirect', '/internal/secret.txt').end();
  }).listen(0, '127.0.0.1');
  await once(redirecting, 'listening');
  const { port } = redirecting.address() as AddressInfo;
  await withNginx(`http://127.0.0.1:${port}`, async (url) => {
    expect(await (await fetch(url)).text()).toBe('SECRET');
  });
  redirecting.close();
});

nginx.test('a bin cannot make nginx send an internal file', async () => {
  await withNginx(service.url, async (url) => {
    const { json: bin } = await service.send('POST /api/webhooks/bins');
    for (const name of ['X-Accel-Redirect', 'x-accel-redirect', 'X-ACCEL-Redirect ']) {
      for (const headers of [
        { [name]: '/internal/secret.txt' },
        [[name, '/internal/secret.txt']],
      ]) {
        const settings = { response: { headers, body: 'mine' } };
        await service.send(`PATCH /api/webhooks/bins/${bin.id}`, { json: settings });
        expect(await (await fetch(`${url}/api/webhooks/${bin.id}`)).text()).not.toBe('SECRET');
      }
    }
    const settings = { response: { headers: { 'X-Mine': '1' }, body: 'mine' } };
    await service.send(`PATCH /api/webhooks/bins/${bin.id}`, { json: settings });
    const response = await fetch(`${url}/api/webhooks/${bin.id}`);
    expect([await response.text(), response.headers.get('x-mine')]).toEqual(['mine', '1']);
    expect((await fetch(`${url}/internal/secret.txt`)).status).toBe(404);
  });
});
