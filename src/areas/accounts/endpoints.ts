import { Type } from 'typebox';
import {
  type Account,
  type Accounts,
  type KeyedAccount,
  neverUsedDays,
  type SignUpRejection,
  unusedDays,
} from '#accounts/accounts.js';
import { plainTextPattern } from '#base/text/text-patterns.js';
import type { Config } from '#config/settings.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import { location } from '#http/schemas/header-schemas.js';
import { nullableText } from '#kit/describe/nullable.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { tooManyRequests } from '#kit/limits/too-many-requests.js';
import { readServiceKey, serviceKeyName, unknownServiceKey } from '#kit/service-key.js';
import type { Sandboxes, Services } from '#kit/services.js';
import { CapacityError } from '#state/state.js';

export const path = '/api/accounts';
const ownPath = `${path}/me`;

type Limits = ReturnType<typeof limitsOf>;

const limitFields = {
  requestsPerMinute: Type.Integer({ description: 'Beyond it, requests get 429.' }),
  sandboxes: Type.Integer({ description: 'Beyond it, the least recently used is deleted.' }),
};

const accountFields = {
  id: Type.String(),
  name: nullableText(),
  createdAt: Type.String({ description: 'ISO 8601 in UTC.' }),
  keyCreatedAt: Type.String({ description: 'When the current key was created.' }),
  expiresAt: Type.String({ description: 'Time of deletion; each day of use postpones it.' }),
  limits: Type.Object(limitFields),
};

const keyedAccountSchema = Type.Object({
  ...accountFields,
  key: Type.String({ description: 'For the header X-Service-Key. It is not shown again.' }),
});

const security = [{ [serviceKeyName]: [] }];

export function accountEndpoints(services: Services): readonly Endpoint[] {
  const { accounts } = services.limits;
  const { config } = services.runtime;
  const limits = limitsOf(config, services.sandboxes);
  return [
    showTerms(config, limits),
    signUp(config, accounts, limits),
    showOwn(accounts, limits),
    removeOwn(accounts),
    rotateKey(accounts, limits),
  ];
}

function limitsOf(config: Config, { sandboxLimits }: Sandboxes) {
  return {
    requestsPerMinute: config.accountQuota,
    sandboxes: sandboxLimits.maxSandboxesPerOwner,
  };
}

const showTerms = (config: Config, limits: Limits) =>
  endpoint('GET', path, {
    summary: 'Get whether accounts are required, and their limits',
    description:
      'Accounts can be created even if the service requires none, so one script works with both kinds of service.',
    responses: {
      200: Type.Object({
        isRequired: Type.Boolean({ description: 'Whether areas require a key.' }),
        header: Type.String({ description: 'The header to send a key in.' }),
        limits: Type.Object({
          ...limitFields,
          signUpsPerHour: Type.Integer({
            description:
              'For one IPv4 address or IPv6 /64. A /56 may create twice as many, a /48 four times.',
          }),
        }),
      }),
    },
    handle: () => ({
      isRequired: config.accounts === 'required',
      header: 'X-Service-Key',
      limits: { ...limits, signUpsPerHour: config.signUpsPerHour },
    }),
  });

const signUp = (config: Config, accounts: Accounts, limits: Limits) =>
  endpoint('POST', path, {
    summary: 'Create an account and get its key, once',
    description: `Needs no key and no approval, and no body. An account that is never used is deleted after ${neverUsedDays} days; otherwise ${unusedDays} days after its last use. An IP address may create ${config.signUpsPerHour} an hour.`,
    body: Type.Object(
      {
        name: Type.Optional(
          nullableText({
            maxLength: 100,
            pattern: plainTextPattern,
            description: 'A label for people; need not be unique.',
          }),
        ),
      },
      { additionalProperties: false, default: {} },
    ),
    responses: {
      201: keyedAccountSchema,
      ...failures(503),
      429: Type.Object({
        ...errorSchema.properties,
        retryAfter: Type.Integer({
          description: 'Seconds until the IP address may sign up again.',
        }),
      }),
    },
    responseHeaders: { 201: location },
    async handle({ ip, body, baseUrl }, reply) {
      const rejection = await accounts.countSignUp(ip);
      if (rejection !== undefined) throw tooManySignUps(rejection);
      const created = await createUnlessFull(accounts, body.name ?? null);
      reply.code(201).header('location', `${baseUrl}${ownPath}`);
      return describeWithKey(created, limits);
    },
  });

const showOwn = (accounts: Accounts, limits: Limits) =>
  endpoint('GET', ownPath, {
    summary: 'Describe the account of the key',
    description: 'The key itself is not shown again. This request counts as use of the account.',
    security,
    responses: {
      200: Type.Object({
        ...accountFields,
        usage: Type.Object({
          requests: Type.Integer({ description: 'Requests in the current minute.' }),
          requestsRemaining: Type.Integer({ description: 'Requests that remain.' }),
          secondsLeft: Type.Integer({
            description: 'Seconds until all requests are available again; 0 if none was sent.',
          }),
        }),
      }),
    },
    async handle(request) {
      const account = await accounts.find(readServiceKey(request));
      if (account === undefined) throw unknownServiceKey();
      const { requests, secondsLeft } = await accounts.usageOf(account.id);
      const requestsRemaining = limits.requestsPerMinute - requests;
      return { ...describe(account, limits), usage: { requests, requestsRemaining, secondsLeft } };
    },
  });

const removeOwn = (accounts: Accounts) =>
  endpoint('DELETE', ownPath, {
    summary: 'Delete the account with its sandboxes and bins',
    description: 'The key becomes invalid immediately, and nothing can be restored.',
    security,
    responses: { 204: Type.Null() },
    async handle(request, reply) {
      if (!(await accounts.remove(readServiceKey(request)))) throw unknownServiceKey();
      return reply.code(204).send(null);
    },
  });

const rotateKey = (accounts: Accounts, limits: Limits) =>
  endpoint('POST', `${ownPath}/rotate`, {
    summary: 'Replace the key of the account',
    description:
      'If several clients rotate a key at the same time, one gets the new key and the others get 401.',
    security,
    responses: { 200: keyedAccountSchema },
    async handle(request) {
      const rotated = await accounts.rotate(readServiceKey(request));
      if (rotated === undefined) throw unknownServiceKey();
      return describeWithKey(rotated, limits);
    },
  });

function describeWithKey({ account, key }: KeyedAccount, limits: Limits) {
  return { ...describe(account, limits), key };
}

function describe(account: Account, limits: Limits) {
  return {
    id: account.id,
    name: account.name,
    createdAt: new Date(account.createdAtMs).toISOString(),
    keyCreatedAt: new Date(account.keyCreatedAtMs).toISOString(),
    expiresAt: new Date(account.expiresAtMs).toISOString(),
    limits,
  };
}

function tooManySignUps({ block, limit, secondsLeft }: SignUpRejection): HttpError {
  const who = block.includes('/') ? `The network ${block}` : 'This IP address';
  const message = `${who} has created the maximum of ${limit} accounts in an hour.`;
  return tooManyRequests(message, secondsLeft);
}

async function createUnlessFull(accounts: Accounts, name: string | null): Promise<KeyedAccount> {
  try {
    return await accounts.create(name);
  } catch (error) {
    if (!(error instanceof CapacityError)) throw error;
    // Room is made when accounts expire, so no time for a retry is known.
    throw new HttpError(
      503,
      'The service has reached its maximum number of accounts. Try again later.',
      {
        headers: { 'retry-after': '3600' },
      },
    );
  }
}
