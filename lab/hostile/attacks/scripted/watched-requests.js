/** Requests of sandboxes that record them or solve a challenge, and the lists of what they did. */

import { attacksOf } from '../../attacker.js';

/** @typedef {import('../../attacker.js').Attacker} Attacker */
/** @typedef {import('../../attacker.js').RequestParts} RequestParts */

const sandbox = 'hostile-watched';
const harType = 'application/har+json';
const recordedCount = 1000;

const own = (/** @type {Attacker} */ attacker, name = sandbox) => ({
  ...attacker.sameAccount,
  headers: { 'X-Sandbox': name },
});

/** @template Value @param {number} count @param {(index: number) => Value} make */
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** The largest entry: 30 headers, 30 parameters and a path, each of which is cut. */
const largeHeaders = Object.fromEntries(many(30, (index) => [`X-${index}`, '"'.repeat(230)]));
const largeTarget = `/api/Books/${'a'.repeat(500)}?${many(30, (index) => `p${index}=${'%22'.repeat(70)}`).join('&')}`;

/** @param {Attacker} attacker @param {string} [name] */
async function record(attacker, name) {
  const { status, text } = await attacker.send(
    'PUT',
    '/api/sandbox/recording',
    { on: true },
    own(attacker, name),
  );
  if (status !== 200) throw new Error(`Nothing is recorded: ${status} ${text}`);
}

/** @param {Attacker} attacker @param {string} [name] */
function largeRequest(attacker, name) {
  const { headers, ...parts } = own(attacker, name);
  return attacker.bytes('GET', largeTarget, { ...parts, headers: { ...headers, ...largeHeaders } });
}

/** The quota of an account ends before its record is full. */
const isOpen = (/** @type {import('../../attacker.js').Mode} */ { hasAccounts }) => !hasAccounts;

/** @param {Attacker} attacker */
async function fillRecord(attacker) {
  await record(attacker);
  const { headers, ...parts } = own(attacker);
  const large = { ...parts, headers: { ...headers, ...largeHeaders } };
  const list = async () => {
    const { text } = await attacker.ask('GET', '/api/sandbox/requests', own(attacker));
    return JSON.parse(text).requests.length;
  };
  // A busy state may lose some.
  for (let length = 0; length < recordedCount; length = await list()) {
    await Promise.all(
      many(20, async () => {
        for (let count = 0; count < recordedCount / 20; count++) {
          await attacker.ask('GET', largeTarget, large);
        }
      }),
    );
  }
}

/** @param {string} accept */
const listRequest = (/** @type {Attacker} */ attacker, accept) => {
  const { headers, ...parts } = own(attacker);
  return attacker.bytes('GET', '/api/sandbox/requests', {
    ...parts,
    headers: { ...headers, Accept: accept },
  });
};

/**
 * Bodies of 16 KiB and more, each for the steps of a challenge.
 *
 * @type {[id: string, method: string, path: string, body: string][]}
 */
const bodies = [
  ['soap-fault', 'POST', '/api/soap/calculator', `<${'<a:'.repeat(5000)}`],
  ['soap-add', 'POST', '/api/soap/calculator', `<${'a'.repeat(16_000)}`],
  [
    'graphql-fragment',
    'POST',
    '/graphql',
    JSON.stringify({ query: `{ a }${'fragment '.repeat(1800)}` }),
  ],
  ['graphql-alias', 'POST', '/graphql', JSON.stringify({ query: `{${'a:book '.repeat(2300)}}` })],
  ['rest-batch', 'POST', '/api/Books/batch', `[${'[['.repeat(8000)}`],
  ['oidc-code', 'POST', '/oidc/token', `code=${'%'.repeat(16_000)}`],
  ['webhooks-verify', 'POST', '/api/webhooks/verify/github', 'x'.repeat(16_000)],
  ['rest-json-patch', 'PATCH', '/api/Books/1', JSON.stringify(many(900, () => ({ op: 'test' })))],
  ['streams-chunked', 'POST', '/api/methods/post', 'x'.repeat(1024 * 1024)],
];

const challenges = bodies.map(([id, method, path, body]) => ({ id, method, path, body }));

/** @param {number} turn */
const challengeOf = (turn) =>
  /** @type {typeof challenges[0]} */ (challenges[turn % challenges.length]);

export const watchedAttacks = attacksOf(
  {
    'lists of 1,000 recorded requests as HAR, on 20 connections': {
      isFor: isOpen,
      prepare: fillRecord,
      run: (attacker) =>
        attacker.repeat(20, () => {
          const { headers, ...parts } = own(attacker);
          return attacker.ask('GET', '/api/sandbox/requests', {
            ...parts,
            headers: { ...headers, Accept: harType },
          });
        }),
    },
    '400 stalled readers of 1,000 recorded requests as HAR': {
      isFor: isOpen,
      prepare: fillRecord,
      run: (attacker) => attacker.stall(400, () => listRequest(attacker, harType)),
    },
    'large requests that are recorded, in a new sandbox each': {
      reaches: [200, 400],
      run: async (attacker) => {
        await attacker.repeat(20, async (turn) => {
          const name = `watched-${turn}`;
          await record(attacker, name);
          const request = largeRequest(attacker, name);
          const [socket] = await attacker.openMany(1, (opened) => {
            opened.resume();
            for (let count = 0; count < 50; count++) opened.write(request, 'latin1');
          });
          socket?.end();
          if (!socket?.destroyed) await new Promise((resolve) => socket?.once('close', resolve));
        });
      },
    },
    'challenges whose steps get bodies of 16 KiB and more, on 20 connections': {
      reaches: [200, 400, 401, 500],
      async prepare(attacker) {
        for (const { id } of challenges) {
          const parts = own(attacker, id);
          const { status } = await attacker.ask('POST', `/api/challenges/${id}/start`, parts);
          if (status !== 200) throw new Error(`${id} was not started: ${status}`);
        }
      },
      run: (attacker) =>
        attacker.repeat(20, (turn) => {
          const { id, method, path, body } = challengeOf(turn);
          const { headers, ...parts } = own(attacker, id);
          const type = /soap/.test(path) ? 'text/xml' : 'application/json';
          return attacker.ask(method, path, {
            ...parts,
            headers: { ...headers, 'Content-Type': type },
            body,
          });
        }),
    },
    'challenges that are started, hinted at and reset, on 20 connections': (attacker) =>
      attacker.repeat(20, async (turn) => {
        const parts = own(attacker);
        const { id } = challengeOf(turn);
        await attacker.ask('POST', `/api/challenges/${id}/start`, parts);
        await attacker.ask('POST', `/api/challenges/${id}/hint`, parts);
        await attacker.ask('GET', '/api/challenges', parts);
        if (turn % 5 === 0) await attacker.ask('DELETE', '/api/challenges/progress', parts);
      }),
  },
  { reaches: [200, 204] },
);
