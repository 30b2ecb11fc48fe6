/** nginx with its default settings in front of a service of a test, and with a file that it keeps to itself. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { foreignProgram } from './foreign-program.js';
import type { RunningProxy } from './proxy.js';
import { freePort } from './redis.js';

export const nginx = foreignProgram('nginx');

/** The path that nginx serves only if a response redirects there, and its content. */
export const internalFile = { path: '/internal/secret.txt', content: 'SECRET' };

/** Starts nginx, optionally as a cache. */
export async function startNginx(backend: string, isCache = false): Promise<RunningProxy> {
  const port = await freePort();
  return runNginx(`http://127.0.0.1:${port}`, (folder) => {
    mkdirSync(join(folder, 'internal'));
    writeFileSync(join(folder, internalFile.path), internalFile.content);
    const cache = isCache
      ? `proxy_cache_path ${folder}/cache keys_zone=all:1m; proxy_cache all;`
      : '';
    return `${cache}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass ${backend}; }
        location /internal/ { internal; root ${folder}; }
      }`;
  });
}

/**
 * Starts nginx with the block `http` of `configure`, which gets a folder for its files. Waits until `url` responds.
 */
export async function runNginx(
  url: string,
  configure: (folder: string) => string,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-nginx-'));
  // When root starts nginx, its workers run as a user outside of our group.
  chmodSync(folder, 0o755);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `
    daemon off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${temporary.join(' ')} ${configure(folder)} }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const program = spawn(nginx.command, ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], {
    stdio: 'ignore',
  });
  const ended = once(program, 'close');
  const killAtExit = () => program.kill();
  process.once('exit', killAtExit);
  const stop = async () => {
    program.kill('SIGTERM');
    await ended;
    process.off('exit', killAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  const isListening = () =>
    fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  while (!(await isListening())) {
    if (program.exitCode !== null) {
      await stop();
      throw new Error('nginx did not start.');
    }
    await sleep(20);
  }
  return { url, stop };
}
