/** CSRF tokens in exported request collections. */

import { type Flow, member, type RequestCollection } from '#kit/request-collection.js';

const flow: Flow = {
  title: 'CSRF',
  description:
    'Gets a token as a cookie, and submits a form with the token in cookie and header. Clients keep cookies.',
  steps: [
    {
      id: 'csrfToken',
      title: 'A token',
      operationId: 'getAuthCsrfToken',
      status: 200,
      keeps: { formToken: member('csrfToken') },
      tests: `pm.test('the cookie has the token, too', () => {
  const { csrfToken } = pm.response.json();
  pm.expect(pm.response.headers.get('Set-Cookie')).to.include('XSRF-TOKEN=' + csrfToken);
});`,
    },
    {
      id: 'csrfSubmitted',
      title: 'Header and cookie, which the client keeps',
      operationId: 'postAuthCsrfSubmit',
      request: { headers: { 'X-CSRF-Token': '{{formToken}}' } },
      status: 200,
    },
    {
      id: 'csrfRefused',
      title: 'Only the cookie',
      operationId: 'postAuthCsrfSubmit',
      status: 403,
      tests: `pm.test('the header is missing', () => {
  pm.expect(pm.response.json().message).to.include('X-CSRF-Token');
});`,
    },
  ],
};

export const csrfCollection: RequestCollection = {
  adaptations: {
    getAuthCsrfToken: { keeps: { csrfToken: member('csrfToken') } },
    postAuthCsrfSubmit: { headers: { 'X-CSRF-Token': '{{csrfToken}}' }, isCookieKept: true },
  },
  flows: [flow],
};
