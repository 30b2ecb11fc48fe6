/** A service that tests reach without a proxy in between, wherever its state is: for what is on the wire. */

import { afterAll, beforeAll, inject } from 'vitest';
import { createService, type Service, type ServiceOptions } from '../../src/index.js';
import { newPrefix } from './redis.js';
import { send, type TestService } from './service.js';

/** Starts it before the tests of the file and closes it after them. */
export function useDirectService(options: ServiceOptions = {}): TestService {
  let service: Service | undefined;
  beforeAll(async () => {
    const stateUrl = inject('stateUrl');
    const shared = stateUrl === undefined ? {} : { stateUrl, statePrefix: newPrefix() };
    service = await createService({ ...shared, ...options });
  });
  afterAll(() => service?.close());
  function url(): string {
    if (service === undefined) throw new Error('The service runs only while tests do.');
    return service.url;
  }
  return {
    get url() {
      return url();
    },
    send: (target, sendOptions) => send(url(), target, sendOptions),
  };
}
