/** Promotion codes: names of coupons that customers enter. */

import { changesFrom, mergeMetadata, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { isWithin, page } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { customerOf } from '../objects/customers.js';
import { invalidRequest } from '../wire/errors.js';

export function couponFor(ledger: Ledger, id: string, param: string): Stored {
  const coupon = ledger.get('coupon', id, param);
  const isOver = coupon.redeem_by !== null && coupon.redeem_by < ledger.now;
  const isUsedUp =
    coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
  if (!isOver && !isUsedUp) return coupon;
  throw invalidRequest(`Coupon ${id} is used up or expired, and cannot be applied.`, {
    ...{ code: 'coupon_expired', param },
  });
}

const codeForm = /^[A-Za-z0-9-]{1,500}$/;

const isLive = (ledger: Ledger, { active, expires_at, max_redemptions, times_redeemed }: Stored) =>
  active &&
  (expires_at === null || expires_at > ledger.now) &&
  (max_redemptions === null || times_redeemed < max_redemptions);

/** Returns the live promotion code that a customer enters; letter case does not count. */
export const promotionNamed = (ledger: Ledger, code: string): Stored | undefined =>
  ledger
    .all('promotion_code')
    .find((each) => each.code.toLowerCase() === code.toLowerCase() && isLive(ledger, each));

/** Returns the promotion code of a discount. Throws 400 if it cannot be applied. */
export function promotionFor(ledger: Ledger, id: string, owner: Params, param: string): Stored {
  const promotion = ledger.get('promotion_code', id, param);
  const isOther = promotion.customer !== null && promotion.customer !== owner.customer;
  if (isLive(ledger, promotion) && !isOther) return promotion;
  throw invalidRequest(
    isOther
      ? `Promotion code ${id} is only for another customer.`
      : `Promotion code ${id} is inactive, used up or expired.`,
    { code: 'promotion_code_expired', param },
  );
}

function create(ledger: Ledger, params: Params): Stored {
  const { promotion, code = ledger.random(8).toUpperCase(), customer, expires_at: end } = params;
  const coupon = couponFor(ledger, promotion.coupon, 'promotion[coupon]');
  if (!codeForm.test(code)) {
    throw invalidRequest('A code has letters, digits and hyphens.', { param: 'code' });
  }
  if (promotionNamed(ledger, code) !== undefined) {
    throw invalidRequest(`There is an active promotion code ${code.slice(0, 100)}.`, {
      ...{ code: 'resource_already_exists', param: 'code' },
    });
  }
  if (customer !== undefined) customerOf(ledger, customer);
  if (end !== undefined && end <= ledger.now) {
    throw invalidRequest('expires_at must be in the future.', { param: 'expires_at' });
  }
  const { promotion: _given, metadata, ...own } = params;
  const made = ledger.create('promotion_code', {
    ...{ ...changesFrom(own, {}), code, metadata: mergeMetadata({}, metadata ?? {}) },
    promotion: { coupon: coupon.id, type: 'coupon' },
  });
  ledger.emit('promotion_code.created', made);
  return made;
}

export const promotionOperations: Operations = {
  'promotion_code.create': ({ ledger, params }) => visible(create(ledger, params)),
  'promotion_code.retrieve': ({ ledger, id }) => visible(ledger.get('promotion_code', id)),
  'promotion_code.update': ({ ledger, params, id }) => {
    const promotion = ledger.get('promotion_code', id);
    const changes = changesFrom(params, promotion);
    return visible(ledger.change(promotion, changes, 'promotion_code.updated'));
  },
  'promotion_code.list': (call) => {
    const { active, code, coupon, created, customer } = call.params;
    const isWanted = (each: Value) =>
      (active ?? each.active) === each.active &&
      (code ?? each.code) === each.code &&
      (coupon ?? each.promotion.coupon) === each.promotion.coupon &&
      (customer ?? each.customer) === each.customer &&
      isWithin(each.created, created);
    return page(call, call.ledger.all('promotion_code').filter(isWanted));
  },
};
