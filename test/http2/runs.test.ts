/** Runs of the plan, sandboxes, and the page of verdicts, with clients that read frames without a library. */

import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Service } from '../../src/index.js';
import { createService, replicas } from '../support/create-service.js';
import {
  frameTypes,
  headers,
  isOf,
  openFrames,
  preface,
  requestFields,
  settings,
} from '../support/http2-frames.js';
import { send } from '../support/service.js';
import { type Habit, meet, type RawCase } from './lab-client.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ http2LabPort: 0, tls: true });
});
afterAll(() => service.close());

interface Step extends RawCase {
  readonly case: string;
  readonly url: string;
  readonly tlsUrl: string;
  readonly outcome: string;
  readonly verdict: string;
  readonly evidence: string;
  readonly visits: number;
  /** Absent until the lab has judged the case. */
  readonly observed?: string;
}

async function begin(sandbox: string, cases?: readonly string[]) {
  const begun = await send(service.url, `POST /s/${sandbox}/api/http2/plan/runs`, {
    json: cases ? { cases } : {},
  });
  expect(begun.status).toBe(201);
  const report = new URL(begun.headers.location ?? '').pathname;
  return {
    steps: begun.json as readonly Step[],
    report,
    read: async () => (await send(service.url, `GET ${report}`)).json as readonly Step[],
  };
}

/** Meets all cases of a run, and waits until each is judged. */
async function run(
  sandbox: string,
  habit: Habit,
  cases?: readonly string[],
): Promise<ReadonlyMap<string, Step>> {
  const { steps, read } = await begin(sandbox, cases);
  const plan: readonly Step[] = (await send(service.url, 'GET /api/http2/plan')).json;
  await Promise.all(
    steps.map((step) => meet(step.url, plan.find((each) => each.case === step.case) ?? {}, habit)),
  );
  await vi.waitUntil(async () => (await read()).every(({ observed }) => observed !== undefined), {
    timeout: 30_000,
  });
  return new Map((await read()).map((step) => [step.case, step]));
}

const countOf = (steps: ReadonlyMap<string, Step>, verdict: string) =>
  [...steps.values()].filter((each) => each.verdict === verdict).length;

describe('a naive client', () => {
  let judged: ReadonlyMap<string, Step>;
  beforeAll(async () => {
    judged = await run('naive', 'naive');
  });

  test('breaks at least 45 rules', () => {
    expect(countOf(judged, 'broken')).toBeGreaterThanOrEqual(45);
  });

  test('accepts what it must reject, and rejects what it must accept', () => {
    for (const name of [
      'data-on-stream-0',
      'settings-push-1',
      'hpack-index-0',
      'name-upper-case',
      'odd-padding',
      'frame-unknown-type',
    ]) {
      expect([name, judged.get(name)?.outcome, judged.get(name)?.verdict]).toEqual([
        name,
        'mishandled',
        'broken',
      ]);
    }
    expect(judged.get('odd-padding')?.evidence).toMatch(/^It sent GOAWAY with PROTOCOL_ERROR\./);
    expect(judged.get('data-on-stream-0')?.evidence).toBe('It continued, and acknowledged PING.');
  });

  test('is not blamed where both reactions are right, and where it did not get so far', () => {
    for (const name of ['headers-64k', 'hpack-bomb', 'settings-never-acknowledged'])
      expect(judged.get(name)?.outcome).toBe('either');
    expect(judged.get('hpack-size-missing')?.verdict).toBe('not-reached');
    expect(judged.get('length-too-long-get')?.verdict).toBe('unclear');
  });

  test('is on the page of verdicts', async () => {
    const { json } = await send(service.url, 'GET /s/naive/api/sandbox/verdicts');
    const judge = json.judges.find((each: { judge: string }) => each.judge === 'http2');
    const row = judge.verdicts.find(({ rule }: { rule: string }) => rule === 'odd-padding');
    expect(row).toMatchObject({
      outcome: 'broken',
      level: 'must',
      section: 'RFC 9113 section 6.1, DATA',
    });
  });
});

test('a report decides what is unclear, and not what is certain', async () => {
  const { steps, report } = await begin('reports', ['length-too-long-get', 'data-on-stream-0']);
  await Promise.all(steps.map(({ url }) => meet(url, {})));
  const put = async (name: string, outcome: string) =>
    (await send(service.url, `PUT ${report}/${name}`, { json: { outcome } })).json;
  await expect
    .poll(async () => (await put('length-too-long-get', 'mishandled')).observed)
    .toBe('unclear');
  expect(await put('length-too-long-get', 'mishandled')).toMatchObject({
    outcome: 'mishandled',
    verdict: 'broken',
    reported: 'mishandled',
  });
  expect(await put('length-too-long-get', 'handled')).toMatchObject({ verdict: 'kept' });
  await expect
    .poll(async () => (await put('data-on-stream-0', 'handled')).outcome)
    .toBe('mishandled');
});

test('the worst certain outcome of several visits stays', async () => {
  const { steps, read } = await begin('visits', ['data-on-stream-0']);
  const [{ url } = { url: '' }] = steps;
  await meet(url, {});
  const leave = openFrames(url, {
    begin: Buffer.concat([preface, settings(), headers(1, requestFields(new URL(url).pathname))]),
  });
  await leave.until(isOf(frameTypes.data, 0));
  leave.socket.destroy();
  await expect.poll(async () => (await read())[0]).toMatchObject({ visits: 2, verdict: 'broken' });
});

test('a run is met at the lab of each replica, and read from any', async () => {
  const { read } = await begin('replicas', ['data-on-stream-0']);
  const urls = new Set<string>();
  for (let count = 0; count < 2 * replicas; count++) urls.add((await read())[0]?.url ?? '');
  expect(urls.size).toBe(replicas);
  for (const url of urls) await meet(url, {}, 'naive');
  const known = { visits: replicas, verdict: 'broken' };
  for (let count = 0; count < replicas; count++) {
    await expect.poll(async () => (await read())[0]).toMatchObject(known);
  }
});

test('a POST that is repeated soon after a failure is against advice', async () => {
  const { steps, read } = await begin('repeats', ['failed-post', 'refused-post']);
  for (const { url } of steps) for (const _ of [1, 2]) await meet(url, { method: 'POST' });
  await expect.poll(read).toMatchObject([
    { verdict: 'against-advice', visits: 2 },
    { verdict: 'kept', visits: 2 },
  ]);
});

test('a case of a sandbox has findings there, and nowhere else', async () => {
  const [{ url } = { url: '' }] = (await send(service.url, 'GET /api/http2/plan')).json as Step[];
  const at = (path: string) => new URL(path, url).href;
  await meet(at('/data-on-stream-0'), {});
  await meet(at('/s/lab-a/data-on-stream-0'), {});
  const read = async (sandbox: string) =>
    (await send(service.url, `GET /s/${sandbox}/api/http2/findings`)).json.findings;
  await expect
    .poll(() => read('lab-a'))
    .toMatchObject([{ rule: 'data-on-stream-0', outcome: 'broken', level: 'must' }]);
  expect(await read('lab-b')).toEqual([]);
  expect((await send(service.url, 'GET /api/http2/findings')).status).toBe(403);
});

test('over TLS, the root lists the cases, or sends a page without scripts', async () => {
  const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
  const [{ tlsUrl } = { tlsUrl: '' }] = (await send(service.url, 'GET /api/http2/plan'))
    .json as Step[];
  const { origin } = new URL(tlsUrl);
  const list = await request(origin, { dispatcher });
  expect(list.headers['content-type']).toBe('application/json; charset=utf-8');
  const cases = (await list.body.json()) as Step[];
  expect(cases[0]).toMatchObject({ case: 'preface-late', tlsUrl: `${origin}/preface-late` });
  const page = await request(origin, { dispatcher, headers: { accept: 'text/html' } });
  const html = await page.body.text();
  expect(html).toContain('<code>odd-padding</code>');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(html).not.toContain('<script');
  expect((await request(`${origin}/nothing`, { dispatcher })).statusCode).toBe(404);
  await dispatcher.close();
});

test('another case on the same connection gets 421, and an unknown run 404', async () => {
  const { steps } = await begin('pooled', ['settings-one-stream', 'odd-ping']);
  const [first, second] = steps.map(({ url }) => new URL(url));
  const connection = openFrames(first?.origin ?? '', {
    begin: Buffer.concat([
      preface,
      settings(),
      headers(1, requestFields(first?.pathname)),
      headers(3, requestFields(second?.pathname)),
    ]),
  });
  const misdirected = await connection.until(isOf(frameTypes.headers, 3));
  expect(misdirected?.payload.toString('latin1')).toContain('421');
  connection.socket.destroy();
  const unknown = openFrames(first?.origin ?? '', {
    begin: Buffer.concat([
      preface,
      settings(),
      headers(1, requestFields('/runs/run_none/odd-ping')),
    ]),
  });
  expect((await unknown.until(isOf(frameTypes.headers, 1)))?.payload.toString('latin1')).toContain(
    '404',
  );
  expect((await unknown.until(isOf(frameTypes.goaway)))?.payload.readUInt32BE(4)).toBe(0);
});
