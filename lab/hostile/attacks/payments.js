/** Forms with brackets that are deep, wide, repeated or contradictory, and records that name many events. */

import { attacksOf } from '../attacker.js';

const width = 6;
const mebibyte = 1024 * 1024;

const headers = {
  Authorization: 'Bearer sk_test_practice',
  'Content-Type': 'application/x-www-form-urlencoded',
};

/** @param {number} count @param {(index: number) => string} make */
const pairs = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('&');

const basis = 'amount=900&currency=usd&';

/** @type {Readonly<Record<string, string>>} */
const forms = {
  '100,000 brackets in one name': `metadata${'[a]'.repeat(100_000)}=1`,
  'brackets that never end': `metadata${'['.repeat(mebibyte)}`,
  'brackets without names': pairs(1000, () => `items${'[]'.repeat(8)}=1`),
  '200,000 parameters': pairs(200_000, (index) => `n${index}=1`),
  '1,000 names that are both values and objects': pairs(1000, (index) =>
    index % 2 ? `metadata[${index}]=1` : 'metadata=1',
  ),
  'one name 1,000 times': basis + pairs(900, () => 'metadata[a]=1'),
  'names of prototypes': pairs(
    900,
    (index) =>
      ['metadata[__proto__]', '__proto__[a]', 'constructor[prototype][a]', 'metadata[constructor]']
        .map((name) => `${name}=${index}`)
        .at(index % 4) ?? '',
  ),
  'a list with huge indexes': pairs(900, (index) => `payment_method_types[${index}99999999]=card`),
  'a name of a mebibyte': `${'n'.repeat(mebibyte)}=1`,
  'a value of a mebibyte of digits': `amount=${'9'.repeat(mebibyte)}&currency=usd`,
  'percent signs': `${'%'.repeat(mebibyte)}=1`,
  'metadata as large as allowed': basis + pairs(50, (at) => `metadata[k${at}]=${'v'.repeat(500)}`),
  '20 expansions of everything': `${basis}${pairs(20, () => 'expand[]=customer.subscriptions.data.customer')}`,
};

/** Ids of events, none of which is known. */
const manyIds = Array.from(
  { length: 2000 },
  (_, index) => `evt_${String(index).padStart(24, '0')}`,
);

export const paymentAttacks = [
  ...Object.entries(forms).map(
    /** @returns {import('../attacker.js').Attack} */
    ([name, body]) => ({
      name: `payments: ${name}`,
      reaches: [200, 400, 413],
      async run(attacker) {
        const sent = { headers, body };
        const { status } = await attacker.ask('POST', '/v1/payment_intents', sent);
        await attacker.repeat(width, () => attacker.ask('POST', '/v1/payment_intents', sent));
        return status < 500 ? [] : [`${name}: ${status}`];
      },
    }),
  ),
  ...attacksOf(
    {
      'payments: searches with the longest query': (attacker) => {
        const clause = `-metadata["${'k'.repeat(40)}"]~"${'v'.repeat(40)}"`;
        const query = encodeURIComponent(Array(10).fill(clause).join(' AND '));
        const path = `/v1/customers/search?query=${query}`;
        return attacker.repeat(width, () => attacker.ask('GET', path, { headers }));
      },
      'payments: records that name 2,000 events': (attacker) => {
        const body = JSON.stringify({ userId: 1, title: manyIds.join(' '), completed: true });
        const own = { 'Content-Type': 'application/json', 'X-Sandbox': 'named-events' };
        return attacker.repeat(width, () =>
          attacker.ask('POST', '/api/todos', { headers: own, body }),
        );
      },
    },
    { reaches: [200, 201, 400, 413, 422] },
  ),
];
