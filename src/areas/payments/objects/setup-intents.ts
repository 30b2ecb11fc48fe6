/** Setup intents: payment methods for later payments. */

import { type Call, changesFrom, type Operations } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { list } from '../engine/lists.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError } from '../wire/errors.js';
import {
  authenticationFailed,
  authenticationOf,
  nextAction,
  requireReturnUrl,
} from './authentication.js';
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

function shownOptions({ payment_method_options: given }: Params): Value {
  return {
    card: {
      ...{ mandate_options: null, network: null },
      request_three_d_secure: given?.card?.request_three_d_secure ?? 'automatic',
    },
  };
}

export function createSetup(ledger: Ledger, params: Params): Stored {
  checkTypes(params.payment_method_types);
  const customer = params.customer ? customerOf(ledger, params.customer).id : null;
  const method = methodFrom(ledger, params, customer);
  const id = ledger.newId('seti');
  const intent = ledger.create('setup_intent', {
    ...changesFrom(params, {}, ['description', 'metadata', 'usage']),
    ...{ id, customer, automatic_payment_methods: automaticMethods(params) },
    client_secret: `${id}_secret_${ledger.random(25)}`,
    payment_method: method?.id ?? null,
    payment_method_options: shownOptions(params),
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
  });
  ledger.emit('setup_intent.created', intent);
  return intent;
}

export function confirmSetup(ledger: Ledger, intent: Stored, params: Params): Stored | ApiError {
  if (!confirmable.includes(intent.status)) {
    return forbidden(intent, ['confirm', 'confirmed'], confirmable);
  }
  checkReturnUrl(params.return_url);
  const given = params.payment_method || params.payment_method_data;
  const wanted = given ? params : { payment_method: intent.payment_method };
  const method = methodFrom(ledger, wanted, intent.customer);
  if (method === undefined) {
    return new ApiError('This SetupIntent has no payment method. Send payment_method.', {
      code: 'setup_intent_unexpected_state',
      setup_intent: visible(intent),
    });
  }
  if (!params._isInternal) requireReturnUrl(intent, params.return_url, params.use_stripe_sdk);
  const options = params.payment_method_options
    ? shownOptions(params)
    : intent.payment_method_options;
  const ready = ledger.save(intent, {
    ...{ payment_method: method.id, payment_method_options: options },
  });
  const authentication = authenticationOf(cardOf(method), {
    ...{ isOffSession: false, isReady: false },
    isRequested: ['any', 'challenge'].includes(options.card.request_three_d_secure),
  });
  if (authentication !== 'needed') return finish(ledger, ready, method);
  const waiting = ledger.save(ready, {
    status: 'requires_action',
    next_action: nextAction(ledger, ready, params.return_url),
  });
  ledger.emit('setup_intent.requires_action', waiting);
  return waiting;
}

function finish(ledger: Ledger, intent: Stored, method: Stored): Stored | ApiError {
  const card = cardOf(method);
  if (card.decline !== undefined && !card.attaches) {
    return fail(ledger, intent, method, declineError(card));
  }
  const kept = intent.customer ? attach(ledger, method.id, intent.customer) : method;
  ledger.save(kept, { _ready: intent.usage === 'off_session' });
  const done = ledger.save(intent, {
    ...{ last_setup_error: null, next_action: null, status: 'succeeded' },
  });
  ledger.emit('setup_intent.succeeded', done);
  return done;
}

function fail(ledger: Ledger, intent: Stored, method: Stored, error: ApiError): ApiError {
  const failed = ledger.save(intent, {
    last_setup_error: { ...error.error, payment_method: visible(method) },
    ...{ next_action: null, payment_method: null, status: 'requires_payment_method' },
  });
  ledger.emit('setup_intent.setup_failed', failed);
  return error.withMembers({ setup_intent: visible(failed), payment_method: visible(method) });
}

/** Continues after the page of 3D Secure. */
export function authenticateSetup(ledger: Ledger, intent: Stored, isComplete: boolean): void {
  const method = ledger.get('payment_method', intent.payment_method);
  if (isComplete) finish(ledger, intent, method);
  else fail(ledger, intent, method, authenticationFailed('setup'));
}

function update(ledger: Ledger, intent: Stored, params: Params): Stored | ApiError {
  if (!confirmable.includes(intent.status)) {
    return forbidden(intent, ['update', 'updated'], confirmable);
  }
  checkTypes(params.payment_method_types);
  const customer = params.customer ? customerOf(ledger, params.customer).id : intent.customer;
  const method = methodFrom(ledger, params, customer);
  return ledger.save(intent, {
    ...changesFrom(params, intent, ['description', 'metadata']),
    customer,
    ...(params.payment_method_options && { payment_method_options: shownOptions(params) }),
    ...(method && {
      ...{ next_action: null, payment_method: method.id, status: 'requires_confirmation' },
    }),
  });
}

function cancel(ledger: Ledger, intent: Stored, reason: Value): Stored | ApiError {
  const allowed = cancelable.filter((status) => confirmable.includes(status));
  if (!allowed.includes(intent.status)) return forbidden(intent, ['cancel', 'canceled'], allowed);
  const canceled = ledger.save(intent, {
    ...{ cancellation_reason: reason ?? null, next_action: null, status: 'canceled' },
  });
  ledger.emit('setup_intent.canceled', canceled);
  return canceled;
}

const shown = (result: Stored | ApiError) =>
  result instanceof ApiError ? result : visible(result);

const found = ({ ledger, id, params, isPublishable }: Call): Stored => {
  const intent = ledger.get('setup_intent', id);
  checkSecret(intent, params, isPublishable);
  return intent;
};

export const setupOperations: Operations = {
  'setup_intent.create': ({ ledger, params }) => {
    const intent = createSetup(ledger, params);
    return shown(params.confirm ? confirmSetup(ledger, intent, choosing(params)) : intent);
  },
  'setup_intent.retrieve': (call) => visible(found(call)),
  'setup_intent.update': (call) =>
    shown(update(call.ledger, call.ledger.get('setup_intent', call.id), call.params)),
  'setup_intent.confirm': (call) => shown(confirmSetup(call.ledger, found(call), call.params)),
  'setup_intent.cancel': ({ ledger, id, params }) =>
    shown(cancel(ledger, ledger.get('setup_intent', id), params.cancellation_reason)),
  'setup_intent.list': (call) => list(call, 'setup_intent', ['customer', 'payment_method']),
};

/** The payment method was created with the intent. */
function choosing(params: Params): Params {
  const { payment_method: _id, payment_method_data: _data, ...rest } = params;
  return rest;
}
