/**
 * Guide code for clients other than curl: it sends the same requests as curl, byte for byte where
 * it matters.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOfExample } from '../../pages/guides/call-of-example.js';
import { clients } from '../../pages/guides/clients.js';
import type { Example } from '../../pages/guides/example.js';
import { splitShell } from '../../pages/shared/curl/split-shell.js';
import { Shell } from '../../scripts/guides/read-commands.js';
import type { Call } from '../../src/describe/snippets/call.js';
import { codeRunners, lastStatus } from '../support/code-runners.js';
import { useService } from '../support/service.js';
import { examplesOfGuides, type GuideExample } from './examples-of-guides.js';

const service = useService();
const examples = examplesOfGuides();

/** Headers that describe the client, and body framing. */
const own =
  /^(?:accept-encoding|accept-language|connection|content-length|host|sec-fetch-mode|transfer-encoding|user-agent)$/;

interface Recorded {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

const folder = mkdtempSync(join(tmpdir(), 'practice-api-guides-'));

let recorded = new Map<number, Recorded>();
const recorder = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [, number, path] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
  const kept = Object.entries(request.headers).filter(([name]) => !own.test(name));
  recorded.set(Number(number), {
    method: request.method,
    path,
    headers: Object.fromEntries(kept.sort()),
    body: Buffer.concat(chunks).toString('utf8'),
  });
  response.end('{}');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  recorder.closeAllConnections();
  recorder.close();
  rmSync(folder, { recursive: true });
});

const hostOf = (number: number) =>
  `127.0.0.1:${(recorder.address() as AddressInfo).port}/${number}`;

/** Runs all code in a few starts of the program, and returns what each sent, by its number. */
async function record(
  client: string,
  codes: ReadonlyMap<number, string>,
): Promise<Map<number, Recorded>> {
  recorded = new Map();
  const isModule = client === 'fetch';
  const parts = [...codes.values()].map((code) => (isModule ? `{\n${code}\n}` : code));
  // An argument of a program has a size limit.
  for (let at = 0; at < parts.length; at += 80) {
    const code = parts.slice(at, at + 80).join('\n');
    // Some commands of guides write files.
    const place = client === 'curl' ? `cd '${folder}'\n` : '';
    await codeRunners[client.toLowerCase()]?.run(place + code);
  }
  return recorded;
}

/** Whether a command is a single call of curl, without substitutions. */
function isByItself({ command }: GuideExample): boolean {
  const tokens = splitShell(command);
  return (
    command.startsWith('curl ') &&
    tokens.every((token) => 'pieces' in token && token.pieces.every((piece) => 'text' in piece))
  );
}

/**
 * Fetch bypasses the cache for requests with conditions (Fetch Standard, HTTP-network-or-cache
 * fetch).
 */
function withoutFresh(headers: Record<string, unknown> = {}): void {
  delete headers['cache-control'];
  delete headers.pragma;
}

/** A space can be written in two ways. */
function decoded(request: Recorded | undefined) {
  const plain = (text = '') => decodeURIComponent(text.replaceAll('+', ' '));
  return { ...request, path: plain(request?.path), body: plain(request?.body) };
}

/** One of each kind of request is enough where a program is slow. */
function ofEachKind(calls: ReadonlyMap<number, Call>): Map<number, Call> {
  const kinds = new Map(
    [...calls].map(([number, call]) => {
      const kind = [call.method, call.headers.map(([name]) => name), call.redirects];
      return [JSON.stringify([kind, call.user !== undefined, call.body?.slice(0, 1)]), number];
    }),
  );
  const kept = new Set(kinds.values());
  return new Map([...calls].filter(([number]) => kept.has(number)));
}

describe('the request', () => {
  let sentByCurl: Map<number, Recorded>;
  const chosen = new Map([...examples.entries()].filter(([, example]) => isByItself(example)));

  beforeAll(async () => {
    const codes = [...chosen].map(([number, { command }]): [number, string] => [
      number,
      `${command.replace(/(?:http:\/\/)?base-url\.invalid/, hostOf(number))} >/dev/null`,
    ]);
    if (codeRunners.curl?.isInstalled) sentByCurl = await record('curl', new Map(codes));
  });

  test.each(['fetch', 'Python', 'HTTPie'])("of %s equals curl's", async (name) => {
    const runner = codeRunners[name.toLowerCase()];
    if (!runner?.isInstalled || !codeRunners.curl?.isInstalled) return;
    const client = clients[name];
    const calls = new Map<number, Call>();
    for (const [number, { example, printed }] of chosen) {
      const call = callOfExample(example, printed, `http://${hostOf(number)}`);
      if (call !== undefined && client?.isExact(call)) calls.set(number, call);
    }
    expect(calls.size).toBeGreaterThan(chosen.size * 0.9);
    const tried = name === 'HTTPie' ? ofEachKind(calls) : calls;
    const sent = await record(
      name,
      new Map([...tried].map(([number, call]) => [number, client?.write(call) ?? ''])),
    );
    for (const number of tried.keys()) {
      const { page, command } = examples[number] ?? {};
      const condition = /"if-[a-z-]+":/.test(JSON.stringify(sentByCurl.get(number)));
      if (name === 'fetch' && condition) withoutFresh(sent.get(number)?.headers);
      const [ours, curls] = [sent, sentByCurl].map((all) =>
        command?.includes('--data-urlencode') ? decoded(all.get(number)) : all.get(number),
      );
      expect(ours, `${page}: ${command}`).toEqual(curls);
    }
  });
});

/** Commands with localhost:3000 for the service, and the expected code of every client. */
const shown: readonly (readonly [string, string, number, string])[] = [
  ['a redirect', 'curl -i localhost:3000/api/http/redirect/1', 302, 'location: '],
  ['the target of a redirect', 'curl -iL localhost:3000/api/http/redirect/1', 200, '"hops":1'],
  ['a HEAD, after a redirect', 'curl -IL localhost:3000/api/http/redirect/1', 200, ''],
  ['a login', 'curl -i localhost:3000/api/auth/basic -u demo:basic-secret', 200, '"demo"'],
  ['a rejection', 'curl -i localhost:3000/api/auth/basic -u demo:no', 401, 'password is wrong'],
  ['an unchanged resource', 'curl -i localhost:3000/api/Books/1 -H "If-None-Match: *"', 304, ''],
  [
    'an unchanged body',
    `curl -i localhost:3000/api/methods/post -H 'Content-Type: text/plain' -d 'a "$b" \`c\` ž
d'`,
    200,
    String.raw`"a \"$b\" ${'`c`'} ž\nd"`,
  ],
];

test.each(shown)('%s is shown as by curl', async (_name, command, status, has) => {
  const example = new Shell().read(command) as Example;
  const outputs: Record<string, Promise<string> | undefined> = {
    curl: codeRunners.curl?.run(command.replace('localhost:3000', new URL(service.url).host)),
  };
  const call = callOfExample(example, `HTTP/1.1 ${status} `, service.url) as Call;
  for (const [name, client] of Object.entries(clients)) {
    const runner = codeRunners[name.toLowerCase()];
    if (!runner?.isInstalled) continue;
    expect(client.isExact(call), name).toBe(true);
    outputs[name] = runner.run(client.write(call));
  }
  for (const [name, output] of Object.entries(outputs)) {
    const text = (await output) ?? '';
    expect(lastStatus(text), `${name}:\n${text}`).toBe(status);
    expect(text.toLowerCase(), name).toContain(has.toLowerCase());
  }
});

const notExact: readonly (readonly [string, string, readonly string[]])[] = [
  ['a cookie', 'curl -b a=1 localhost:3000/', ['Python', 'HTTPie']],
  ['a redirect', 'curl -i localhost:3000/api/http/redirect/1', ['fetch', 'Python', 'HTTPie']],
  [
    'a header that looks like a file',
    "curl -H 'A: @b' localhost:3000/",
    ['PowerShell', 'fetch', 'Python'],
  ],
  [
    'a type without a body',
    "curl -H 'Content-Type: a/b' localhost:3000/",
    ['fetch', 'Python', 'HTTPie'],
  ],
  ['a URL that some clients encode', 'curl \'localhost:3000/?a="b"\'', []],
  ['a URL that some clients decode', 'curl localhost:3000/%41', []],
  ['a method in lower case', 'curl -X get localhost:3000/', []],
  ['a user without a password', 'curl -u demo localhost:3000/', []],
  ['a user beside a header', "curl -u a:b -H 'Authorization: c' localhost:3000/", []],
];

test.each(notExact)(
  '%s is shown only for the clients that can send it',
  (_name, command, names) => {
    const call = callOfExample(new Shell().read(command) as Example, '', 'http://localhost:3000');
    const able = Object.entries(clients).filter(([, { isExact }]) => call && isExact(call));
    expect(able.map(([name]) => name)).toEqual(names);
  },
);
