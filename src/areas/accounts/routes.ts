/** Accounts, which people and scripts make themselves: sign up, look, rotate the key, delete. */

import type { Account, Accounts, KeyedAccount, SignUpRejection } from '../../accounts/accounts.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Area, Services } from '../../kit/area.js';
import { tooManyRequests } from '../../kit/limits/too-many-requests.js';
import {
  readServiceKey,
  serviceKeyName,
  serviceKeyScheme,
  unknownServiceKey,
} from '../../kit/service-key.js';
import { CapacityError } from '../../state/state.js';
import { accountsCollection } from './collection.js';
import { accountExamples } from './examples.js';
import * as schemas from './schemas.js';

const path = '/api/accounts';
const ownPath = `${path}/me`;

/** Expired accounts make room; when one will, nobody can say. */
const fullHouseRetrySeconds = 3600;

export const accountsArea: Area = {
  name: 'accounts',
  title: 'Accounts',
  guide: 'accounts',
  front: {
    start: path,
    page: { path: '/account' },
    banner: (baseUrl, { accounts }) =>
      accounts === 'required' ? ['Accounts', `${baseUrl}/account`] : undefined,
    examples: () => accountExamples,
  },
  summary: 'Accounts with keys, for services that require one; created without approval.',
  defaults: {
    // Each route looks at keys by itself, whether or not others need one.
    isOpen: true,
  },
  postman: [accountsCollection],
  securitySchemes: { [serviceKeyName]: serviceKeyScheme },
  addRoutes(app, services) {
    const handle = createHandlers(services);
    const signUpSchema = schemas.signUp(services.config.signUpsPerHour);
    app.get(path, { schema: schemas.showTerms }, handle.showTerms);
    app.post(path, { schema: signUpSchema }, (request, reply) =>
      handle.signUp(request, reply, request.body.name ?? null),
    );
    app.get(ownPath, { schema: schemas.showOwn }, handle.showOwn);
    app.delete(ownPath, { schema: schemas.removeOwn }, handle.removeOwn);
    app.post(`${ownPath}/rotate`, { schema: schemas.rotateKey }, handle.rotateKey);
  },
};

function createHandlers({ accounts, baseUrlOf, config, sandboxLimits }: Services) {
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

  return {
    async showTerms() {
      return {
        isRequired: config.accounts === 'required',
        header: 'X-Service-Key',
        limits: { ...limits, signUpsPerHour: config.signUpsPerHour },
      };
    },

    async signUp(request: Request, reply: Reply, name: string | null) {
      const rejection = await accounts.countSignUp(request.ip);
      if (rejection !== undefined) throw tooManySignUps(rejection);
      const made = await createUnlessFull(accounts, name);
      reply.code(201).header('location', `${baseUrlOf(request)}${ownPath}`);
      return describeWithKey(made);
    },

    async showOwn(request: Request) {
      const account = await accounts.find(readServiceKey(request));
      if (account === undefined) throw unknownServiceKey();
      const { requests, secondsLeft } = await accounts.usageOf(account.id);
      const requestsRemaining = limits.requestsPerMinute - requests;
      return { ...describe(account), usage: { requests, requestsRemaining, secondsLeft } };
    },

    async removeOwn(request: Request, reply: Reply) {
      if (!(await accounts.remove(readServiceKey(request)))) throw unknownServiceKey();
      return reply.code(204).send(null);
    },

    async rotateKey(request: Request) {
      const rotated = await accounts.rotate(readServiceKey(request));
      if (rotated === undefined) throw unknownServiceKey();
      return describeWithKey(rotated);
    },
  };
}

function tooManySignUps({ block, limit, secondsLeft }: SignUpRejection): HttpError {
  const who = block.includes('/') ? `The network ${block}` : 'This address';
  const message = `${who} has created as many accounts as it may in an hour (${limit}).`;
  return tooManyRequests(message, secondsLeft);
}

async function createUnlessFull(accounts: Accounts, name: string | null): Promise<KeyedAccount> {
  try {
    return await accounts.create(name);
  } catch (error) {
    if (!(error instanceof CapacityError)) throw error;
    throw new HttpError(503, 'The service has as many accounts as it allows. Try again later.', {
      headers: { 'retry-after': String(fullHouseRetrySeconds) },
    });
  }
}
