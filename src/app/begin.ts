/**
 * The first steps of requests: OPTIONS, Host, the sandbox, headers of the endpoint, and the
 * account.
 */

import { type IncomingMessage, METHODS } from 'node:http';
import type { AddressedAccount } from '#accounts/account-addresses.js';
import type { Accounts, Admission } from '#accounts/accounts.js';
import { isHost } from '#base/normalize-host.js';
import type { Config } from '#config/settings.js';
import { ownerOf as ownerOfRequest } from '#http/address/owner.js';
import type { FindPupil } from '#http/address/pupil.js';
import type { SandboxAddress } from '#http/address/sandbox-address.js';
import { sandboxNameOf } from '#http/address/sandbox-name.js';
import { isBelow } from '#http/address/target.js';
import type { Caching } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { isPreflight, respondToPreflight } from '#http/preflight.js';
import type { Step } from '#kit/endpoint.js';
import { tooManyRequests } from '#kit/limits/too-many-requests.js';
import type { FixedHeaders, HeaderValues } from '#kit/offers/entries.js';
import { readServiceKey, sentServiceKey, unknownServiceKey } from '#kit/service-key.js';
import { givenNameOf, ownerOf } from '#state/state.js';
import { hostOfTarget } from '#wire/check-target.js';

export interface Beginning {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly findPupil: FindPupil | undefined;
  /** Headers of all responses below a path, whether or not there is an endpoint. */
  readonly fixed: readonly FixedHeaders[];
  /** Whether `fixed` applies to every target, because the router has matched it. */
  readonly isRouted?: boolean;
  /** How caches may store responses from here on. */
  readonly kept?: HeaderValues;
}

export function beginningStep(beginning: Beginning): Step {
  const { config, fixed, isRouted = false, kept = {} } = beginning;
  const accounts = config.accounts === 'required' ? beginning.accounts : undefined;
  function settle(request: Request, reply: Reply): void {
    // Rejects an invalid name, even if no endpoint reads the sandbox.
    sandboxNameOf(request.raw);
    reply.headers(kept);
  }

  return (request, reply) => {
    const { raw } = request;
    if (fixed.length > 0) setFixedHeaders(fixed, request, reply, isRouted);
    if (raw.method === 'OPTIONS' && respondToOptions(request, reply)) return undefined;
    checkHost(raw);
    if (raw.sandboxAddress?.secret === undefined) return settle(request, reply);
    // The URL is a secret, so no Referer may pass it on.
    reply.header('referrer-policy', 'no-referrer');
    return openAddress(request, accounts, beginning.findPupil).then(() => settle(request, reply));
  };
}

/** Sets the headers of areas below their paths, by the target unless it is known to be below. */
export function setFixedHeaders(
  fixed: readonly FixedHeaders[],
  request: Request,
  reply: Reply,
  isKnownBelow = false,
): void {
  for (const { below, values } of fixed) {
    if (!isKnownBelow && !isBelow(request.url, below)) continue;
    reply.headers(typeof values === 'function' ? values(request) : values);
  }
}

/** Returns the caching headers of an area's responses. */
export function cachingHeaders(caching?: Caching): HeaderValues {
  if (caching === undefined) return {};
  const vary = `X-Sandbox, X-Service-Key${caching === 'negotiated' ? ', Accept' : ''}`;
  return { 'cache-control': 'private, no-cache', ...(caching !== 'revalidate' && { vary }) };
}

/**
 * Responds to OPTIONS without a resource: a preflight, or for the whole server (RFC 9110 section
 * 9.3.7).
 */
function respondToOptions(request: Request, reply: Reply): boolean {
  const { route, url } = request;
  if (isPreflight(request)) {
    if (route?.spec.queryFaults !== 'none') respondToPreflight(request, reply);
  } else if (url === '*') {
    reply.header('allow', METHODS.join(', ')).code(204).send();
  }
  return reply.isSent;
}

/**
 * Rejects an HTTP/1.1 request without Host, with several, or with a malformed one (RFC 9112 section 3.2). A host in the
 * target replaces the header (section 3.2.2).
 */
function checkHost({ rawHeaders, httpVersion, headers, url = '' }: IncomingMessage): void {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) throw new HttpError(400, 'The request has more than one Host header.');
    host = rawHeaders[index + 1] ?? '';
  }
  if (host === undefined && httpVersion === '1.1') {
    throw new HttpError(400, 'The request has no Host header, which HTTP/1.1 requires.');
  }
  if (host && !isHost(host)) {
    throw new HttpError(
      400,
      'The Host header is not a host name or address with an optional port up to 65535.',
    );
  }
  if (!url.startsWith('/')) headers.host = hostOfTarget(url) ?? host;
}

/**
 * Finds the account or the pupil of a secret path, `/s/~…`, and their sandbox. Rejects with 404 for an
 * unknown one.
 */
async function openAddress(
  request: Request,
  accounts: Accounts | undefined,
  findPupil: FindPupil | undefined,
): Promise<void> {
  const { sandboxAddress } = request.raw;
  if (!sandboxAddress?.secret) throw unknownAddress();
  const found = await accounts?.findAddressed(sandboxAddress.secret);
  if (found !== undefined) return actAsAccount(request.raw, sandboxAddress, found);
  const pupil = await findPupil?.(sandboxAddress.secret, request.moment);
  if (pupil === undefined) throw unknownAddress();
  const { name } = pupil.sandbox;
  request.accountId = ownerOf(name);
  // A replay has its own sandbox.
  request.raw.actingSandbox ??= pupil.sandbox;
  sandboxAddress.sandbox = givenNameOf(name);
  sandboxAddress.pupil = pupil;
}

function actAsAccount(
  raw: IncomingMessage,
  address: SandboxAddress,
  { key, sandbox }: AddressedAccount,
): void {
  const sent = sentServiceKey(raw);
  const isSame =
    typeof sent === 'object' && sent.accountId === key.accountId && sent.hash === key.hash;
  if (sent !== undefined && !isSame) {
    throw new HttpError(
      400,
      'The key in X-Service-Key did not create this path. Leave the header out: the path needs no key.',
    );
  }
  address.sandbox = sandbox;
  address.account = key;
}

function unknownAddress(): HttpError {
  return new HttpError(
    404,
    'This path is unknown: it was deleted, its key was rotated, its account was deleted, its class ended, or it never existed. POST /api/classes/join creates one for a pupil; where accounts are required, POST /api/sandbox/address creates one.',
  );
}

/** Makes the step that rejects with 401 and 429 on every endpoint that is not open. */
export function requireAccount(
  accounts: Accounts,
  { accountQuota }: Pick<Config, 'accountQuota'>,
): Step {
  return async (request) => {
    const { isOpen } = request.route?.spec ?? {};
    if (isOpen === true || isOpen?.(request)) return;
    const { actingAccount, sandboxAddress } = request.raw;
    if (actingAccount !== undefined) {
      request.accountId = actingAccount;
      return;
    }
    if (sandboxAddress?.pupil !== undefined) {
      return checkQuota(await accounts.countPupil(ownerOfRequest(request)));
    }
    const addressed = sandboxAddress?.account;
    const admission = await accounts.admit(addressed ?? readServiceKey(request));
    // The key may have been rotated since the path was looked up.
    if (admission === undefined) throw addressed ? unknownAddress() : unknownServiceKey();
    checkQuota(admission);
    request.accountId = admission.accountId;
  };

  function checkQuota({ isAccepted, secondsLeft }: Omit<Admission, 'accountId'>): void {
    if (isAccepted) return;
    const message = `The account has reached its limit of ${accountQuota} requests per minute.`;
    throw tooManyRequests(message, secondsLeft);
  }
}
