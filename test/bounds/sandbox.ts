/** Bounds of fault plans, of the clock, of bins, and of practice bugs. */

import type { GivenRule } from '../../src/faults/plan/fault-plan.js';
import { type Bound, times } from './bound.js';

const headers = { 'X-Sandbox': 'bounds' };
const plan = (rule: Partial<GivenRule>, more: object = {}) => ({
  target: 'PUT /api/sandbox/faults',
  headers,
  json: { rules: [{ sequence: [{}], ...rule }], ...more },
});
const schema = 'areas/sandbox/fault-plan-schema.ts';
const kinds = 'faults/plan/fault-plan.ts';

export const sandboxBounds: readonly Bound[] = [
  {
    limit: `${schema}#maxIdleSeconds`,
    value: 120,
    request: (size) => plan({ sequence: [{ idle: size }] }),
    rejection: [400, /idle must be/],
  },
  {
    limit: `${schema}#maxHintSeconds`,
    value: 86_400,
    request: (size) => plan({ sequence: [{ idle: 1, hint: size }] }),
    rejection: [400, /hint must be/],
  },
  {
    limit: `${kinds}#maxRules`,
    value: 20,
    request: (size) => plan({}, { rules: Array(size).fill({ sequence: [{}] }) }),
    rejection: [400, /rules/],
  },
  {
    limit: `${kinds}#maxFaultsPerRule`,
    value: 50,
    request: (size) => plan({ sequence: Array(size).fill({}) }),
    rejection: [400, /sequence/],
  },
  {
    limit: `${kinds}#maxDelayMs`,
    value: 10_000,
    request: (size) => plan({ sequence: [{ delayMs: size }] }),
    rejection: [400, /delayMs/],
  },
  {
    limit: `${kinds}#maxSeed`,
    value: 2 ** 32 - 1,
    request: (size) => plan({}, { seed: size }),
    rejection: [400, /must be/],
  },
  {
    limit: `${schema}#maxBodyBytes`,
    of: 'truncate',
    value: 1_048_576,
    request: (size) => plan({ sequence: [{ truncate: size }] }),
    rejection: [400, /truncate/],
  },
  {
    limit: `${schema}#maxBodyBytes`,
    of: 'slow',
    value: 1_048_576,
    request: (size) => plan({ sequence: [{ slow: size }] }),
    rejection: [400, /slow/],
  },
  {
    limit: 'areas/sandbox/check-plan.ts#maxFaultBodyBytes',
    value: 65_536,
    request: (size) => plan({ sequence: [{ status: 503, body: times(size, 'x') }] }),
    rejection: [400, /must be at most 65536 bytes; got 65537/],
  },
  {
    limit: 'areas/sandbox/check-plan.ts#maxFaultBodyBytes',
    of: 'in base64',
    value: 65_536,
    request: (size) =>
      plan({
        sequence: [{ status: 503, bodyBase64: Buffer.alloc(size).toString('base64') }],
      }),
    rejection: [400, /must be at most 65536 bytes; got 65537/],
  },
  {
    limit: 'areas/sandbox/check-plan.ts#headerToken',
    value: 100,
    request: (size) => plan({ match: { header: { [times(size, 'a')]: '1' } } }),
    rejection: [400, /must be the name of a header/],
  },
  {
    limit: 'faults/plan/count-failures.ts#maxTimes',
    value: 1000,
    request: (size) => ({ target: `GET /api/Books/1?error=503&times=${size}&key=bounds`, headers }),
    accepted: 503,
    rejection: [400, /times must be an integer from 1 to 1000/],
  },
  {
    limit: 'faults/plan/count-failures.ts#maxKeyLength',
    value: 100,
    request: (size) => ({
      target: `GET /api/Books/1?error=503&times=1&key=${times(size, 'k')}`,
      headers,
    }),
    accepted: 503,
    rejection: [400, /key must be 1 to 100 characters/],
  },
  {
    limit: 'areas/sandbox/sandbox-endpoints.ts#maxOffsetSeconds',
    value: 10 * 366 * 86_400,
    request: (size) => ({
      target: 'PUT /api/sandbox/clock',
      headers: { 'X-Sandbox': 'bounds-of-time' },
      json: { offsetSeconds: size },
    }),
    rejection: [400, /offsetSeconds/],
  },
  {
    limit: 'areas/sandbox/sandbox-endpoints.ts#maxOffsetSeconds',
    of: 'into the past',
    value: 10 * 366 * 86_400,
    request: (size) => ({
      target: 'PUT /api/sandbox/clock',
      headers: { 'X-Sandbox': 'bounds-of-time' },
      json: { offsetSeconds: -size },
    }),
    rejection: [400, /offsetSeconds/],
  },
  {
    limit: 'areas/bins/bin-response.ts#maxResponseBodyBytes',
    value: 65_536,
    request: (size) => ({
      target: 'POST /api/webhooks/bins',
      headers,
      json: { response: { status: 200, body: times(size, 'x') } },
    }),
    rejection: [400, /must be at most 65536 bytes/],
  },
  {
    limit: 'defects/hunts-in-state.ts#maxBugs',
    value: 50,
    request: (size) => ({
      target: 'PUT /api/sandbox/bugs',
      headers,
      json: { level: 'senior', count: size },
    }),
    rejection: [400, /count/],
  },
  {
    limit: 'defects/hunts-in-state.ts#maxHuntSeed',
    value: 0x7fff_ffff,
    request: (size) => ({
      target: 'PUT /api/sandbox/bugs',
      headers,
      json: { level: 'junior', count: 1, seed: size },
    }),
    rejection: [400, /seed/],
  },
  {
    limit: 'areas/bugs/judge/statement.ts#maxStatementText',
    value: 4_000,
    request: (size) => ({
      target: 'POST /s/bounds-of-reports/api/sandbox/bugs/reports',
      json: { method: 'GET', path: '/', expected: times(size, 'x'), actual: 200 },
    }),
    // No bugs are switched on, which is noticed after the text was read.
    accepted: 409,
    rejection: [400, /4000 characters/],
  },
];
