import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { openConnection, requestText } from '../support/raw-connection.js';
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

describe('the program', () => {
  test('starts with a banner that shows the URL and where to begin', async () => {
    const program = runProgram(['--port', '0']);
    const url = await program.started;
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(`${url}/api/methods/get`)).status).toBe(200);
    expect(program.output().stdout).toContain(`curl ${url}/api/methods/get`);
    const flags = [
      '--tls-port',
      '--serve',
      '--httpbin-port',
      '--http2-lab-port',
      '--json-server-port',
    ];
    for (const flag of flags) {
      expect(program.output().stdout).toContain(`off (switch on with ${flag}`);
    }
    expect(program.output().stderr).toBe('');
  });

  test('shows the listeners that are on, instead of how to switch them on', async () => {
    const ports = ['tls', 'httpbin', 'http2-lab', 'json-server'];
    const flags = ports.flatMap((name) => [`--${name}-port`, '0']);
    const program = runProgram(['--port', '0', ...flags, '--serve', 'reqres=0']);
    await program.started;
    const { stdout } = program.output();
    expect(stdout).not.toContain('off (switch on');
    expect(stdout).toMatch(/^ {2}With TLS +https:/m);
    expect(stdout).toMatch(/^ {2}httpbin +http:/m);
    expect(stdout).toMatch(/^ {2}reqres +http:/m);
    expect(stdout).toMatch(/^ {2}json-server +http:/m);
    expect(stdout).toMatch(/^ {2}HTTP\/2 +http:.*prior knowledge/m);
    expect(stdout).toMatch(/^ {2}HTTP\/2 lab +http:.*\/api\/http2\/plan$/m);
  });

  test.each([
    [['help'], /^Practice API: /],
    [
      ['help', 'faults'],
      /^# Fault injection[\s\S]*curl -s [\s\S]*localhost:3000[\s\S]*\/guides\/faults/,
    ],
    [['help', 'docker'], /^# [\s\S]*\/guides\/hosting/],
    [['help', 'postman'], /^# [\s\S]*\/guides\/testing\/postman/],
    [['help', 'tls'], /^# [\s\S]*Settings:\n {2}--tls-port/],
    [['help', 'port'], /^Settings:\n {2}--port/],
  ])('%j explains it, and ends', async (args, expected) => {
    const program = runProgram(args);
    expect((await program.ended).code).toBe(0);
    expect(program.output().stdout).toMatch(expected);
    expect(program.output().stdout).not.toContain('base-url.invalid');
  });

  test('help of an unknown topic lists the topics', async () => {
    const program = runProgram(['help', 'fualts']);
    expect((await program.ended).code).toBe(2);
    expect(program.output().stderr).toMatch(
      /^There is no topic "fualts"\. Did you mean faults\?\nTopics: /,
    );
  });

  test('writes JSON log lines for requests when enabled, none for health checks', async () => {
    const program = runProgram(['--port', '0'], { LOG_LEVEL: 'info' });
    const url = await program.started;
    await fetch(`${url}/health`);
    await fetch(`${url}/api/methods/get?api_key=hush`);
    program.process.kill();
    await program.ended;
    const lines = program
      .output()
      .stdout.split('\n')
      .filter((line) => line.startsWith('{'));
    const messages = lines.map((line) => JSON.parse(line).msg);
    expect(messages).toEqual(['listening', 'request', 'stopping', 'stopped']);
    expect(program.output().stdout).not.toContain('hush');
  });

  test('ends on a signal, even if its log is not read', async () => {
    const program = runProgram(['--port', '0'], { LOG_LEVEL: 'debug' });
    const url = await program.started;
    program.process.stdout?.pause();
    const headers = { 'User-Agent': 'x'.repeat(8000) };
    for (let sent = 0; sent < 200; sent++) await fetch(`${url}/api/methods/get`, { headers });
    program.process.kill();
    expect((await once(program.process, 'exit'))[0]).toBe(0);
    program.process.stdout?.resume();
  });

  test('on all addresses prints those that other machines can use, which respond', async () => {
    const program = runProgram(['--port', '0'], { HOST: '0.0.0.0' });
    const url = await program.started;
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    const { stdout } = program.output();
    expect(stdout).not.toContain('0.0.0.0');
    const shown = [...stdout.matchAll(/For others +(http:\S+) \((.+)\)/g)].map(([, each]) => each);
    const { port } = new URL(url);
    const addresses = Object.values(networkInterfaces())
      .flatMap((infos = []) => infos)
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    expect(shown).toEqual(addresses.map(({ address }) => `http://${address}:${port}`));
    for (const each of [url, ...shown]) {
      expect((await fetch(`${each}/health`)).status).toBe(200);
    }
    if (shown.length === 0) expect(stdout).toContain('none: this machine has no network');
  });

  test('prints its help and its version', async () => {
    const help = runProgram(['--help']);
    expect((await help.ended).code).toBe(0);
    expect(help.output().stdout).toContain('--port <number>');
    const version = runProgram(['--version']);
    expect((await version.ended).code).toBe(0);
    expect(version.output().stdout.trim()).toBe(packageFile.version);
  });

  test('reports every bad setting in a separate line and ends with 2', async () => {
    const program = runProgram(['--prot', '1', '--log-level=loud'], { PORT: 'http' });
    expect((await program.ended).code).toBe(2);
    const { stdout, stderr } = program.output();
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('--prot'),
      expect.stringContaining('PORT'),
      expect.stringContaining('--log-level'),
    ]);
  });

  test('reports in one line that its port is in use and ends with 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const program = runProgram(['--port', String(port)]);
    expect((await program.ended).code).toBe(2);
    expect(program.output().stderr).toMatch(
      new RegExp(`^Port ${port} is already in use\\. .*--port or PORT.*\\n$`),
    );
    other.close();
  });

  test.each([
    [['--host', 'no-such-host.invalid'], /^The host no-such-host\.invalid cannot be found\. .*\n$/],
    [['--host', '192.0.2.1'], /^This machine has no address 192\.0\.2\.1\. .*\n$/],
  ])('reports in one line that it cannot listen with %j and ends with 2', async (args, line) => {
    const program = runProgram(['--port', '0', ...args]);
    expect((await program.ended).code).toBe(2);
    expect(program.output().stderr).toMatch(line);
  });
});

describe('stopping', () => {
  /** A request whose body is sent in two halves, with a pause that the test controls. */
  function openRequest(url: string) {
    const socket = connect(Number(new URL(url).port), 'localhost');
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('error', () => {});
    socket.write('POST /api/methods/post HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst');
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(response)));
    return { closed, finish: () => socket.write('-half') };
  }

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s finishes pending requests and ends with 0',
    async (signal) => {
      const program = runProgram(['--port', '0']);
      const url = await program.started;
      const request = openRequest(url);
      await sleep(100);
      program.process.kill(signal);
      await sleep(200);
      await expect(fetch(`${url}/health`)).rejects.toThrow();
      request.finish();
      expect(await request.closed).toContain('"body":"first-half"');
      expect(await program.ended).toEqual({ code: 0, signal: null });
    },
  );

  test('by a second signal ends at once', async () => {
    const program = runProgram(['--port', '0', '--log-level', 'info']);
    openRequest(await program.started);
    await sleep(100);
    program.process.kill('SIGTERM');
    while (!program.output().stdout.includes('"stopping"')) await sleep(10);
    program.process.kill('SIGTERM');
    expect((await program.ended).code).toBe(1);
  });

  test('ends within 10 s whatever a client does', { timeout: 20_000 }, async () => {
    const program = runProgram(['--port', '0']);
    openRequest(await program.started);
    await sleep(100);
    const signalledAt = performance.now();
    program.process.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(10_000);
  });

  test('is not delayed by idle connections', async () => {
    const program = runProgram(['--port', '0']);
    const url = await program.started;
    // fetch keeps its connection for the next request.
    await (await fetch(`${url}/api/methods/get`)).text();
    const signalledAt = performance.now();
    program.process.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(5000);
  });
});

test('callers cannot use up the file descriptors: packages that load later are found', async () => {
  const command = ['sh', '-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, builtProgram];
  const args = ['--port', '0', '--host', '127.0.0.1'];
  const program = runProgram(args, {}, command as [string, ...string[]]);
  const url = await program.started;
  const used = openConnection(url);
  used.send(requestText('GET /health'));
  await used.until('"status"');
  const others = Array.from({ length: 80 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  for (const other of others) other.on('error', () => {}).resume();
  await Promise.all(others.map((other) => once(other, 'connect')));
  const requests = [
    requestText('GET /api/Books/1'),
    requestText('GET /api/Books?limit=1', { Accept: 'application/yaml' }),
    requestText('GET /api/Books?limit=1', { Accept: 'text/csv' }),
    requestText('GET /api/http/formats/text?charset=iso-8859-1'),
  ];
  for (const [place, request] of requests.entries()) {
    used.send(request);
    await expect.poll(() => used.responses(200)).toBe(place + 2);
  }
  for (const other of others) other.destroy();
});
