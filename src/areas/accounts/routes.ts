/** Accounts, which people and scripts make themselves: sign up, look, rotate the key, delete. */

import { Type } from 'typebox';
import {
  type Account,
  type Accounts,
  type KeyedAccount,
  neverUsedDays,
  type SignUpRefusal,
  unusedDays,
} from '../../accounts/accounts.js';
import { plainTextPattern } from '../../data/text-patterns.js';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { location } from '../../server/header-schemas.js';
import { HttpError } from '../../server/http-error.js';
import {
  readServiceKey,
  serviceKeyName,
  serviceKeyScheme,
  unknownServiceKey,
} from '../../server/service-key.js';
import { CapacityError } from '../../state/state.js';
import { accountsCollection } from './collection.js';
import { accountExamples } from './examples.js';

const path = '/api/accounts';
const ownPath = `${path}/me`;

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
  requestsPerMinute: Type.Integer({ description: 'One more is refused with 429.' }),
  sandboxes: Type.Integer({ description: 'One more drops the one unused for longest.' }),
};

const termsSchema = Type.Object({
  isRequired: Type.Boolean({ description: 'Whether areas answer only with a key.' }),
  header: Type.String({ description: 'Where a key goes.' }),
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
  expiresAt: Type.String({ description: 'When it goes; each day of use puts that off.' }),
  limits: Type.Object(limitFields),
};

const accountSchema = Type.Object(accountFields);

const keyedAccountSchema = Type.Object({
  ...accountFields,
  key: Type.String({ description: 'For the header X-Service-Key. It is not shown again.' }),
});

const refusalSchema = Type.Object({
  ...errorSchema.properties,
  retryAfter: Type.Integer({ description: 'Seconds until the address may sign up again.' }),
});

const ownSecurity = [{ [serviceKeyName]: [] }];

const ownResponses = { 400: errorSchema, 401: errorSchema };

/** Expired accounts make room; when one will, nobody can say. */
const fullHouseRetrySeconds = 3600;

export const accountsArea: Area = {
  name: 'accounts',
  title: 'Accounts',
  start: path,
  page: { path: '/account' },
  banner: (baseUrl, { accounts }) =>
    accounts === 'required' ? ['Accounts', `${baseUrl}/account`] : undefined,
  summary: 'Accounts with keys of their own, for services that ask for one; made without approval.',
  // Each route looks at keys by itself, whether or not others need one.
  isOpen: true,
  examples: () => accountExamples,
  collections: [accountsCollection],
  securitySchemes: { [serviceKeyName]: serviceKeyScheme },

  addRoutes(app, { accounts, baseUrlOf, config, sandboxLimits }) {
    const limits = {
      requestsPerMinute: config.accountQuota,
      sandboxes: sandboxLimits.maxSandboxesPerOwner,
    };

    function describe({ id, name, createdAtMs, keyCreatedAtMs, expiresAtMs }: Account) {
      return {
        id,
        name,
        createdAt: new Date(createdAtMs).toISOString(),
        keyCreatedAt: new Date(keyCreatedAtMs).toISOString(),
        expiresAt: new Date(expiresAtMs).toISOString(),
        limits,
      };
    }

    const describeWithKey = ({ account, key }: KeyedAccount) => ({ ...describe(account), key });

    app.get(
      path,
      {
        schema: {
          summary: 'Says whether this service asks for accounts, and what one may do',
          description:
            'Where none is asked for, accounts can be made all the same: a script that makes one runs against both kinds of service.',
          response: { 200: termsSchema },
        },
      },
      async () => ({
        isRequired: config.accounts === 'required',
        header: 'X-Service-Key',
        limits: { ...limits, signUpsPerHour: config.signUpsPerHour },
      }),
    );

    app.post(
      path,
      {
        schema: {
          summary: 'Makes an account and gives its key, once',
          description: `Needs no key and no approval; the body may be left out. An account that is never used goes after ${neverUsedDays} days, one that was used ${unusedDays} days after its last use. An address may make ${config.signUpsPerHour} an hour.`,
          body: signUpSchema,
          response: {
            201: keyedAccountSchema,
            400: errorSchema,
            413: errorSchema,
            415: errorSchema,
            429: refusalSchema,
            503: errorSchema,
          },
          responseHeaders: { 201: location },
        },
      },
      async (request, reply) => {
        const refusal = await accounts.countSignUp(request.ip);
        if (refusal !== undefined) throw tooManySignUps(refusal);
        const made = await createUnlessFull(accounts, request.body.name ?? null);
        reply.code(201).header('location', `${baseUrlOf(request)}${ownPath}`);
        return describeWithKey(made);
      },
    );

    app.get(
      ownPath,
      {
        schema: {
          summary: 'Describes the account of the key',
          description: 'The key itself is not shown again. Asking counts as a use of the account.',
          security: ownSecurity,
          response: { 200: accountSchema, ...ownResponses },
        },
      },
      async (request) => {
        const account = await accounts.find(readServiceKey(request));
        if (account === undefined) throw unknownServiceKey();
        return describe(account);
      },
    );

    app.delete(
      ownPath,
      {
        schema: {
          summary: 'Deletes the account with its sandboxes and bins',
          description: 'The key opens nothing from then on, and nothing can be brought back.',
          security: ownSecurity,
          response: { 204: Type.Null(), ...ownResponses },
        },
      },
      async (request, reply) => {
        if (!(await accounts.remove(readServiceKey(request)))) throw unknownServiceKey();
        return reply.code(204).send(null);
      },
    );

    app.post(
      `${ownPath}/rotate`,
      {
        schema: {
          summary: 'Gives the account another key, once; the one it was asked with ends',
          description:
            'Of several who rotate one key at the same time, one gets the new key and the others 401.',
          security: ownSecurity,
          response: { 200: keyedAccountSchema, ...ownResponses },
        },
      },
      async (request) => {
        const rotated = await accounts.rotate(readServiceKey(request));
        if (rotated === undefined) throw unknownServiceKey();
        return describeWithKey(rotated);
      },
    );
  },
};

function tooManySignUps({ block, limit, secondsLeft }: SignUpRefusal): HttpError {
  const who = block.includes('/') ? `The network ${block}` : 'This address';
  return new HttpError(
    429,
    `${who} has made the ${limit} accounts that it may make per hour. Wait ${secondsLeft} s.`,
    { headers: { 'retry-after': String(secondsLeft) }, body: { retryAfter: secondsLeft } },
  );
}

async function createUnlessFull(accounts: Accounts, name: string | null): Promise<KeyedAccount> {
  try {
    return await accounts.create(name);
  } catch (error) {
    if (!(error instanceof CapacityError)) throw error;
    throw new HttpError(503, 'There are as many accounts as there may be. Try again later.', {
      headers: { 'retry-after': String(fullHouseRetrySeconds) },
    });
  }
}
