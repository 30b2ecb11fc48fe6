/** JWTs in exported request collections. */

import {
  type Adaptation,
  bearer,
  type Flow,
  json,
  member,
  type RequestCollection,
} from '#kit/request-collection.js';

const login = { username: '{{jwtUsername}}', password: '{{jwtPassword}}' };
const tokens = { accessToken: member('accessToken'), refreshToken: member('refreshToken') };
const refresh = { refreshToken: '{{refreshToken}}' };

const flow: Flow = {
  title: 'JWT',
  description:
    'Log in, use and refresh the tokens, and see all revoked when an old refresh token is used again.',
  steps: [
    {
      id: 'jwtLogin',
      title: 'Log in',
      operationId: 'postAuthJwtLogin',
      request: { body: json(login) },
      status: 200,
      keeps: {
        firstAccessToken: member('accessToken'),
        firstRefreshToken: member('refreshToken'),
      },
      tests: `pm.test('the access token is a JWT', () => {
  pm.expect(pm.response.json().accessToken).to.match(/^[\\w-]+\\.[\\w-]+\\.[\\w-]+$/);
});`,
    },
    {
      id: 'jwtMe',
      title: 'Who am I?',
      operationId: 'getAuthJwtMe',
      request: bearer('{{firstAccessToken}}'),
      status: 200,
      tests: `pm.test('the user who logged in', () => {
  pm.expect(pm.response.json().username).to.eql(pm.variables.get('jwtUsername'));
});`,
    },
    {
      id: 'jwtRefresh',
      title: 'New tokens for the refresh token',
      operationId: 'postAuthJwtRefresh',
      request: { body: json({ refreshToken: '{{firstRefreshToken}}' }) },
      status: 200,
      keeps: {
        secondAccessToken: member('accessToken'),
        secondRefreshToken: member('refreshToken'),
      },
      tests: `pm.test('both tokens are new', () => {
  const { accessToken, refreshToken } = pm.response.json();
  pm.expect(accessToken).to.not.eql(pm.variables.get('firstAccessToken'));
  pm.expect(refreshToken).to.not.eql(pm.variables.get('firstRefreshToken'));
});`,
    },
    {
      id: 'jwtMeAgain',
      title: 'Who am I, with the new token?',
      operationId: 'getAuthJwtMe',
      request: bearer('{{secondAccessToken}}'),
      status: 200,
      tests: `pm.test('still the same user', () => {
  pm.expect(pm.response.json().username).to.eql(pm.variables.get('jwtUsername'));
});`,
    },
    {
      id: 'jwtReuse',
      title: 'The old refresh token again',
      operationId: 'postAuthJwtRefresh',
      request: { body: json({ refreshToken: '{{firstRefreshToken}}' }) },
      status: 401,
      tests: `pm.test('the refresh token was already used', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.include('error="invalid_token"');
  pm.expect(pm.response.json().message).to.include('was already used');
});`,
    },
    {
      id: 'jwtRevoked',
      title: 'The new refresh token, which is revoked by now',
      operationId: 'postAuthJwtRefresh',
      request: { body: json({ refreshToken: '{{secondRefreshToken}}' }) },
      status: 401,
      tests: `pm.test('the refresh token is revoked', () => {
  pm.expect(pm.response.headers.get('WWW-Authenticate')).to.include('error="invalid_token"');
  pm.expect(pm.response.json()).to.not.have.property('accessToken');
});`,
    },
  ],
};

const ofOrder: Adaptation = { path: { id: '{{orderId}}' } };

export const jwtCollection: RequestCollection = {
  presents: { jwt: { kind: 'bearer', token: '{{accessToken}}' } },
  adaptations: {
    postAuthJwtLogin: { body: login, keeps: tokens },
    postAuthJwtRefresh: { body: refresh, keeps: tokens },
    postAuthJwtLogout: { body: refresh },
    postAuthJwtOrders: { keeps: { orderId: member('id') } },
    getAuthJwtOrdersById: ofOrder,
    patchAuthJwtOrdersById: ofOrder,
    postAuthJwtOrdersByIdApprove: ofOrder,
    deleteAuthJwtOrdersById: { ...ofOrder, forgets: ['orderId'] },
  },
  endings: ['deleteAuthJwtOrdersById', 'postAuthJwtLogout'],
  fileValues: { orderId: '3' },
  leftOutOfFile: {
    deleteAuthJwtOrdersById: 'The second run of the file would not find the order.',
  },
  flows: [flow],
};
