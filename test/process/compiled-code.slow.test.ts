/** The code that a start of the program compiles and keeps for the next one, in `.cache/` beside the build. */

import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'practice-api-compiled-'));
beforeAll(() => {
  for (const name of ['package.json', 'schema.graphql', 'data', 'dist']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true }));

const cache = join(copy, '.cache');
/** The file of the bundle's largest part. */
const keptFile = () => join(cache, readdirSync(cache)[0] ?? '', 'service.cjs');
const headBytes = 8;
/** The program keeps its code so long after its start. */
const keepAfterMs = 1000;

/** Starts the program until it has kept its code; by default, until it must have tried. */
async function start(isKept?: () => boolean) {
  const command = [process.execPath, join(copy, 'dist/main.js')] as const;
  const program = runProgram(['--port', '0', '--tls-port', '0', '--exit-with-stdin'], {}, command);
  const url = await program.started;
  const form = new FormData();
  form.set('name', 'Ada');
  // Each loads other packages than a start does.
  const responses = [
    await fetch(`${url}/api/Books/1`),
    await fetch(`${url}/tls/ca.pem`),
    await fetch(`${url}/oidc/jwks`),
    await fetch(`${url}/api/methods/post`, { method: 'POST', body: form }),
    await fetch(`${url}/api/Books`, { headers: { Accept: 'application/yaml' } }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  if (isKept === undefined) await sleep(keepAfterMs + 1000);
  else await expect.poll(isKept, { timeout: 20_000 }).toBe(true);
  program.process.stdin?.end();
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(program.output().stderr).toBe('');
}

const exists = () => {
  try {
    return readFileSync(keptFile()).length > headBytes;
  } catch {
    return false;
  }
};

/** Whether the kept file differs from the given content, and is whole. */
const replaces = (content: Buffer) => () => {
  const kept = readFileSync(keptFile());
  return !kept.equals(content) && kept.readUInt32LE(4) === crc32(kept.subarray(headBytes));
};

/** Each start makes an RSA key. */
test('a start keeps it, and the next start uses it', { timeout: 300_000 }, async () => {
  await start(exists);
  const kept = readFileSync(keptFile());
  await start();
  expect(readFileSync(keptFile())).toEqual(kept);
  expect(readdirSync(join(keptFile(), '..')).filter((name) => !name.endsWith('.cjs'))).toEqual([]);
});

test.each<[string, (kept: Buffer) => Buffer]>([
  [
    'damaged in the middle',
    (kept) => Buffer.from(kept).fill(0xff, kept.length >> 1, (kept.length >> 1) + 64),
  ],
  ['cut off', (kept) => kept.subarray(0, kept.length >> 1)],
  ['empty', () => Buffer.alloc(0)],
  ['of another V8', (kept) => ofAnotherV8(kept)],
  ['of another build', (kept) => Buffer.concat([Buffer.alloc(4), kept.subarray(4)])],
])('a start replaces code that is %s', async (_what, damage) => {
  const damaged = damage(readFileSync(keptFile()));
  writeFileSync(keptFile(), damaged);
  await start(replaces(damaged));
});

/** The second word of the code is the version of V8. */
function ofAnotherV8(kept: Buffer): Buffer {
  const other = Buffer.from(kept);
  other.writeUInt32LE((other.readUInt32LE(headBytes + 4) ^ 1) >>> 0, headBytes + 4);
  other.writeUInt32LE(crc32(other.subarray(headBytes)), 4);
  return other;
}

test('where nothing can be kept, the program starts', async () => {
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'not a folder');
  await start();
  expect(readFileSync(cache, 'utf8')).toBe('not a folder');
});
