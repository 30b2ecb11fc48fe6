/** OAuth in exported request collections. */

import {
  bearer,
  type Flow,
  form,
  member,
  type RequestCollection,
} from '#kit/request-collection.js';

const client = {
  kind: 'basic',
  username: '{{oauthClientId}}',
  password: '{{oauthClientSecret}}',
} as const;

const flow: Flow = {
  title: 'OAuth 2.0',
  description: 'Get a token with the client’s credentials, use it, and revoke it.',
  steps: [
    {
      id: 'oauthGrant',
      title: 'A token',
      operationId: 'postAuthOauthToken',
      request: {
        auth: client,
        body: form({ grant_type: 'client_credentials', scope: 'read write' }),
      },
      status: 200,
      keeps: { grantedToken: member('access_token') },
      tests: `pm.test('a bearer token with the requested scope', () => {
  const { token_type, scope } = pm.response.json();
  pm.expect({ token_type, scope }).to.eql({ token_type: 'Bearer', scope: 'read write' });
});`,
    },
    {
      id: 'oauthProtected',
      title: 'Protected resource',
      operationId: 'getAuthOauthProtected',
      request: bearer('{{grantedToken}}'),
      status: 200,
      tests: `pm.test('the response names the client', () => {
  pm.expect(pm.response.json().client_id).to.eql(pm.variables.get('oauthClientId'));
});`,
    },
    {
      id: 'oauthIntrospected',
      title: 'Token introspection',
      operationId: 'postAuthOauthIntrospect',
      request: { auth: client, body: form({ token: '{{grantedToken}}' }) },
      status: 200,
      tests: `pm.test('the token is active', () => pm.expect(pm.response.json().active).to.eql(true));`,
    },
    {
      id: 'oauthRevoked',
      title: 'Token revocation',
      operationId: 'postAuthOauthRevoke',
      request: { auth: client, body: form({ token: '{{grantedToken}}' }) },
      status: 200,
    },
    {
      id: 'oauthRefused',
      title: 'Protected resource after revocation',
      operationId: 'getAuthOauthProtected',
      request: bearer('{{grantedToken}}'),
      status: 401,
      tests: `pm.test('the token is invalid', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.include('error="invalid_token"');
});`,
    },
    {
      id: 'oauthForgotten',
      title: 'Token introspection after revocation',
      operationId: 'postAuthOauthIntrospect',
      request: { auth: client, body: form({ token: '{{grantedToken}}' }) },
      status: 200,
      tests: `pm.test('the response has only active: false', () => {
  pm.expect(pm.response.json()).to.eql({ active: false });
});`,
    },
  ],
};

export const oauthCollection: RequestCollection = {
  presents: { oauthClient: client, oauth: { kind: 'bearer', token: '{{oauthToken}}' } },
  adaptations: {
    postAuthOauthToken: { keeps: { oauthToken: member('access_token') } },
    postAuthOauthIntrospect: { body: { token: '{{oauthToken}}' } },
    postAuthOauthRevoke: { body: { token: '{{oauthToken}}' } },
  },
  endings: ['postAuthOauthRevoke'],
  flows: [flow],
};
