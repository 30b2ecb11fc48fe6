/** What collections of requests have to know of sessions. */

import { type Flow, json, type RequestCollection } from '../../kit/request-collection.js';

const flow: Flow = {
  title: 'Session',
  description: 'Log in, look, log out. Clients keep the cookie.',
  steps: [
    {
      id: 'sessionBegun',
      title: 'Log in as ada',
      operationId: 'postAuthSessionLogin',
      request: { body: json({ username: 'ada', password: 'ada-secret' }) },
      status: 200,
    },
    { id: 'sessionMe', title: 'Who it is', operationId: 'getAuthSessionMe', status: 200 },
    {
      id: 'sessionEnded',
      title: 'Log out',
      operationId: 'postAuthSessionLogout',
      request: { body: json({}) },
      status: 204,
    },
    { id: 'sessionGone', title: 'Nobody', operationId: 'getAuthSessionMe', status: 401 },
  ],
};

const needsCode = 'It wants a code that is another every half minute.';

export const sessionCollection: RequestCollection = {
  flows: [flow],
  leftOut: {
    getAuthSessionMe: 'The flow has it, in the order that it needs.',
    postAuthSessionTotp: needsCode,
    postAuthSessionRecovery: 'It would use up a code with each run.',
    postAuthSessionLogoutEverywhere: 'It would end the sessions of others.',
  },
};
