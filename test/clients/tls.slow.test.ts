/** What clients that no one here wrote say of each server with TLS; docs/tls-clients.md has it, made by this test. */

import { execFile } from 'node:child_process';
import { lookup as systemLookup } from 'node:dns';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { commandsOf } from '../support/find-program.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { send } from '../support/service.js';

interface Site {
  readonly name: string;
  readonly url: string;
  readonly what: string;
  readonly rightClient: 'connects' | 'refuses';
}

/** By server, what a client was rejected by; null where it connected. */
type Verdicts = ReadonlyMap<string, string | null>;

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const page = fileURLToPath(new URL('../../docs/tls-clients.md', import.meta.url));

let service: Service;
let sites: readonly Site[];
let folder: string;
let ca: string;
const found = new Map<string, Verdicts>();
beforeAll(async () => {
  service = await createService({ tls: true });
  sites = (await send(service.url, 'GET /tls')).json;
  folder = mkdtempSync(join(tmpdir(), 'practice-tls-'));
  for (const name of ['ca.pem', 'ca.p12', 'intermediate.crl', 'root.crl']) await save(name, name);
  await save('client/good.pem', 'good.pem');
  ca = readFileSync(join(folder, 'ca.pem'), 'utf8');
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function save(path: string, name: string): Promise<void> {
  writeFileSync(join(folder, name), (await send(service.url, `GET /tls/${path}`)).bytes);
}

/** Lines of JSON: a name and null or words. What a client says beside, such as its protocol, is left in. */
function parseLines(output: string): Verdicts {
  return new Map(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

/** Those that are rejected because of their certificate or their protocol, by every client that checks. */
const always = [
  'expired',
  'not-yet-valid',
  'wrong-host',
  'self-signed',
  'untrusted-root',
  'missing-intermediate',
  'tls1-0',
  'tls1-1',
  'weak-cipher',
];

function judge(client: string, verdicts: Verdicts): void {
  found.set(client, verdicts);
  for (const { name, rightClient } of sites) {
    const rejected = verdicts.get(name);
    if (rightClient === 'connects') expect([name, rejected]).toEqual([name, null]);
    if (always.includes(name)) expect([name, rejected]).toEqual([name, expect.any(String)]);
  }
}

const curl = foreignProgram('curl');
curl.test('curl', async () => {
  const lines = sites.flatMap(({ url }) => {
    const { hostname, port } = new URL(url);
    return [
      `url = "${url}/health"`,
      'output = "/dev/null"',
      `resolve = "${hostname}:${port}:127.0.0.1"`,
    ];
  });
  const config = join(folder, 'curl.conf');
  writeFileSync(
    config,
    `${lines.join('\n')}\ncacert = "${folder}/ca.pem"\nsilent\nwrite-out = "%{exitcode}\\t%{http_version}\\t%{errormsg}\\n"\n`,
  );
  // Its exit status is that of the last.
  const { stdout } = await run(curl.command, ['-q', '-K', config]).catch(
    (error) => error as { stdout: string },
  );
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  judge(
    'curl',
    new Map(
      sites.map(({ name }, place) => [
        name,
        rows[place]?.[0] === '0' ? null : (rows[place]?.[2] ?? ''),
      ]),
    ),
  );
  expect(rows[0]?.[1]).toBe('2');
});

const python = foreignProgram('requests');
python.test('Python requests', async () => {
  judge('Python', parseLines(await python.run(script('tls.py'), folder, JSON.stringify(sites))));
});

testsWith('go-retryablehttp').test('Go net/http', async () => {
  const program = join(folder, 'tls');
  const env = { ...process.env, GO111MODULE: 'off', GOCACHE: join(folder, 'cache') };
  await run('go', ['build', '-o', program, script('tls.go')], { env });
  const { stdout } = await run(program, [folder, JSON.stringify(sites)]);
  const verdicts = parseLines(stdout);
  judge('Go', verdicts);
  expect(verdicts.get('protocol')).toBe('HTTP/2.0');
});

testsWith('httpclient5').test('Java HttpClient', async () => {
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, sites.map(({ url }) => `127.0.0.1 ${new URL(url).hostname}\n`).join(''));
  const { stdout } = await run('java', [
    `-Djdk.net.hosts.file=${hosts}`,
    `-Djavax.net.ssl.trustStore=${folder}/ca.p12`,
    '-Djavax.net.ssl.trustStorePassword=changeit',
    script('Tls.java'),
    ...sites.flatMap(({ name, url }) => [name, url]),
  ]);
  const verdicts = parseLines(stdout);
  judge('Java', verdicts);
  expect(verdicts.get('protocol')).toBe('HTTP_2');
});

test('Node and undici', async () => {
  const lookup = ((host: string, options: object, done: never) =>
    systemLookup(host.endsWith('.localhost') ? '127.0.0.1' : host, options, done)) as never;
  const dispatcher = new Agent({ connect: { ca, lookup }, allowH2: true });
  const verdicts = new Map<string, string | null>();
  for (const { name, url } of sites) {
    const words = await undiciFetch(`${url}/health`, { dispatcher }).then(
      async (response) => {
        await response.text();
        return null;
      },
      (error) => String((error.cause ?? error).message),
    );
    verdicts.set(name, words);
  }
  await dispatcher.close();
  judge('Node', verdicts);
  // The page has the words of one version.
  if (!process.version.startsWith('v20.')) found.delete('Node');
});

testsWith('chromium', 'certutil').test('Chromium', async () => {
  const home = join(folder, 'home');
  const store = `sql:${home}/.pki/nssdb`;
  mkdirSync(`${home}/.pki/nssdb`, { recursive: true });
  await run('certutil', ['-N', '-d', store, '--empty-password']);
  await run('certutil', [
    '-A',
    '-d',
    store,
    '-n',
    'practice',
    '-t',
    'C,,',
    '-i',
    `${folder}/ca.pem`,
  ]);
  const [executablePath = ''] = commandsOf('chromium');
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, HOME: home },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--host-resolver-rules=MAP *.localhost 127.0.0.1',
    ],
  });
  const verdicts = new Map<string, string | null>();
  try {
    for (const { name, url } of sites) {
      // The page of an error would come in between what is asked for next.
      const tab = await browser.newPage();
      const words = await tab.goto(`${url}/health`).then(
        () => null,
        (error) => /net::(\w+)/.exec(String(error))?.[1] ?? String(error),
      );
      await tab.close();
      verdicts.set(name, words);
    }
  } finally {
    await browser.close();
  }
  judge('Chromium', verdicts);
});

const openssl = foreignProgram('openssl');
openssl.test('openssl finds the revoked one on the list, and no other', async () => {
  const verify = async (name: string) => {
    const { hostname, port } = new URL(sites.find((site) => site.name === name)?.url ?? '');
    const args = [
      's_client',
      '-connect',
      `127.0.0.1:${port}`,
      '-servername',
      hostname,
      '-CAfile',
      `${folder}/ca.pem`,
      '-verify_return_error',
      '-crl_check',
      '-CRL',
      `${folder}/intermediate.crl`,
      '-CRLform',
      'DER',
    ];
    const running = run(openssl.command, args);
    running.child.stdin?.end();
    return running.then(
      ({ stdout }) => stdout,
      (error) => error.stdout + error.stderr,
    );
  };
  expect(await verify('revoked')).toContain('certificate revoked');
  expect(await verify('good')).toContain('Verify return code: 0 (ok)');
});

/** In their order in the page. */
const clients = ['curl', 'Python', 'Go', 'Java', 'Node', 'Chromium'];

test('the page says of every server what they said', async () => {
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  for (const client of clients) {
    if (!found.has(client)) found.set(client, verdictsIn(before, client));
  }
  await expect(pageOf(sites, found)).toMatchFileSnapshot(page);
});

function pageOf(all: readonly Site[], verdicts: ReadonlyMap<string, Verdicts>): string {
  const sections = clients.map((client) => {
    const rows = all.map(({ name }) => {
      const words = verdicts.get(client)?.get(name);
      return `| ${name} | ${words === null ? 'connects' : steady(words ?? '')} |`;
    });
    return `## ${client}\n\n| Server | What ${client} says |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  const wrong = (client: string, { name, rightClient }: Site) => {
    const isRejected = typeof verdicts.get(client)?.get(name) === 'string';
    return isRejected === (rightClient === 'refuses') ? '' : ' **!**';
  };
  const does = (client: string, site: Site) =>
    (typeof verdicts.get(client)?.get(site.name) === 'string' ? 'refuses' : 'connects') +
    wrong(client, site);
  const overview = all.map(
    (site) =>
      `| ${site.name} | ${site.rightClient} | ${clients.map((client) => does(client, site)).join(' | ')} |`,
  );
  return `${intro}\n| Server | A right client | ${clients.join(' | ')} |\n| --- | --- |${' --- |'.repeat(clients.length)}\n${overview.join('\n')}\n\n${sections.join('\n')}`;
}

const intro = `# TLS clients: errors for bad certificates

How six clients handle every server of [\`/tls\`](tls.md) by default, with the root trusted: curl, Python's requests, Go's
net/http, Java's HttpClient, Node with undici, Chromium. An exclamation mark shows a difference from a right client. A
test runs all of them and generates this page.
`;

/** Without what is another each time: ports, times, bars of tables. */
function steady(words: string): string {
  return words
    .replaceAll(/(?<=\.localhost|127\.0\.0\.1):\d+/g, '')
    .replaceAll(/(?:current time )?\d{4}-\d\d-\d\dT[\d:]+Z/g, '…')
    .replaceAll(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} \d\d [\d:]+ \w+ \d{4}/g, '…')
    .replaceAll(/0x[0-9a-f]+|(?<=:)[0-9A-F]{16,}(?=:error)/g, '…')
    .replaceAll(/[0-9A-F]{12,}:error/g, 'error')
    .replaceAll(/ \(_ssl\.c:\d+\)|:\.\.\/deps\/\S+:\d+/g, '')
    .replaceAll(/OpenSSL\/[\d.]+: /g, '')
    .replaceAll('|', '/')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** What the page has said so far of a client that is not here. */
function verdictsIn(markdown: string, client: string): Verdicts {
  const section = markdown.split(`## ${client}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| ([\w-]+) \| (.+) \|$/gm)];
  return new Map(
    rows.map(([, name = '', words = '']) => [name, words === 'connects' ? null : words]),
  );
}
