/** Misbehaviours of the login, at addresses that need a token. */

import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import { byLogin } from '../acceptance.js';
import type { Case } from '../case.js';

const ofLogin = { methods: [], acceptedBy: byLogin } as const;

export const loginCases = casesOf<Case>()({
  'foreign-resource': {
    ...ofLogin,
    what: 'The metadata of the protected resource names another resource.',
    rightClient: 'Rejects the metadata.',
    section: cite('RFC 9728', '3.3'),
    resource: (baseUrl) => `${baseUrl}/mcp/other`,
  },
  'issuer-differs': {
    ...ofLogin,
    what: 'The metadata of the issuer names another issuer.',
    rightClient: 'Rejects the metadata.',
    section: cite('RFC 8414', '3.3'),
    issuer: 'discovery-other-issuer',
  },
  'iss-wrong': {
    ...ofLogin,
    what: 'The response to the browser has the iss of another issuer.',
    rightClient: 'Does not redeem the code.',
    section: cite('RFC 9207', '2.4'),
    issuer: 'wrong-response-iss',
  },
  'iss-missing': {
    ...ofLogin,
    what: 'The response to the browser has no iss, which the metadata promises.',
    rightClient: 'Does not redeem the code.',
    section: cite('RFC 9207', '2.4'),
    issuer: 'missing-response-iss',
  },
  'iss-repeated': {
    ...ofLogin,
    what: 'The response to the browser has iss twice.',
    rightClient: 'Does not redeem the code.',
    section: cite('RFC 6749', '3.1'),
    issuer: 'repeated-response-iss',
  },
});
