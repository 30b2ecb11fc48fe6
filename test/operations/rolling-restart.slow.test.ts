/** A service that is stopped while in use, as container platforms do, loses no request. */

import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { endPrograms, type Program, runProgram } from '../support/run-program.js';

endPrograms();

const patient = { timeout: 15_000 };

/** A minimal load balancer: a replica that is not ready, or gone, gets no more requests. */
function balancer(urls: readonly string[]) {
  const ready = new Set(urls);
  let isWatching = true;
  async function watch(): Promise<void> {
    while (isWatching) {
      for (const url of urls) {
        const isReady = await fetch(`${url}/health/ready`).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isReady) ready.add(url);
        else ready.delete(url);
      }
      await sleep(50);
    }
  }
  const watching = watch();
  let turn = 0;
  return {
    ready,
    next: () => [...ready][turn++ % ready.size] ?? '',
    async stop() {
      isWatching = false;
      await watching;
    },
  };
}

/** Sends once; an error counts as a failure, even if the request could be repeated. */
function post(agent: Agent, url: string): Promise<{ status: number; connection: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${url}/api/methods/post`,
      { method: 'POST', agent },
      (response) => {
        response.resume().on('end', () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, connection: headers.connection ?? '' });
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end('{"steady": "load"}');
  });
}

describe('a rolling restart', () => {
  test('under steady load over kept connections loses no request', {
    timeout: 60_000,
  }, async () => {
    const flags = ['--port', '0', '--drain-seconds', '2'];
    const programs: Program[] = [runProgram(flags), runProgram(flags)];
    const urls = await Promise.all(programs.map(({ started }) => started));
    const balanced = balancer(urls);
    const agent = new Agent({ keepAlive: true });
    const failures: unknown[] = [];
    let responses = 0;
    let isOver = false;
    async function load(): Promise<void> {
      // One failure is enough to know.
      while (!isOver && failures.length === 0) {
        const response = await post(agent, balanced.next()).catch((error: unknown) => error);
        if (response instanceof Error) failures.push(response);
        else responses += 1;
      }
    }
    const loads = Array.from({ length: 8 }, load);
    const respondMore = (count: number) => {
      const from = responses;
      // A failure ends the load, and is shown at the end.
      return expect.poll(() => failures.length > 0 || responses - from > count, patient).toBe(true);
    };

    const [first, second] = programs as [Program, Program];
    const [firstUrl = '', secondUrl = ''] = urls;
    try {
      await respondMore(100);
      first.process.kill('SIGTERM');
      expect(await first.ended).toEqual({ code: 0, signal: null });
      // The same port again, as behind the name of a service.
      const replacement = runProgram(['--port', new URL(firstUrl).port]);
      await replacement.started;
      await expect.poll(() => balanced.ready.has(firstUrl), patient).toBe(true);
      second.process.kill('SIGTERM');
      expect(await second.ended).toEqual({ code: 0, signal: null });
      await respondMore(50);
    } finally {
      isOver = true;
      await Promise.all(loads);
      await balanced.stop();
      agent.destroy();
    }
    expect(failures).toEqual([]);
    expect(balanced.ready).toEqual(new Set([firstUrl]));
    expect(balanced.ready).not.toContain(secondUrl);
  });
});

describe('draining', () => {
  test('reports that it is not ready while it still serves, then ends with 0', async () => {
    const program = runProgram(['--port', '0', '--drain-seconds', '2', '--log-level', 'info']);
    const url = await program.started;
    const agent = new Agent({ keepAlive: true });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await post(agent, url)).connection).toBe('keep-alive');
    program.process.kill('SIGTERM');
    await expect.poll(() => program.output().stdout, patient).toContain('"draining"');
    const readiness = await fetch(`${url}/health/ready`);
    expect(readiness.status).toBe(503);
    expect(readiness.headers.get('retry-after')).toBe('1');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await post(agent, url)).toEqual({ status: 200, connection: 'close' });
    expect(await program.ended).toEqual({ code: 0, signal: null });
    agent.destroy();
  });

  test('keeps event streams open until it stops accepting, and ends them cleanly', async () => {
    const program = runProgram(['--port', '0', '--drain-seconds', '1', '--log-level', 'info']);
    const url = await program.started;
    const made = await fetch(`${url}/api/webhooks/bins`, { method: 'POST' });
    const { id } = (await made.json()) as { id: string };
    const stream = await fetch(`${url}/api/webhooks/bins/${id}/events`);
    // Rejects when the stream is cut rather than ended.
    const received = stream.text();
    program.process.kill('SIGTERM');
    await expect.poll(() => program.output().stdout, patient).toContain('"draining"');
    await fetch(`${url}/api/webhooks/${id}`, { method: 'POST', body: 'late' });
    expect(await received).toContain('"body":"late"');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test('is followed by at most stop-seconds, whatever a client does', async () => {
    const program = runProgram(['--port', '0', '--stop-seconds', '1']);
    const url = await program.started;
    const held = httpRequest(`${url}/api/methods/post`, { method: 'POST' });
    held.on('error', () => {});
    held.write('never finished');
    await once(held, 'socket').then(([socket]) => once(socket, 'connect'));
    const signalledAt = performance.now();
    program.process.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
    // Without the setting it would be nine seconds.
    expect(performance.now() - signalledAt).toBeLessThan(8000);
  });
});
