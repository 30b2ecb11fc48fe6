/**
 * Addresses that act as an account in one of its sandboxes, for what cannot send a key. They belong to the
 * key that they were made with, and end with it.
 */

import { hash, randomBytes } from 'node:crypto';
import type { Awaitable } from '../base/awaitable.js';
import { CapacityError, type Sandbox, type Space, StateFullError } from '../state/state.js';
import type { AccountKey } from './account-key.js';

export interface AccountAddress {
  /** What makes the address: 128 random bits, as 22 characters. */
  readonly secret: string;
  /** As the account calls it; empty for the shared one. */
  readonly sandbox: string;
  readonly createdAtMs: number;
}

/** What an address lets in to. */
export interface AddressedAccount {
  readonly key: AccountKey;
  readonly sandbox: string;
}

/** All addresses of an account. */
interface AddressList {
  /** Of the key that they belong to. */
  readonly keyHash: string;
  readonly addresses: readonly AccountAddress[];
}

const secretBytes = 16;

/** One more is rejected. */
export const maxAddressesPerAccount = 100;

/** Of all accounts; with their lists they stay below 16 MiB, of the 64 that the service itself may take. */
const maxAddresses = 20_000;

export class AccountAddresses {
  /** The service's own. */
  readonly #sandbox: Sandbox;
  /** By the hash of the secret, so that how long a look takes tells nothing of it. */
  readonly #found: Space<AddressedAccount> = {
    name: 'account-addresses',
    maxKeys: maxAddresses,
    isKeptWhenFull: true,
  };
  /** By the id of the account. */
  readonly #lists: Space<AddressList> = {
    name: 'account-address-lists',
    maxKeys: maxAddresses,
    isKeptWhenFull: true,
  };

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /**
   * Throws a `CapacityError` when the account has as many as it may, and a `StateFullError` when all
   * together have. The address expires with the account, at `expiresAtMs`.
   */
  async make(key: AccountKey, sandbox: string, expiresAtMs: number): Promise<AccountAddress> {
    const secret = randomBytes(secretBytes).toString('base64url');
    try {
      const made = await this.#changeList(key, expiresAtMs, (addresses, nowMs) => {
        if (addresses.length >= maxAddressesPerAccount) return { addresses, result: undefined };
        const address: AccountAddress = { secret, sandbox, createdAtMs: nowMs };
        return { addresses: [...addresses, address], result: address };
      });
      if (made === undefined) throw tooMany();
      await this.#sandbox.update(this.#found, idOf(secret), () => ({
        value: { key, sandbox },
        expiresAtMs,
        result: undefined,
      }));
      return made;
    } catch (error) {
      if (!(error instanceof CapacityError) || error instanceof TooManyAddresses) throw error;
      await this.remove(key, secret, expiresAtMs);
      throw new StateFullError();
    }
  }

  /** The first made first. */
  async list({ accountId, hash: keyHash }: AccountKey): Promise<readonly AccountAddress[]> {
    const list = await this.#sandbox.read(this.#lists, accountId);
    return list?.keyHash === keyHash ? list.addresses : [];
  }

  /** Says whether it was one of the account's. */
  async remove(key: AccountKey, secret: string, expiresAtMs: number): Promise<boolean> {
    const isOwn = await this.#changeList(key, expiresAtMs, (addresses) => ({
      addresses: addresses.filter((address) => address.secret !== secret),
      result: addresses.some((address) => address.secret === secret),
    }));
    if (isOwn) await this.#forget(secret);
    return isOwn;
  }

  /** Whether the key still opens the account is for the account to say. */
  find(secret: string): Awaitable<AddressedAccount | undefined> {
    return this.#sandbox.read(this.#found, idOf(secret));
  }

  /** Puts off the end of all addresses of an account, which nothing else does. */
  async keepUntil(accountId: string, expiresAtMs: number): Promise<void> {
    if ((await this.#sandbox.read(this.#lists, accountId)) === undefined) return;
    const addresses = await this.#sandbox.update(this.#lists, accountId, (list) => ({
      value: list,
      expiresAtMs,
      result: list?.addresses ?? [],
    }));
    for (const { secret } of addresses) {
      await this.#sandbox.update(this.#found, idOf(secret), (value) => ({
        value,
        expiresAtMs,
        result: undefined,
      }));
    }
  }

  /** Makes room of what belongs to a key that has ended. */
  async forgetAll({ accountId, hash: keyHash }: AccountKey): Promise<void> {
    if ((await this.#sandbox.read(this.#lists, accountId)) === undefined) return;
    const ended = await this.#sandbox.update(this.#lists, accountId, (list) =>
      list?.keyHash === keyHash
        ? { value: undefined, result: list.addresses }
        : { value: list, result: [] },
    );
    for (const { secret } of ended) await this.#forget(secret);
  }

  #forget(secret: string): Awaitable<void> {
    return this.#sandbox.update(this.#found, idOf(secret), () => ({
      value: undefined,
      result: undefined,
    }));
  }

  /** Those of a key that has ended count no longer. */
  #changeList<Result>(
    { accountId, hash: keyHash }: AccountKey,
    expiresAtMs: number,
    change: (
      addresses: readonly AccountAddress[],
      nowMs: number,
    ) => { readonly addresses: readonly AccountAddress[]; readonly result: Result },
  ): Awaitable<Result> {
    return this.#sandbox.update(this.#lists, accountId, (list, nowMs) => {
      const before = list?.keyHash === keyHash ? list.addresses : [];
      const { addresses, result } = change(before, nowMs);
      const value = addresses.length === 0 ? undefined : { keyHash, addresses };
      return { value, expiresAtMs, result };
    });
  }
}

class TooManyAddresses extends CapacityError {}

function tooMany(): CapacityError {
  return new TooManyAddresses(
    `The account has ${maxAddressesPerAccount} addresses, the limit. DELETE /api/sandbox/address/{~…} deletes one.`,
  );
}

function idOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
