import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../../test/support/state-file.js';
import { FileLock } from './file-lock.js';

const pathOf = useFolder();
const never = new AbortController().signal;
const take = (path: string) => FileLock.take(path, never);

/** The lock of this process, with other values. */
async function lockWith(path: string, values: object): Promise<void> {
  const lock = await take(path);
  const owner = JSON.parse(readFileSync(path, 'utf8'));
  await lock.release();
  writeFileSync(path, JSON.stringify({ ...owner, token: 'other', ...values }));
}

const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid;

test('is for one at a time, also within a process', async () => {
  const path = pathOf('one.lock');
  const lock = await take(path);
  await expect(take(path)).rejects.toThrow(`is in use by process ${process.pid}.`);
  await lock.check();
  await lock.release();
  await (await take(path)).release();
});

test.each([
  ['has ended', () => ({ pid: endedPid() })],
  ['had the id of a running one', () => ({ pid: process.pid, started: '1' })],
])('of a process that %s belongs to the next one at once', async (_how, values) => {
  const path = pathOf('ended.lock');
  await lockWith(path, values());
  // With it, a wait for a heartbeat is rejected.
  const lock = await FileLock.take(path, AbortSignal.abort());
  await lock.check();
  await lock.release();
});

test.each([
  ['of another place', { place: 'elsewhere' }],
  ['without a known start of its process', { started: null }],
])('%s belongs to the next process when it has no heartbeat', async (_how, values) => {
  const path = pathOf('elsewhere.lock');
  await lockWith(path, values);
  const lock = await take(path);
  await lock.check();
  await lock.release();
});

test.each([
  ['of another place', { place: 'elsewhere' }, 'another process'],
  ['without a known start of its process', { started: null }, `process ${process.pid}`],
])('%s is in use when it has a heartbeat', async (_how, values, who) => {
  const path = pathOf('alive.lock');
  await lockWith(path, values);
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), 100);
  await expect(take(path)).rejects.toThrow(`is in use by ${who}.`);
  clearInterval(heartbeat);
  rmSync(path);
});

test('has a heartbeat', async () => {
  const path = pathOf('beating.lock');
  const lock = await take(path);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/"place":"[^"]*"/, '"place":"elsewhere"'));
  await expect(take(path)).rejects.toThrow('is in use by another process.');
  writeFileSync(path, text);
  await lock.release();
});

test('that is empty, because its process was killed meanwhile, belongs to the next one', async () => {
  const path = pathOf('empty.lock');
  writeFileSync(path, '');
  await (await take(path)).release();
});

test('that is stale belongs to one of many', async () => {
  const path = pathOf('race.lock');
  for (let round = 0; round < 20; round++) {
    await lockWith(path, { pid: endedPid() });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => take(path)));
    const taken = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const held = await Promise.allSettled(taken.map((lock) => lock.check()));
    expect(held.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(taken.map((lock) => lock.release()));
  }
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith('race'))).toEqual([]);
});

test('is known to be lost, and created again if someone removed it', async () => {
  const path = pathOf('lost.lock');
  const lock = await take(path);
  rmSync(path);
  await lock.check();
  await expect(take(path)).rejects.toThrow('is in use');
  writeFileSync(path, '{"pid":1}');
  await expect(lock.check()).rejects.toThrow('another process uses the file now');
  await lock.release();
  expect(readFileSync(path, 'utf8')).toBe('{"pid":1}');
});
