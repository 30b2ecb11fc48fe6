/** Summaries of operations say in a few words what a caller does. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService({ accounts: 'required', metrics: 'on' });

/** The verbs that summaries may begin with: add another when it says what a caller does. */
const verbs =
  `Append Approve Ask Authenticate Break Call Cancel Capture Change Chat Check Clear Close Continue Count Create Decode Delete
  Describe Drip Echo Empty End Exchange Find Generate Get Ignore Introspect Join List Load Log Meet Move Negotiate Plan Push Put Redirect
  Register Reject Replace Report Request Require Reserve Reset Respond Restore Return Revoke Run Send Set Show Sign Speak Start Store Stream
  Submit Take Upload Use Verify Visit Write`.split(/\s+/);

interface Operation {
  readonly summary: string;
}

test('each begins with a verb, has at most 60 characters and no full stop', async () => {
  const { json } = await service.send('GET /openapi.json?formats=all');
  const operations = Object.values<Record<string, Operation>>(json.paths).flatMap<Operation>(
    Object.values,
  );
  expect(operations.length).toBeGreaterThan(350);
  const wrong = operations.filter(({ summary }) => {
    const [first = ''] = summary.split(' ');
    return !verbs.includes(first) || summary.length > 60 || summary.endsWith('.');
  });
  expect(wrong.map(({ summary }) => summary)).toEqual([]);
});
