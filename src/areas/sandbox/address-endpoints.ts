/** Addresses that act as an account in one of its sandboxes, for clients that cannot send headers. */

import { Type } from 'typebox';
import type { AccountAddress } from '../../accounts/accounts.js';
import { rootUrl } from '../../http/address/sandbox-address.js';
import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { failures } from '../../http/schemas/error-schema.js';
import type { Services } from '../../kit/area.js';
import { endpoint } from '../../kit/endpoint.js';
import { readServiceKey, unknownServiceKey } from '../../kit/service-key.js';
import { givenNameOf } from '../../state/state.js';

type Needs = Pick<Services, 'accounts' | 'config'>;

const path = '/api/sandbox/address';

const addressSchema = Type.Object(
  {
    address: Type.String({
      description: 'Ends in `/s/~` and 22 characters; every path of the service follows it.',
    }),
    sandbox: Type.String({ description: 'The name, or `default` for the shared one.' }),
    createdAt: Type.String({ description: 'ISO 8601 in UTC, by the real clock.' }),
  },
  { title: 'SandboxAddress' },
);

const needsKey =
  'Needs the key of the account in X-Service-Key, also below such an address. Where no account is required, 403: there `/s/{sandbox}` with the name is the address, which is no secret.';

export const createAddress = ({ accounts, config }: Needs) =>
  endpoint('POST', path, {
    summary: 'Create an address that acts as the account',
    description: `For clients that cannot send headers: whoever knows the address needs no key. It is valid until it is deleted, or the key is rotated. An account has at most 100. ${needsKey}`,
    responses: { 201: addressSchema, ...failures(400, 401, 403, 409) },
    hide: config.accounts !== 'required',
    async handle(request, reply) {
      const key = keyOf(request, config);
      const created = await accounts.makeAddress(key, givenNameOf(request.sandbox.name));
      if (created === undefined) throw unknownServiceKey();
      reply.code(201);
      return describe(request, created);
    },
  });

export const listAddresses = ({ accounts, config }: Needs) =>
  endpoint('GET', path, {
    summary: 'List the addresses that act as the account',
    description: `Those of all its sandboxes. ${needsKey}`,
    responses: { 200: Type.Array(addressSchema), ...failures(400, 401, 403) },
    hide: config.accounts !== 'required',
    async handle(request) {
      const addresses = await accounts.listAddresses(keyOf(request, config));
      return addresses.map((address) => describe(request, address)).reverse();
    },
  });

export const deleteAddress = ({ accounts, config }: Needs) =>
  endpoint('DELETE', `${path}/:address`, {
    summary: 'Delete an address that acts as the account',
    description: `From then on it is 404. ${needsKey}`,
    params: {
      address: Type.String({ description: 'What follows `/s/`: `~` and 22 characters.' }),
    },
    responses: { 204: Type.Null(), ...failures(400, 401, 403, 404) },
    hide: config.accounts !== 'required',
    async handle(request, reply) {
      const key = keyOf(request, config);
      const { address } = request.params;
      const isDeleted =
        address.startsWith('~') && (await accounts.removeAddress(key, address.slice(1)));
      if (isDeleted) return reply.code(204).send(null);
      throw new HttpError(
        404,
        'The account has no such address. GET /api/sandbox/address lists those it has.',
      );
    },
  });

/** The key is needed also below an address, which can be passed on: it must not create or delete others. */
function keyOf(request: Request, { accounts }: Services['config']) {
  if (accounts === 'required') return readServiceKey(request);
  throw new HttpError(
    403,
    'This service requires no account, so /s/{sandbox} is the address of a sandbox for everyone who knows its name: put a name nobody guesses after /s/.',
  );
}

function describe(request: Request, { secret, sandbox, createdAtMs }: AccountAddress) {
  return {
    address: `${rootUrl(request.baseUrl, request.raw)}/s/~${secret}`,
    sandbox: sandbox || 'default',
    createdAt: new Date(createdAtMs).toISOString(),
  };
}
