/** Each area, and each scheme of authentication, is a folder that can be deleted: it is, one at a time. */

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { areas } from '../../src/service.js';
import { send } from '../support/service.js';
import { copyWithout, copyWithSwitches, importersOf, parts } from './remove-part.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copies = mkdtempSync(join(tmpdir(), 'practice-api-house-'));

afterAll(() => rmSync(copies, { recursive: true }));

test.each(parts)('nothing but its list imports from $folder', (part) => {
  expect(importersOf(part).map((file) => `src/${file}`)).toEqual([part.list]);
});

/**
 * Since nothing else imports from them, what the compiler could find without one of them it finds without
 * all of them: what is left is the list, and the types that are made of it.
 */
test.each([
  ['areas', parts.filter(({ list }) => list === 'src/service.ts')],
  ['schemes of authentication', parts.filter(({ list }) => list !== 'src/service.ts')],
])('a service without any %s compiles', { timeout: 120_000 }, (name, gone) => {
  expect(gone.length).toBeGreaterThan(7);
  const copy = join(copies, name.replaceAll(' ', '-'));
  copyWithout(gone, copy);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { allowJs: false, checkJs: false, paths: {} },
    include: ['src'],
  };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', copy], { cwd: copy, stdio: 'pipe' });
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout));
  }
});

/** Built once, for all of them. */
const switchable = join(copies, 'switchable');

beforeAll(async () => {
  copyWithSwitches(switchable);
  await build({
    cwd: switchable,
    input: 'src/index.ts',
    platform: 'node',
    external: (id) => !/^[./\0]/.test(id),
    output: { dir: join(switchable, 'dist'), format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
  const pages = join(root, 'dist/pages');
  if (existsSync(pages)) symlinkSync(pages, join(switchable, 'dist/pages'));
  else mkdirSync(join(switchable, 'dist/pages'));
}, 60_000);

const areaParts = parts.filter(({ list }) => list === 'src/service.ts');
const smallParts = parts.filter((part) => !areaParts.includes(part));

/** An area at a time; of what areas consist of, every second and then the others. */
const removals = [
  ...areaParts.map(({ folder }) => ({ name: folder, gone: [folder] })),
  ...[0, 1].map((rest) => ({
    name: rest === 0 ? 'every second scheme and topic' : 'the other schemes and topics',
    gone: smallParts.filter((_part, index) => index % 2 === rest).map(({ folder }) => folder),
  })),
];

describe.each(removals)('a service without $name', ({ name, gone: folders }) => {
  let service: Awaited<ReturnType<typeof import('../../src/index.js')['createService']>>;

  beforeAll(async () => {
    const copy = join(switchable, 'dist', `${name.replaceAll(/\W+/g, '-')}.js`);
    copyFileSync(join(switchable, 'dist/index.js'), copy);
    const switches = globalThis as { goneParts?: readonly string[] };
    switches.goneParts = folders;
    const { createService } = await import(copy);
    delete switches.goneParts;
    service = await createService({ metrics: 'on' });
  }, 60_000);
  afterAll(() => service?.close());

  test('lists the others, with addresses that work', async () => {
    const { status, json } = await send(service.url, 'GET /');
    expect(status).toBe(200);
    const names = json.areas.map(({ name }: { name: string }) => name);
    // Collections of one's own are of the same kind as those of the service.
    const gone = folders.flatMap((folder) =>
      folder === 'src/areas/resources' ? ['resources', 'my'] : basename(folder),
    );
    expect(names).toEqual(areas.map((area) => area.name).filter((each) => !gone.includes(each)));
    for (const { start } of json.areas) {
      const { pathname, search } = new URL(start);
      const answer = await send(service.url, `GET ${pathname}${search}`);
      expect(answer.status, start).toBeLessThan(400);
    }
  });

  test.each([
    '/openapi.json',
    '/downloads',
    '/downloads/practice-api.postman_collection.json',
    '/downloads/practice-api.http',
    '/llms.txt',
  ])('still has %s', async (path) => {
    // What there was nothing recorded of cannot be missing, and flows name only what is there.
    const answer = await send(service.url, `GET ${path}`);
    expect(answer.status, answer.text).toBe(200);
  });
});
