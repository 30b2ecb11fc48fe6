/** The page of an issuer, which logs in with a demo client and shows each step. Programs get its links. */

import { addVary } from '#http/caching/caching.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { sendPage } from '#kit/pages/send-page.js';
import { issuerEndpoint } from '../exchange.js';

export const entrance = issuerEndpoint('GET', 'issuer', {
  hide: true,
  // The issuer returns `error` and other parameters here.
  queryFaults: 'none',
  handle({ request, reply, issuer }) {
    addVary(reply, 'Accept');
    if (prefersPage(request.headers.accept)) return sendPage(request, reply, 'oidc');
    return {
      issuer: issuer.url,
      discovery: issuer.at('discovery'),
      keys: issuer.at('keys'),
      credentials: `${request.baseUrl}/api/auth`,
      guide: `${request.baseUrl}/guides/oidc`,
      message:
        'This is an OpenID Connect issuer. Clients read the discovery document; browsers get a page that logs in.',
    };
  },
});
