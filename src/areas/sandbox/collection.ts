/** Sandboxes in exported request collections. */

import type { Flow, RequestCollection } from '#kit/request-collection.js';

const flow: Flow = {
  title: 'A sandbox for this run',
  description: 'A new sandbox: this run affects no other users, and sees none of their changes.',
  isSandboxChoice: true,
  steps: [
    {
      id: 'freshSandbox',
      title: 'A fresh sandbox',
      operationId: 'getSandbox',
      status: 200,
      needsScripts: true,
      before: `pm.collectionVariables.set('sandbox', pm.variables.replaceIn('postman-{{$guid}}'));`,
      tests: `pm.test('it is new, and has the requested name', () => {
  const { name, isShared, isPristine } = pm.response.json();
  pm.expect({ name, isShared, isPristine }).to.eql({
    name: pm.collectionVariables.get('sandbox'),
    isShared: false,
    isPristine: true,
  });
});`,
    },
  ],
};

/** Used only for fault plans, so that no other request fails. */
const faultySandbox = { headers: { 'X-Sandbox': '{{sandbox}}-faults' } };

const clockSandbox = { headers: { 'X-Sandbox': '{{sandbox}}-clock' } };

export const sandboxCollection: RequestCollection = {
  adaptations: {
    putSandboxClock: clockSandbox,
    getSandboxClock: clockSandbox,
    deleteSandbox: clockSandbox,
    putSandboxFaults: faultySandbox,
    getSandboxFaults: faultySandbox,
    getSandboxFaultsLog: faultySandbox,
    deleteSandboxFaults: faultySandbox,
  },
  leftOut: {
    deleteSandboxAddressByAddress:
      'It needs the part after /s/ in a URL, which is not a member of a response.',
  },
  endings: ['deleteSandboxFaults', 'deleteSandbox'],
  flows: [flow],
};
