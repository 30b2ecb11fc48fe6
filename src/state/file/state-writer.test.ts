/** The file while the service runs, and what a start makes of other files. */

import {
  existsSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { openFile, silentLog } from '../../../test/support/restarting-state.js';
import { stateTimeOf, useFolder } from '../../../test/support/state-file.js';
import { defaultSandboxLimits, type LogSpace, type Space, type StateSizes } from '../state.js';
import type { FileStateOptions } from './file-state.js';

const pathOf = useFolder();
const texts: Space<string> = { name: 'texts', maxKeys: 10_000 };
const feeds: LogSpace<true, number> = {
  ...{ name: 'feeds', maxKeys: 3, maxEntries: 100, isAlwaysThere: true },
};

let nowMs = 1_000_000;
const open = (path: string, options: Partial<FileStateOptions> = {}) =>
  openFile({ path, log: silentLog, clock: () => nowMs, ...options });

afterEach(() => {
  vi.useRealTimers();
});

const put = (value: string, key = 'k') => ({ key, change: () => ({ value, result: undefined }) });

test('a missing and an empty file belong to a new service, and only the owner reads them', async () => {
  for (const path of [pathOf('missing'), pathOf('empty')]) {
    if (path.endsWith('empty')) writeFileSync(path, '', { mode: 0o644 });
    const state = await open(path);
    expect(await state.sandbox('').status()).toBeUndefined();
    const { key, change } = put('here');
    await state.sandbox('').update(texts, key, change);
    await state.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await open(path);
    expect(await again.sandbox('').read(texts, 'k')).toBe('here');
    await again.close();
  }
  expect((await readdir(pathOf(''))).sort()).toEqual(['empty', 'missing']);
});

test('a link is followed: the file that it names is replaced', async () => {
  await mkdir(pathOf('elsewhere'));
  writeFileSync(pathOf('elsewhere/state'), '');
  symlinkSync(pathOf('elsewhere/state'), pathOf('link'));
  await (await open(pathOf('link'))).close();
  expect(readFileSync(pathOf('elsewhere/state'), 'latin1')).toMatch(/^practice-api-state 1 /);
});

test('a file that is altered or cut anywhere is rejected, and stays unchanged', async () => {
  const path = pathOf('altered');
  const state = await open(path);
  const { key, change } = put('text '.repeat(200));
  await state.sandbox('').update(texts, key, change);
  await state.sandbox('').log(feeds, 'f');
  await state.close();
  const whole = readFileSync(path);
  const start = whole.indexOf('\n') + 1;
  const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * whole.length) / 40));
  const altered = places.flatMap((place) => {
    const flipped = Buffer.from(whole);
    flipped[place] = (flipped[place] ?? 0) ^ 1;
    return place === 0 ? [flipped] : [whole.subarray(0, place), flipped];
  });
  const swapped = Buffer.concat([
    whole.subarray(0, start),
    whole.subarray(start),
    whole.subarray(start),
  ]);
  for (const bytes of [
    ...altered,
    swapped,
    Buffer.concat([whole, Buffer.from('x')]),
    Buffer.from('{}'),
  ]) {
    writeFileSync(path, bytes);
    await expect(open(path)).rejects.toThrow(
      /^STATE_FILE is .*altered, which (?:is not a state file, or was cut or altered\.|has the format \d+, )/,
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(existsSync(`${path}.lock`)).toBe(false);
  }
  writeFileSync(path, whole);
  await (await open(path)).close();
});

test.each([0, 2, 17])('a file of format %i is rejected with the version', async (format) => {
  const path = pathOf(`format-${format}`);
  writeFileSync(path, `practice-api-state ${format} {"version":"9.0.0"}\nwhatever`);
  await expect(open(path)).rejects.toThrow(
    new RegExp(
      `which has the format ${format}, and version [\\d.]+ of the service reads format 1\\.$`,
    ),
  );
});

test('what is no file is rejected', async () => {
  await mkdir(pathOf('folder'));
  await expect(open(pathOf('folder'))).rejects.toThrow(/folder, which is no file\.$/);
  await expect(open('/dev/null')).rejects.toThrow(
    /^STATE_FILE is \/dev\/null, which is no file\.$/,
  );
  await expect(open(pathOf('none/state'))).rejects.toThrow(
    /but ENOENT: no such file or directory, /,
  );
});

test('limits that are lower apply at the start, and the owner with most loses first', async () => {
  const path = pathOf('limits');
  const state = await open(path);
  for (const [name, bytes] of [
    ['a', 100],
    ['b', 90_000],
    ['c', 1000],
  ] as const) {
    const { key, change } = put('x'.repeat(bytes));
    await state.sandbox(name).update(texts, key, change);
    await state.sandbox(name).transact((view) => view.append(feeds, 'f', 1, 'y'.repeat(bytes)));
  }
  for (const name of ['@one/', '@two/', '@three/', '@four/']) {
    const { key, change } = put('z');
    await state.sandbox(name).update(texts, key, change);
  }
  await state.close();

  const limits = { ...defaultSandboxLimits, maxBytes: 50_000 };
  const smaller = await open(path, { limits, maxLogBytes: 8000 });
  const sizes = (await smaller.sizes()) as StateSizes;
  expect(sizes.valueBytes).toBeLessThanOrEqual(50_000);
  expect(sizes.logBytes).toBeLessThanOrEqual(8000);
  const kept = ['a', 'b', 'c'].map((name) => smaller.sandbox(name).read(texts, 'k') !== undefined);
  expect(kept).toEqual([true, false, true]);
  await smaller.close();

  const few = await open(path, { limits: { ...limits, maxSandboxes: 2 } });
  expect(((await few.sizes()) as StateSizes).sandboxes).toBe(2);
  expect(await few.sandbox('@four/').read(texts, 'k')).toBe('z');
  await few.close();

  nowMs += defaultSandboxLimits.idleMs;
  const later = await open(path);
  expect(((await later.sizes()) as StateSizes).sandboxes).toBe(0);
  await later.close();
});

test('a failure is reported once a minute, keeps the old file, and ends by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const lines: { readonly level: number; readonly msg: string; readonly reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  await mkdir(pathOf('disk'));
  const path = pathOf('disk/state');
  const state = await open(path, { log });
  const write = (value: string) => {
    const { key, change } = put(value);
    return state.sandbox('').update(texts, key, change);
  };
  await write('first');
  const firstTime = nowMs;
  nowMs += 5000;
  await vi.advanceTimersByTimeAsync(3500);
  await expect.poll(() => stateTimeOf(path)).toBe(nowMs);
  expect(nowMs).toBeGreaterThan(firstTime);

  renameSync(pathOf('disk'), pathOf('gone'));
  const old = readFileSync(pathOf('gone/state'));
  await write('second');
  for (let seconds = 0; seconds < 100; seconds += 3.5) {
    await vi.advanceTimersByTimeAsync(3500);
    // The attempt ends by itself.
    await expect.poll(() => vi.getTimerCount()).toBe(1);
  }
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, 'cannot write the state file; trying again'],
    [50, 'cannot write the state file; trying again'],
  ]);
  expect(lines[0]?.reason).toMatch(/^ENOENT: /);
  expect(readFileSync(pathOf('gone/state')).equals(old)).toBe(true);

  renameSync(pathOf('gone'), pathOf('disk'));
  nowMs += 5000;
  await vi.advanceTimersByTimeAsync(3500);
  await expect.poll(() => stateTimeOf(path)).toBe(nowMs);
  await expect.poll(() => lines.at(-1)?.msg).toBe('the state file is written again');
  vi.useRealTimers();
  await state.close();
  const again = await open(path);
  expect(await again.sandbox('').read(texts, 'k')).toBe('second');
  await again.close();
});

test('a close that cannot write says so, and releases the lock', async () => {
  const path = pathOf('blocked');
  const state = await open(path);
  renameSync(path, pathOf('kept'));
  await mkdir(path);
  await expect(state.close()).rejects.toThrow(/^The state could not be written to .*blocked\.$/);
  rmdirSync(path);
  renameSync(pathOf('kept'), path);
  await (await open(path)).close();
});

test('a service that lost the lock does not replace the file of its successor', async () => {
  const path = pathOf('stolen');
  const state = await open(path);
  writeFileSync(`${path}.lock`, '{"pid":1}');
  const before = readFileSync(path);
  const { key, change } = put('mine');
  await state.sandbox('').update(texts, key, change);
  await expect(state.close()).rejects.toThrow('could not be written');
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(existsSync(`${path}.tmp`)).toBe(false);
});
