/** Clients at one address that use up what is scarce, or guess codes, beside a victim at another address. */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../attacker.js';

/** @typedef {import('../attacker.js').Attacker} Attacker */

const attackerAddress = '127.0.0.3';
const victimAddress = '127.0.0.2';

const maxConnections = 500;
const sandboxesMade = 1200;
const victimPauseMs = 200;

/**
 * Repeats requests of a victim during an attack.
 *
 * @param {Attacker} attacker
 * @param {(turn: number) => Promise<boolean>} ask Returns whether the victim got its response
 * @returns {Promise<readonly string[]>}
 */
async function complaintsOf(attacker, ask) {
  let [turns, failed] = [0, 0];
  do {
    const isServed = await ask(turns++).catch(() => false);
    if (!isServed) failed++;
    await sleep(victimPauseMs);
  } while (!attacker.isOver());
  return failed === 0 ? [] : [`a victim at another address failed ${failed} of ${turns} times`];
}

/**
 * Sends a form as a browser does.
 *
 * @param {Attacker} attacker
 * @param {string} path
 * @param {Record<string, string>} fields
 * @param {import('../attacker.js').RequestParts} parts
 */
function sendForm(attacker, path, fields, parts) {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(fields).toString();
  return attacker.ask('POST', path, { ...parts, headers: { ...type, ...parts.headers }, body });
}

/** @param {string} page The hidden fields of its form */
function fieldsOf(page) {
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, decode(value)]));
}

/** @param {string} text */
function decode(text) {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/**
 * Tries 200 codes, ten at a time.
 *
 * @param {(turn: number) => Promise<{status: number, text: string}>} tryCode
 * @param {(response: {status: number, text: string}) => boolean} wasTried
 */
async function countTried(tryCode, wasTried) {
  let tried = 0;
  for (let sent = 0; sent < 200; sent += 10) {
    const turns = Array.from({ length: 10 }, (_, index) => sent + index);
    tried += (await Promise.all(turns.map(tryCode))).filter(wasTried).length;
  }
  // The attack may continue into a second minute.
  return tried <= 20 ? [] : [`${tried} of 200 wrong codes were tried`];
}

export const shareAttacks = attacksOf({
  'one address takes all connections': {
    isFor: ({ isProxied }) => !isProxied,
    flags: ['--max-connections', String(maxConnections)],
    async run(attacker) {
      const taking = attacker.repeat(4, async () => {
        await attacker.openMany(maxConnections / 2, (socket) => socket.resume(), attackerAddress);
        await sleep(500);
      });
      await sleep(300);
      const complaints = await complaintsOf(attacker, async () => {
        const { status } = await attacker.ask('GET', '/health', { localAddress: victimAddress });
        return status === 200;
      });
      await taking;
      return complaints;
    },
  },
  'one address wants the keys of many new issuers': {
    async prepare(attacker) {
      return attacker.mode.hasAccounts ? attacker.newAccount() : undefined;
    },
    async run(attacker, victimKey) {
      const wanting = attacker.repeat(40, (turn) =>
        attacker.ask('GET', '/oidc/jwks', {
          headers: { 'X-Sandbox': `issuer-${turn % 100_000}` },
          ...attacker.sameAccount,
          localAddress: attackerAddress,
        }),
      );
      await sleep(300);
      const complaints = await complaintsOf(attacker, async (turn) => {
        const { status } = await attacker.ask('GET', '/oidc/jwks', {
          headers: { 'X-Sandbox': `victim-${turn}` },
          key: victimKey,
          localAddress: victimAddress,
        });
        return status === 200;
      });
      await wanting;
      return complaints;
    },
  },
  'small sandboxes of one address push out those of another': {
    isFor: ({ hasAccounts }) => !hasAccounts,
    async run(attacker) {
      const write = (/** @type {string} */ sandbox, /** @type {string} */ localAddress) =>
        attacker.send(
          'PATCH',
          '/api/Books/1',
          { title: 'Kept' },
          { headers: { 'X-Sandbox': sandbox }, localAddress },
        );
      const own = ['victim-1', 'victim-2', 'victim-3', 'victim-4', 'victim-5'];
      for (const sandbox of own) await write(sandbox, victimAddress);
      let made = 0;
      const makeMany = async () => {
        while (made < sandboxesMade) await write(`many-${made++}`, attackerAddress);
      };
      await Promise.all(Array.from({ length: 8 }, makeMany));
      let lost = 0;
      for (const sandbox of own) {
        const headers = { 'X-Sandbox': sandbox };
        const { text } = await attacker.ask('GET', '/api/Books/1', { headers });
        if (JSON.parse(text).title !== 'Kept') lost++;
      }
      return lost === 0 ? [] : [`${lost} of 5 sandboxes of another address are gone`];
    },
  },
  'one IPv6 /64 holds as many requests as it can': {
    isFor: ({ isProxied }) => !isProxied,
    // The attacker is the proxy that is trusted: the shipped one lets no caller name an address.
    flags: ['--trust-proxy', '127.0.0.0/8', '--held-requests', '900'],
    async run(attacker) {
      await attacker.openMany(1200, (socket, index) => {
        const headers = {
          'X-Forwarded-For': `2001:db8::${(index + 1).toString(16)}`,
          'X-Sandbox': `held-${index % 50}`,
        };
        socket.resume();
        socket.write(attacker.bytes('GET', '/api/methods/get?delay=10', { headers }));
      });
      return complaintsOf(attacker, async () => {
        const headers = { 'X-Forwarded-For': '2001:db8:1::1', 'X-Sandbox': 'victim' };
        const { status } = await attacker.ask('GET', '/api/methods/get?delay=0.05', { headers });
        return status === 200;
      });
    },
  },
  'user codes of devices are tried': async (attacker) => {
    const path = '/oidc/device?user_code=BBBB-';
    return countTried(
      (turn) => attacker.ask('GET', path + String(turn).padStart(4, 'C'), attacker.sameAccount),
      ({ status }) => status === 400,
    );
  },
  'one-time codes at the login of an issuer are tried': {
    async prepare(attacker) {
      const parts = attacker.sameAccount;
      const query = new URLSearchParams({
        client_id: 'demo-web',
        redirect_uri: 'http://localhost:4711/callback',
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      });
      const page = await attacker.ask('GET', `/oidc/authorize?${query}`, parts);
      const cookies = page.head.matchAll(/^set-cookie: ([^;\r]*)/gim);
      const Cookie = [...cookies].map(([, cookie]) => cookie).join('; ');
      const headers = { Cookie };
      const login = { ...fieldsOf(page.text), username: 'alan', password: 'alan-secret' };
      const asked = await sendForm(attacker, '/oidc/login', login, { ...parts, headers });
      return { fields: fieldsOf(asked.text), parts: { ...parts, headers } };
    },
    async run(attacker, { fields, parts }) {
      return countTried(
        (turn) => {
          const code = String(turn).padStart(6, '0');
          return sendForm(attacker, '/oidc/login', { ...fields, code }, parts);
        },
        ({ status, text }) => status !== 429 && text.includes('The code is wrong'),
      );
    },
  },
});
