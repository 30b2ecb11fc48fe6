/**
 * Each area, each scheme of authentication and each topic of the HTTP lab is a folder that can be
 * deleted: these tests delete it.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { areas } from '../../src/service.js';
import { everyThird, isWhole } from '../support/every-third.js';
import { frugal } from '../support/frugal-compiler.js';
import { send } from '../support/service.js';
import { failuresOfRecordedCalls } from './recorded-requests.js';
import { copyWithout, copyWithSwitches, importersOf, type Part, parts } from './remove-part.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const areaParts = parts.filter(({ list }) => list === 'src/service.ts');
/** Resolves imports that leave their layer or area. */
const paths = { '#*': ['./src/*'] };
const copies = mkdtempSync(join(tmpdir(), 'practice-api-house-'));

afterAll(() => rmSync(copies, { recursive: true }));

test.each(parts)('only its list imports from $folder', (part) => {
  expect(importersOf(part).map((file) => `src/${file}`)).toEqual([part.list]);
});

const isOf = (area: Part) => (part: Part) => part !== area && part.list.startsWith(area.folder);
const hasParts = (area: Part) => parts.some(isOf(area));

/**
 * Since nothing else imports from them, an error that the compiler would find without one of them
 * it finds without all of them: only the lists remain, and the types built from them.
 */
test.each([
  { name: 'areas, schemes and topics', gone: parts.filter((part) => !hasParts(part)) },
  ...(isWhole ? [{ name: 'areas', gone: areaParts }] : []),
])('a service without any $name compiles', { timeout: 120_000 }, ({ name, gone }) => {
  expect(gone.length).toBeGreaterThan(7);
  const copy = join(copies, name.replaceAll(/\W+/g, '-'));
  copyWithout(gone, copy);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { allowJs: false, checkJs: false, paths },
    include: ['src'],
  };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
  try {
    const tsc = join(root, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', copy, ...frugal.args], { cwd: copy, env: frugal.env, stdio: 'pipe' });
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout));
  }
});

/** MCP tools that other areas carry out. */
const toolsOfAreas: Readonly<Record<string, readonly string[]>> = {
  data: ['create_record', 'update_record', 'delete_record'],
  sandbox: ['plan_faults'],
  bins: ['create_bin', 'read_bin'],
};

async function callMcp(url: string, method: string, params: object) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { json } = await send(url, 'POST /mcp', {
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
    },
    json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  });
  return json.result;
}

/** Built once, for all of them. */
const switchable = join(copies, 'switchable');

beforeAll(async () => {
  copyWithSwitches(switchable);
  writeFileSync(join(switchable, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }));
  await build({
    cwd: switchable,
    input: 'src/index.ts',
    platform: 'node',
    external: (id) => !/^[./#\0]/.test(id),
    tsconfig: join(switchable, 'tsconfig.json'),
    output: { dir: join(switchable, 'dist'), format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
  for (const built of ['dist/pages', 'dist/guides']) {
    if (existsSync(join(root, built))) symlinkSync(join(root, built), join(switchable, built));
    else mkdirSync(join(switchable, built));
  }
  const calls = 'dist/recorded-calls.json.br';
  symlinkSync(join(root, calls), join(switchable, calls));
}, 60_000);

/**
 * Selected by the binary digits of their positions: each part is absent in some build, and for any
 * two parts, some build has only one of them. A third of the digits is used in turn.
 */
const digits = Array.from({ length: Math.ceil(Math.log2(parts.length)) }, (_, digit) => digit);
const halves = everyThird(digits).flatMap((digit) =>
  [0, 1].map((value) => ({
    name: `the parts whose place has ${value} at digit ${digit}`,
    gone: parts.filter((_part, place) => ((place >> digit) & 1) === value),
  })),
);

/** Starts a service without some folders, and prints its URL. */
const programWithout = (folders: readonly string[]) => `
  globalThis.goneParts = ${JSON.stringify(folders)};
  const { createService } = await import(${JSON.stringify(join(switchable, 'dist/index.js'))});
  const { url } = await createService({ metrics: 'on' });
  console.log(url);
  // Its parent has ended.
  process.stdin.resume().on('end', () => process.exit());
`;

/** Each area is removed separately as well if everything is selected. */
const removals = [
  ...(isWhole ? areaParts.map((part) => ({ name: part.folder, gone: [part] })) : []),
  ...halves,
].map(({ name, gone }) => ({ name, gone: gone.map(({ folder }) => folder) }));

describe.each(removals)('a service without $name', ({ gone: folders }) => {
  // In its own process, because a process keeps all modules that it has loaded.
  let service: ChildProcess;
  let url: string;

  beforeAll(async () => {
    service = spawn(process.execPath, ['--input-type=module', '-e', programWithout(folders)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(service.stdout as Readable)) {
      url = line;
      break;
    }
  }, 60_000);
  afterAll(() => void service.kill());

  test('lists the others, with URLs that work', async () => {
    const { status, json } = await send(url, 'GET /');
    expect(status).toBe(200);
    const names = json.areas.map(({ name }: { name: string }) => name);
    // Own collections are of the same kind as the service's collections.
    const gone = folders.flatMap((folder) =>
      folder === 'src/areas/data' ? ['resources', 'my', 'json-server'] : basename(folder),
    );
    expect(names).toEqual(areas.map((area) => area.name).filter((each) => !gone.includes(each)));
    for (const { start } of json.areas) {
      const { pathname, search } = new URL(start);
      const response = await send(url, `GET ${pathname}${search}`);
      expect(response.status, start).toBeLessThan(400);
    }
  });

  test('has operations of the others that do not fail', async () => {
    expect(await failuresOfRecordedCalls(url)).toEqual([]);
  }, 60_000);

  const isGone = (area: string) => folders.includes(`src/areas/${area}`);

  test.each(['mcp', 'llm', 'oidc'].filter((area) => !isGone(area)))(
    'runs the test plan of %s',
    async (area) => {
      const plan = `/s/plans/${area}/test-plan`;
      expect((await send(url, `GET ${plan}`)).status).toBe(200);
      const run = await send(url, `POST ${plan}/runs`);
      expect(run.status, run.text).toBe(201);
      const { pathname } = new URL(run.headers.location ?? '');
      expect((await send(url, `GET ${pathname}`)).status).toBe(200);
      const urls = run.text.match(/(?<=")http:[^"]+/g) ?? [];
      for (const url of new Set(urls)) expect((await fetch(url)).status, url).toBeLessThan(500);
    },
  );

  test('has the MCP tools of the areas that are left', async () => {
    if (isGone('mcp')) return;
    const { tools } = await callMcp(url, 'tools/list', {});
    const names = tools.map(({ name }: { name: string }) => name);
    for (const [area, ofArea] of Object.entries(toolsOfAreas)) {
      const listed = ofArea.filter((name) => names.includes(name));
      expect(listed).toEqual(isGone(area) ? [] : ofArea);
    }
    const { status } = await send(url, 'DELETE /mcp/protected');
    expect(status === 404).toBe(isGone('oidc'));
  });

  test.each([
    '/openapi.json',
    '/downloads',
    '/downloads/practice-api.postman_collection.json',
    '/downloads/practice-api.http',
    '/llms.txt',
  ])('still has %s', async (path) => {
    // Operations without a recording cannot be missing, and flows name only existing operations.
    const response = await send(url, `GET ${path}`);
    expect(response.status, response.text).toBe(200);
  });
});
