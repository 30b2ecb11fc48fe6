/** An attempt of a client under a fault plan, for tests of the judges. */

import { redact } from '../../src/base/text/redact.js';
import type { Attempt } from '../../src/faults/plan/attempts.js';

export const failedAttempt: Attempt = {
  plan: 1,
  requestId: 'r',
  method: 'GET',
  path: redact('/a'),
  idempotencyKey: null,
  key: null,
  target: '/a',
  headers: '',
  isRepeatable: true,
  rule: 'rule-1',
  fault: { status: 503 },
  connectionReused: false,
  timeMs: 0,
  respondedAtMs: 0,
  status: 503,
  isSuccess: false,
  body: '',
};
