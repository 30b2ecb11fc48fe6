/** The accounts of a service, in its own sandbox: sign-ups, keys and quotas. */

import { type AddressBlock, addressBlocks } from '#base/address-block.js';
import type { Owner } from '#base/shares/owner.js';
import type { Config } from '#config/settings.js';
import { countRequest, isOpen, type RateWindow, secondsLeft } from '#state/count-request.js';
import {
  type Change,
  type Sandbox,
  type Space,
  type State,
  serviceSandboxName,
} from '#state/state.js';
import {
  type AccountAddress,
  AccountAddresses,
  type AddressedAccount,
} from './account-addresses.js';
import { type AccountKey, hashOf, newAccountId, newAccountKey } from './account-key.js';

export type { AccountAddress };

export interface Account {
  readonly id: string;
  readonly name: string | null;
  readonly createdAtMs: number;
  readonly keyCreatedAtMs: number;
  /** Each use postpones it. */
  readonly expiresAtMs: number;
}

/** Contains only the hash of the key. */
interface StoredAccount extends Account {
  readonly keyHash: string;
}

export interface KeyedAccount {
  readonly account: Account;
  readonly key: string;
}

export interface Admission {
  readonly accountId: string;
  readonly isAccepted: boolean;
  readonly secondsLeft: number;
}

export interface Usage {
  readonly requests: number;
  /** Seconds until the quota is full again; 0 if it is full. */
  readonly secondsLeft: number;
}

export interface SignUpRejection {
  /** The address, or its network, that has reached its limit. */
  readonly block: string;
  readonly limit: number;
  readonly secondsLeft: number;
}

const dayMs = 24 * 60 * 60 * 1000;

export const unusedDays = 90;

/** An account that was never used expires earlier, so that sign-ups do not fill the service. */
export const neverUsedDays = 7;

/** A use postpones expiry at most this often, so that nearly all reads stay reads. */
const refreshEveryMs = dayMs;

const quotaWindowSeconds = 60;
const signUpWindowSeconds = 60 * 60;

/** How many quotas all pupils of an owner have together: as many as a class of this size uses. */
export const quotasOfPupils = 30;

/** By sandbox for a pupil, and by owner for all pupils; pupils cannot push out the windows of accounts. */
const pupilQuotaWindows: Space<RateWindow> = { name: 'pupil-quotas', maxKeys: 50_000 };

const signUpWindows: Space<RateWindow> = { name: 'sign-up-windows', maxKeys: 50_000 };

export class Accounts {
  readonly #state: State;
  readonly #sandbox: Sandbox;
  readonly #quota: number;
  readonly #signUps: number;
  readonly #accounts: Space<StoredAccount>;
  readonly #addresses: AccountAddresses;
  readonly #quotaWindows: Space<RateWindow>;

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

  /**
   * Counts a sign-up of an address. Returns the rejection if the address or its network has none
   * left this hour.
   */
  async countSignUp(address: string): Promise<SignUpRejection | undefined> {
    const blocks = addressBlocks(address);
    // A wide network at its limit must not fill the service with windows of its narrow ones.
    for (const block of blocks) {
      const window = await this.#sandbox.read(signUpWindows, block.name);
      const nowMs = await this.#sandbox.now();
      if (isOpen(window, nowMs) && window.used >= window.limit) {
        return rejectionBy(block, window, secondsLeft(window, nowMs));
      }
    }
    // The narrowest first, so that its rejected sign-ups do not use up the shared limit.
    for (const block of blocks) {
      const figures = { limit: this.#signUps * block.share, windowSeconds: signUpWindowSeconds };
      const counted = await this.#sandbox.update(signUpWindows, block.name, (window, nowMs) =>
        countRequest(window, nowMs, figures),
      );
      if (!counted.isAccepted) return rejectionBy(block, counted.window, counted.secondsLeft);
    }
    return undefined;
  }

  async create(name: string | null): Promise<KeyedAccount> {
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

  /** Returns the account of a key, which counts as a use; `undefined` for an unknown key. */
  async find(key: AccountKey): Promise<Account | undefined> {
    const account = await this.#read(key);
    return account && this.#refresh(account, await this.#sandbox.now());
  }

  async usageOf(accountId: string): Promise<Usage> {
    const window = await this.#sandbox.read(this.#quotaWindows, accountId);
    const nowMs = await this.#sandbox.now();
    if (!isOpen(window, nowMs)) return { requests: 0, secondsLeft: 0 };
    const requests = Math.min(window.used, this.#quota);
    return { requests, secondsLeft: secondsLeft(window, nowMs) };
  }

  /**
   * Counts a request against the quota of the key's account; returns `undefined` for an unknown
   * key.
   */
  async admit(key: AccountKey): Promise<Admission | undefined> {
    const account = await this.#read(key);
    if (account === undefined) return undefined;
    const { nowMs, ...admission } = await this.#countUse(account.id);
    await this.#refresh(account, nowMs);
    return admission;
  }

  /**
   * Counts a request of a pupil, who has the quota of an account; all pupils of an owner together have {@link
   * quotasOfPupils}.
   */
  async countPupil({ name, part }: Owner): Promise<Omit<Admission, 'accountId'>> {
    const counted = await this.#countIn(pupilQuotaWindows, part, this.#quota);
    if (!counted.isAccepted) return counted;
    return this.#countIn(pupilQuotaWindows, name, quotasOfPupils * this.#quota);
  }

  async #countUse(accountId: string): Promise<Admission & { readonly nowMs: number }> {
    return { accountId, ...(await this.#countIn(this.#quotaWindows, accountId, this.#quota)) };
  }

  async #countIn(space: Space<RateWindow>, key: string, limit: number) {
    const figures = { limit, windowSeconds: quotaWindowSeconds };
    return this.#sandbox.update(space, key, (window, nowMs) => {
      const counted = countRequest(window, nowMs, figures);
      const { isAccepted, secondsLeft } = counted.result;
      return { ...counted, result: { isAccepted, secondsLeft, nowMs } };
    });
  }

  /**
   * Replaces the key of an account. Of simultaneous calls with one key, all but one return
   * `undefined`.
   */
  async rotate(key: AccountKey): Promise<KeyedAccount | undefined> {
    const next = newAccountKey(key.accountId);
    const keyed = await this.#sandbox.update(this.#accounts, key.accountId, (current, nowMs) => {
      if (current?.keyHash !== key.hash) return unchanged(current, undefined);
      const account: StoredAccount = {
        ...current,
        keyCreatedAtMs: nowMs,
        expiresAtMs: nowMs + unusedDays * dayMs,
        keyHash: hashOf(next),
      };
      return stored(account, { account, key: next });
    });
    if (keyed !== undefined) await this.#addresses.forgetAll(key);
    return keyed;
  }

  /**
   * Creates an address of one of the account's sandboxes; returns `undefined` for an unknown key.
   * See {@link AccountAddresses.make}.
   */
  async makeAddress(key: AccountKey, sandbox: string): Promise<AccountAddress | undefined> {
    const account = await this.#read(key);
    return account && this.#addresses.make(key, sandbox, account.expiresAtMs);
  }

  /** Returns the addresses of the account, the oldest first; none for an unknown key. */
  listAddresses(key: AccountKey): Promise<readonly AccountAddress[]> {
    return this.#addresses.list(key);
  }

  async removeAddress(key: AccountKey, secret: string): Promise<boolean> {
    const account = await this.#read(key);
    return account !== undefined && this.#addresses.remove(key, secret, account.expiresAtMs);
  }

  /**
   * Returns the account and sandbox of an address; `undefined` if it is unknown, or its key is
   * invalid.
   */
  async findAddressed(secret: string): Promise<AddressedAccount | undefined> {
    const addressed = await this.#addresses.find(secret);
    return addressed && (await this.#read(addressed.key)) && addressed;
  }

  /** Deletes the account of this key with all its data, and returns whether there was one. */
  async remove(key: AccountKey): Promise<boolean> {
    const { accountId } = key;
    const isRemoved = await this.#sandbox.update(this.#accounts, accountId, (current) =>
      current?.keyHash === key.hash
        ? { value: undefined, result: true }
        : unchanged(current, false),
    );
    if (!isRemoved) return false;
    const none = { value: undefined, result: undefined };
    await this.#sandbox.update(this.#quotaWindows, accountId, () => none);
    await this.#addresses.forgetAll(key);
    await this.#state.resetOwned(accountId);
    return true;
  }

  /** Compares hashes, so that the time reveals nothing about the key. */
  async #read({ accountId, hash }: AccountKey): Promise<StoredAccount | undefined> {
    const account = await this.#sandbox.read(this.#accounts, accountId);
    return account?.keyHash === hash ? account : undefined;
  }

  async #refresh(account: StoredAccount, nowMs: number): Promise<Account> {
    const expiresAtMs = nowMs + unusedDays * dayMs;
    if (expiresAtMs - account.expiresAtMs < refreshEveryMs) return account;
    const used = await this.#sandbox.update(this.#accounts, account.id, (current) => {
      // It may have been deleted since it was read, and stays deleted.
      if (current === undefined) return { value: undefined, result: account };
      const refreshed = { ...current, expiresAtMs };
      return stored(refreshed, refreshed);
    });
    await this.#addresses.keepUntil(used.id, expiresAtMs);
    return used;
  }
}

function rejectionBy(
  { name: block }: AddressBlock,
  { limit }: RateWindow,
  secondsLeft: number,
): SignUpRejection {
  return { block, limit, secondsLeft };
}

function stored<Result>(account: StoredAccount, result: Result): Change<StoredAccount, Result> {
  return { value: account, expiresAtMs: account.expiresAtMs, result };
}

function unchanged<Result>(
  current: StoredAccount | undefined,
  result: Result,
): Change<StoredAccount, Result> {
  return current === undefined ? { value: undefined, result } : stored(current, result);
}
