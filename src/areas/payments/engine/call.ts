/** A request to an operation, and what most operations do with it. */

import type { ApiError } from '../wire/errors.js';
import { invalidRequest } from '../wire/errors.js';
import type { Ledger } from './ledger.js';
import type { Params, Stored, Value } from './objects.js';

export interface Call {
  readonly ledger: Ledger;
  readonly params: Params;
  /** The id in the path. */
  readonly id: string;
  /** Its path, for `url` of lists. */
  readonly path: string;
  /** Whether the key is a publishable one. */
  readonly isPublishable: boolean;
}

export type Operate = (call: Call) => object | ApiError;

/** By the name of the object and of the operation, such as `customer.create`. */
export type Operations = Readonly<Record<string, Operate>>;

const addressNames = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'];

/** Adds the absent members of an address. */
export function wholeAddress(given: Value): Value {
  if (!given) return null;
  return Object.fromEntries(addressNames.map((name) => [name, given[name] || null]));
}

export function wholeShipping(given: Value): Value {
  if (!given) return null;
  const { address, name, phone = null, ...more } = given;
  return { address: wholeAddress(address), name, phone, ...more };
}

/** Returns metadata after changes: an empty value deletes a key, an empty text all of them. */
export function mergeMetadata(before: Value, given: Value): Value {
  if (given === '') return {};
  const merged = Object.entries({ ...before, ...given }).filter(([, value]) => value !== '');
  return Object.fromEntries(merged);
}

/** Returns the changes that parameters of the same names make; an empty text unsets a value. */
export function changesFrom(params: Params, object: Value, names?: readonly string[]): Params {
  const changes: Record<string, Value> = {};
  for (const [name, value] of Object.entries(params)) {
    if (names !== undefined && !names.includes(name)) continue;
    changes[name] = convert(name, value, object);
  }
  return changes;
}

function convert(name: string, value: Value, object: Value): Value {
  if (name === 'metadata') return mergeMetadata(object?.metadata, value);
  if (name === 'address') return wholeAddress(value);
  if (name === 'shipping') return wholeShipping(value);
  if (value === '') return null;
  return value;
}

export function choose(params: Params, ...names: string[]): Params {
  return Object.fromEntries(
    names.flatMap((name) => (name in params ? [[name, params[name]]] : [])),
  );
}

const supported =
  'usd eur gbp jpy chf sek nok dkk pln czk huf ron bgn cad aud nzd sgd hkd inr krw clp brl mxn zar thb myr idr php twd vnd aed sar ils try'.split(
    ' ',
  );

/** Currencies without a smaller unit. */
const wholeUnits = 'jpy krw clp vnd'.split(' ');

export function currencyOf(given: string, param = 'currency'): string {
  const currency = given.toLowerCase();
  if (supported.includes(currency)) return currency;
  throw invalidRequest(
    `Invalid currency: ${currency.slice(0, 10)}. Use one of ${supported.join(', ')}`,
    { param },
  );
}

export function amountText(amount: number, currency: string): string {
  const isWhole = wholeUnits.includes(currency);
  const text = isWhole ? String(amount) : (amount / 100).toFixed(2);
  return currency === 'usd' ? `$${text}` : `${text} ${currency.toUpperCase()}`;
}

const leastAmount = 50;
const mostAmount = 99_999_999;

/** Throws 400 for an amount that cannot be charged. */
export function checkAmount(amount: number, currency: string, param = 'amount'): void {
  if (amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      ...{ code: 'parameter_invalid_integer', param },
    });
  }
  if (amount > mostAmount) {
    throw invalidRequest(`Amount must be no more than ${amountText(mostAmount, currency)}`, {
      ...{ code: 'amount_too_large', param },
    });
  }
  if (amount < leastAmount) {
    throw invalidRequest(
      `Amount must be at least ${amountText(leastAmount, currency)} ${currency}`,
      {
        ...{ code: 'amount_too_small', param },
      },
    );
  }
}

export function checkUrl(url: Value, param: string): void {
  if (!url || /^https?:\/\/[^\s/]/i.test(url) || /^[a-z][\w.+-]*:\/\//i.test(url)) return;
  throw invalidRequest('Not a valid URL', { code: 'url_invalid', param });
}

/** Makes a nested list, as in an object that contains others. */
export function nestedList(data: readonly Stored[], url: string): Value {
  return { object: 'list', data, has_more: false, url };
}
