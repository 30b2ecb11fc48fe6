/** Payments in the form of the Stripe API, with state, and without real cards. */

import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { enterByKeyToken, fixedHeadersToken, ownPortToken } from '#kit/offers/entries.js';
import { subscriptionsToken } from '#kit/offers/subscriptions.js';
import { observerToken } from '#kit/recording/exchange-record.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { paymentsSettings } from './settings.js';
import { enterByKey, keys } from './wire/keys.js';
import { requestIdOf } from './wire/request-facts.js';

const loaded = () => import('./loaded.js');

const root = '/v1';

export const paymentsArea = {
  name: 'payments',
  title: 'Payments',
  guide: 'payments',
  settings: paymentsSettings,
  summary: 'The form of the Stripe API, with state, test cards, 3D Secure and subscriptions.',
  front: {
    group: 'events',
    start: '/payments',
    page: { path: '/payments' },
    purposes: [
      {
        purpose: 'test',
        title: 'Payments',
        says: 'The API of Stripe for its SDKs: test cards, 3D Secure.',
        base: '',
        line: `curl -s {base}${root}/payment_intents -H 'Authorization: Bearer ${keys.secret}' -d 'amount=2000&currency=usd'`,
        links: [
          ['Page', '/payments'],
          ['Test plan', '/verdicts#payments-plan'],
          ['Guide', '/guides/payments'],
        ],
      },
    ],
    banner: (baseUrl) => ['Payments', `${baseUrl}/payments`],
    examples: () => [
      {
        title: 'Take a payment with a test card',
        method: 'POST',
        path: '/v1/payment_intents',
        headers: {
          Authorization: `Bearer ${keys.secret}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'amount=2000&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true',
        response: { status: 200, has: '"status": "succeeded"' },
      },
    ],
  },
  failures: {
    negotiated: { below: [root], types: ['application/json'] },
    shape: async (request, failure) => (await loaded()).shape(request, failure),
  },
  needs: [subscriptionsToken],
  offers: [
    enterByKeyToken.of(() => enterByKey),
    ownPortToken.of(({ runtime: { config } }) => {
      const { paymentsPort: port } = valuesIn(config, paymentsSettings);
      return [{ name: 'payments', prefix: root, isPrefixSent: true, port }];
    }),
    judgeToken.of(async () => (await loaded()).paymentsJudge),
    judgeToken.of(async () => (await loaded()).planJudge),
    observerToken.of(() => async (sandbox, exchange) => {
      // Only records of JSON can name an event.
      if (exchange.parsed.json === undefined) return;
      await (await loaded()).observeRecord(sandbox, exchange);
    }),
    fixedHeadersToken.of(() => ({
      below: root,
      values: (request) => ({ 'request-id': requestIdOf(request) }),
    })),
    credentialsToken.of(() => ({
      title: 'Payments',
      schema: {
        payments: Type.Object({
          secret: Type.String(),
          publishable: Type.String(),
          ofSandbox: Type.String({ description: 'The form of the key of a sandbox.' }),
          ofAccount: Type.String({
            description: 'The form of the key where accounts are required.',
          }),
        }),
      },
      read: () => ({ payments: keys }),
    })),
  ],
  isLate: true,
  endpoints: async (services, offered) => (await loaded()).endpoints(services, offered),
} satisfies Area;
