/** The findings about clients of a sandbox. */

import type { Request } from '#http/exchange.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { findingsEndpoints as endpointsOf } from '#kit/verdict/findings-endpoints.js';
import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import { judgeName, paymentRules } from './rules.js';
import { forgetSeen } from './watch.js';

const onClear: Parameters<typeof judgeByFindings>[0]['onClear'] = (sandbox) =>
  forgetSeen({ sandbox });

export const findingsEndpoints = endpointsOf({
  path: '/api/sandbox/payments/findings',
  judge: judgeName,
  rules: paymentRules,
  clients: 'clients of payments',
  sandboxOf: (request: Request) => ownSandbox(request, 'Findings about payments need'),
  onClear,
});

export const paymentsJudge = judgeByFindings({
  name: judgeName,
  title: 'Payments',
  says: 'Each request of a client of /v1: keys for repeated payments, card numbers, amounts.',
  guide: 'payments',
  rules: paymentRules,
  onClear,
});
