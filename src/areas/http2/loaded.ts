/** The part of the area that its first request loads. */

import type { FindPupil } from '#http/address/pupil.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { RawPort } from '#kit/offers/entries.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Services } from '#kit/services.js';
import { findingsEndpoints } from '#kit/verdict/findings-endpoints.js';
import { findingsPath, judgeName, rules } from './control/judge.js';
import { labOf } from './control/lab-of.js';
import { planEndpoints } from './control/plan-endpoints.js';

export { http2Judge } from './control/judge.js';

/** The lab is one for its port and its endpoints. */
export function rawPortOf(
  services: Services,
  port: number,
  findPupil: FindPupil | undefined,
): RawPort {
  const lab = labOf(services);
  lab.findPupil = findPupil;
  return { port, accept: lab.accept, opened: (ports) => lab.opened(ports) };
}

export const endpoints = (services: Services): readonly Endpoint[] => [
  ...planEndpoints(labOf(services)),
  ...findingsEndpoints({
    path: findingsPath,
    judge: judgeName,
    rules,
    clients: 'HTTP/2 clients',
    sandboxOf: (request) => ownSandbox(request, 'Findings about HTTP/2 clients need'),
  }),
];
