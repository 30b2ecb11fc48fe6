/** The part of the area that its first request loads. */

import { keyedMac } from '#http/credentials/keyed-mac.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { sessionEndpoints } from './endpoints.js';

export async function endpoints({
  runtime,
  limits: { wrongCodes },
}: Services): Promise<readonly Endpoint[]> {
  const mac = keyedMac(await runtime.signingKey('session', undefined));
  return sessionEndpoints.map((make) => make({ mac, wrongCodes }));
}
