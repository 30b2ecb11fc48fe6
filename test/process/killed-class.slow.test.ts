/** A class at work, whose service is killed at random moments: what is lost, and whether the file is whole. */

import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seededNumbers } from '../../src/base/seeded-numbers.js';
import { newClass, type Pupil } from '../classes/school.js';
import { caseCount, isDeep, patientlyTried, seed } from '../support/case-count.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { send, type TestService } from '../support/service.js';
import { stateTimeOf, useFolder } from '../support/state-file.js';

endPrograms();
const pathOf = useFolder();
const kills = caseCount(4, 50);
const pupils = caseCount(10, 100);
/** All pupils together write one note in 2 ms, at most. */
const pauseMs = 2 * pupils;
/** Begins before the first write and ends after the second. */
const longestMs = 10_000;

async function start(path: string): Promise<TestService & { kill(): Promise<unknown> }> {
  const program = runProgram(['--port', '0', '--state-file', path]);
  const url = await program.started;
  return {
    url,
    send: (target, options) => send(url, target, options),
    kill() {
      program.process.kill('SIGKILL');
      return program.ended;
    },
  };
}

interface Worker {
  readonly path: string;
  /** When the response to each note arrived. */
  readonly doneAtMs: number[];
}

/** Writes notes, one after the other, until the service is killed. */
async function workOf({ address, call }: Pupil): Promise<Worker & { ended: Promise<void> }> {
  await call('PUT /api/sandbox/data', { json: { notes: [] } });
  const doneAtMs: number[] = [];
  const write = async () => {
    for (let number = 0; ; number++) {
      const { status } = await call('POST /my/notes', { json: { number } });
      if (status !== 201) throw new Error(`A note got ${status}.`);
      doneAtMs.push(Date.now());
      await sleep(pauseMs);
    }
  };
  return { path: new URL(address).pathname, doneAtMs, ended: write().catch(() => {}) };
}

test(
  `is the same after ${kills} kills but for 5 s, and its file is never broken`,
  patientlyTried,
  async () => {
    const random = seededNumbers(String(seed));
    let longestLossMs = 0;
    for (let kill = 0; kill < kills; kill++) {
      // The state of many classes is large, and then a kill may also lose what changed during one write.
      const path = pathOf(`class-${kill}`);
      let service = await start(path);
      const room = await newClass(service);
      // The class is created before that.
      const changedAtMs = [Date.now()];
      const workers: Awaited<ReturnType<typeof workOf>>[] = [];
      for (let pupil = 0; pupil < pupils; pupil++) {
        workers.push(await workOf(await room.join(`Pupil ${pupil}`)));
      }
      if (kill % 2 === 0) await sleep(random() * longestMs);
      else await nextWrite(path);
      const killedAtMs = Date.now();
      await service.kill();
      await Promise.all(workers.map(({ ended }) => ended));

      const savedAtMs = stateTimeOf(path) ?? 0;
      // Deadlines are only for a machine without other work.
      const lost = [...changedAtMs, ...workers.flatMap((worker) => worker.doneAtMs)]
        .filter((atMs) => atMs > savedAtMs)
        .map((atMs) => killedAtMs - atMs);
      longestLossMs = Math.max(longestLossMs, ...lost);
      if (isDeep) expect(longestLossMs).toBeLessThan(5000);
      service = await start(path);
      for (const { path, doneAtMs } of workers) {
        const saved = doneAtMs.filter((atMs) => atMs < savedAtMs).length;
        if (saved === 0) continue;
        const { json } = await service.send(`GET ${path}/api/sandbox/data`);
        const numbers = (json.notes as { readonly number: number }[]).map(({ number }) => number);
        expect(numbers).toEqual(numbers.map((_, index) => index));
        expect(numbers.length).toBeGreaterThanOrEqual(saved);
      }
      await service.kill();
    }
  },
);

/** Resolves once a new file is being written. */
async function nextWrite(path: string): Promise<void> {
  const watcher = watch(pathOf(''));
  for (;;) {
    const [, name] = await once(watcher, 'change');
    if (path.endsWith(String(name).replace(/\.tmp$/, '')) && String(name).endsWith('.tmp')) break;
  }
  watcher.close();
}
