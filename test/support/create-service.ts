/** Services for tests: over a shared server where the run asks for it, each with keys of its own. */

import { inject } from 'vitest';
import {
  createService as createAnyService,
  type Service,
  type ServiceOptions,
} from '../../src/index.js';
import { newPrefix } from './redis.js';

/** The same as the package's own, except where the state is. */
export function createService(options: ServiceOptions = {}): Promise<Service> {
  const stateUrl = inject('stateUrl');
  if (stateUrl === undefined) return createAnyService(options);
  return createAnyService({ stateUrl, statePrefix: newPrefix(), ...options });
}
