/**
 * Third-party clients follow redirects, keep cookies and caches. The tests record where they fail;
 * a better version may change a line.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, interceptors, request } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'http-lab-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { timeout: 50_000 });
  return stdout;
}

interface Found {
  /** Method, body and sometimes the number of redirects at the end, by status and first method. */
  readonly redirects: Readonly<Record<string, readonly unknown[]>>;
  readonly jar: Readonly<Record<string, boolean>>;
}

/** Every client must do so; PUT with 301 or 302 is up to the client. */
const required = {
  '301 POST': ['GET', null],
  '302 POST': ['GET', null],
  '303 POST': ['GET', null],
  '303 PUT': ['GET', null],
  '307 POST': ['POST', 'hello'],
  '307 PUT': ['PUT', 'hello'],
  '308 POST': ['POST', 'hello'],
  '308 PUT': ['PUT', 'hello'],
};

function expectRedirects({ redirects }: Found): void {
  for (const [name, expected] of Object.entries(required)) {
    expect(redirects[name]?.slice(0, 2), name).toEqual(expected);
  }
}

const wrongIn = (jar: Found['jar']) => Object.keys(jar).filter((name) => !jar[name]);

/** For programs that print a line for each response. */
function readLines(output: string): Found {
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const redirects: Record<string, readonly unknown[]> = {};
  let jar: Record<string, boolean> = {};
  for (const [name = '', text = ''] of lines) {
    const response = JSON.parse(text);
    if (name === 'jar') jar = rightness(response);
    else redirects[name] = [response.method, response.body];
  }
  return { redirects, jar };
}

function rightness({ cookies }: { cookies: { name: string; isRight: boolean }[] }) {
  return Object.fromEntries(cookies.map(({ name, isRight }) => [name, isRight]));
}

const requests = foreignProgram('requests');
requests.test(
  'requests follows by method and status, and does not support cookie prefixes',
  async () => {
    const output = await run(requests.command, script('http-lab.py'), `${service.url}/s/requests`);
    const found = JSON.parse(output);
    expectRedirects(found);
    expect(found.redirects['302 HEAD']).toEqual(['HEAD', null, 2]);
    expect(found).toMatchObject({ loop: 'TooManyRedirects', missing: 302 });
    expect(wrongIn(found.jar)).toEqual(['__Host-loose', 'unsafe']);
  },
);

const aiohttp = foreignProgram('aiohttp');
aiohttp.test(
  'aiohttp follows by method and status, and does not support cookie prefixes',
  async () => {
    const output = await run(
      aiohttp.command,
      script('http-lab-aiohttp.py'),
      `${service.url}/s/aiohttp`,
    );
    const found: Found = JSON.parse(output);
    expectRedirects(found);
    expect(wrongIn(found.jar)).toEqual(['__Host-loose', 'unsafe']);
  },
);

testsWith('httpclient5').test("Java's HttpClient matches paths by prefix", async () => {
  const output = await run('java', script('HttpLab.java'), `${service.url}/s/java`);
  const found = readLines(output);
  expectRedirects(found);
  expect(wrongIn(found.jar)).toEqual(['deep', '__Host-loose', 'unsafe', 'quoted']);
});

testsWith('go-retryablehttp').test("Go's jar does not support cookie prefixes", async () => {
  const program = join(folder, 'http-lab');
  const env = { ...process.env, GO111MODULE: 'off', GOCACHE: join(folder, 'cache') };
  await promisify(execFile)('go', ['build', '-o', program, script('http-lab.go')], { env });
  const found = readLines(await run(program, `${service.url}/s/go`));
  expectRedirects(found);
  expect(wrongIn(found.jar)).toEqual(['__Host-loose', 'unsafe']);
});

testsWith('curl').describe('curl', () => {
  const curl = (...args: string[]) => run('curl', '-sS', ...args);

  test('follows by method and status', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `${service.url}/api/http/redirect/3?form=relative&status=${status}`;
      const end = JSON.parse(await curl('-L', '-d', 'hello', url));
      const [method, body] = required[`${status} POST` as keyof typeof required];
      expect([status, end.method, end.body]).toEqual([status, method, body]);
    }
  });

  test('keeps the right cookies in its jar, except for a slash at the end of a path', async () => {
    const jar = join(folder, 'curl-jar');
    const visit = async (...args: string[]) =>
      JSON.parse(await curl('-b', jar, '-c', jar, ...args));
    const started = await visit('-X', 'POST', `${service.url}/s/curl/api/http/cookies/jar`);
    for (const step of started.steps) await visit(step);
    expect(wrongIn(rightness(await visit(started.verdict)))).toEqual(['slash', 'unsafe']);
  });

  test('stops at a loop, and shows interim responses and trailers', async () => {
    const loop = curl('-L', '--max-redirs', '3', `${service.url}/api/http/redirect/loop`);
    await expect(loop).rejects.toMatchObject({ code: 47 });
    const json = JSON.stringify({
      informational: [{ status: 103, headers: { Link: '</a.css>; rel=preload' } }],
      chunks: [{ data: 'Hel' }, { data: 'lo' }],
      trailers: { 'X-Checksum': '1' },
    });
    const type = 'Content-Type: application/json';
    const response = await curl('-i', '-H', type, '-d', json, `${service.url}/api/http/respond`);
    expect(response).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a\.css>/);
    expect(response).toMatch(/\r\n\r\nHello/);
  });

  test('sends the bytes that the dump shows, and reuses its connection', async () => {
    const dump = await curl('-H', 'x-ODD: 1', '-d', 'hello', `${service.url}/api/http/dump`);
    expect(dump).toMatch(/^POST \/api\/http\/dump HTTP\/1\.1\r\nHost: [\d.:]+\r\nUser-Agent: curl/);
    expect(dump).toMatch(/\r\nx-ODD: 1\r\n[\s\S]*\r\n\r\nhello$/);
    const url = `${service.url}/api/http/connection`;
    expect(await curl(url, url)).toMatch(/"requests":1,.*"requests":2,/);
  });

  test('revalidates by entity tag and by date', async () => {
    const url = `${service.url}/s/curl/api/http/cache/page?lastModified=true`;
    const tag = join(folder, 'tag');
    const status = ['-o', join(folder, 'page'), '-w', '%{http_code}'];
    expect(await curl('--etag-save', tag, ...status, url)).toBe('200');
    expect(await curl('--etag-compare', tag, ...status, url)).toBe('304');
    expect(await curl('-z', new Date(Date.now() + 60_000).toUTCString(), ...status, url)).toBe(
      '304',
    );
  });
});

const wget = foreignProgram('wget');
wget.describe('wget', () => {
  test('follows by status, and stops at a loop', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `${service.url}/api/http/redirect/2?status=${status}`;
      const end = JSON.parse(await wget.run('-q', '-O', '-', '--post-data', 'hello', url));
      const [method, body] = required[`${status} POST` as keyof typeof required];
      expect([status, end.method, end.body]).toEqual([status, method, body]);
    }
    const loop = wget.run('-q', '-O', '-', `${service.url}/api/http/redirect/loop`);
    await expect(loop).rejects.toMatchObject({ code: 8 });
  });

  test('sends cookies of one URL to the next', async () => {
    const cookies = `${service.url}/api/http/cookies`;
    const output = await wget.run('-q', '-O', '-', `${cookies}/set?a=1&b=2`, cookies);
    expect(output).toContain('"cookies":[{"name":"a","value":"1"},{"name":"b","value":"2"}],"raw"');
  });
});

describe("undici's cache", () => {
  const agent = new Agent().compose(interceptors.cache());
  afterAll(() => agent.close());
  let names = 0;

  /**
   * Requests a resource this often, and returns how often that reached the origin, with which
   * statuses.
   */
  async function arrivals(choices: string, headers: readonly Record<string, string>[]) {
    const url = `${service.url}/s/undici/api/http/cache/u${names++}`;
    for (const each of headers) {
      const response = await request(`${url}?${choices}`, { dispatcher: agent, headers: each });
      expect(response.statusCode).toBe(200);
      await response.body.dump();
    }
    const noted = (await (await fetch(`${url}/hits`)).json()) as { hits: { status: number }[] };
    return noted.hits.map(({ status }) => status);
  }

  const german = { 'Accept-Language': 'de' };
  test.each([
    ['caches fresh responses', 'maxAge=600', [{}, {}, {}], [200]],
    ['does not cache no-store', 'maxAge=600&noStore=true', [{}, {}], [200, 200]],
    [
      'does not cache responses that are stale from the start',
      'maxAge=60&age=61',
      [{}, {}],
      [200, 200],
    ],
    ['revalidates when required', 'maxAge=600', [{}, { 'Cache-Control': 'no-cache' }], [200, 304]],
    ['caches responses with a later expiry', 'expires=600', [{}, {}], [200]],
    ['caches each variant', 'maxAge=600&vary=Accept-Language', [german, german], [200]],
    [
      'requests another variant',
      'maxAge=600&vary=Accept-Language',
      [german, { 'Accept-Language': 'fr' }],
      [200, 200],
    ],
  ] as const)('%s', async (_name, choices, headers, expected) => {
    expect(await arrivals(choices, headers)).toEqual(expected);
  });
});
