/**
 * Clients at one address that use up limited resources, or guess codes, while a victim uses another
 * address.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../attacker.js';

/** @typedef {import('../attacker.js').Attacker} Attacker */

const attackerAddress = '127.0.0.3';
const victimAddress = '127.0.0.2';

const maxConnections = 500;
const sandboxesMade = 1200;
const sandboxesPerAccount = 20;
const replyBytes = 64_000;
const victimPauseMs = 200;
const changed = { title: 'Kept' };

/**
 * Repeats requests of a victim while an attack continues.
 *
 * @param {Attacker} attacker
 * @param {Promise<unknown>} attack
 * @param {(turn: number) => Promise<{status: number}>} ask
 * @returns {Promise<readonly string[]>}
 */
async function besideVictim(attacker, attack, ask) {
  await sleep(300);
  let [turns, failed] = [0, 0];
  do {
    const { status } = await ask(turns++).catch(() => ({ status: 0 }));
    if (status !== 200) failed++;
    await sleep(victimPauseMs);
  } while (!attacker.isOver());
  await attack;
  return failed === 0 ? [] : [`a victim at another address failed ${failed} of ${turns} times`];
}

/**
 * Returns whether a sandbox still has the changed book.
 *
 * @param {Attacker} attacker
 * @param {import('../attacker.js').RequestParts} parts
 */
async function isKept(attacker, parts) {
  const { text } = await attacker.ask('GET', '/api/Books/1', parts);
  return JSON.parse(text).title === changed.title;
}

/**
 * Creates a bin with a large response.
 *
 * @param {Attacker} attacker
 * @param {number} sandbox
 * @param {string} [key]
 */
function fill(attacker, sandbox, key) {
  const bin = { response: { body: 'x'.repeat(replyBytes) } };
  const headers = { 'X-Sandbox': `fill-${sandbox}` };
  return attacker.send('POST', '/api/webhooks/bins', bin, { headers, key });
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

export const shareAttacks = attacksOf(
  {
    'one address uses all connections': {
      isFor: ({ isProxied }) => !isProxied,
      flags: ['--max-connections', String(maxConnections)],
      run(attacker) {
        const attack = attacker.repeat(4, async () => {
          await attacker.openMany(maxConnections / 2, (socket) => socket.resume(), attackerAddress);
          await sleep(500);
        });
        const victim = { localAddress: victimAddress };
        return besideVictim(attacker, attack, () => attacker.ask('GET', '/health', victim));
      },
    },
    'one address requests the keys of many new issuers': {
      prepare: async (attacker) => (attacker.mode.hasAccounts ? attacker.newAccount() : undefined),
      run(attacker, key) {
        const own = { ...attacker.sameAccount, localAddress: attackerAddress };
        const victim = { key, localAddress: victimAddress };
        const ask = (/** @type {string} */ sandbox, /** @type {object} */ parts) =>
          attacker.ask('GET', '/oidc/jwks', { ...parts, headers: { 'X-Sandbox': sandbox } });
        const attack = attacker.repeat(40, (turn) => ask(`issuer-${turn % 100_000}`, own));
        return besideVictim(attacker, attack, (turn) => ask(`victim-${turn}`, victim));
      },
    },
    'one address fetches the documents of many new issuers': {
      prepare: async (attacker) => (attacker.mode.hasAccounts ? attacker.newAccount() : undefined),
      run(attacker, key) {
        const own = { ...attacker.sameAccount, localAddress: attackerAddress };
        const victim = { key, localAddress: victimAddress, headers: { 'X-Sandbox': 'victim' } };
        const ask = (/** @type {object} */ parts) =>
          attacker.ask('GET', '/oidc/.well-known/openid-configuration', parts);
        const attack = attacker.repeat(40, (turn) =>
          ask({ ...own, headers: { 'X-Sandbox': `issuer-${turn % 100_000}` } }),
        );
        return besideVictim(attacker, attack, () => ask(victim));
      },
    },
    'small sandboxes of one address displace those that another address has': {
      isFor: ({ hasAccounts }) => !hasAccounts,
      async run(attacker) {
        const write = (/** @type {string} */ sandbox, /** @type {string} */ localAddress) => {
          const headers = { 'X-Sandbox': sandbox };
          return attacker.send('PATCH', '/api/Books/1', changed, { headers, localAddress });
        };
        const own = ['victim-1', 'victim-2', 'victim-3', 'victim-4', 'victim-5'];
        for (const sandbox of own) await write(sandbox, victimAddress);
        let made = 0;
        const makeMany = async () => {
          while (made < sandboxesMade) await write(`many-${made++}`, attackerAddress);
        };
        await Promise.all(Array.from({ length: 8 }, makeMany));
        let lost = 0;
        for (const sandbox of own) {
          if (!(await isKept(attacker, { headers: { 'X-Sandbox': sandbox } }))) lost++;
        }
        return lost === 0 ? [] : [`${lost} of 5 sandboxes of another address are gone`];
      },
    },
    'accounts of one address fill sandboxes; another loses nothing': {
      isFor: ({ hasAccounts }) => hasAccounts,
      reaches: [200, 201],
      async prepare(attacker) {
        const key = await attacker.newAccount();
        await attacker.send('PATCH', '/api/Books/1', changed, { key });
        return key;
      },
      async run(attacker, key) {
        const { keys } = attacker;
        await attacker.repeat(8, (turn) => {
          const sandbox = Math.floor(turn / keys.length) % sandboxesPerAccount;
          return fill(attacker, sandbox, keys[turn % keys.length]);
        });
        return (await isKept(attacker, { key })) ? [] : ['the data of another account is gone'];
      },
    },
    'strangers fill sandboxes': {
      isFor: ({ hasAccounts }) => !hasAccounts,
      reaches: 201,
      run: (attacker) => attacker.repeat(8, (turn) => fill(attacker, Math.floor(turn / 50))),
    },
    'one IPv6 /64 holds as many requests as it can': {
      isFor: ({ isProxied }) => !isProxied,
      // The attacker is a trusted proxy, because the shipped proxy does not forward client addresses.
      flags: ['--trust-proxy', '127.0.0.0/8', '--held-requests', '900'],
      run(attacker) {
        const attack = attacker.openMany(1200, (socket, index) => {
          const headers = {
            'X-Forwarded-For': `2001:db8::${(index + 1).toString(16)}`,
            'X-Sandbox': `held-${index % 50}`,
          };
          socket.resume();
          socket.write(attacker.bytes('GET', '/api/methods/get?delay=10', { headers }));
        });
        const headers = { 'X-Forwarded-For': '2001:db8:1::1', 'X-Sandbox': 'victim' };
        const path = '/api/methods/get?delay=0.05';
        return besideVictim(attacker, attack, () => attacker.ask('GET', path, { headers }));
      },
    },
    'user codes of devices are tried': {
      reaches: 400,
      async run(attacker) {
        const path = '/oidc/device?user_code=BBBB-';
        return countTried(
          (turn) => attacker.ask('GET', path + String(turn).padStart(4, 'C'), attacker.sameAccount),
          ({ status }) => status === 400,
        );
      },
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
  },
  { reaches: 200 },
);
