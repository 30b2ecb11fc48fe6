/** A write in one sandbox is visible only there, in every area that changes data. */

import { describe, expect, test } from 'vitest';
import { type Case, graphql, isolationCases, type Send } from '../support/isolation-cases.js';
import { useService } from '../support/service.js';

const service = useService({ now: () => Date.UTC(2030, 0, 1) });

/** Requests from one sandbox; from the shared one without a name. */
function caller(sandbox: string | undefined): Send {
  return (target, { headers = {}, ...options } = {}) =>
    service.send(target, {
      ...options,
      headers: { ...headers, ...(sandbox !== undefined && { 'X-Sandbox': sandbox }) },
    });
}

describe.each(Object.entries(isolationCases) as [string, Case<unknown>][])('%s', (name, each) => {
  const { write, read, isKeptByReset } = each;
  const mine = caller(name.replaceAll(' ', '-').replaceAll(',', ''));
  const others = [caller('another'), caller(undefined)];

  test('written in a sandbox are visible only there, and gone after its reset', async () => {
    const written = await write(mine);
    const seen = await read(mine, written);
    const pristine = await read(others[0] as Send, written);
    expect(seen).not.toBe(pristine);
    for (const other of others) expect(await read(other, written)).toBe(pristine);

    expect((await mine('DELETE /api/sandbox')).status).toBe(204);
    expect(await read(mine, written)).toBe(isKeptByReset ? seen : pristine);
    expect((await mine('GET /api/sandbox')).json.isPristine).toBe(true);
  });
});

test('reads leave every sandbox pristine', async () => {
  const reader = caller('reader');
  for (const path of [
    '/api/Events',
    '/api/Books/1',
    '/api/RateLimit/status',
    '/api/webhooks/bins',
  ]) {
    expect((await reader(`GET ${path}`)).status).toBe(200);
  }
  await graphql(reader, '{ users { id } todos { id } }');
  expect((await reader('GET /api/sandbox')).json.isPristine).toBe(true);
});

test('a delivery finds the sandbox of its bin only by the id', async () => {
  const mine = caller('deliveries');
  const { json: bin } = await mine('POST /api/webhooks/bins', { json: {} });
  const delivered = await caller(undefined)(`POST /api/webhooks/${bin.id}`, { json: { a: 1 } });
  expect(delivered.json).toMatchObject({ received: true, binId: bin.id });
  expect((await mine(`GET /api/webhooks/bins/${bin.id}/requests`)).text).toContain('{\\"a\\":1}');
  expect((await caller('thief')(`GET /api/webhooks/bins/${bin.id}`)).status).toBe(404);
});
