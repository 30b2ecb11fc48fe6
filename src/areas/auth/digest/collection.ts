/** Digest authentication in exported request collections. */

import type { Flow, RequestCollection } from '#kit/request-collection.js';

const credentials = {
  kind: 'digest',
  username: '{{digestUsername}}',
  password: '{{digestPassword}}',
} as const;

const flow: Flow = {
  title: 'Digest',
  description: 'A challenge, its response, and a replay of that response.',
  steps: [
    {
      id: 'digestChallenge',
      title: 'The challenge',
      operationId: 'getAuthDigest',
      status: 401,
      tests: `pm.test('the challenge has everything that a response needs', () => {
  const challenge = pm.response.headers.get('WWW-Authenticate');
  pm.expect(challenge).to.match(/^Digest realm="/);
  pm.expect(challenge).to.match(/nonce="[^"]+"/);
  pm.expect(challenge).to.not.include('stale=true');
});`,
    },
    {
      id: 'digestCredentialsed',
      title: 'The response to the challenge',
      operationId: 'getAuthDigest',
      request: { auth: credentials },
      status: 200,
      tests: `pm.test('the response names the user, and proves that the server knows the password', () => {
  pm.expect(pm.response.json().user).to.eql(pm.variables.get('digestUsername'));
  pm.expect(pm.response.headers.get('Authentication-Info')).to.match(/rspauth="[0-9a-f]{32}"/);
});`,
    },
    {
      id: 'digestReplayed',
      title: 'The same response again',
      operationId: 'getAuthDigest',
      request: { headers: { Authorization: '{{digestCredentials}}' } },
      status: 401,
      needsScripts: true,
      before: `const { MD5 } = require('crypto-js');
const md5 = (text) => MD5(text).toString();
const variable = (name) => pm.variables.get(name);
const url = variable('baseUrl') + '/api/auth/digest';
const uri = url.replace(/^[a-z]+:\\/\\/[^/]+/, '');
const ask = (headers, next) => {
  const key = variable('serviceKey');
  const sandbox = variable('sandbox');
  const header = { ...(sandbox && { 'X-Sandbox': sandbox }), ...(key && { 'X-Service-Key': key }), ...headers };
  pm.sendRequest({ url, method: 'GET', header }, (error, response) => {
    if (error) throw error;
    next(response);
  });
};
ask({}, (challenged) => {
  const challenge = challenged.headers.get('WWW-Authenticate');
  const part = (name) => new RegExp(name + '="?([^",]+)').exec(challenge)[1];
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map(part);
  const user = variable('digestUsername');
  const secret = md5(user + ':' + realm + ':' + variable('digestPassword'));
  const response = md5([secret, nonce, '00000001', 'c0ffee', 'auth', md5('GET:' + uri)].join(':'));
  const credentials =
    \`Digest username="\${user}", realm="\${realm}", nonce="\${nonce}", uri="\${uri}", \` +
    \`response="\${response}", opaque="\${opaque}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c0ffee"\`;
  pm.collectionVariables.set('digestCredentials', credentials);
  ask({ Authorization: credentials }, ({ code }) => {
    pm.test('the first use of the response succeeds', () => pm.expect(code).to.eql(200));
  });
});`,
      tests: `pm.test('there is a new challenge, which says that the old nonce is stale', () => {
  const challenge = pm.response.headers.get('WWW-Authenticate');
  pm.expect(challenge).to.include('stale=true');
  const nonce = /nonce="([^"]+)"/.exec(pm.variables.get('digestCredentials'))[1];
  pm.expect(challenge).to.not.include(nonce);
});`,
    },
  ],
};

export const digestCollection: RequestCollection = {
  presents: { digest: credentials },
  flows: [flow],
};
