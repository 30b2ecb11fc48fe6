/** Payments at a port, and clients that were made for older versions. */

import { expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();

test.each([{ paymentsPort: 0 }, { serve: { payments: 0 } }])(
  '%j serves the API of payments at a port, with the state of the main one',
  async (options) => {
    const own = await createService(options);
    try {
      const url = own.ownUrls['/v1'] ?? '';
      const { id } = await clientOf({ url }, 'ports').customers.create({ name: 'Ada' });
      expect(new URL(url).port).not.toBe(new URL(own.url).port);
      expect((await clientOf(own, 'ports').customers.retrieve(id)).id).toBe(id);
    } finally {
      await own.close();
    }
  },
);

test.each(['2019-12-03', '2022-11-15', '2025-03-31.basil'])(
  'the version %s gets responses of the pinned one',
  async (apiVersion) => {
    const stripe = clientOf(service, 'versions', { apiVersion: apiVersion as never });
    const { object, lastResponse } = await stripe.balance.retrieve();
    expect(object).toBe('balance');
    expect(lastResponse.headers['stripe-version']).toBe('2026-02-25.clover');
  },
);
