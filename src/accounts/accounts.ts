/**
 * The accounts of a service: who may make one, whose key it is, and how many requests it still has.
 * They lie in the service's own sandbox, whose clock nobody can move.
 */

import { type AddressBlock, addressBlocks } from '../base/address-block.js';
import { type Awaitable, whenKnown } from '../base/awaitable.js';
import type { Config } from '../config/settings.js';
import { countRequest, isOpen, type RateWindow, secondsLeft } from '../state/count-request.js';
import {
  type Change,
  type Sandbox,
  type Space,
  type State,
  serviceSandboxName,
} from '../state/state.js';
import {
  type AccountAddress,
  AccountAddresses,
  type AddressedAccount,
} from './account-addresses.js';
import { type AccountKey, hashOf, newAccountId, newAccountKey } from './account-key.js';

export type { AccountAddress, AddressedAccount };

export interface Account {
  readonly id: string;
  readonly name: string | null;
  readonly createdAtMs: number;
  readonly keyCreatedAtMs: number;
  /** When it expires unless it is used before. */
  readonly expiresAtMs: number;
}

/** An account by its id; of the key only the hash is kept. */
interface StoredAccount extends Account {
  readonly keyHash: string;
}

/** An account with its key, which is shown only once. */
export interface KeyedAccount {
  readonly account: Account;
  readonly key: string;
}

/** What became of a request that came with the key of an account. */
export interface Admission {
  readonly accountId: string;
  readonly isAccepted: boolean;
  /** Until the account's quota is full again. */
  readonly secondsLeft: number;
}

/** What an account has sent in the current minute; nothing where its requests are not counted. */
export interface Usage {
  readonly requests: number;
  /** Until the account's quota is full again; 0 when it is. */
  readonly secondsLeft: number;
}

/** Why an address may make no account now. */
export interface SignUpRejection {
  /** The address, or the network of it, that has made as many as it may. */
  readonly block: string;
  readonly limit: number;
  readonly secondsLeft: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** An account expires this long after its last use. */
export const unusedDays = 90;

/** An account that was never used expires this long after it was created: sign-ups must not fill the service. */
export const neverUsedDays = 7;

/** Expiry is put off by a use at most this often, so that nearly all reads stay reads. */
const refreshEveryMs = dayMs;

const quotaWindowSeconds = 60;
const signUpWindowSeconds = 60 * 60;

/** Of more addresses and networks the one that signed up first is forgotten. */
const maxSignUpBlocks = 50_000;

export class Accounts {
  readonly #state: State;
  readonly #sandbox: Sandbox;
  readonly #quota: number;
  readonly #signUps: number;
  readonly #accounts: Space<StoredAccount>;
  readonly #addresses: AccountAddresses;
  readonly #quotaWindows: Space<RateWindow>;
  readonly #signUpWindows: Space<RateWindow> = {
    name: 'sign-up-windows',
    maxKeys: maxSignUpBlocks,
  };

  constructor(
    state: State,
    {
      accountQuota,
      signUpsPerHour,
      maxAccounts,
    }: Pick<Config, 'accountQuota' | 'signUpsPerHour' | 'maxAccounts'>,
  ) {
    this.#state = state;
    this.#sandbox = state.sandbox(serviceSandboxName);
    this.#quota = accountQuota;
    this.#signUps = signUpsPerHour;
    this.#accounts = { name: 'accounts', maxKeys: maxAccounts, isKeptWhenFull: true };
    this.#quotaWindows = { name: 'account-quotas', maxKeys: maxAccounts };
    this.#addresses = new AccountAddresses(this.#sandbox);
  }

  /** Counts one sign-up of an address; the rejection when its hour, or that of a network of it, is used up. */
  async countSignUp(address: string): Promise<SignUpRejection | undefined> {
    const blocks = addressBlocks(address);
    // A wide network that is used up must not fill the service with windows of its narrow ones.
    for (const block of blocks) {
      const rejection = await this.#refusalOf(block);
      if (rejection !== undefined) return rejection;
    }
    // The narrowest first: what it rejects must not use up what its neighbours share.
    for (const block of blocks) {
      const figures = { limit: this.#signUps * block.share, windowSeconds: signUpWindowSeconds };
      const counted = await this.#sandbox.update(this.#signUpWindows, block.name, (window, nowMs) =>
        countRequest(window, nowMs, figures),
      );
      if (!counted.isAccepted) return rejectionBy(block, counted.window, counted.secondsLeft);
    }
    return undefined;
  }

  async #refusalOf(block: AddressBlock): Promise<SignUpRejection | undefined> {
    const window = await this.#sandbox.read(this.#signUpWindows, block.name);
    const nowMs = await this.#sandbox.now();
    if (!isOpen(window, nowMs) || window.used < window.limit) return undefined;
    return rejectionBy(block, window, secondsLeft(window, nowMs));
  }

  /** Throws a `CapacityError` when there are as many accounts as there may be. */
  create(name: string | null): Awaitable<KeyedAccount> {
    const id = newAccountId();
    const key = newAccountKey(id);
    return this.#sandbox.update(this.#accounts, id, (_absent, nowMs) => {
      const account: StoredAccount = {
        id,
        name,
        createdAtMs: nowMs,
        keyCreatedAtMs: nowMs,
        expiresAtMs: nowMs + neverUsedDays * dayMs,
        keyHash: hashOf(key),
      };
      return stored(account, { account, key });
    });
  }

  /** The account that this key opens, which counts as a use; `undefined` when it opens none. */
  find(key: AccountKey): Awaitable<Account | undefined> {
    return whenKnown(this.#read(key), (account) => {
      if (account === undefined) return undefined;
      return whenKnown(this.#sandbox.now(), (nowMs) => this.#refresh(account, nowMs));
    });
  }

  async usageOf(accountId: string): Promise<Usage> {
    const window = await this.#sandbox.read(this.#quotaWindows, accountId);
    const nowMs = await this.#sandbox.now();
    if (!isOpen(window, nowMs)) return { requests: 0, secondsLeft: 0 };
    const requests = Math.min(window.used, this.#quota);
    return { requests, secondsLeft: secondsLeft(window, nowMs) };
  }

  /** Counts a request against the quota of the key's account; `undefined` when it opens none. */
  admit(key: AccountKey): Awaitable<Admission | undefined> {
    return whenKnown(this.#read(key), (account) => {
      if (account === undefined) return undefined;
      return whenKnown(this.#count(account.id), ({ nowMs, ...admission }) =>
        whenKnown(this.#refresh(account, nowMs), () => admission),
      );
    });
  }

  /**
   * Gives the account another key in place of this one, which opens nothing from then on. Of
   * simultaneous calls with one key exactly one gets a new one, the others `undefined`.
   */
  rotate(key: AccountKey): Awaitable<KeyedAccount | undefined> {
    const next = newAccountKey(key.accountId);
    const rotated = this.#sandbox.update(this.#accounts, key.accountId, (current, nowMs) => {
      if (current === undefined || current.keyHash !== key.hash) return unchanged(current);
      const account: StoredAccount = {
        ...current,
        keyCreatedAtMs: nowMs,
        expiresAtMs: nowMs + unusedDays * dayMs,
        keyHash: hashOf(next),
      };
      return stored(account, { account, key: next });
    });
    return whenKnown(rotated, async (keyed) => {
      if (keyed !== undefined) await this.#addresses.forgetAll(key);
      return keyed;
    });
  }

  /**
   * Makes an address that acts as the key's account in one of its sandboxes; `undefined` when the key opens
   * none. Throws a `CapacityError` when the account has as many as it may.
   */
  async makeAddress(key: AccountKey, sandbox: string): Promise<AccountAddress | undefined> {
    const account = await this.#read(key);
    return account && this.#addresses.make(key, sandbox, account.expiresAtMs);
  }

  /** The addresses that the key's account has, the first made first; none when it opens none. */
  listAddresses(key: AccountKey): Promise<readonly AccountAddress[]> {
    return this.#addresses.list(key);
  }

  /** Ends an address of the key's account, and says whether there was one. */
  async removeAddress(key: AccountKey, secret: string): Promise<boolean> {
    const account = await this.#read(key);
    return account !== undefined && this.#addresses.remove(key, secret, account.expiresAtMs);
  }

  /** What an address lets in to; `undefined` where it does not, or its key has ended. */
  findAddressed(secret: string): Awaitable<AddressedAccount | undefined> {
    return whenKnown(this.#addresses.find(secret), (addressed) => {
      if (addressed === undefined) return undefined;
      return whenKnown(this.#read(addressed.key), (account) => account && addressed);
    });
  }

  /** Forgets the account and everything of it, and says whether the key opened one. */
  remove(key: AccountKey): Awaitable<boolean> {
    const { accountId } = key;
    const isRemoved = this.#sandbox.update(this.#accounts, accountId, (current) => {
      if (current === undefined || current.keyHash !== key.hash) {
        return { ...unchanged(current), result: false };
      }
      return { value: undefined, result: true };
    });
    return whenKnown(isRemoved, (removed) => {
      if (!removed) return false;
      const forgotten = this.#sandbox.update(this.#quotaWindows, accountId, () => {
        return { value: undefined, result: undefined };
      });
      return whenKnown(forgotten, async () => {
        await this.#addresses.forgetAll(key);
        await this.#state.resetOwned(accountId);
        return true;
      });
    });
  }

  /** Hashes are compared, so how long it takes tells nothing of the key. */
  #read({ accountId, hash }: AccountKey): Awaitable<StoredAccount | undefined> {
    return whenKnown(this.#sandbox.read(this.#accounts, accountId), (account) =>
      account?.keyHash === hash ? account : undefined,
    );
  }

  #count(accountId: string): Awaitable<Admission & { readonly nowMs: number }> {
    const figures = { limit: this.#quota, windowSeconds: quotaWindowSeconds };
    return this.#sandbox.update(this.#quotaWindows, accountId, (window, nowMs) => {
      const counted = countRequest(window, nowMs, figures);
      const { isAccepted, secondsLeft } = counted.result;
      return { ...counted, result: { accountId, isAccepted, secondsLeft, nowMs } };
    });
  }

  #refresh(account: StoredAccount, nowMs: number): Awaitable<Account> {
    const expiresAtMs = nowMs + unusedDays * dayMs;
    if (expiresAtMs - account.expiresAtMs < refreshEveryMs) return account;
    const refreshed = this.#sandbox.update(this.#accounts, account.id, (current) => {
      // It may have been deleted since it was read, and must not come back.
      if (current === undefined) return { value: undefined, result: account };
      const used = { ...current, expiresAtMs };
      return stored(used, used);
    });
    return whenKnown(refreshed, async (used) => {
      await this.#addresses.keepUntil(used.id, expiresAtMs);
      return used;
    });
  }
}

function rejectionBy(
  { name }: AddressBlock,
  { limit }: RateWindow,
  secondsLeft: number,
): SignUpRejection {
  return { block: name, limit, secondsLeft };
}

function stored<Result>(account: StoredAccount, result: Result): Change<StoredAccount, Result> {
  return { value: account, expiresAtMs: account.expiresAtMs, result };
}

function unchanged(current: StoredAccount | undefined): Change<StoredAccount, undefined> {
  return current === undefined
    ? { value: undefined, result: undefined }
    : stored(current, undefined);
}
