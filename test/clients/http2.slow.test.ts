/** Third-party HTTP/2 clients, over TLS and by prior knowledge. */

import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { commandsOf } from '../support/find-program.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';

interface Connection {
  readonly remotePort: number;
  readonly http2: { readonly openStreams: number };
}

let service: Service;
let ways: readonly string[];
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true });
  ways = [service.tlsUrl ?? '', service.url];
});
afterAll(() => service.close());

const { run: nghttp, ...nghttpTests } = foreignProgram('nghttp');
nghttpTests.test(
  'nghttp sends a request with a body, and gets trailers and interim responses',
  async () => {
    for (const url of ways) {
      const seen = await nghttp('-nv', `${url}/api/methods/get`, `${url}/api/ws/echo`);
      expect(seen).toContain('SETTINGS_ENABLE_CONNECT_PROTOCOL(0x08):1');
      expect(seen).toMatch(/:status: 200[\s\S]*:status: 426/);
      const file = fileURLToPath(new URL('../../package.json', import.meta.url));
      const type = '-Hcontent-type: application/json';
      const sent = JSON.parse(await nghttp(type, '-d', file, `${url}/api/methods/post`));
      expect(sent.json.name).toBe('practice-api');
      const trailers = await nghttp('-nv', `${url}/api/http/trailers`);
      expect(trailers.match(/recv HEADERS frame/g)).toHaveLength(2);
    }
  },
);

const h2load = foreignProgram('h2load');
h2load.test('h2load gets a response to each of thousands of requests', async () => {
  for (const url of ways) {
    const told = await h2load.run('-n3000', '-c10', '-m50', `${url}/api/methods/get`);
    expect(told).toContain('3000 done, 3000 succeeded, 0 failed, 0 errored, 0 timeout');
    expect(told).toContain('status codes: 3000 2xx');
  }
});

const curl = foreignProgram('curl');
curl.test('curl uses HTTP/2 by ALPN, by prior knowledge, and not when disabled', async () => {
  const version = ['-sSk', '-o', '/dev/null', '-w', '%{http_version} %{response_code}'];
  const asked = async (...args: string[]) => curl.run(...version, ...args);
  expect(await asked(`${ways[0]}/health`)).toBe('2 200');
  expect(await asked('--http2-prior-knowledge', `${ways[1]}/health`)).toBe('2 200');
  expect(await asked('--http1.1', `${ways[0]}/health`)).toBe('1.1 200');
  expect(await asked('--http2', `${ways[1]}/health`)).toBe('1.1 200');
  const body = ['-d', 'a=b', '-H', 'Expect: 100-continue'];
  expect(await asked(...body, `${ways[0]}/api/methods/post`)).toBe('2 200');
});

test('undici sends many concurrent requests on one connection', async () => {
  const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
  const responses = await Promise.all(
    Array.from({ length: 50 }, async (_, place) => {
      const url = `${ways[0]}/api/http/connection?place=${place}`;
      return (await undiciFetch(url, { dispatcher })).json() as Promise<Record<string, unknown>>;
    }),
  );
  expect(new Set(responses.map(({ httpVersion }) => httpVersion))).toEqual(new Set(['2.0']));
  await dispatcher.destroy();
});

const python = foreignProgram('h2');
python.test('Python and h2 open a WebSocket', async () => {
  for (const url of ways) {
    const script = fileURLToPath(new URL('http2-socket.py', import.meta.url));
    const lines = (await python.run(script, url)).trim().split('\n');
    const told = lines.map((line) => JSON.parse(line) as [string, unknown]);
    const frames = told.flatMap(([name, got]) => (name === 'frames' ? [got] : [])).join('');
    expect(frames).toBe('810474657874820200ff880203e8');
    expect(Object.fromEntries(told)).toMatchObject({
      allowed: 1,
      echo: '200',
      rejected: '403',
      unknown: '501',
      ended: true,
    });
  }
});

testsWith('chromium').test(
  'a WebSocket of Chromium shares the connection of its page',
  async () => {
    const [executablePath = ''] = commandsOf('chromium');
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'];
    const browser = await chromium.launch({ executablePath, args });
    try {
      const tab = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
      await tab.goto(`${ways[0]}/health`);
      const seen = await tab.evaluate(async () => {
        // The browser requests an icon by itself, perhaps at the same time.
        const connectionWith = async (streams: number): Promise<Connection> => {
          for (let tried = 1; ; tried++) {
            const seen = (await (await fetch('/api/http/connection')).json()) as Connection;
            if (seen.http2.openStreams === streams || tried === 100) return seen;
          }
        };
        const before = await connectionWith(1);
        const socket = new WebSocket('/api/ws/protocols', ['chat.v2']);
        await new Promise((resolve, reject) => {
          socket.onopen = resolve;
          socket.onerror = reject;
        });
        const during = await connectionWith(2);
        const { protocol, extensions } = socket;
        const closed = new Promise<number>((resolve) => {
          socket.onclose = ({ code }) => resolve(code);
        });
        socket.close(1000);
        return { before, during, protocol, extensions, code: await closed } as const;
      });
      expect(seen.before.http2.openStreams).toBe(1);
      expect(seen.during.http2.openStreams).toBe(2);
      expect(seen.during.remotePort).toBe(seen.before.remotePort);
      expect(seen).toMatchObject({ protocol: 'chat.v2', code: 1000 });
      expect(seen.extensions).toContain('permessage-deflate');
    } finally {
      await browser.close();
    }
  },
);
