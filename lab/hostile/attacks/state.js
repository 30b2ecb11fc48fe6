/** Callers that fill what all share. */

const sandboxesPerAccount = 20;
const replyBytes = 64_000;

/** @type {readonly import('../attacker.js').Attack[]} */
export const stateAttacks = [
  {
    name: 'accounts of one address fill sandboxes; another loses nothing',
    isFor: ({ hasAccounts }) => hasAccounts,
    async prepare(attacker) {
      const key = await attacker.newAccount();
      await attacker.send('PATCH', '/api/Books/1', { title: 'Kept' }, { key });
      return key;
    },
    async run(attacker, key) {
      const bin = { response: { body: 'x'.repeat(replyBytes) } };
      let turn = 0;
      await attacker.repeat(8, () => {
        const own = attacker.keys[turn % attacker.keys.length];
        const sandbox = Math.floor(turn++ / attacker.keys.length) % sandboxesPerAccount;
        return attacker.send('POST', '/api/webhooks/bins', bin, {
          headers: { 'X-Sandbox': `fill-${sandbox}` },
          ...(own !== undefined && { key: own }),
        });
      });
      const { text } = await attacker.ask('GET', '/api/Books/1', { key });
      return JSON.parse(text).title === 'Kept' ? [] : ['what another account held is gone'];
    },
  },
  {
    name: 'strangers fill sandboxes',
    isFor: ({ hasAccounts }) => !hasAccounts,
    async run(attacker) {
      const bin = { response: { body: 'x'.repeat(replyBytes) } };
      let turn = 0;
      await attacker.repeat(8, () => {
        const headers = { 'X-Sandbox': `fill-${Math.floor(turn++ / 50)}` };
        return attacker.send('POST', '/api/webhooks/bins', bin, { headers });
      });
    },
  },
];
