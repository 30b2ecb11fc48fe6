/** Basic authentication in exported request collections. */

import type { Flow, RequestCollection } from '#kit/request-collection.js';

const credentials = {
  kind: 'basic',
  username: '{{basicUsername}}',
  password: '{{basicPassword}}',
} as const;

const flow: Flow = {
  title: 'Basic',
  description: 'Without credentials, the response is a challenge; with them, it is 200.',
  steps: [
    {
      id: 'basicChallenge',
      title: 'Without credentials',
      operationId: 'getAuthBasic',
      status: 401,
      tests: `pm.test('the challenge says how to authenticate', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.match(/^Basic realm="/);
});`,
    },
    {
      id: 'basicAnswered',
      title: 'With credentials',
      operationId: 'getAuthBasic',
      request: { auth: credentials },
      status: 200,
      tests: `pm.test('the response names the user', () => {
  pm.expect(pm.response.json().user).to.eql(pm.variables.get('basicUsername'));
});`,
    },
  ],
};

export const basicCollection: RequestCollection = {
  presents: {
    basic: credentials,
    pathBasic: ([username = '', password = '']) => ({ kind: 'basic', username, password }),
  },
  flows: [flow],
};
