/**
 * A service without a proxy in between, wherever its state is: for tests of the bytes on the wire.
 */

import { inject } from 'vitest';
import { createService, type ServiceOptions } from '../../src/index.js';
import { newPrefix } from './redis.js';
import { type TestService, useStarted } from './service.js';

/** Starts it before the tests of the file and closes it after them. */
export function useDirectService(options: ServiceOptions = {}): TestService {
  return useStarted(() => {
    const stateUrl = inject('stateUrl');
    const shared = stateUrl === undefined ? {} : { stateUrl, statePrefix: newPrefix() };
    return createService({ ...shared, ...options });
  });
}
