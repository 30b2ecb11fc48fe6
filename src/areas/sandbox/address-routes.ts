/** Addresses that act as an account in one of its sandboxes, for what cannot send headers. */

import { Type } from 'typebox';
import type { AccountAddress } from '../../accounts/accounts.js';
import { rootUrl } from '../../http/address/sandbox-address.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { App } from '../../kit/app.js';
import type { Services } from '../../kit/area.js';
import { readServiceKey, unknownServiceKey } from '../../kit/service-key.js';
import { givenNameOf } from '../../state/state.js';

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

const rejections = { 400: errorSchema, 401: errorSchema, 403: errorSchema };
const needsKey =
  'Needs the key of the account in X-Service-Key, also below such an address. Where no account is required, 403: there `/s/{sandbox}` with the name is the address, which is no secret.';

const makeAddress = {
  summary: 'Create an address that acts as the account',
  description: `For clients that cannot send headers: whoever knows the address needs no key. It is valid until it is deleted, or the key is rotated. An account has at most 100. ${needsKey}`,
  response: { 201: addressSchema, ...rejections, 409: errorSchema },
};

const listAddresses = {
  summary: 'List the addresses that act as the account',
  description: `Those of all its sandboxes. ${needsKey}`,
  response: { 200: Type.Array(addressSchema), ...rejections },
};

const removeAddress = {
  summary: 'Delete an address that acts as the account',
  description: `From then on it is 404. ${needsKey}`,
  params: Type.Object({
    address: Type.String({ description: 'What follows `/s/`: `~` and 22 characters.' }),
  }),
  response: { 204: Type.Null(), ...rejections, 404: errorSchema },
};

export function addAddressRoutes(app: App, services: Services): void {
  const handle = createHandlers(services);
  // Where no account is asked for there is nothing to describe but the rejection.
  const hide = services.config.accounts !== 'required';
  app.post(path, { schema: { ...makeAddress, hide } }, handle.make);
  app.get(path, { schema: { ...listAddresses, hide } }, handle.list);
  app.delete(`${path}/:address`, { schema: { ...removeAddress, hide } }, (request, reply) =>
    handle.remove(request, reply, request.params.address),
  );
}

function createHandlers({ accounts, baseUrlOf, config, sandboxOf }: Services) {
  /** An address can be passed on, and is not to make or end others. */
  function keyOf(request: Request) {
    if (config.accounts !== 'required') throw notNeeded();
    return readServiceKey(request);
  }

  function describe(request: Request, { secret, sandbox, createdAtMs }: AccountAddress) {
    return {
      address: `${rootUrl(baseUrlOf(request), request.raw)}/s/~${secret}`,
      sandbox: sandbox || 'default',
      createdAt: new Date(createdAtMs).toISOString(),
    };
  }

  return {
    async make(request: Request, reply: Reply) {
      const key = keyOf(request);
      const made = await accounts.makeAddress(key, givenNameOf(sandboxOf(request).name));
      if (made === undefined) throw unknownServiceKey();
      reply.code(201);
      return describe(request, made);
    },

    async list(request: Request) {
      const addresses = await accounts.listAddresses(keyOf(request));
      return addresses.map((address) => describe(request, address)).reverse();
    },

    async remove(request: Request, reply: Reply, address: string) {
      const key = keyOf(request);
      const isEnded =
        address.startsWith('~') && (await accounts.removeAddress(key, address.slice(1)));
      if (!isEnded) {
        throw new HttpError(
          404,
          'The account has no such address. GET /api/sandbox/address lists those it has.',
        );
      }
      return reply.code(204).send(null);
    },
  };
}

function notNeeded(): HttpError {
  return new HttpError(
    403,
    'This service requires no account, so /s/{sandbox} is the address of a sandbox for everyone who knows its name: put a name nobody guesses after /s/.',
  );
}
