/** What the routes of accounts accept and return. */

import { Type } from 'typebox';
import { neverUsedDays, unusedDays } from '../../accounts/accounts.js';
import { plainTextPattern } from '../../base/text/text-patterns.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { location } from '../../http/schemas/header-schemas.js';
import { serviceKeyName } from '../../kit/service-key.js';

const signUpSchema = Type.Object(
  {
    name: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 100,
        pattern: plainTextPattern,
        description: 'For people to tell accounts apart; it need not be unique.',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
);

const limitFields = {
  requestsPerMinute: Type.Integer({ description: 'One more is rejected with 429.' }),
  sandboxes: Type.Integer({ description: 'One more deletes the one unused for longest.' }),
};

const termsSchema = Type.Object({
  isRequired: Type.Boolean({ description: 'Whether areas require a key.' }),
  header: Type.String({ description: 'Where to send a key.' }),
  limits: Type.Object({
    ...limitFields,
    signUpsPerHour: Type.Integer({
      description:
        'Of one IPv4 address or IPv6 /64; a /56 may make twice as many, a /48 four times.',
    }),
  }),
});

const accountFields = {
  id: Type.String(),
  name: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  createdAt: Type.String({ description: 'ISO 8601 in UTC.' }),
  keyCreatedAt: Type.String({ description: 'When the account got the key that it has.' }),
  expiresAt: Type.String({ description: 'When it is deleted; each day of use postpones that.' }),
  limits: Type.Object(limitFields),
};

const accountSchema = Type.Object({
  ...accountFields,
  usage: Type.Object({
    requests: Type.Integer({ description: 'Those of the current minute.' }),
    requestsRemaining: Type.Integer({ description: 'How many are left.' }),
    secondsLeft: Type.Integer({
      description: 'Until all are available again; 0 when none was sent.',
    }),
  }),
});

const keyedAccountSchema = Type.Object({
  ...accountFields,
  key: Type.String({ description: 'For the header X-Service-Key. It is not shown again.' }),
});

const rejectionSchema = Type.Object({
  ...errorSchema.properties,
  retryAfter: Type.Integer({ description: 'Seconds until the address may sign up again.' }),
});

const ownSecurity = [{ [serviceKeyName]: [] }];

const ownResponses = { 400: errorSchema, 401: errorSchema };

export const showTerms = {
  summary: 'Get whether accounts are required, and their limits',
  description:
    'Accounts can be created even where none is required, so a script that creates one runs against both kinds of service.',
  response: { 200: termsSchema },
};

export const signUp = (signUpsPerHour: number) => ({
  summary: 'Create an account and get its key, once',
  description: `Needs no key and no approval; the body may be left out. An account that is never used is deleted after ${neverUsedDays} days, one that was used ${unusedDays} days after its last use. An address may create ${signUpsPerHour} an hour.`,
  body: signUpSchema,
  response: {
    201: keyedAccountSchema,
    400: errorSchema,
    413: errorSchema,
    415: errorSchema,
    429: rejectionSchema,
    503: errorSchema,
  },
  responseHeaders: { 201: location },
});

export const showOwn = {
  summary: 'Describe the account of the key',
  description: 'The key itself is not shown again. Asking counts as a use of the account.',
  security: ownSecurity,
  response: { 200: accountSchema, ...ownResponses },
};

export const removeOwn = {
  summary: 'Delete the account with its sandboxes and bins',
  description: 'The key is invalid from then on, and nothing can be restored.',
  security: ownSecurity,
  response: { 204: Type.Null(), ...ownResponses },
};

export const rotateKey = {
  summary: 'Replace the key of the account',
  description:
    'When several clients rotate one key at the same time, one gets the new key and the others 401.',
  security: ownSecurity,
  response: { 200: keyedAccountSchema, ...ownResponses },
};
