/** The rate limit in exported request collections. */

import type { Flow, RequestCollection } from '#kit/request-collection.js';

const client = { headers: { 'X-Client-Id': '{{clientName}}' } };
const limited = { headers: { 'X-Client-Id': '{{limitedClient}}' } };

const flow: Flow = {
  title: 'Rate limiting',
  description: 'Five requests pass, the sixth is rejected, and after a reset the next one passes.',
  steps: [
    {
      id: 'limitUnused',
      title: 'A client without requests',
      operationId: 'getRateLimitStatus',
      request: limited,
      status: 200,
      needsScripts: true,
      before: `pm.collectionVariables.set('limitedClient', pm.variables.replaceIn('{{$guid}}'));
pm.collectionVariables.set('timesAsked', 0);`,
      tests: `pm.test('no request of the window is used', () => {
  const { used, remaining } = pm.response.json();
  pm.expect({ used, remaining }).to.eql({ used: 0, remaining: 5 });
});`,
    },
    {
      id: 'limitAsked',
      title: 'Repeat until rejected',
      operationId: 'getRateLimit',
      request: limited,
      status: 200,
      orStatus: 429,
      needsScripts: true,
      before: `const timesAsked = Number(pm.variables.get('timesAsked') || 0) + 1;
pm.collectionVariables.set('timesAsked', timesAsked);
if (timesAsked === 1 && !pm.variables.get('limitedClient')) {
  pm.collectionVariables.set('limitedClient', pm.variables.replaceIn('{{$guid}}'));
}`,
      tests: `const timesAsked = Number(pm.variables.get('timesAsked'));
pm.test('request ' + timesAsked + (timesAsked <= 5 ? ' passes' : ' is rejected'), () => {
  pm.response.to.have.status(timesAsked <= 5 ? 200 : 429);
  const remaining = Number(pm.response.headers.get('X-RateLimit-Remaining'));
  pm.expect(remaining).to.eql(Math.max(5 - timesAsked, 0));
});
if (timesAsked <= 5) {
  const next = pm.execution && pm.execution.setNextRequest ? pm.execution : postman;
  if (pm.response.code === 200) next.setNextRequest(pm.info.requestName);
} else {
  pm.test('Retry-After says when to retry', () => {
    const seconds = Number(pm.response.headers.get('Retry-After'));
    pm.expect(seconds).to.be.within(1, 60);
    pm.expect(pm.response.json().retryAfter).to.eql(seconds);
  });
}`,
    },
    {
      id: 'limitReset',
      title: 'A new window',
      operationId: 'postRateLimitReset',
      request: limited,
      status: 200,
      needsScripts: true,
    },
    {
      id: 'limitAskedAgain',
      title: 'The next request passes',
      operationId: 'getRateLimit',
      request: limited,
      status: 200,
      needsScripts: true,
      tests: `pm.test('it is the first request of its window', () => {
  pm.expect(pm.response.json().used).to.eql(1);
});`,
    },
  ],
};

export const rateLimitCollection: RequestCollection = {
  adaptations: {
    getRateLimit: client,
    getRateLimitStatus: client,
    postRateLimitReset: client,
  },
  // Each request comes from a new client with a new window.
  scripts: {
    clientName: `variables.set('clientName', pm.variables.replaceIn('{{$guid}}'));`,
  },
  fileValues: { clientName: 'http-file' },
  flows: [flow],
};
