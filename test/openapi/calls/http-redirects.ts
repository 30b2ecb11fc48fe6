/** Calls of the redirects. */

import type { CallTable } from '../caller.js';
import { anyMethods } from './any-methods.js';

export const callHttpRedirects: CallTable = async (caller) => {
  for (const method of anyMethods) {
    const on = `${method}HttpRedirectByHops`;
    await caller.call(on, 'The first of three', { path: { hops: '3' } });
    await caller.call(on, 'Alternating statuses, relative, to another end', {
      path: { hops: '2' },
      query: { status: '302,307', form: 'relative', to: '/api/methods/any' },
    });
    await caller.call(on, 'Preserved method and body', {
      path: { hops: '1' },
      query: { status: '308' },
    });
    await caller.call(on, 'Too many redirects', { path: { hops: '21' } });
    await caller.call(on, 'An unknown kind', { path: { hops: 'nowhere' } });
    const toOtherPort = `${method}HttpRedirectOtherPort`;
    await caller.call(toOtherPort, 'Through a mapped port');
    await caller.call(toOtherPort, 'To another host', { query: { to: '//example.org/' } });
    await caller.call(toOtherPort, 'To TLS', { isToOwnPort: true, isNoExample: true });
    await caller.call(`${method}HttpRedirectLoop`, 'To itself');
    await caller.call(`${method}HttpRedirectMissingLocation`, 'To nowhere');
    const hasBody = ['put', 'post', 'patch'].includes(method);
    await caller.call(`${method}HttpRedirectEnd`, 'Everything that survived', {
      query: { hops: 3 },
      headers: { Cookie: 'a=1', Authorization: 'Bearer demo' },
      ...(hasBody && { json: { name: 'Ada' } }),
    });
  }
};
