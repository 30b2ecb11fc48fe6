/** The recipes of `deploy/` for one machine are started unchanged; the settings of the others are valid. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { readCommand, variablesOf } from '../../src/config/config.js';
import { createService, type Service } from '../../src/index.js';
import { settings } from '../../src/service.js';
import { testsWith } from '../support/foreign-program.js';
import { runNginx } from '../support/nginx.js';
import type { RunningProxy } from '../support/proxy.js';
import { freePort } from '../support/redis.js';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

function settingsFault(environment: Readonly<Record<string, string>>): string {
  const unknown = Object.keys(environment).filter((name) => !variablesOf(settings).includes(name));
  if (unknown.length > 0) return `unknown: ${unknown}`;
  try {
    readCommand(settings, [], environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('the index names each recipe, and says which were not run', () => {
  const recipes = readdirSync(join(root, 'deploy')).filter((name) => name !== 'README.md');
  const rows = read('README.md').split('\n');
  for (const name of recipes) {
    const [row = ''] = rows.filter((line) => line.startsWith(`| [${name}](${name})`));
    expect(row, name).not.toBe('');
    expect(row.includes('not run'), name).toBe(read(name).startsWith('# Not run by us'));
  }
});

describe('the unit for systemd', () => {
  const unit = read('practice-api.service');
  const lineOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const environment = Object.fromEntries(
    lineOf('Environment')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  /** The unit installs into a folder that only an administrator may write. */
  const here = (text: string) =>
    text.replaceAll('/opt/practice-api/', root).replaceAll('/usr/bin/node', process.execPath);

  testsWith('systemd-analyze').test('is valid for systemd, without a warning', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'practice-api-unit-'));
    try {
      const file = join(folder, 'practice-api.service');
      writeFileSync(file, here(unit));
      const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', file]);
      const own = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('practice-api'));
      expect(own).toEqual([]);
      writeFileSync(file, here(unit).replace('Restart=', 'Restarts='));
      const wrong = await promisify(execFile)('systemd-analyze', ['verify', file]);
      expect(wrong.stderr).toContain('Restarts');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('its command starts the service with its settings, and stops in time', async () => {
    expect(settingsFault(environment)).toBe('');
    const [file = '', ...args] = here(lineOf('ExecStart')).split(' ');
    const folder = mkdtempSync(join(tmpdir(), 'practice-api-state-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // Its port may be taken on the machine of a test, and only systemd makes its folder.
    const STATE_FILE = String(environment.STATE_FILE).replace('/var/lib/practice-api', folder);
    const program = runProgram([], { ...environment, STATE_FILE, PORT: '0' }, [file, ...args]);
    const url = await program.started;
    const ready = await fetch(`${url}/health/ready`);
    expect(ready.status).toBe(200);
    const forwarded = await fetch(`${url}/downloads/practice-api.http`, {
      headers: { 'X-Forwarded-Proto': 'https' },
    });
    expect(await forwarded.text()).toContain(url.replace('http:', 'https:'));
    program.process.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(readdirSync(folder)).toEqual(['state.practice']);
    const { DRAIN_SECONDS, STOP_SECONDS } = environment;
    const needed = Number(DRAIN_SECONDS) + Number(STOP_SECONDS);
    expect(Number(lineOf('TimeoutStopSec'))).toBeGreaterThan(needed);
  });
});

describe('nginx for a class', () => {
  const { isInstalled, test } = testsWith('nginx', 'openssl');
  const configuration = read('class-nginx.conf');
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-tls-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let service: Service;
  let proxy: RunningProxy;
  let port = 0;
  let ca = '';
  let agent: Agent;

  beforeAll(async () => {
    if (!isInstalled) return;
    const [, command = ''] = /^#\s+(openssl .*)$/m.exec(configuration) ?? [];
    await promisify(execFile)('sh', ['-c', command], { cwd: folder });
    ca = readFileSync(join(folder, 'tls.crt'), 'utf8');
    agent = new Agent({ ca });
    service = await createService({ trustProxy: ['127.0.0.1'] });
    const plainPort = await freePort();
    port = await freePort();
    const changes = [
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['http://127.0.0.1:3000;', `${service.url};`],
      ['/etc/practice-api/', `${folder}/`],
    ] as const;
    const changed = changes.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replaceAll(from, to);
    }, configuration);
    proxy = await runNginx(`http://127.0.0.1:${plainPort}`, () => changed);
  }, 60_000);
  afterAll(async () => {
    agent?.destroy();
    await proxy?.stop();
    await service?.close();
  });

  interface Received {
    readonly status: number | undefined;
    readonly text: string;
  }

  /** Calls `onText` with the response so far; if it returns true, the request ends. */
  function exchange(
    path: string,
    { method = 'GET', headers = {}, body = '' } = {},
    onText: (text: string) => unknown = () => false,
  ): Promise<Received> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, headers, agent };
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
          if (onText(text) !== true) return;
          sent.destroy();
          resolve({ status: response.statusCode, text });
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const json = { 'Content-Type': 'application/json' };

  test('requests without TLS are redirected', async () => {
    const response = await fetch(`${proxy.url}/class?a=1`, { redirect: 'manual' });
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe('https://127.0.0.1/class?a=1');
  });

  test('a pupil joins at an https address, and the board shows each request at once', async () => {
    const page = await exchange('/class', { headers: { Accept: 'text/html' } });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<title>') });
    const made = await exchange('/api/classes', {
      method: 'POST',
      headers: json,
      body: '{"name": "Monday"}',
    });
    const { id, joinCode, teacherKey } = JSON.parse(made.text);
    const joined = await exchange('/api/classes/join', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ joinCode, name: 'Ada' }),
    });
    const { address } = JSON.parse(joined.text);
    expect(address).toMatch(new RegExp(`^https://127\\.0\\.0\\.1:${port}/s/~`));
    // The stream does not end, so its events arrive only if nginx does not collect them.
    let isAsked = false;
    const board = exchange(
      `/api/classes/${id}/events`,
      { headers: { 'X-Teacher-Key': teacherKey } },
      (text) => {
        if (text.includes('event: board') && !isAsked) {
          isAsked = true;
          void exchange(`${new URL(address).pathname}/api/Books/1`);
        }
        return text.includes('event: pupil') && text.includes('/api/Books/1');
      },
    );
    expect((await board).status).toBe(200);
  });

  test('callers cannot say which host or scheme they use', async () => {
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      Forwarded: 'host=evil.example',
    };
    const { text } = await exchange('/downloads/practice-api.http', { headers });
    expect(text).toContain(`https://127.0.0.1:${port}`);
    expect(text).not.toContain('evil.example');
  });

  test('WebSockets work in both directions', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/s/mine/api/ws/echo`, { ca });
    const echoed = await new Promise((resolve, reject) => {
      socket.on('open', () => socket.send('through nginx'));
      socket.on('message', (data) => resolve(String(data)));
      socket.on('error', reject);
    });
    socket.terminate();
    expect(echoed).toBe('through nginx');
  });

  test('the service itself rejects what is too large, and metrics are not public', async () => {
    const body = 'x'.repeat(5_000_000);
    const accepted = await exchange('/api/methods/post', { method: 'POST', body });
    expect(JSON.parse(accepted.text)).toMatchObject({ bodyLength: body.length });
    const long = await exchange('/api/methods/get', { headers: { 'X-Long': 'x'.repeat(20_000) } });
    expect(JSON.parse(long.text)).toMatchObject({ status: 431 });
    for (const path of ['/metrics', '/METRICS/', '//metrics', '/%6detrics', '/s/mine/metrics']) {
      const { text } = await exchange(path);
      expect(JSON.parse(text), path).toMatchObject({ status: 404, error: 'Not Found' });
    }
  });
});

describe('the recipes for platforms', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];

  test('Render gets existing settings, one instance, and the port of the image', () => {
    const [service] = parse(read('render.yaml')).services;
    const environment: Record<string, string> = Object.fromEntries(
      service.envVars.map(({ key, value = '' }: { key: string; value?: string }) => [
        key,
        value || (key === 'BASE_URL' ? 'https://api.example' : 'a-generated-value'),
      ]),
    );
    expect(settingsFault(environment)).toBe('');
    expect(service.numInstances).toBe(1);
    expect(environment.PORT).toBe(port);
    expect(service.healthCheckPath).toBe('/health/ready');
    expect(service.maxShutdownDelaySeconds).toBeGreaterThan(Number(environment.STOP_SECONDS));
  });

  test('Fly.io gets existing settings, one machine that does not sleep, and the port of the image', () => {
    const text = read('fly.toml');
    const [, section = ''] = /^\[env\]\n([\s\S]*?)^\[/m.exec(text) ?? [];
    const pairs = [...section.matchAll(/^ {2}(\w+) = "(.*)"$/gm)];
    const environment = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
    expect(Object.keys(environment).length).toBeGreaterThan(3);
    expect(settingsFault(environment)).toBe('');
    const secrets = [...text.matchAll(/\b([A-Z_]{3,})=(\S+)/g)];
    expect(secrets.map(([, name]) => name)).toEqual(['METRICS_TOKEN', 'BASE_URL']);
    expect(text).toContain(`\n  internal_port = ${port}\n`);
    expect(text).toContain('\n  auto_stop_machines = "off"\n');
    const [, timeout] = /^kill_timeout = (\d+)$/m.exec(text) ?? [];
    expect(Number(timeout)).toBeGreaterThan(Number(environment.STOP_SECONDS));
  });
});
