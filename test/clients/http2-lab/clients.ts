/** Third-party HTTP/2 clients that meet the cases of a run, each with a new connection. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { Agent, request } from 'undici';
import { commandsOf, type ProgramName } from '../../support/find-program.js';

export interface Met {
  readonly case: string;
  readonly url: string;
  readonly method?: 'POST';
  readonly bodyBytes?: number;
  readonly requests?: number;
}

export interface ForeignClient {
  readonly programs: readonly ProgramName[];
  /** Meets all cases. `folder` is for files; `mainUrl` is the service. */
  readonly meet: (cases: readonly Met[], folder: string, mainUrl: string) => Promise<void>;
}

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const bodyOf = ({ method, bodyBytes = 1 }: Met) =>
  method === 'POST' ? Buffer.alloc(bodyBytes, 'a') : undefined;

/** Later requests follow while the first one is open. */
const laterMs = 400;
/** Time for the acknowledgement of the last frames. */
const lastMs = 300;

const workers = 8;
/** A case that has not ended by then is left. */
const mostMs = 8_000;

/** Does the pieces of work, some at a time. Failures are what clients do. */
async function eachOf<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await Promise.race([act(item).catch(() => {}), sleep(mostMs)]);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** Sends the first request of a case, and the others later. */
async function sendAll(
  { requests = 1 }: Met,
  send: (index: number) => Promise<unknown>,
): Promise<void> {
  const later = Array.from({ length: requests - 1 }, async (_, index) => {
    await sleep(laterMs);
    await send(index + 1);
  });
  await Promise.allSettled([send(0), ...later]);
}

/** Runs a command for each case. */
const byCommand =
  (program: ProgramName, argsOf: (met: Met, file: string) => readonly string[]) =>
  (cases: readonly Met[], folder: string) =>
    eachOf(cases, async (met) => {
      const file = join(folder, `body-${met.case}`);
      writeFileSync(file, bodyOf(met) ?? '');
      const [command = program] = commandsOf(program);
      await run(command, argsOf(met, file), { timeout: 8_000, encoding: 'buffer' });
    });

/** Repeats an argument for each request. */
const urls = ({ url, requests = 1 }: Met) => Array.from({ length: requests }, () => url);

const curl: ForeignClient = {
  programs: ['curl'],
  meet: byCommand('curl', (met, file) => [
    ...['-s', '-k', '--http2', '--max-time', '6', '--parallel'],
    ...(met.method === 'POST' ? ['--data-binary', `@${file}`] : []),
    ...urls(met).flatMap((url) => ['-o', '/dev/null', url]),
  ]),
};

const nghttp: ForeignClient = {
  programs: ['nghttp'],
  meet: byCommand('nghttp', (met, file) => [
    ...['-n', '-t', '6'],
    ...(met.method === 'POST' ? ['-d', file] : []),
    ...urls(met),
  ]),
};

const go: ForeignClient = {
  programs: ['go-retryablehttp'],
  async meet(cases, folder) {
    const [program, file] = [join(folder, 'drive'), join(folder, 'go.json')];
    writeFileSync(file, JSON.stringify(cases));
    const env = { ...process.env, GO111MODULE: 'off', GOCACHE: join(folder, 'cache') };
    await run('go', ['build', '-o', program, script('drive.go')], { env });
    await run(program, [file]);
  },
};

const python: ForeignClient = {
  programs: ['httpx'],
  async meet(cases, folder) {
    const file = join(folder, 'python.json');
    writeFileSync(file, JSON.stringify(cases));
    const [command = ''] = commandsOf('httpx');
    await run(command, [script('drive.py'), file]);
  },
};

const java: ForeignClient = {
  programs: ['httpclient5'],
  async meet(cases, folder) {
    const file = join(folder, 'java.txt');
    const lines = cases.map((met) =>
      [met.case, met.url, met.method ?? 'GET', met.bodyBytes ?? 1, met.requests ?? 1].join(' '),
    );
    writeFileSync(file, lines.join('\n'));
    await run('java', [script('Drive.java'), file]);
  },
};

const node: ForeignClient = {
  programs: [],
  meet: (cases) =>
    eachOf(cases, async (met) => {
      const { origin, pathname } = new URL(met.url);
      let session = connect(origin, { rejectUnauthorized: false });
      const sessions = [session];
      session.on('error', () => {});
      await sendAll(met, (index) => {
        if (index > 0 && (session.closed || session.destroyed)) {
          session = connect(origin, { rejectUnauthorized: false });
          session.on('error', () => {});
          sessions.push(session);
        }
        const stream = session.request({ ':path': pathname, ':method': met.method ?? 'GET' });
        const ended = new Promise<void>((resolve) => {
          stream.once('close', resolve);
          session.once('close', resolve);
        });
        stream.on('error', () => {}).resume();
        stream.setTimeout(6_000, () => stream.close());
        stream.end(bodyOf(met));
        return ended;
      });
      await sleep(lastMs);
      for (const each of sessions) each.destroy();
    }),
};

const undici: ForeignClient = {
  programs: [],
  meet: (cases) =>
    eachOf(cases, async (met) => {
      const dispatcher = new Agent({
        allowH2: true,
        connect: { rejectUnauthorized: false },
        headersTimeout: 6_000,
        bodyTimeout: 6_000,
      });
      await sendAll(met, async () => {
        const body = bodyOf(met);
        const sent = await request(met.url, {
          ...{ dispatcher, method: met.method ?? 'GET' },
          ...(body && { body }),
        });
        await sent.body.dump();
      });
      await sleep(lastMs);
      await dispatcher.destroy();
    }),
};

const browser: ForeignClient = {
  programs: ['chromium'],
  async meet(cases, _folder, mainUrl) {
    const [executablePath = ''] = commandsOf('chromium');
    const opened = await chromium.launch({
      executablePath,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    try {
      await eachOf(cases, async (met) => {
        const context = await opened.newContext({ ignoreHTTPSErrors: true });
        const page = await context.newPage();
        await page.goto(`${mainUrl}/health`);
        const send = ({ url, method, bodyBytes = 1 }: Met) =>
          fetch(url, {
            ...{ method: method ?? 'GET', mode: 'no-cors' as const, cache: 'no-store' as const },
            ...(method === 'POST' && { body: 'a'.repeat(bodyBytes) }),
            signal: AbortSignal.timeout(6_000),
          }).then(
            async (response) => void (await response.text().catch(() => {})),
            () => {},
          );
        await sendAll(met, () => page.evaluate(send, met));
        await sleep(lastMs);
        await context.close();
      });
    } finally {
      await opened.close();
    }
  },
};

/** In the order of the table. */
export const clients: Readonly<Record<string, ForeignClient>> = {
  curl,
  nghttp,
  Go: go,
  'Python h2': python,
  Node: node,
  undici,
  Java: java,
  Chromium: browser,
};
