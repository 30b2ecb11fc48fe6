/** The page of an issuer, which logs in with a demo client and shows each step. */

import { prefixOf, sentTargetOf } from '#http/address/sandbox-address.js';
import { addVary } from '#http/caching/caching.js';
import { HttpError } from '#http/http-error.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { sendPage } from '#kit/pages/send-page.js';
import { issuerEndpoint } from '../exchange.js';

export const entrance = issuerEndpoint('GET', 'issuer', {
  hide: true,
  // The issuer returns `error` and other parameters here.
  queryFaults: 'none',
  handle({ request, reply }) {
    addVary(reply, 'Accept');
    if (prefersPage(request.headers.accept)) return sendPage(request, reply, 'oidc');
    // The URL of an issuer is a name: programs read its discovery document.
    const [path] = sentTargetOf(request.raw).split('?', 1);
    const index = `${prefixOf(request.raw)}/`;
    throw new HttpError(
      404,
      `There is nothing at ${path}. GET ${index} lists what this service offers.`,
    );
  },
});
