/**
 * Paths that act as an account in one of its sandboxes. They belong to the key that created them,
 * and end with it.
 */

import { randomBytes } from 'node:crypto';
import { keyOf } from '#http/credentials/secret-text.js';
import { CapacityError, type Sandbox, type Space, StateFullError } from '#state/state.js';
import type { AccountKey } from './account-key.js';

export interface AccountAddress {
  readonly secret: string;
  /** The name that the account chose; empty for its default sandbox. */
  readonly sandbox: string;
  readonly createdAtMs: number;
}

export interface AddressedAccount {
  readonly key: AccountKey;
  readonly sandbox: string;
}

interface AddressList {
  readonly keyHash: string;
  readonly addresses: readonly AccountAddress[];
}

const secretBytes = 16;

export const maxAddressesPerAccount = 100;

/**
 * Limit for all accounts. With their lists, addresses stay below 16 of the 64 MiB of the service's
 * own sandbox.
 */
const maxAddresses = 20_000;

/** By the hash of the secret, so that the time of a lookup reveals nothing about it. */
const addressed: Space<AddressedAccount> = {
  name: 'account-addresses',
  maxKeys: maxAddresses,
  isKeptWhenFull: true,
};

const lists: Space<AddressList> = {
  name: 'account-address-lists',
  maxKeys: maxAddresses,
  isKeptWhenFull: true,
};

export class AccountAddresses {
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Throws a `CapacityError` at the limit of the account, and a `StateFullError` at the limit of all accounts. */
  async make(key: AccountKey, sandbox: string, expiresAtMs: number): Promise<AccountAddress> {
    const secret = randomBytes(secretBytes).toString('base64url');
    try {
      const made = await this.#changeList(key, expiresAtMs, (addresses, nowMs) => {
        if (addresses.length >= maxAddressesPerAccount) return { addresses, result: undefined };
        const address: AccountAddress = { secret, sandbox, createdAtMs: nowMs };
        return { addresses: [...addresses, address], result: address };
      });
      if (made === undefined) throw new TooManyAddresses();
      await this.#put(secret, { key, sandbox }, expiresAtMs);
      return made;
    } catch (error) {
      if (!(error instanceof CapacityError) || error instanceof TooManyAddresses) throw error;
      await this.remove(key, secret, expiresAtMs);
      throw new StateFullError();
    }
  }

  async list({ accountId, hash: keyHash }: AccountKey): Promise<readonly AccountAddress[]> {
    const list = await this.#sandbox.read(lists, accountId);
    return list?.keyHash === keyHash ? list.addresses : [];
  }

  async remove(key: AccountKey, secret: string, expiresAtMs: number): Promise<boolean> {
    const isOwn = await this.#changeList(key, expiresAtMs, (addresses) => ({
      addresses: addresses.filter((address) => address.secret !== secret),
      result: addresses.some((address) => address.secret === secret),
    }));
    if (isOwn) await this.#put(secret, undefined);
    return isOwn;
  }

  /** The account decides whether the key is still valid. */
  async find(secret: string): Promise<AddressedAccount | undefined> {
    return this.#sandbox.read(addressed, keyOf(secret));
  }

  async keepUntil(accountId: string, expiresAtMs: number): Promise<void> {
    if ((await this.#sandbox.read(lists, accountId)) === undefined) return;
    const addresses = await this.#sandbox.update(lists, accountId, (list) => ({
      value: list,
      expiresAtMs,
      result: list?.addresses ?? [],
    }));
    for (const { secret } of addresses) {
      const change = (value: AddressedAccount | undefined) => ({
        value,
        expiresAtMs,
        result: undefined,
      });
      await this.#sandbox.update(addressed, keyOf(secret), change);
    }
  }

  async forgetAll({ accountId, hash: keyHash }: AccountKey): Promise<void> {
    if ((await this.#sandbox.read(lists, accountId)) === undefined) return;
    const ended = await this.#sandbox.update(lists, accountId, (list) =>
      list?.keyHash === keyHash
        ? { value: undefined, result: list.addresses }
        : { value: list, result: [] },
    );
    for (const { secret } of ended) await this.#put(secret, undefined);
  }

  async #put(
    secret: string,
    value: AddressedAccount | undefined,
    expiresAtMs?: number,
  ): Promise<void> {
    const change = { value, result: undefined, ...(expiresAtMs && { expiresAtMs }) };
    await this.#sandbox.update(addressed, keyOf(secret), () => change);
  }

  /** Addresses of an invalid key do not count. */
  async #changeList<Result>(
    { accountId, hash: keyHash }: AccountKey,
    expiresAtMs: number,
    change: (
      addresses: readonly AccountAddress[],
      nowMs: number,
    ) => { readonly addresses: readonly AccountAddress[]; readonly result: Result },
  ): Promise<Result> {
    return this.#sandbox.update(lists, accountId, (list, nowMs) => {
      const before = list?.keyHash === keyHash ? list.addresses : [];
      const { addresses, result } = change(before, nowMs);
      const value = addresses.length === 0 ? undefined : { keyHash, addresses };
      return { value, expiresAtMs, result };
    });
  }
}

class TooManyAddresses extends CapacityError {
  constructor() {
    super(
      `The account has ${maxAddressesPerAccount} addresses, the limit. DELETE /api/sandbox/address/{~…} deletes one.`,
    );
  }
}
