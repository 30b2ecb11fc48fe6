/** Sandbox URLs that act as an account, for clients that cannot send headers. */

import { Type } from 'typebox';
import type { AccountAddress, Accounts } from '#accounts/accounts.js';
import type { Config } from '#config/settings.js';
import { rootUrl } from '#http/address/sandbox-address.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint, secret } from '#kit/endpoint.js';
import { readServiceKey, unknownServiceKey } from '#kit/service-key.js';
import { givenNameOf } from '#state/state.js';

const path = '/api/sandbox/address';

const addressSchema = Type.Object(
  {
    address: Type.String({
      description: 'Ends with `/s/~` and 22 characters; append any path of the service.',
    }),
    sandbox: Type.String({
      description: "The sandbox's name, or `default` for the account's default sandbox.",
    }),
    createdAt: Type.String({ description: 'ISO 8601 in UTC, by the real clock.' }),
  },
  { title: 'SandboxAddress' },
);

const needsKey =
  "Requires the account's key in X-Service-Key, even below such a URL. If no account is required, the response is 403: use `/s/{sandbox}` with the name, which is not secret.";

export const createAddress = (config: Config, accounts: Accounts) =>
  endpoint('POST', path, {
    summary: 'Create a URL that acts as the account',
    description: `For clients that cannot send headers: everyone who knows the URL can use it without a key. It is valid until it is deleted or the key is rotated. An account has at most 100. ${needsKey}`,
    responses: { 201: addressSchema, ...failures(401, 403, 409) },
    hide: config.accounts !== 'required',
    async handle(request, reply) {
      const key = keyOf(request, config);
      const created = await accounts.makeAddress(key, givenNameOf(request.sandbox.name));
      if (created === undefined) throw unknownServiceKey();
      reply.code(201);
      return describe(request, created);
    },
  });

export const listAddresses = (config: Config, accounts: Accounts) =>
  endpoint('GET', path, {
    summary: 'List the URLs that act as the account',
    description: `Lists the URLs of all its sandboxes. ${needsKey}`,
    responses: { 200: Type.Array(addressSchema), ...failures(401, 403) },
    hide: config.accounts !== 'required',
    async handle(request) {
      const addresses = await accounts.listAddresses(keyOf(request, config));
      return addresses.map((address) => describe(request, address)).reverse();
    },
  });

export const deleteAddress = (config: Config, accounts: Accounts) =>
  endpoint('DELETE', `${path}/:address`, {
    summary: 'Delete a URL that acts as the account',
    description: `It then responds with 404. ${needsKey}`,
    params: {
      address: secret(Type.String({ description: 'The part after `/s/`: `~` and 22 characters.' })),
    },
    responses: { 204: Type.Null(), ...failures(401, 403, 404) },
    hide: config.accounts !== 'required',
    async handle(request, reply) {
      const key = keyOf(request, config);
      const { address } = request.params;
      const isDeleted =
        address.startsWith('~') && (await accounts.removeAddress(key, address.slice(1)));
      if (isDeleted) return reply.code(204).send(null);
      throw new HttpError(
        404,
        'Unknown URL. GET /api/sandbox/address lists the URLs of the account.',
      );
    },
  });

/** Requires the key even below such a URL: a URL that was passed on must not create or delete others. */
function keyOf(request: Request, { accounts }: Config) {
  if (accounts === 'required') return readServiceKey(request);
  throw new HttpError(
    403,
    'This service requires no account. Use /s/{sandbox} with a name that is hard to guess.',
  );
}

function describe(request: Request, { secret, sandbox, createdAtMs }: AccountAddress) {
  return {
    address: `${rootUrl(request.baseUrl, request.raw)}/s/~${secret}`,
    sandbox: sandbox || 'default',
    createdAt: new Date(createdAtMs).toISOString(),
  };
}
