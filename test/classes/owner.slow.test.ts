/** Resources that pupils hold count for the owner of their class: an account, else an IPv4 address or IPv6 /64. */

import { afterEach, describe, expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useDirectService } from '../support/direct-service.js';
import { issuerAt } from '../support/oidc.js';
import type { SendOptions, TestService } from '../support/service.js';
import { newClass, type Pupil } from './school.js';

type Headers = Record<string, string>;

const minuteMs = 60_000;
let nowMs = Date.UTC(2030, 0, 1);
/** An address has 16 of 48 held requests, an account 24, and a pupil 2. */
const limits = { trustProxy: true, now: () => nowMs, heldRequests: 48, metrics: 'on' } as const;
const open = useDirectService(limits);
const withAccounts = useDirectService({
  ...limits,
  ...{ accounts: 'required', accountQuota: 40, signUpsPerHour: 1000 },
});

const at = (address: string): Headers => ({ 'X-Forwarded-For': address });

/** A different address for each pupil. */
const atHome = (place: number): Headers => at(`198.51.100.${place}`);

interface Owner {
  readonly service: TestService;
  /** Headers of the owner, who may have several addresses. */
  readonly headers: (place: number) => Headers;
}

/** Creates two classes of one owner, and pupils in them who join from different addresses. */
async function pupilsOf({ service, headers }: Owner, count: number): Promise<readonly Pupil[]> {
  const classes = [await newClass(service, headers(1)), await newClass(service, headers(2))];
  const pupils = [];
  for (let place = 0; place < count; place++) {
    const pupil = await classes[place % 2]?.join(`Pupil ${place}`, atHome(place));
    if (pupil !== undefined) pupils.push(pupil);
  }
  return pupils;
}

const pathOf = (pupil: Pupil | undefined) => new URL(pupil?.address ?? '').pathname;

const ofIpv4 = (address: string): Owner => ({ service: open, headers: () => at(address) });
const ofIpv6 = (network: string): Owner => ({
  service: open,
  headers: (place) => at(`${network}::${place}`),
});

async function ofAccount(): Promise<Owner> {
  const { key } = await signUp(withAccounts);
  return { service: withAccounts, headers: () => ({ 'X-Service-Key': key }) };
}

describe('held requests', () => {
  const leaving: AbortController[] = [];
  const held: Response[] = [];
  afterEach(async () => {
    for (const each of leaving.splice(0)) each.abort();
    held.length = 0;
    for (const each of [open, withAccounts]) await expect.poll(() => heldIn(each)).toBe(0);
  });

  /** Sends a request that is held; returns its response if it is rejected instead. */
  async function hold({ url }: TestService, path: string, headers: Headers) {
    const before = await heldIn({ url });
    const controller = new AbortController();
    leaving.push(controller);
    let rejection: string | undefined;
    fetch(`${url}${path}/api/sse/changes?collection=Books`, { headers, signal: controller.signal })
      .then(async (response) => {
        // A response that is no longer referenced would be cancelled.
        held.push(response);
        if (response.status !== 200) rejection = `${response.status} ${await response.text()}`;
      })
      .catch(() => {});
    const isSettled = async () => rejection !== undefined || (await heldIn({ url })) > before;
    await expect.poll(isSettled).toBe(true);
    return rejection;
  }

  test.each([
    ['an IPv4 address', 16, 'address', async () => ofIpv4('192.0.2.1')],
    ['an IPv6 /64', 16, 'address', async () => ofIpv6('2001:db8')],
    ['an account', 24, 'account', ofAccount],
  ] as const)(
    'of the classes of %s are %i together, and two of each pupil',
    async (_whose, share, what, ownerOf) => {
      const owner = await ownerOf();
      const { service, headers } = owner;
      const pupils = await pupilsOf(owner, share / 2 + 1);
      for (let place = 0; place < share; place++) {
        const pupil = pupils[Math.floor(place / 2)];
        expect(await hold(service, pathOf(pupil), atHome(place)), `${place}`).toBeUndefined();
      }
      const full = `503 .*already holds ${share} requests of one ${what}`;
      expect(await hold(service, pathOf(pupils.at(-1)), atHome(99))).toMatch(new RegExp(full));
      expect(await hold(service, pathOf(pupils[0]), atHome(99))).toMatch(/2 requests of one pupil/);
      expect(await hold(service, '', headers(3))).toMatch(new RegExp(full));
      // Others have what is left.
      const stranger = service === open ? at('203.0.113.9') : (await ofAccount()).headers(1);
      expect(await hold(service, '', stranger)).toBeUndefined();
      expect(await hold(service, '', stranger)).toBeUndefined();
    },
  );

  test('of one pupil also count for the address that they come from', async () => {
    const classes = await Promise.all(
      Array.from({ length: 9 }, (_, place) => newClass(open, at(`192.0.2.${100 + place}`))),
    );
    const pupils = await Promise.all(classes.map(({ join }) => join('Ada')));
    const address = at('203.0.113.20');
    for (let place = 0; place < 16; place++) {
      const path = pathOf(pupils[Math.floor(place / 2)]);
      expect(await hold(open, path, address), `${place}`).toBeUndefined();
    }
    expect(await hold(open, pathOf(pupils[8]), address)).toMatch(/16 requests of one address/);
    expect(await hold(open, pathOf(pupils[8]), at('203.0.113.21'))).toBeUndefined();
  });
});

async function heldIn({ url }: { readonly url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^practice_api_held_requests (\d+)/m.exec(metrics)?.[1]);
}

describe('wrong join codes', () => {
  const joinAt = (path: string, joinCode: string, headers: Headers) => {
    const json = { joinCode, name: 'Guesser' };
    return open.send(`POST ${path}/api/classes/join`, { json, headers });
  };

  test.each([
    ['of one address are 60 a minute', () => at('192.0.2.30'), ofIpv4('192.0.2.31')],
    ['from many addresses, of one owner, too', atHome, ofIpv4('192.0.2.32')],
    [
      'of one IPv6 /64, too',
      (place: number) => at(`2001:db8:a::${place + 1}`),
      ofIpv4('192.0.2.33'),
    ],
    ['of an owner with an IPv6 /64, too', atHome, ofIpv6('2001:db8:b')],
  ])(
    'below the addresses of five pupils %s, and a right one is accepted',
    async (_what, from, owner) => {
      const pupils = await pupilsOf(owner, 5);
      const { joinCode } = await newClass(open, at('192.0.2.39'));
      for (let place = 0; place < 60; place++) {
        const tried = await joinAt(pathOf(pupils[place % 5]), 'AAAA-AAAA', from(place));
        expect(tried.status).toBe(404);
      }
      for (const pupil of pupils) {
        const rejected = await joinAt(pathOf(pupil), 'AAAA-AAAB', from(61));
        expect(rejected.status).toBe(429);
        expect(rejected.headers['retry-after']).toBe('60');
        expect((await joinAt(pathOf(pupil), joinCode, from(61))).status).toBe(201);
      }
      expect((await joinAt('', 'AAAA-AAAC', at('203.0.113.1'))).status).toBe(404);
      nowMs += minuteMs;
      expect((await joinAt(pathOf(pupils[0]), 'AAAA-AAAB', from(61))).status).toBe(404);
    },
  );
});

describe('wrong user codes', () => {
  const device = (pupil: Pupil | undefined, headers: Headers) => {
    const send: TestService['send'] = (target, { headers: own = {}, ...options } = {}) =>
      open.send(target, { ...options, headers: { ...headers, ...own } } as SendOptions);
    const path = pathOf(pupil);
    const visit = (user_code: string) =>
      send(`GET ${path}/oidc/device?${new URLSearchParams({ user_code, auto: 'ada' })}`);
    const newCode = async (): Promise<string> =>
      (await issuerAt({ send }, path).post('device_authorization', { client_id: 'demo-device' }))
        .json.user_code;
    return { visit, newCode };
  };

  test('are ten of a pupil and 100 of all pupils of an owner; beyond those 100, right ones are accepted', async () => {
    const pupils = await pupilsOf(ofIpv4('192.0.2.40'), 11);
    for (let place = 0; place < 100; place++) {
      const { visit } = device(pupils[Math.floor(place / 10)], atHome(place));
      expect((await visit('BBBB-BBBB')).status).toBe(400);
    }
    const full = device(pupils[0], atHome(0));
    const rejected = await full.visit(await full.newCode());
    expect([rejected.status, rejected.json.message]).toEqual([
      429,
      'Only 10 wrong codes a minute are accepted of this pupil. Wait 60 s.',
    ]);
    const last = device(pupils[10], atHome(10));
    const wrong = await last.visit('BBBB-BBBB');
    expect([wrong.status, wrong.json.message]).toEqual([
      429,
      'Only 100 wrong codes a minute are accepted of the classes of this owner. Wait 60 s.',
    ]);
    expect((await last.visit(await last.newCode())).text).toContain('device is connected');
    // The owner is a caller like others, beside the pupils.
    const plain = device({ address: `${open.url}/s/mine` } as Pupil, at('203.0.113.2'));
    expect((await plain.visit('BBBB-BBBB')).status).toBe(400);
    nowMs += minuteMs;
  });
});

describe('where accounts are required', () => {
  test('all pupils of an account have the quota of thirty accounts, and each the quota of one', async () => {
    const pupils = await pupilsOf(await ofAccount(), 31);
    const ask = (pupil: Pupil | undefined) => pupil?.call('GET /api/Books/1');
    for (const pupil of pupils.slice(0, 30)) {
      const all = await Promise.all(Array.from({ length: 40 }, () => ask(pupil)));
      expect(new Set(all.map((each) => each?.status))).toEqual(new Set([200]));
    }
    expect((await ask(pupils[0]))?.status).toBe(429);
    expect((await ask(pupils[30]))?.status).toBe(429);
    nowMs += minuteMs;
    expect((await ask(pupils[30]))?.status).toBe(200);
  });
});

test('a class whose owner is an address does not count for an account, nor for the address of a pupil', async () => {
  const { join, teach } = await newClass(open, at('192.0.2.50'));
  const ada = await join('Ada', at('192.0.2.51'));
  await ada.call('DELETE /api/Books/1', { headers: at('192.0.2.52') });
  expect((await teach('GET')).json.pupils).toMatchObject([{ name: 'Ada', requests: 1 }]);
  expect(JSON.stringify((await teach('GET')).json)).not.toContain('192.0.2');
});
