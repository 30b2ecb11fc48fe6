/** What collections of requests have to know of accounts. */

import { member, type RequestCollection } from '../../kit/request-collection.js';

const own = { headers: { 'X-Service-Key': '{{ownKey}}' } };

export const accountsCollection: RequestCollection = {
  adaptations: {
    // An address may sign up so many times an hour, and a service can be full.
    postAccounts: { keeps: { ownKey: member('key') }, otherwise: [429, 503] },
    getAccountsMe: own,
    postAccountsMeRotate: { ...own, keeps: { ownKey: member('key') } },
    deleteAccountsMe: { ...own, forgets: ['ownKey'] },
  },
  endings: ['postAccountsMeRotate', 'deleteAccountsMe'],
  // An address may not sign up often.
  lasting: ['ownKey'],
};
