/** A sandbox that fills the service loses its data first, and evicts no small ones. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/index.js';
import { signUp } from '../support/accounts.js';
import { createService } from '../support/create-service.js';
import type { Send } from '../support/isolation-cases.js';
import { send as sendTo } from '../support/service.js';

const mebibyte = 1024 * 1024;
const bins = '/api/webhooks/bins';
const subscriptions = '/api/webhooks/subscriptions';
const large = 'x'.repeat(64 * 1024);

interface FullService {
  readonly service: () => Service;
  /** A caller who has nothing yet, and names each sandbox. */
  readonly newCaller: () => Promise<(sandbox: string) => Send>;
}

describe.each([['with accounts', 'required'] as const, ['without', 'open'] as const])(
  '%s',
  (_how, accounts) => {
    const full = useFullService(accounts);

    test('a caller that fills the service from one IP address loses first, and small callers keep their data', async () => {
      const small = (await full.newCaller())('small');
      await writeALittle(small);
      const statuses = new Set<number>();
      for (let caller = 0; caller < 8; caller++) {
        const greedy = await full.newCaller();
        for (let sandbox = 0; sandbox < 3; sandbox++) {
          for (let bin = 0; bin < 15; bin++) {
            const made = await greedy(`greedy-${sandbox}`)(`POST ${bins}`, {
              json: { response: { status: 200, headers: {}, body: large } },
            });
            statuses.add(made.status);
            if (made.status !== 503) continue;
            expect(made.headers['retry-after']).toMatch(/^\d+$/);
            expect(made.json.message).toContain('holds as much as it may');
          }
        }
      }
      expect([...statuses].every((status) => status === 201 || status === 503)).toBe(true);
      await expectLittle(small);
      // A new caller gets room as well.
      const late = (await full.newCaller())('late');
      await writeALittle(late);
      await expectLittle(late);
      await expectLittle(small);
    });

    test('a caller that floods bins loses captures first, and small callers keep theirs', async () => {
      const small = (await full.newCaller())('small-captures');
      const mine = (await small(`POST ${bins}`)).json.id;
      for (let each = 0; each < 3; each++) await capture(mine, 'small');
      const greedy = await full.newCaller();
      for (let sandbox = 0; sandbox < 2; sandbox++) {
        const send = greedy(`flood-${sandbox}`);
        const bin = (await send(`POST ${bins}`)).json.id;
        for (let each = 0; each < 30; each++) await capture(bin, 'y'.repeat(250 * 1024));
      }
      const kept = (await small(`GET ${bins}/${mine}/requests`)).json;
      expect(kept.map(({ body }: { body: string }) => body)).toEqual(['small', 'small', 'small']);
    });

    test('a caller whose deliveries wait loses its oldest first, and small callers keep theirs', async () => {
      const small = (await full.newCaller())('small-deliveries');
      const mine = await subscribe(small);
      for (let order = 0; order < 3; order++) await publish(small, mine, order);
      const greedy = await full.newCaller();
      const published: string[] = [];
      const left: string[] = [];
      const floods = ['first', 'second'].map((name) => greedy(`deliveries-${name}`));
      for (const send of floods) {
        const id = await subscribe(send);
        for (let order = 0; order < 30; order++) {
          published.push(await publish(send, id, order, 'y'.repeat(200 * 1024)));
        }
        if (send === floods[1]) left.push(...(await listed(send, id)));
      }
      const { json } = await small(`GET ${subscriptions}/${mine}/deliveries?wait=0&lease=0`);
      const bodies: { readonly request: { readonly body: string } }[] = json.deliveries;
      expect(bodies.map(({ request }) => JSON.parse(request.body).data.object.id)).toEqual([
        0, 1, 2,
      ]);
      // Its newest are kept.
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan(30);
      expect(left).toEqual(published.toReversed().slice(0, left.length));
    });

    async function capture(bin: string, body: string): Promise<void> {
      const { status } = await sendTo(full.service().url, `POST /api/webhooks/${bin}`, { body });
      expect(status).toBe(200);
    }
  },
);

async function subscribe(send: Send): Promise<string> {
  const wanted = { events: ['order.*'], scheme: 'stripe' };
  const created = await send(`POST ${subscriptions}`, { json: wanted });
  expect(created.status).toBe(201);
  return created.json.id;
}

async function publish(send: Send, id: string, order: number, filler = ''): Promise<string> {
  const event = { type: 'order.paid', data: { id: order, filler } };
  const { status, json } = await send(`POST ${subscriptions}/${id}/test`, { json: event });
  expect(status).toBe(201);
  return json.id;
}

async function listed(send: Send, id: string): Promise<readonly string[]> {
  const { json } = await send(`GET ${subscriptions}/${id}/deliveries?limit=100`);
  return json.deliveries.map((each: { readonly id: string }) => each.id);
}

async function writeALittle(send: Send): Promise<void> {
  expect((await send('DELETE /api/Books/1')).status).toBe(204);
  expect((await send('PATCH /api/Books/2', { json: { title: 'Mine' } })).status).toBe(200);
}

async function expectLittle(send: Send): Promise<void> {
  expect((await send('GET /api/Books/1')).status).toBe(404);
  expect((await send('GET /api/Books/2')).json.title).toBe('Mine');
}

function useFullService(accounts: 'open' | 'required'): FullService {
  let service: Service | undefined;
  let callers = 0;
  beforeAll(async () => {
    service = await createService({
      accounts,
      accountQuota: 1_000_000,
      signUpsPerHour: 1000,
      sandboxBytes: 4 * mebibyte,
      captureBytes: 4 * mebibyte,
    });
  });
  afterAll(() => service?.close());

  function running(): Service {
    if (service === undefined) throw new Error('The service runs only while tests do.');
    return service;
  }

  return {
    service: running,
    async newCaller() {
      const send: Send = (target, options) => sendTo(running().url, target, options);
      if (accounts === 'required') return (await signUp({ send })).inSandbox;
      const caller = ++callers;
      return (name) =>
        (target, { headers = {}, ...options } = {}) =>
          send(target, { ...options, headers: { ...headers, 'X-Sandbox': `${caller}-${name}` } });
    },
  };
}
