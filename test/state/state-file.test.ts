/** A service in a program, with its state in a file. */

import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, createService } from '../../src/index.js';
import { meet } from '../http2/lab-client.js';
import { send } from '../support/service.js';
import { useFolder } from '../support/state-file.js';

const pathOf = useFolder();
const minuteMs = 60_000;

test('time passes between two services: jobs are done, tokens and rate windows have expired', async () => {
  const stateFile = pathOf('time');
  let nowMs = Date.UTC(2026, 0, 2);
  const open = () => createService({ stateFile, now: () => nowMs, baseUrl: 'http://api.test' });
  const headers = { 'X-Sandbox': 'time' };
  const first = await open();
  const login = await send(first.url, 'POST /api/auth/jwt/login', {
    headers,
    json: { username: 'admin', password: 'admin-secret' },
  });
  const bearer = { ...headers, Authorization: `Bearer ${login.json.accessToken}` };
  await send(first.url, 'PATCH /api/Books/1?jobSeconds=60', {
    headers: { ...headers, Prefer: 'respond-async' },
    json: { price: 1 },
  });
  const remaining = async (url: string) =>
    (await send(url, 'GET /api/RateLimit', { headers })).headers['x-ratelimit-remaining'];
  expect(await remaining(first.url)).toBe('4');
  expect((await send(first.url, 'GET /api/auth/jwt/me', { headers: bearer })).status).toBe(200);
  expect((await send(first.url, 'GET /api/Books/1', { headers })).json.price).not.toBe(1);
  await first.close();

  const second = await open();
  expect((await send(second.url, 'GET /api/auth/jwt/me', { headers: bearer })).status).toBe(200);
  expect(await remaining(second.url)).toBe('3');
  expect((await send(second.url, 'GET /api/Books/1', { headers })).json.price).not.toBe(1);
  await second.close();

  nowMs += 50 * minuteMs;
  const third = await open();
  expect((await send(third.url, 'GET /api/auth/jwt/me', { headers: bearer })).status).toBe(401);
  expect(await remaining(third.url)).toBe('4');
  expect((await send(third.url, 'GET /api/Books/1', { headers })).json.price).toBe(1);
  await third.close();
});

test('a run of the HTTP/2 lab continues, and a model of Ollama stays loaded', async () => {
  const stateFile = pathOf('labs');
  const open = () => createService({ stateFile, http2LabPort: 0 });
  const load = { model: 'practice-1', keep_alive: '10m' };
  const first = await open();
  await send(first.url, 'POST /s/labs/llm/ollama/api/generate', { json: load });
  const cases = ['data-on-stream-0', 'settings-push-1'];
  const begun = await send(first.url, 'POST /s/labs/api/http2/plan/runs', { json: { cases } });
  const { pathname } = new URL(begun.headers.location ?? '');
  const verdictsAt = async (url: string): Promise<readonly string[]> =>
    (await send(url, `GET ${pathname}`)).json.map((each: { verdict: string }) => each.verdict);
  await meet(begun.json[0].url, {}, 'naive');
  await expect.poll(() => verdictsAt(first.url)).toEqual(['broken', 'not-reached']);
  await first.close();

  const second = await open();
  const { json: steps } = await send(second.url, `GET ${pathname}`);
  await meet(steps[1].url, {}, 'naive');
  await expect.poll(() => verdictsAt(second.url)).toEqual(['broken', 'broken']);
  const { json: loaded } = await send(second.url, 'GET /s/labs/llm/ollama/api/ps');
  expect(loaded.models).toMatchObject([{ name: 'practice-1:latest' }]);
  await second.close();
});

test('a file is for one service at a time, and faults are options that are wrong', async () => {
  const stateFile = pathOf('one');
  const service = await createService({ stateFile });
  await expect(createService({ stateFile })).rejects.toThrow(ConfigError);
  await service.close();
  expect(existsSync(stateFile)).toBe(true);
  await expect(createService({ stateFile, stateUrl: 'redis://localhost' })).rejects.toThrow(
    /^stateFile is ".*", but with --state-url or STATE_URL the state is kept by the server/,
  );
});

test('close rejects if the state cannot be written, and everything is closed', async () => {
  const stateFile = pathOf('unwritten');
  const service = await createService({ stateFile });
  renameSync(stateFile, pathOf('before'));
  mkdirSync(stateFile);
  await expect(service.close()).rejects.toThrow(/^The state could not be written to /);
  await expect(fetch(service.url)).rejects.toThrow();
  rmdirSync(stateFile);
});
