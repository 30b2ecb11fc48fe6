/** Payment intents: every state and transition of a payment by card. */

import {
  amountText,
  type Call,
  changesFrom,
  checkAmount,
  choose,
  currencyOf,
  type Operations,
} from '../engine/call.js';
import type { Decline } from '../engine/declarations.js';
import type { Ledger } from '../engine/ledger.js';
import { list, search } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError, invalidRequest } from '../wire/errors.js';
import {
  authenticationFailed,
  authenticationOf,
  isNotHandled,
  needsOwner,
  nextAction,
  requireReturnUrl,
} from './authentication.js';
import { captureSeconds, createCharge, settle } from './charges.js';
import { customerOf } from './customers.js';
import {
  automaticMethods,
  cancelable,
  checkReturnUrl,
  checkSecret,
  checkTypes,
  confirmable,
  forbidden,
  methodFrom,
} from './intent-parts.js';
import { attach, cardOf, declineError } from './payment-methods.js';

const plain = [
  'capture_method',
  'confirmation_method',
  'description',
  'metadata',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'statement_descriptor_suffix',
  'transfer_group',
];

/** `_options` has what a confirmation needs later. */
const optionsOf = (params: Params, before: Value = {}): Value => {
  const { payment_method_options: given } = params;
  return given === undefined ? before : { ...before, ...(given.card || {}) };
};

function shownOptions(options: Value): Value {
  return {
    card: {
      ...{ installments: null, mandate_options: null, network: null },
      request_three_d_secure: options.request_three_d_secure ?? 'automatic',
    },
  };
}

/** Creates an intent without confirming it. */
export function createIntent(ledger: Ledger, params: Params): Stored {
  const currency = currencyOf(params.currency);
  checkAmount(params.amount, currency);
  checkTypes(params.payment_method_types);
  const customer = params.customer ? customerOf(ledger, params.customer).id : null;
  const method = methodFrom(ledger, params, customer);
  const id = ledger.newId('pi');
  const options = optionsOf(params);
  if (params.statement_descriptor) throw notForCards();
  const intent = ledger.create('payment_intent', {
    ...changesFrom(params, {}, plain),
    ...{ id, amount: params.amount, currency, customer },
    automatic_payment_methods: automaticMethods(params),
    client_secret: `${id}_secret_${ledger.random(25)}`,
    payment_method: method?.id ?? null,
    payment_method_options: shownOptions(options),
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    ...choose(params, '_invoice', '_session'),
    _options: options,
  });
  ledger.emit('payment_intent.created', intent);
  return intent;
}

const notForCards = () =>
  invalidRequest(
    'Payments by card have statement_descriptor_suffix, and no statement_descriptor.',
    { param: 'statement_descriptor' },
  );

/** Confirms an intent; a declined card returns its error, whose changes are kept. */
export function confirmIntent(ledger: Ledger, intent: Stored, params: Params): Stored | ApiError {
  if (intent.status === 'succeeded') {
    return new ApiError(
      'This PaymentIntent has succeeded already, so it cannot be confirmed again.',
      { code: 'payment_intent_unexpected_state', payment_intent: visible(intent) },
    );
  }
  if (!confirmable.includes(intent.status)) {
    return forbidden(intent, ['confirm', 'confirmed'], confirmable);
  }
  checkReturnUrl(params.return_url);
  checkTypes(params.payment_method_types);
  const method = methodFrom(ledger, withKept(intent, params), intent.customer);
  if (method === undefined) {
    return new ApiError('This PaymentIntent has no payment method. Send payment_method.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: visible(intent),
    });
  }
  const options = optionsOf(params, intent._options);
  if (!params._isInternal) requireReturnUrl(intent, params.return_url, params.use_stripe_sdk);
  const ready = ledger.save(intent, {
    ...changesFrom(params, intent, plain),
    ...{ payment_method: method.id, payment_method_options: shownOptions(options) },
    _options: options,
  });
  return attempt(ledger, ready, method, params);
}

const withKept = (intent: Stored, params: Params): Params =>
  params.payment_method || params.payment_method_data
    ? params
    : { payment_method: intent.payment_method };

/** The payment method was created with the intent. */
function withoutMethod(params: Params): Params {
  const { payment_method: _id, payment_method_data: _data, ...rest } = params;
  return rest;
}

function attempt(
  ledger: Ledger,
  intent: Stored,
  method: Stored,
  params: Params,
): Stored | ApiError {
  const card = cardOf(method);
  const authentication = authenticationOf(card, {
    isOffSession: params.off_session !== undefined && params.off_session !== false,
    isRequested: ['any', 'challenge'].includes(intent._options.request_three_d_secure),
    isReady: method._ready === true,
  });
  if (authentication === 'fails') return decline(ledger, intent, method, generic);
  if (authentication === 'impossible') return fail(ledger, intent, method, needsOwner());
  if (authentication === 'none') return charge(ledger, intent, method, false);
  if (params.error_on_requires_action) return fail(ledger, intent, method, isNotHandled());
  const waiting = ledger.save(intent, {
    status: 'requires_action',
    next_action: nextAction(ledger, intent, params.return_url),
    last_payment_error: null,
  });
  ledger.emit('payment_intent.requires_action', waiting);
  return waiting;
}

const generic: Decline = {
  ...{ code: 'card_declined', decline_code: 'generic_decline' },
  message: 'Your card was declined.',
};

function charge(
  ledger: Ledger,
  intent: Stored,
  method: Stored,
  isAuthenticated: boolean,
): Stored | ApiError {
  const { decline: declined } = cardOf(method);
  if (declined !== undefined) return decline(ledger, intent, method, declined, isAuthenticated);
  const isCaptured = intent.capture_method !== 'manual';
  const { amount } = intent;
  const used = prepare(ledger, intent, method);
  const charged = createCharge(ledger, {
    ...{ amount, intent, method: used, isCaptured, isAuthenticated, decline: undefined },
  });
  const done = ledger.save(intent, {
    ...{ last_payment_error: null, latest_charge: charged.id, next_action: null },
    ...(isCaptured
      ? { amount_received: amount, status: 'succeeded' }
      : { amount_capturable: amount, status: 'requires_capture' }),
  });
  if (!isCaptured) {
    ledger.schedule(ledger.now + captureSeconds, 'uncaptured', intent.id);
    ledger.emit('payment_intent.amount_capturable_updated', done);
    return done;
  }
  ledger.emit('payment_intent.succeeded', done);
  ledger.reactions.paid(ledger, done);
  return done;
}

/** Saves the payment method for later payments if the intent says so. */
function prepare(ledger: Ledger, intent: Stored, method: Stored): Stored {
  const usage = intent._options.setup_future_usage ?? intent.setup_future_usage;
  if (!usage || usage === 'none') {
    return method.customer === null ? ledger.save(method, { _used: true }) : method;
  }
  const kept =
    intent.customer && method.customer === null
      ? attach(ledger, method.id, intent.customer)
      : method;
  return ledger.save(kept, { _ready: usage === 'off_session' || kept._ready === true });
}

function decline(
  ledger: Ledger,
  intent: Stored,
  method: Stored,
  declined: Decline,
  isAuthenticated = false,
): ApiError {
  const isCaptured = intent.capture_method !== 'manual';
  const { amount } = intent;
  const failed = createCharge(ledger, {
    ...{ amount, intent, method, isCaptured, isAuthenticated, decline: declined },
  });
  const error = declineError({ ...cardOf(method), decline: declined });
  return fail(ledger, intent, method, error.withMembers({ charge: failed.id }));
}

/** Returns an intent to its first state, with the error. */
function fail(ledger: Ledger, intent: Stored, method: Stored, error: ApiError): ApiError {
  const shown = { ...error.error, payment_method: visible(method) };
  const failed = ledger.save(intent, {
    last_payment_error: shown,
    ...(error.error.charge !== undefined && { latest_charge: error.error.charge }),
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  ledger.emit('payment_intent.payment_failed', failed);
  ledger.reactions.failed(ledger, failed);
  return error.withMembers({ payment_intent: visible(failed), payment_method: visible(method) });
}

/** Continues after the page of 3D Secure. */
export function authenticateIntent(ledger: Ledger, intent: Stored, isComplete: boolean): void {
  const method = ledger.get('payment_method', intent.payment_method);
  if (isComplete) charge(ledger, intent, method, true);
  else fail(ledger, intent, method, authenticationFailed('payment'));
}

function capture(ledger: Ledger, intent: Stored, params: Params): Stored | ApiError {
  if (intent.status !== 'requires_capture') {
    return forbidden(intent, ['capture', 'captured'], ['requires_capture']);
  }
  const amount = params.amount_to_capture ?? intent.amount_capturable;
  if (amount > intent.amount_capturable || amount < 1) {
    const most = amountText(intent.amount_capturable, intent.currency);
    throw invalidRequest(`amount_to_capture must be from 1 to ${most}, which is left to capture.`, {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    });
  }
  const charged = ledger.get('charge', intent.latest_charge);
  const paid = settle(ledger, charged, amount);
  const rest = intent.amount_capturable - amount;
  ledger.emit('charge.captured', ledger.save(paid, { amount_refunded: rest }));
  const done = ledger.save(intent, {
    ...changesFrom(params, intent, ['metadata', 'statement_descriptor_suffix']),
    ...{ amount_capturable: 0, amount_received: amount, status: 'succeeded' },
  });
  ledger.unschedule('uncaptured', intent.id);
  ledger.emit('payment_intent.succeeded', done);
  ledger.reactions.paid(ledger, done);
  return done;
}

export function cancelIntent(ledger: Ledger, intent: Stored, reason: Value): Stored | ApiError {
  if (!(cancelable as readonly string[]).includes(intent.status)) {
    return forbidden(intent, ['cancel', 'canceled'], cancelable);
  }
  if (intent.latest_charge && intent.status === 'requires_capture') {
    const charged = ledger.get('charge', intent.latest_charge);
    const released = { amount_refunded: charged.amount, refunded: true };
    ledger.emit('charge.refunded', ledger.save(charged, released));
  }
  ledger.unschedule('uncaptured', intent.id);
  const canceled = ledger.save(intent, {
    ...{ amount_capturable: 0, canceled_at: ledger.now, next_action: null, status: 'canceled' },
    cancellation_reason: reason ?? null,
  });
  ledger.emit('payment_intent.canceled', canceled);
  return canceled;
}

function update(ledger: Ledger, intent: Stored, params: Params): Stored | ApiError {
  const changed = Object.keys(params);
  const isOpen = confirmable.includes(intent.status);
  const always = ['metadata', 'description', 'receipt_email', 'shipping', 'transfer_group'];
  if (!isOpen && changed.some((name) => !always.includes(name))) {
    const name = changed.find((each) => !always.includes(each)) ?? '';
    return new ApiError(
      `${name} cannot be changed while the status is ${intent.status}, only while it is ${confirmable.join(', ')}.`,
      { code: 'payment_intent_unexpected_state', payment_intent: visible(intent), param: name },
    );
  }
  const currency = params.currency ? currencyOf(params.currency) : intent.currency;
  checkAmount(params.amount ?? intent.amount, currency);
  checkTypes(params.payment_method_types);
  if (params.statement_descriptor) throw notForCards();
  const customer = params.customer ? customerOf(ledger, params.customer).id : intent.customer;
  const method = methodFrom(ledger, params, customer);
  const options = optionsOf(params, intent._options);
  return ledger.save(intent, {
    ...changesFrom(params, intent, plain),
    ...{ amount: params.amount ?? intent.amount, currency, customer },
    ...{ payment_method_options: shownOptions(options), _options: options },
    ...(method && {
      ...{ payment_method: method.id, next_action: null, status: 'requires_confirmation' },
    }),
  });
}

/** Leaves out what a publishable key must not see. */
function shown({ isPublishable }: Call, result: Stored | ApiError): Stored | ApiError {
  if (result instanceof ApiError) return result;
  const { metadata: _metadata, customer: _customer, ...rest } = result;
  return visible((isPublishable ? rest : result) as Stored);
}

export const intentOperations: Operations = {
  'payment_intent.create': (call) => {
    const { ledger, params } = call;
    const unconfirmed = ['return_url', 'off_session', 'error_on_requires_action'];
    const early = unconfirmed.find((name) => params[name] !== undefined);
    if (!params.confirm && early !== undefined) {
      throw invalidRequest(`The parameter ${early} needs confirm=true.`, { param: early });
    }
    const intent = createIntent(ledger, params);
    return shown(
      call,
      params.confirm ? confirmIntent(ledger, intent, withoutMethod(params)) : intent,
    );
  },
  'payment_intent.retrieve': (call) => {
    const intent = call.ledger.get('payment_intent', call.id);
    checkSecret(intent, call.params, call.isPublishable);
    return shown(call, intent);
  },
  'payment_intent.update': (call) =>
    shown(call, update(call.ledger, call.ledger.get('payment_intent', call.id), call.params)),
  'payment_intent.confirm': (call) => {
    const intent = call.ledger.get('payment_intent', call.id);
    checkSecret(intent, call.params, call.isPublishable);
    return shown(call, confirmIntent(call.ledger, intent, call.params));
  },
  'payment_intent.capture': (call) =>
    shown(call, capture(call.ledger, call.ledger.get('payment_intent', call.id), call.params)),
  'payment_intent.cancel': (call) => {
    const intent = call.ledger.get('payment_intent', call.id);
    return shown(call, cancelIntent(call.ledger, intent, call.params.cancellation_reason));
  },
  'payment_intent.list': (call) => list(call, 'payment_intent', ['customer']),
  'payment_intent.search': (call) => search(call, 'payment_intent'),
};
