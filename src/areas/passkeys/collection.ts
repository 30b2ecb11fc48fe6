/** What collections of requests have to know of passkeys. */

import type { RequestCollection } from '../../kit/request-collection.js';

const needsBrowser = 'It wants what a browser has signed.';
const needsName = 'It is for a host name, which is not known beforehand.';

export const passkeyCollection: RequestCollection = {
  leftOut: {
    postAuthPasskeysRegisterOptions: needsName,
    postAuthPasskeysRegisterVerify: needsBrowser,
    postAuthPasskeysLoginOptions: needsName,
    postAuthPasskeysLoginVerify: needsBrowser,
  },
};
