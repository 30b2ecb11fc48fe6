/** Products, prices and coupons. */

import { changesFrom, choose, currencyOf, mergeMetadata, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { isWithin, list, page, search } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { invalidRequest } from '../wire/errors.js';

function checkNewId(ledger: Ledger, type: string, id: string | undefined): void {
  if (id === undefined || ledger.find(type, id) === undefined) return;
  const what = type === 'product' ? 'Product' : 'Coupon';
  throw invalidRequest(`${what} already exists.`, { code: 'resource_already_exists', param: 'id' });
}

export function createProduct(ledger: Ledger, params: Params): Stored {
  checkNewId(ledger, 'product', params.id);
  const { default_price_data: priceData, metadata, ...own } = params;
  const product = ledger.create('product', {
    ...changesFrom(own, {}),
    metadata: mergeMetadata({}, metadata ?? {}),
    updated: ledger.now,
    ...(params.id !== undefined && { id: params.id }),
  });
  ledger.emit('product.created', product);
  if (priceData === undefined) return product;
  const price = createPrice(ledger, { ...priceData, product: product.id }, 'default_price_data');
  return ledger.change(product, { default_price: price.id }, 'product.updated');
}

/** Returns the amount of one unit, and its text. */
function unitAmounts(params: Params, param: string): Params {
  const { unit_amount: amount, unit_amount_decimal: decimal } = params;
  if (amount !== undefined && decimal !== undefined) {
    throw invalidRequest('Send only one of these parameters: unit_amount, unit_amount_decimal.', {
      code: 'parameters_exclusive',
      param,
    });
  }
  if (amount !== undefined) {
    if (amount < 0) {
      throw invalidRequest('This value must be greater than or equal to 0.', {
        ...{ code: 'parameter_invalid_integer', param: 'unit_amount' },
      });
    }
    return { unit_amount: amount, unit_amount_decimal: String(amount) };
  }
  if (decimal === undefined) {
    throw invalidRequest(`Missing required param: unit_amount.`, {
      ...{ code: 'parameter_missing', param: 'unit_amount' },
    });
  }
  const whole = /^\d+(?:\.0*)?$/.test(decimal) ? Number(decimal) : null;
  return { unit_amount: whole, unit_amount_decimal: decimal };
}

export function createPrice(ledger: Ledger, params: Params, param = ''): Stored {
  const { product_data: productData, recurring, metadata, ...given } = params;
  if ((given.product === undefined) === (productData === undefined)) {
    throw invalidRequest('A new price needs product or product_data.', {
      param: 'product',
    });
  }
  const product = productData
    ? createProduct(ledger, productData)
    : ledger.get('product', given.product, 'product');
  const price = ledger.create('price', {
    ...choose(given, 'active', 'nickname', 'tax_behavior'),
    ...unitAmounts(given, param),
    currency: currencyOf(given.currency),
    lookup_key: lookupKey(ledger, given),
    metadata: mergeMetadata({}, metadata ?? {}),
    product: product.id,
    recurring: recurring ? recurringOf(recurring) : null,
    type: recurring ? 'recurring' : 'one_time',
  });
  ledger.emit('price.created', price);
  return price;
}

function recurringOf(given: Params): Value {
  const { interval, interval_count: count = 1, usage_type: usage = 'licensed' } = given;
  if (usage === 'metered') {
    throw invalidRequest('This service does not offer metered prices.', {
      param: 'recurring[usage_type]',
    });
  }
  const most = { day: 1095, week: 156, month: 36, year: 3 }[interval as string] ?? 1;
  if (count < 1 || count > most) {
    throw invalidRequest(`The interval count must be from 1 to ${most} for this interval.`, {
      param: 'recurring[interval_count]',
    });
  }
  return {
    ...{ interval, interval_count: count, meter: null },
    trial_period_days: given.trial_period_days ?? null,
    usage_type: usage,
  };
}

function lookupKey(ledger: Ledger, { lookup_key: key, transfer_lookup_key: moves }: Params): Value {
  if (!key) return null;
  const other = ledger.all('price').find((price) => price.lookup_key === key);
  if (other === undefined) return key;
  if (!moves) {
    throw invalidRequest(`A price (\`${other.id}\`) already uses that lookup key.`, {
      ...{ code: 'resource_already_exists', param: 'lookup_key' },
    });
  }
  ledger.change(other, { lookup_key: null }, 'price.updated');
  return key;
}

function createCoupon(ledger: Ledger, params: Params): Stored {
  checkNewId(ledger, 'coupon', params.id);
  const { percent_off: percent, amount_off: amount, currency, duration = 'once' } = params;
  if ((percent === undefined) === (amount === undefined)) {
    throw invalidRequest('Must provide percent_off or amount_off, and not both.', {
      code: 'parameters_exclusive',
    });
  }
  if (percent !== undefined && !(Number(percent) > 0 && Number(percent) <= 100)) {
    throw invalidRequest('Invalid percent_off: must be greater than 0 and at most 100.', {
      param: 'percent_off',
    });
  }
  if (amount !== undefined && currency === undefined) {
    throw invalidRequest('amount_off needs currency.', { param: 'currency' });
  }
  if ((duration === 'repeating') !== (params.duration_in_months !== undefined)) {
    throw invalidRequest('duration_in_months is required if, and only if, duration is repeating.', {
      param: 'duration_in_months',
    });
  }
  const { metadata, ...own } = params;
  const coupon = ledger.create('coupon', {
    ...changesFrom(own, {}),
    id: params.id ?? ledger.random(8),
    duration,
    metadata: mergeMetadata({}, metadata ?? {}),
    percent_off: percent === undefined ? null : Number(percent),
    ...(currency && { currency: currencyOf(currency) }),
  });
  ledger.emit('coupon.created', coupon);
  return coupon;
}

export const catalogOperations: Operations = {
  'product.create': ({ ledger, params }) => visible(createProduct(ledger, params)),
  'product.retrieve': ({ ledger, id }) => visible(ledger.get('product', id)),
  'product.update': ({ ledger, params, id }) => {
    const product = ledger.get('product', id);
    if (params.default_price) {
      const price = ledger.get('price', params.default_price, 'default_price');
      if (price.product !== id) {
        throw invalidRequest(`The price ${price.id} belongs to another product.`, {
          param: 'default_price',
        });
      }
    }
    const changes = { ...changesFrom(params, product), updated: ledger.now };
    return visible(ledger.change(product, changes, 'product.updated'));
  },
  'product.del': ({ ledger, id }) => {
    const product = ledger.get('product', id);
    if (ledger.all('price').some((price) => price.product === id)) {
      throw invalidRequest(
        'This product has prices, so it cannot be deleted. Archive it with active=false.',
      );
    }
    ledger.emit('product.deleted', product);
    return ledger.remove(product);
  },
  'product.list': (call) => {
    const { ids, created, active, shippable, url } = call.params;
    return page(
      call,
      call.ledger
        .all('product')
        .filter(
          (each) =>
            isWithin(each.created, created) &&
            (ids?.includes(each.id) ?? true) &&
            (active ?? each.active) === each.active &&
            (shippable ?? each.shippable) === each.shippable &&
            (url ?? each.url) === each.url,
        ),
    );
  },
  'product.search': (call) => search(call, 'product'),
  'price.create': ({ ledger, params }) => visible(createPrice(ledger, params)),
  'price.retrieve': ({ ledger, id }) => visible(ledger.get('price', id)),
  'price.update': ({ ledger, params, id }) => {
    const price = ledger.get('price', id);
    const changes = changesFrom(params, price, ['active', 'metadata', 'nickname', 'tax_behavior']);
    const key =
      params.lookup_key === undefined || params.lookup_key === price.lookup_key
        ? {}
        : { lookup_key: lookupKey(ledger, params) };
    return visible(ledger.change(price, { ...changes, ...key }, 'price.updated'));
  },
  'price.list': (call) => {
    const { lookup_keys: keys, created, recurring } = call.params;
    const { active, currency, product, type } = call.params;
    const wanted = Object.entries({ active, currency, product, type }).filter(
      ([, value]) => value !== undefined,
    );
    return page(
      call,
      call.ledger
        .all('price')
        .filter(
          (each) =>
            isWithin(each.created, created) &&
            (keys?.includes(each.lookup_key) ?? true) &&
            (recurring?.interval ?? each.recurring?.interval) === each.recurring?.interval &&
            wanted.every(([name, value]) => each[name] === value),
        ),
    );
  },
  'price.search': (call) => search(call, 'price'),
  'coupon.create': ({ ledger, params }) => visible(createCoupon(ledger, params)),
  'coupon.retrieve': ({ ledger, id }) => visible(ledger.get('coupon', id)),
  'coupon.update': ({ ledger, params, id }) => {
    const coupon = ledger.get('coupon', id);
    return visible(ledger.change(coupon, changesFrom(params, coupon), 'coupon.updated'));
  },
  'coupon.del': ({ ledger, id }) => {
    const coupon = ledger.get('coupon', id);
    ledger.emit('coupon.deleted', coupon);
    return ledger.remove(coupon);
  },
  'coupon.list': (call) => list(call, 'coupon'),
};
