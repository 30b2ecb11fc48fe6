/** API keys, which name the sandbox: `sk_test_{sandbox}`, and `sk_test_{account key}_{sandbox}` with accounts. */

import type { IncomingMessage } from 'node:http';
import { accountKeyLength } from '#accounts/account-key.js';
import { isSandboxName } from '#http/address/sandbox-address.js';
import type { Request } from '#http/exchange.js';
import { givenNameOf } from '#state/state.js';
import { ApiError, unauthorized } from './errors.js';

/** The name of the shared sandbox in keys. */
export const sharedName = 'practice';

interface ApiKey {
  readonly isPublishable: boolean;
  /** Absent for the shared sandbox, or the default one of the account. */
  readonly sandbox?: string;
  readonly account?: string;
  /** The secret part of the path of a pupil or account. */
  readonly secret?: string;
}

const keyForm = /^(sk|rk|pk)_test_(.{1,200})$/;

function parseKey(text: string): ApiKey | undefined {
  const [, kind, rest = ''] = keyForm.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const isPublishable = kind === 'pk';
  if (rest === sharedName) return { isPublishable };
  if (/^~[\w-]{22}$/.test(rest)) return { isPublishable, secret: rest.slice(1) };
  if (!rest.startsWith('psk_')) {
    return isSandboxName(rest) ? { isPublishable, sandbox: rest } : undefined;
  }
  const account = rest.slice(0, accountKeyLength);
  const sandbox = rest.slice(accountKeyLength + 1);
  if (rest.length === accountKeyLength) return { isPublishable, account };
  if (rest[accountKeyLength] !== '_' || !isSandboxName(sandbox)) return undefined;
  return { isPublishable, account, sandbox };
}

/** Returns the token of a bearer, or the user name of Basic. */
function sentKey({ authorization }: IncomingMessage['headers']): string | undefined {
  const [scheme = '', credentials = ''] = (authorization ?? '').split(/ +/, 2);
  if (/^bearer$/i.test(scheme)) return credentials;
  if (!/^basic$/i.test(scheme)) return undefined;
  return Buffer.from(credentials, 'base64').toString().split(':', 1)[0];
}

const ownPath = /^(?:https?:\/\/[^/?#]*)?\/v1(?:[/?]|$)/i;

/** Lets the key choose the sandbox and the account, before anything reads them. */
export function enterByKey(request: IncomingMessage): void {
  const { url = '', headers, sandboxAddress } = request;
  if (sandboxAddress !== undefined || !ownPath.test(url)) return;
  const key = parseKey(sentKey(headers) ?? '');
  if (key === undefined) return;
  const { sandbox, account, secret } = key;
  if (account !== undefined) headers['x-service-key'] ??= account;
  const address = { prefix: '', sentTarget: url };
  if (secret !== undefined) request.sandboxAddress = { ...address, sandbox: undefined, secret };
  else if (sandbox !== undefined) request.sandboxAddress = { ...address, sandbox };
}

/** Throws 401 without a key that opens the sandbox of the request. */
export function checkKey({ raw, sandbox }: Request): ApiKey {
  const sent = sentKey(raw.headers);
  if (!sent) {
    throw unauthorized(
      'The request has no API key. Send Authorization: Bearer sk_test_{sandbox}; GET /payments lists keys.',
    );
  }
  const key = parseKey(sent);
  const isOther = key?.sandbox !== undefined && key.sandbox !== givenNameOf(sandbox.name);
  if (key !== undefined && !isOther) return key;
  throw unauthorized(`Invalid API Key provided: ${hide(sent)}`);
}

const shownAtEnd = 4;

/** Hides all of a key but its kind and its last characters. */
function hide(key: string): string {
  const kind = /^[a-z]{2}_(?:test|live)_/.exec(key)?.[0] ?? '';
  const rest = key.slice(kind.length).replace(/[^\w-]/g, '');
  return `${kind}${'*'.repeat(8)}${rest.length > 12 ? rest.slice(-shownAtEnd) : ''}`;
}

export function secretKeyRequired(): ApiError {
  return new ApiError('This operation needs a secret key, such as sk_test_practice.', {
    status: 403,
    code: 'secret_key_required',
  });
}

export const keys = {
  secret: `sk_test_${sharedName}`,
  publishable: `pk_test_${sharedName}`,
  ofSandbox: 'sk_test_{sandbox}',
  ofAccount: 'sk_test_{account key}_{sandbox}',
} as const;
