/** Accounts that people and scripts create themselves: sign up, describe, rotate the key, delete. */

import type { Area } from '#kit/area.js';
import { member } from '#kit/request-collection.js';
import { serviceKeyName, serviceKeyScheme } from '#kit/service-key.js';
import { accountEndpoints, path } from './endpoints.js';

const own = { headers: { 'X-Service-Key': '{{ownKey}}' } };

export const accountsArea: Area = {
  name: 'accounts',
  title: 'Accounts',
  guide: 'accounts',
  summary: 'Accounts with keys, for services that require one; created without approval.',
  front: {
    group: 'login',
    start: path,
    page: { path: '/account' },
    banner: (baseUrl, { accounts }) =>
      accounts === 'required' ? ['Accounts', `${baseUrl}/account`] : undefined,
    examples: () => [
      {
        title: 'Whether this service needs an account',
        method: 'GET',
        path,
        response: { status: 200, has: '"isRequired"' },
      },
      {
        title: 'Create an account, and see its key once',
        method: 'POST',
        path,
        json: { name: 'My test suite' },
        response: { status: 201, headers: ['Location'], has: '"key":"psk_' },
      },
    ],
  },
  // These endpoints check keys themselves, whether or not areas require one.
  defaults: { isOpen: true },
  postman: [
    {
      adaptations: {
        // The number of sign-ups an hour of an IP address is limited, and so is the number of accounts.
        postAccounts: { keeps: { ownKey: member('key') }, otherwise: [429, 503] },
        getAccountsMe: own,
        postAccountsMeRotate: { ...own, keeps: { ownKey: member('key') } },
        deleteAccountsMe: { ...own, forgets: ['ownKey'] },
      },
      endings: ['postAccountsMeRotate', 'deleteAccountsMe'],
      // Sign-ups are limited, so the key is kept.
      lasting: ['ownKey'],
    },
  ],
  securitySchemes: { [serviceKeyName]: serviceKeyScheme },
  endpoints: accountEndpoints,
};
