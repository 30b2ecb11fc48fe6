/** Limits of the time that a request is held. The time is noted, and ends at once. */

import { vi } from 'vitest';
import { HeldRequests } from '../../../src/http/held-requests.js';
import { headersOf, kinds } from '../../llm/llm.js';
import { openSession } from '../../mcp/mcp.js';
import type { TestService } from '../../support/service.js';
import type { Rule } from './rule.js';

/** Returns for how many milliseconds requests are held meanwhile. */
async function heldMs(use: () => unknown): Promise<readonly (number | undefined)[]> {
  const { holdUntilClosed } = HeldRequests.prototype;
  const noted: (number | undefined)[] = [];
  const spy = vi.spyOn(HeldRequests.prototype, 'holdUntilClosed');
  spy.mockImplementation(function hold(this: HeldRequests, request, closing, forMs) {
    noted.push(forMs);
    return holdUntilClosed.call(this, request, closing, Math.min(forMs ?? 0, 20));
  });
  try {
    await use();
  } finally {
    spy.mockRestore();
  }
  return noted;
}

async function isHeldFor(ms: number, use: () => unknown): Promise<boolean> {
  return (await heldMs(use)).includes(ms);
}

async function callCountdown(service: TestService): Promise<void> {
  const session = await openSession(service, '2025-11-25', { path: '/s/bounds-of-waits/mcp' });
  await session.request('tools/call', { name: 'countdown', arguments: { seconds: 1 } });
}

export const waitRules: readonly Rule[] = [
  {
    limit: 'areas/data/json-server/version-0.ts#maxDelayMs',
    value: 10_000,
    accepts: (size, { send }) =>
      isHeldFor(size, () => send(`GET /json-server/posts?v=0&_delay=${size}`)),
  },
  {
    limit: 'areas/practice-apis/dialect/call.ts#maxWaitMs',
    value: 10_000,
    accepts: (size, { send }) =>
      isHeldFor(size, () => send(`GET /postman-echo/delay/${size / 1000}`)),
  },
  {
    limit: 'areas/httpbin/echo.ts#maxDelaySeconds',
    value: 10,
    accepts: (size, { send }) => isHeldFor(1000 * size, () => send(`GET /httpbin/delay/${size}`)),
  },
  {
    limit: 'areas/llm/exchange/serve.ts#maxStreamMs',
    value: 600_000,
    accepts: (size, { send }) =>
      isHeldFor(size, () =>
        send(`POST ${kinds.chat.path}`, {
          headers: headersOf('chat', {}),
          json: kinds.chat.body('Hello', { stream: true }),
        }),
      ),
  },
  {
    limit: 'areas/mcp/sessions/session-channel.ts#maxCallMs',
    value: 300_000,
    accepts: (size, service) => isHeldFor(size, () => callCountdown(service)),
  },
];
