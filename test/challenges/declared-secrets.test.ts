/** Names that endpoints declare, and that sound like secrets: each is hidden, or known to be harmless. */

import { afterAll, expect, test, vi } from 'vitest';
import { createService } from '../../src/index.js';
import type { Endpoint } from '../../src/kit/endpoint.js';
import {
  isHarmlessHeader,
  isHarmlessParameter,
  isSecretPart,
} from '../../src/kit/recording/harmless-names.js';
import { RouteCatalogue } from '../../src/kit/route-catalogue.js';

const endpoints: Endpoint[] = [];
const add = vi.spyOn(RouteCatalogue.prototype, 'add').mockImplementation((_area, list) => {
  endpoints.push(...(list as readonly Endpoint[]));
});
const service = await createService({ accounts: 'required' });
add.mockRestore();
afterAll(() => service.close());

const suspicious =
  /auth|bin|cookie|key|token|secret|pass|pw|pin|otp|sig|cred|session|assert|jwt|csrf|xsrf|dpop|hmac|nonce|state|ticket|code|verif|challenge|cert|hint|request|address|value|script|variables|query|metadata|hash/i;

/** Shown although their names match. */
const harmless =
  /^(?:author|authority|countTokens|state|binary|code|code3|codes|coding|callingCode|currency\.code|address\..+|userhash|nextnonce|acr_values|description|ticketsSold|shipping|requestId|request-id|status_code|.*-encoding|idempotency-(?:key|replayed)|requireIdempotency|sec-websocket-accept|www-authenticate|.*-?ratelimit-.*)(?:_(?:gte?|lte?|in|ne))?$/i;

test('a declared name that sounds like a secret is hidden, or known to be harmless', () => {
  expect(endpoints.length).toBeGreaterThan(400);
  const shown = endpoints.flatMap(({ path, spec }) => {
    const parts = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const responseHeaders = Object.values(spec.responseHeaders ?? {});
    return [
      ...parts.filter((name) => !isSecretPart(name, spec.params)),
      ...Object.keys(spec.query ?? {}).filter((name) => isHarmlessParameter(name, spec.query)),
      ...[spec.headers ?? {}, ...responseHeaders].flatMap((fields) =>
        Object.keys(fields).filter((name) => isHarmlessHeader(name.toLowerCase(), fields)),
      ),
    ];
  });
  expect(shown).toEqual(expect.arrayContaining(['author', 'X-Total-Count', 'id']));
  const doubtful = shown.filter((name) => suspicious.test(name) && !harmless.test(name));
  expect([...new Set(doubtful)].sort()).toEqual([]);
});
