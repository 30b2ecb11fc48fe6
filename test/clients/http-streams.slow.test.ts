/** Ranges, codings and streams by the clients of curl, wget, Python, Go and Java. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'practice-api-streams-'));
afterAll(() => rmSync(folder, { recursive: true }));

const curl = foreignProgram('curl');
const wget = foreignProgram('wget');
const requests = foreignProgram('requests');
const aiohttp = foreignProgram('aiohttp');
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const size = 500_000;
const address = () => `${service.url}/api/http/bytes/${size}`;

async function whole(): Promise<Buffer> {
  return (await service.send(`GET /api/http/bytes/${size}`)).bytes;
}

/** A file with the first part of a download in it. */
async function halfADownload(name: string): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, (await whole()).subarray(0, 123_456));
  return path;
}

curl.test('curl resumes a download, and requests ranges', async () => {
  const path = await halfADownload('curl');
  const status = await curl.run('-s', '-C', '-', '-o', path, '-w', '%{http_code}', address());
  expect(status).toBe('206');
  expect(readFileSync(path).equals(await whole())).toBe(true);
  // No bytes are left, which curl treats as the end.
  const again = await curl.run('-s', '-C', '-', '-o', path, '-w', '%{http_code}', address());
  expect(again).toBe('416');
  const several = await curl.run('-s', '-r', '0-0,-1', '-w', '%{content_type}', address());
  expect(several).toContain('multipart/byteranges');
});

curl.test('curl decodes codings, and names the file as given', async () => {
  const encoding = `${service.url}/api/http/encoding`;
  expect(JSON.parse(await curl.run('-s', '--compressed', encoding)).coding).not.toBe('identity');
  await expect(curl.run('-s', '--compressed', `${encoding}/gzip?fault=corrupt`)).rejects.toThrow();
  // A truncated body is accepted nevertheless: curl does not notice a missing checksum.
  const cut = await curl.run('-s', '--compressed', `${encoding}/gzip?fault=truncated`);
  expect(() => JSON.parse(cut)).toThrow();
  await curl.run('-s', '-OJ', '--output-dir', folder, `${address()}?filename=named.bin`);
  expect(readFileSync(join(folder, 'named.bin'))).toHaveLength(size);
  const trailers = await curl.run('-s', '-D', '-', `${service.url}/api/http/trailers`);
  expect(trailers.toLowerCase()).toContain('x-trailer: the last word');
});

wget.test('wget continues a download', async () => {
  const path = await halfADownload('wget');
  await wget.run('-q', '-c', '-O', path, address());
  expect(readFileSync(path).equals(await whole())).toBe(true);
});

const codings = `
import json, sys
base = sys.argv[1] + '/api/http/encoding/'
faults = ['', '?fault=corrupt', '?fault=wrong-label', '?fault=raw-deflate', '?size=1000000']
paths = [c + f for c in ('gzip', 'deflate') for f in faults if not (c == 'gzip' and 'raw' in f)]
`;

requests.test('Python requests decodes supported codings, and fails on broken bodies', async () => {
  const program = `${codings}
import requests
out = {}
for path in paths:
    try:
        out[path] = len(requests.get(base + path).content)
    except requests.exceptions.ContentDecodingError:
        out[path] = 'error'
print(json.dumps(out))`;
  expect(JSON.parse(await requests.run('-c', program, service.url))).toEqual({
    gzip: expect.any(Number),
    'gzip?fault=corrupt': 'error',
    // It was labelled br, which is not installed, and arrived unchanged.
    'gzip?fault=wrong-label': expect.anything(),
    'gzip?size=1000000': 1_000_000,
    deflate: expect.any(Number),
    'deflate?fault=corrupt': 'error',
    'deflate?fault=wrong-label': 'error',
    // Python's client accepts both forms.
    'deflate?fault=raw-deflate': expect.any(Number),
    'deflate?size=1000000': 1_000_000,
  });
});

aiohttp.test('aiohttp decodes codings, reads chunks and streams lines', async () => {
  const program = `${codings}
import asyncio, aiohttp
async def main():
    out = {}
    async with aiohttp.ClientSession() as session:
        for path in paths:
            try:
                async with session.get(base + path) as response:
                    out[path] = len(await response.read())
            except aiohttp.ClientError:
                out[path] = 'error'
        root = sys.argv[1] + '/api/http/'
        async with session.get(root + 'chunks?sizes=1,2,3&extensions=true') as response:
            out['chunks'] = await response.text()
        async with session.get(root + 'stream/3?interval=0.02') as response:
            out['lines'] = [json.loads(line)['line'] async for line in response.content]
        async with session.get(root + 'bytes/1000', headers={'Range': 'bytes=-5'}) as response:
            out['range'] = [response.status, len(await response.read())]
    print(json.dumps(out))
asyncio.run(main())`;
  expect(JSON.parse(await aiohttp.run('-c', program, service.url))).toMatchObject({
    'gzip?size=1000000': 1_000_000,
    'deflate?size=1000000': 1_000_000,
    'gzip?fault=corrupt': 'error',
    'deflate?fault=corrupt': 'error',
    chunks: 'abbccc',
    lines: [1, 2, 3],
    range: [206, 5],
  });
});

testsWith('go-retryablehttp').test("Go's client reads all of them", async () => {
  const program = join(folder, 'streams');
  const go = { GO111MODULE: 'off', GOCACHE: join(folder, 'cache') };
  const env = { ...process.env, ...go };
  await promisify(execFile)('go', ['build', '-o', program, script('http-streams.go')], { env });
  const { stdout } = await promisify(execFile)(program, [service.url]);
  expect(JSON.parse(stdout)).toEqual({
    range: [206, 'bytes 10-19/1000', 10],
    coding: [true, true],
    truncated: 'error',
    trailer: true,
    chunks: 'abbccc',
    hints: [102, 103],
  });
});

testsWith('httpclient5').test("Java's client reads all of them", async () => {
  const { stdout } = await promisify(execFile)('java', [script('HttpStreams.java'), service.url]);
  expect(stdout.trim().split('\n')).toEqual([
    'range 206 10',
    'chunks abbccc',
    'trailers 200',
    'drip 5',
    'bytes 3000000',
  ]);
});

testsWith('openssl').test('OpenSSL generates the bytes of a seed', async () => {
  const key = createHash('sha256').update('0').digest('hex').slice(0, 32);
  const zeros = join(folder, 'zeros');
  writeFileSync(zeros, Buffer.alloc(1000));
  const { stdout } = await promisify(execFile)(
    'openssl',
    ['enc', '-aes-128-ctr', '-K', key, '-iv', '0'.repeat(32), '-in', zeros],
    { encoding: 'buffer' },
  );
  expect(stdout.equals((await whole()).subarray(0, 1000))).toBe(true);
});
