/** What collections of requests have to know of sandboxes. */

import type { Flow, RequestCollection } from '../../kit/request-collection.js';

const flow: Flow = {
  title: 'A sandbox for this run',
  description:
    'A new sandbox: this run changes nothing that others see, and finds nothing that others changed.',
  isSandboxChoice: true,
  steps: [
    {
      id: 'freshSandbox',
      title: 'A fresh sandbox',
      operationId: 'getSandbox',
      status: 200,
      needsScripts: true,
      before: `pm.collectionVariables.set('sandbox', pm.variables.replaceIn('postman-{{$guid}}'));`,
      tests: `pm.test('it is new, and named as asked', () => {
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

/** Where faults are planned no other request goes. */
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
      'It needs what follows /s/ in an address, which is no member of a response.',
  },
  endings: ['deleteSandboxFaults', 'deleteSandbox'],
  flows: [flow],
};
