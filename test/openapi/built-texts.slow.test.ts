/**
 * The texts that the build writes equal the texts that the same service generates from its source.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { lazily } from '../../src/base/lazily.js';
import { configFrom } from '../../src/config/config.js';
import type { Setting } from '../../src/config/setting.js';
import { variantOf } from '../../src/config/variant.js';
import { placeholderBaseUrl, placeholderHost } from '../../src/http/caching/addressed-content.js';
import { createService, type ServiceOptions } from '../../src/index.js';
import { settings } from '../../src/service.js';
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';
import { send, useService } from '../support/service.js';

endPrograms();

const folder = new URL('../../dist/texts/', import.meta.url);

/** Texts by path. */
const names: Readonly<Record<string, string>> = {
  '/openapi.json': 'openapi.json',
  '/openapi.json?formats=all': 'openapi.all.json',
};

const downloads = ['practice-api.postman_collection.json', 'practice-api.http'];

/** Written by the service from its description. */
const rewritten = ['/openapi.yaml', '/openapi.yaml?formats=all', '/s/mine/openapi.yaml'];

const paths = [
  ...Object.keys(names),
  ...downloads.flatMap((name) => [`/downloads/${name}`, `/s/mine/downloads/${name}`]),
];

const variants = [
  { name: 'by default', options: { metrics: 'on' }, flags: [] },
  {
    name: 'with accounts required',
    options: { metrics: 'on', accounts: 'required' },
    flags: ['--accounts', 'required'],
  },
] as const;

const hosts = ['api.example', 'localhost:3000', '10.0.0.1:80', '[2001:db8::1]:8080'];

function variantWith(options: ServiceOptions): string {
  return variantOf(settings, configFrom(settings, options));
}

/** Reads the groups of texts: a line of JSON with the name and the bytes of each, then the texts. */
function readBuilt(): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.br'));
  return new Map(
    files.flatMap((file) => {
      const whole = brotliDecompressSync(readFileSync(new URL(file, folder)));
      let start = whole.indexOf('\n') + 1;
      const parts: [name: string, bytes: number][] = JSON.parse(whole.toString('utf8', 0, start));
      return parts.map(([name, bytes]): [string, string] => {
        start += bytes;
        return [name, whole.toString('utf8', start - bytes, start)];
      });
    }),
  );
}

const built = readBuilt();

test('the build writes all texts of each variant, and nothing else', () => {
  const expected = variants.flatMap(({ options }) =>
    Object.values(names).map((name) => `${variantWith(options)}/${name}`),
  );
  expect([...built.keys()].sort()).toEqual(expected.sort());
});

describe.each(variants)('$name', ({ options, flags }) => {
  const source = useService(options);

  test.each(Object.entries(names))('the source generates the same %s', async (path, name) => {
    const { text } = await source.send(`GET ${path}`, { headers: { Host: placeholderHost } });
    expect(built.get(`${variantWith(options)}/${name}`) === text).toBe(true);
  });

  test('the program sends the same to every host', async () => {
    const url = await runProgram(['--port', '0', ...flags]).started;
    const different: string[] = [];
    for (const path of [...paths, ...rewritten]) {
      for (const host of hosts) {
        const headers = { Host: host };
        const [built, made] = await Promise.all([
          send(url, `GET ${path}`, { headers }),
          source.send(`GET ${path}`, { headers }),
        ]);
        const isSame = built.bytes.equals(made.bytes) && built.headers.etag === made.headers.etag;
        if (!isSame) different.push(`${host}${path}`);
      }
    }
    expect(different).toEqual([]);
  });
});

test('the program reads the texts of the build', async () => {
  const text = `as it was built for ${placeholderBaseUrl}`;
  const parts = Object.values(names).map((name) => [`default/${name}`, Buffer.byteLength(text)]);
  const group = Buffer.from(`${JSON.stringify(parts)}\n${parts.map(() => text).join('')}`);
  const preload = `data:text/javascript,
    import zlib from 'node:zlib';
    import { syncBuiltinESMExports } from 'node:module';
    zlib.brotliDecompress = (bytes, done) => done(null, Buffer.from('${group.toString('base64url')}', 'base64url'));
    syncBuiltinESMExports();`;
  const program = [process.execPath, '--import', preload, builtProgram] as const;
  const url = await runProgram(['--port', '0'], {}, program).started;
  const headers = { Host: 'api.example' };
  for (const path of Object.keys(names)) {
    const response = await send(url, `GET ${path}`, { headers });
    expect(response.text).toBe(`as it was built for http://api.example`);
  }
});

/** Each differs from the default. */
const undescribed: Readonly<Record<string, unknown>> = {
  port: 0,
  host: 'localhost',
  tlsPort: 0,
  h2c: 'on',
  baseUrl: 'http://api.example',
  logLevel: 'fatal',
  trustProxy: true,
  captureBytes: 1_234_567,
  statePrefix: 'other:',
  accountQuota: 7,
  maxAccounts: 5,
  maxSandboxes: 3,
  sandboxIdleSeconds: 60,
  schemaParts: 3000,
  sandboxBytes: 3_000_000,
  maxConnections: 77,
  unsentBytes: 30_000_000,
  bodyBytes: 30_000_000,
  heldRequests: 9,
  webSockets: 9,
  keepAliveSeconds: 3,
  drainSeconds: 1,
  stopSeconds: 1,
  introspection: 'off',
  httpbinKey: 'n'.repeat(32),
  httpbinPort: 0,
  deniedHeaders: ['x-example-*'],
  jsonServerPort: 0,
  http2LabPort: 0,
  paymentsPort: 0,
  serve: { reqres: 0 },
  dataId: '_id',
  dataForeignKeySuffix: '_id',
  jsonServerRoutes: { '/api/*': '/$1' },
  jwtKey: 'k'.repeat(32),
  nonceKey: 'n'.repeat(32),
  cursorKey: 'c'.repeat(32),
  metricsToken: 'm'.repeat(32),
  data: { things: [{ id: 1 }] },
};

/** They name a server, a folder, and files. */
const outside = ['stateUrl', 'stateFile', 'tlsDir', 'watch'];

/** Credentials that only a certain form fits; others are any text. */
const formed: Readonly<Record<string, string>> = {
  basicUser: 'ada:hush-hush',
  digestUser: 'bob:hush-hush',
  apiKey: 'own-$&-key',
  bearerTokens: 'token-1,token-2,token-3',
  jwtAdmin: 'root:"quoted"',
  jwtUser: 'someone:secret',
  oauthClient: 'own-client:own-secret',
  hmacSecret: 'own-secret',
  sigv4Key: 'AKIDOWN:own-sigv4-secret',
};

const credentials: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries<Setting<unknown>>(settings)
      .filter(([, setting]) => setting.group === 'credentials' && setting.default !== undefined)
      .map(([name]) => [name, `own-${name}-secret`]),
  ),
  ...formed,
};

test('every setting is either described, not described, or a credential', () => {
  const described = Object.entries(settings).flatMap(([name, { isDescribed }]) =>
    isDescribed ? [name] : [],
  );
  const known = [...described, ...Object.keys({ ...undescribed, ...credentials }), ...outside];
  expect(known.sort()).toEqual(Object.keys(settings).sort());
});

async function textsWith(options: object): Promise<readonly string[]> {
  const service = await createService(options as ServiceOptions);
  try {
    const headers = { Host: 'api.example' };
    const responses = paths.map((path) => send(service.url, `GET ${path}`, { headers }));
    return (await Promise.all(responses)).map(({ text }) => text);
  } finally {
    await service.close();
  }
}

const usualTexts = lazily(() => textsWith({}));

test('settings that are not described change no text', async () => {
  const texts = await usualTexts();
  const changed = await textsWith({ ...undescribed, now: () => 0, seed: { books: [] } });
  expect(paths.filter((_path, index) => changed[index] !== texts[index])).toEqual([]);
});

test('settings that are not described change no endpoint that the build lists', async () => {
  const built = new URL('../../dist/index.js', import.meta.url).href;
  const { createService: createBuilt } = (await import(
    built
  )) as typeof import('../../src/index.js');
  const service = await createBuilt({ ...undescribed, ...credentials } as ServiceOptions);
  try {
    // Loads all areas, each of which compares its endpoints with the list.
    const { status, json } = await send(service.url, 'GET /endpoints.json');
    expect(status).toBe(200);
    expect(Object.keys(json).length).toBeGreaterThan(30);
  } finally {
    await service.close();
  }
});

test('credentials change only the variables of the downloads', async () => {
  const [usual, own] = [await usualTexts(), await textsWith(credentials)];
  const isDownload = (_text: string, index: number) => (paths[index] ?? '').includes('/downloads/');
  const isSame = usual.map((text, index) => own[index] === text);
  expect(isSame).toEqual(paths.map((path) => !path.includes('/downloads/')));
  const [downloads, ownDownloads] = [usual.filter(isDownload), own.filter(isDownload)];
  for (const [index, text] of downloads.entries()) {
    const own = ownDownloads[index] ?? '';
    expect(valuesIn(own)).not.toEqual(valuesIn(text));
    expect(valuesIn(own)).toContain('root');
    expect(valuesIn(own)).toContain('"quoted"');
    expect(valuesIn(own)).toContain('own-$&-key');
    expect(withoutVariables(own) === withoutVariables(text)).toBe(true);
  }
});

const fileVariables = /^@\w+ = (.*)$/gm;

function valuesIn(text: string): readonly string[] {
  return text.startsWith('{')
    ? JSON.parse(text).variable.map(({ value }: { value: string }) => value)
    : [...text.matchAll(fileVariables)].map(([, value = '']) => value);
}

function withoutVariables(text: string): string {
  return text.startsWith('{')
    ? JSON.stringify({ ...JSON.parse(text), variable: [] })
    : text.replaceAll(fileVariables, '');
}
