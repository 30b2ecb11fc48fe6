/** The rules by which clients of payments are judged. */

import { advice, cite, demanded } from '#kit/verdict/citations.js';
import type { Rule } from '#kit/verdict/findings.js';

export const judgeName = 'payments';

export type RuleName =
  | 'one-key-per-payment'
  | 'no-card-numbers'
  | 'whole-amounts'
  | 'waits-for-action'
  | 'events-not-polling'
  | 'secret-key-on-server'
  | 'verified-events'
  | 'events-handled-once';

const table: Readonly<Record<RuleName, Omit<Rule, 'name'>>> = {
  'one-key-per-payment': {
    level: 'must',
    right:
      'Repeat a payment whose response was lost with the Idempotency-Key of the first attempt.',
    section: `${demanded(cite('draft-ietf-httpapi-idempotency-key-header', '2.2'))}; ${cite('Stripe documentation', 'Idempotent requests')}`,
  },
  'no-card-numbers': {
    level: 'should',
    right: 'Let the page of the payment collect the card, and send the id of a payment method.',
    section: cite('Stripe documentation', 'Testing'),
  },
  'whole-amounts': {
    level: 'should',
    right: 'Send amounts as integers of the smallest unit of the currency, such as cents.',
    section: advice,
  },
  'waits-for-action': {
    level: 'advice',
    right: 'Lead the customer through next_action before you confirm the intent again.',
    section: advice,
  },
  'events-not-polling': {
    level: 'advice',
    right: 'Learn of the outcome by a webhook, not by reading the intent repeatedly.',
    section: advice,
  },
  'secret-key-on-server': {
    level: 'must',
    right: 'Use the secret key on the server only, and the publishable key in browsers.',
    section: cite('Stripe documentation', 'Authentication'),
  },
  'verified-events': {
    level: 'should',
    right: 'Verify Stripe-Signature before you act on an event.',
    section: cite('Standard Webhooks', 'Verifying signatures'),
  },
  'events-handled-once': {
    level: 'should',
    right: 'Remember the ids of events, and do the work of each once.',
    section: cite('Standard Webhooks', 'Webhook metadata'),
  },
};

export const paymentRules: readonly Rule[] = Object.entries(table).map(([name, rule]) => ({
  name,
  ...rule,
}));

export const ruleNamed = (name: RuleName): Rule => ({ name, ...table[name] });
