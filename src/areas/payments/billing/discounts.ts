/** Coupons that apply to invoices and subscriptions. */

import type { Ledger } from '../engine/ledger.js';
import type { Params, Stored, Value } from '../engine/objects.js';
import { invalidRequest } from '../wire/errors.js';
import { periodEndAfter } from './periods.js';
import { couponFor, promotionFor } from './promotion-codes.js';

/** Applies coupons to an owner, and returns the ids of the discounts. A session redeems them when it is completed. */
export function createDiscounts(ledger: Ledger, given: Value, owner: Params): readonly string[] {
  if (!given) return [];
  return (given as readonly Params[]).map((each, index) => {
    const { coupon, promotion } = sourceOf(ledger, each, owner, `discounts[${index}]`);
    const months = { interval: 'month', interval_count: coupon.duration_in_months };
    const discount = ledger.create('discount', {
      ...{ ...owner, promotion_code: promotion?.id ?? null },
      end: coupon.duration === 'repeating' ? periodEndAfter(ledger.now, months, ledger.now) : null,
      source: { coupon: coupon.id, type: 'coupon' },
      start: ledger.now,
    });
    if (owner.checkout_session === undefined) redeem(ledger, discount);
    return discount.id;
  });
}

/** Counts a discount for its coupon and its promotion code. */
function redeem(ledger: Ledger, discount: Stored): void {
  const { source, promotion_code: code, customer } = discount;
  const promotion = code && ledger.find('promotion_code', code);
  for (const each of [ledger.find('coupon', source.coupon), promotion]) {
    if (each) ledger.save(each, { times_redeemed: each.times_redeemed + 1 });
  }
  if (customer) ledger.emit('customer.discount.created', withCoupon(ledger, discount));
}

export function redeemAll(ledger: Ledger, ids: readonly string[]): void {
  for (const id of ids) {
    const discount = ledger.find('discount', id);
    if (discount !== undefined) redeem(ledger, discount);
  }
}

/** Returns the coupon that a discount names, or its promotion code. */
function sourceOf(
  ledger: Ledger,
  { coupon: id, promotion_code: code }: Params,
  owner: Params,
  param: string,
): { readonly coupon: Stored; readonly promotion?: Stored } {
  if (id !== undefined && code !== undefined) {
    throw invalidRequest('A discount has coupon or promotion_code, not both.', {
      ...{ code: 'parameters_exclusive', param },
    });
  }
  if (code === undefined) return { coupon: couponFor(ledger, id ?? '', `${param}[coupon]`) };
  const promotion = promotionFor(ledger, code, owner, `${param}[promotion_code]`);
  const coupon = couponFor(ledger, promotion.promotion.coupon, `${param}[promotion_code]`);
  return { coupon, promotion };
}

function withCoupon(ledger: Ledger, discount: Stored): Stored {
  const coupon = ledger.find('coupon', discount.source.coupon) ?? discount.source.coupon;
  return { ...discount, source: { ...discount.source, coupon } };
}

/** Returns the discounts that still apply. */
export const liveDiscounts = (ledger: Ledger, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => {
    const discount = ledger.find('discount', id);
    return discount !== undefined && (discount.end === null || discount.end > ledger.now);
  });

/** A coupon of duration `once` applies to one invoice. */
export const withoutUsed = (ledger: Ledger, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => {
    const discount = ledger.find('discount', id);
    return ledger.find('coupon', discount?.source.coupon ?? '')?.duration !== 'once';
  });

/** Returns by how much each discount reduces an amount. */
export function discountAmounts(ledger: Ledger, ids: readonly string[], amount: number): Value[] {
  let rest = Math.max(0, amount);
  return ids.map((id) => {
    const discount = ledger.find('discount', id);
    const coupon = ledger.find('coupon', discount?.source.coupon ?? '');
    const off = coupon?.amount_off ?? Math.round((rest * (coupon?.percent_off ?? 0)) / 100);
    const taken = Math.min(rest, off);
    rest -= taken;
    return { amount: taken, discount: id };
  });
}
