/** Callers that fill the storage that all share. */

import { attacksOf } from '../attacker.js';

const sandboxesPerAccount = 20;
const replyBytes = 64_000;

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} sandbox
 * @param {string} [key]
 */
function fill(attacker, sandbox, key) {
  const bin = { response: { body: 'x'.repeat(replyBytes) } };
  const headers = { 'X-Sandbox': `fill-${sandbox}` };
  return attacker.send('POST', '/api/webhooks/bins', bin, { headers, key });
}

export const stateAttacks = attacksOf({
  'accounts of one address fill sandboxes; another loses nothing': {
    isFor: ({ hasAccounts }) => hasAccounts,
    async prepare(attacker) {
      const key = await attacker.newAccount();
      await attacker.send('PATCH', '/api/Books/1', { title: 'Kept' }, { key });
      return key;
    },
    async run(attacker, key) {
      await attacker.repeat(8, (turn) => {
        const sandbox = Math.floor(turn / attacker.keys.length) % sandboxesPerAccount;
        return fill(attacker, sandbox, attacker.keys[turn % attacker.keys.length]);
      });
      const { text } = await attacker.ask('GET', '/api/Books/1', { key });
      return JSON.parse(text).title === 'Kept' ? [] : ['what another account held is gone'];
    },
  },
  'strangers fill sandboxes': {
    isFor: ({ hasAccounts }) => !hasAccounts,
    run: (attacker) => attacker.repeat(8, (turn) => fill(attacker, Math.floor(turn / 50))),
  },
});
