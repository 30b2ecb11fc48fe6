/** The behaviour of third-party HTTP/2 clients when they meet its faults. */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Fault } from '../../src/faults/plan/fault-plan.js';
import { createService, type Service } from '../../src/index.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { send } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true });
});
afterAll(() => service.close());

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const faults = {
  closeAfter: { closeAfter: true },
  refuse: { refuse: true },
  goaway: { goaway: true },
} as const satisfies Record<string, Fault>;

/** A sandbox for each fault, which its first request meets. */
function planAll(all: readonly Fault[] = Object.values(faults)): Promise<string[]> {
  return Promise.all(
    all.map(async (fault) => {
      const sandbox = `client-${randomUUID()}`;
      const { status } = await send(service.url, 'PUT /api/sandbox/faults', {
        headers: { 'x-sandbox': sandbox },
        json: { rules: [{ sequence: [fault] }] },
      });
      expect(status).toBe(200);
      return sandbox;
    }),
  );
}

async function attemptsIn(sandboxes: readonly string[]) {
  const logs = sandboxes.map(async (sandbox) => {
    const { json } = await send(service.url, `GET /s/${sandbox}/api/sandbox/faults/log`);
    const verdicts = json.series.map((each: { verdict: object }) => each.verdict);
    return { methods: json.attempts.map((each: { method: string }) => each.method), verdicts };
  });
  return Promise.all(logs);
}

testsWith('go-retryablehttp').test(
  'Go repeats rejected streams, and opens another connection',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'practice-api-go-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'http2-faults');
    const env = { ...process.env, GO111MODULE: 'off' };
    await promisify(execFile)('go', ['build', '-o', program, script('http2-faults.go')], { env });
    const sandboxes = await planAll();
    const { stdout } = await promisify(execFile)(program, [service.tlsUrl ?? '', ...sandboxes]);
    const right = ['POST 200 2 true', 'GET 200 2 true'];
    expect(stdout.trim().split('\n')).toEqual([...right, ...right, ...right]);
    const [closed, reset, away] = await attemptsIn(sandboxes);
    expect(closed?.methods).toEqual(['POST', 'GET']);
    expect(reset?.methods).toEqual(['POST', 'POST', 'GET']);
    expect(reset?.verdicts[0]).toMatchObject({ retried: true, repeatedUnsafely: false });
    expect(away?.methods).toEqual(['POST', 'GET']);
  },
);

const ofShutdown: readonly Fault[] = [
  { goaway: 'before' },
  { goaway: 'graceful' },
  { delayMs: 1, goaway: 'before' },
];

testsWith('go-retryablehttp').test(
  'Go repeats a POST that GOAWAY says was not processed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'practice-api-go-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'http2-faults');
    const env = { ...process.env, GO111MODULE: 'off' };
    await promisify(execFile)('go', ['build', '-o', program, script('http2-faults.go')], { env });
    const sandboxes = await planAll(ofShutdown);
    const { stdout } = await promisify(execFile)(program, [service.tlsUrl ?? '', ...sandboxes]);
    expect(stdout.trim().split('\n')).toEqual([
      ...['POST 200 2 true', 'GET 200 2 true'],
      ...['POST 200 2 true', 'GET 200 2 true'],
      ...['POST 200 2 true', 'GET 200 2 true'],
    ]);
    const [before, graceful] = await attemptsIn(sandboxes);
    expect(before?.methods).toEqual(['POST', 'POST', 'GET']);
    expect(before?.verdicts[0]).toMatchObject({ retried: true, repeatedUnsafely: false });
    expect(graceful?.methods).toEqual(['POST', 'GET']);
  },
);

const python = foreignProgram('httpx');
python.test('httpx gets each response, and raises rejected streams', async () => {
  const sandboxes = await planAll();
  const told = await python.run(script('http2-faults.py'), service.tlsUrl ?? '', ...sandboxes);
  const lines = told.trim().split('\n');
  expect([lines[0], lines[4]]).toEqual(['POST 200 HTTP/2 True', 'POST 200 HTTP/2 True']);
  expect(lines[2]).toMatch(/^POST error RemoteProtocolError .*error_code:7/);
  expect(lines[3]).toBe('GET 200 HTTP/2 True');
  // Some versions send the next request on a connection that has ended, and raise that error.
  for (const line of [lines[1], lines[5]]) expect(line).toMatch(/^GET (?:200|error)/);
});

const curl = foreignProgram('curl');
curl.test('curl gets each response, and repeats rejected streams', async () => {
  const sandboxes = await planAll();
  for (const sandbox of sandboxes) {
    const url = `${service.tlsUrl}/api/methods/get`;
    const own = ['-s', '-k', '--http2', '-o', '/dev/null', '-H', `X-Sandbox: ${sandbox}`];
    expect(await curl.run(...own, '-w', '%{http_code} %{http_version}', url)).toBe('200 2');
  }
  const [closed, reset, away] = await attemptsIn(sandboxes);
  expect(closed?.methods).toEqual(['GET']);
  expect(reset?.methods).toEqual(['GET', 'GET']);
  expect(reset?.verdicts[0]).toMatchObject({ retried: true, succeeded: true });
  expect(away?.methods).toEqual(['GET']);
});

test('undici gets each response, and fails on rejected streams', async () => {
  const outcomes = [];
  for (const sandbox of await planAll()) {
    const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
    onTestFinished(() => dispatcher.destroy());
    const told = [];
    for (let turn = 0; turn < 2; turn++) {
      const headers = { 'x-sandbox': sandbox };
      const asked = request(`${service.tlsUrl}/api/methods/get`, { dispatcher, headers });
      told.push(
        await asked.then(
          async ({ statusCode, body }) => `${statusCode} ${(await body.text()).length > 0}`,
          (error) => `${error.code} ${error.message}`,
        ),
      );
    }
    outcomes.push(told);
  }
  const ended = ['200 true', expect.stringMatching(/^(?:200 true|UND_ERR_SOCKET .*GOAWAY)/)];
  const reset = [expect.stringContaining('NGHTTP2_REFUSED_STREAM'), '200 true'];
  // Some versions send the next request on a connection that has ended.
  expect(outcomes).toEqual([ended, reset, ended]);
});
