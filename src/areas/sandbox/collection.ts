/** What collections of requests have to know of sandboxes. */

import type { Flow, RequestCollection } from '../../server/request-collection.js';

const flow: Flow = {
  title: 'A sandbox for this run',
  description:
    'A new sandbox: this run changes nothing that others see, and finds nothing that others changed.',
  isFirst: true,
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

const clockSandbox = { headers: { 'X-Sandbox': '{{sandbox}}-clock' } };

export const sandboxCollection: RequestCollection = {
  adaptations: {
    putSandboxClock: clockSandbox,
    getSandboxClock: clockSandbox,
    deleteSandbox: clockSandbox,
  },
  endings: ['deleteSandbox'],
  flows: [flow],
};
