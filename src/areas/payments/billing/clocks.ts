/** The test clock, which is the clock of the sandbox, and the work that it begins. */

import { HttpError } from '#http/http-error.js';
import type { Operations } from '../engine/call.js';
import type { Due, Ledger } from '../engine/ledger.js';
import { list } from '../engine/lists.js';
import { type Stored, visible } from '../engine/objects.js';
import { makeAvailable } from '../objects/charges.js';
import { decideDispute, openDispute } from '../objects/disputes.js';
import { cancelIntent } from '../objects/payment-intents.js';
import { endRefund } from '../objects/refunds.js';
import { expireCharge } from '../objects/tokens.js';
import { ApiError, invalidRequest } from '../wire/errors.js';
import { expireSession } from './checkout.js';
import { finalizeDue, retryDue } from './invoices.js';
import { endDue, expireIncomplete, renew, trialWillEnd, upcoming } from './subscriptions.js';

const clockType = 'test_helpers.test_clock';

const works: Readonly<Record<string, (ledger: Ledger, id: string) => unknown>> = {
  available: makeAvailable,
  dispute: openDispute,
  'dispute-decision': (ledger, id) => decideDispute(ledger, id, false),
  'dispute-due': (ledger, id) => decideDispute(ledger, id, true),
  end: endDue,
  finalize: finalizeDue,
  incomplete: expireIncomplete,
  refund: endRefund,
  renew,
  retry: retryDue,
  session: (ledger, id) => ledger.find('checkout.session', id) && expireSession(ledger, id),
  'trial-end': trialWillEnd,
  uncaptured: (ledger, id) => {
    const intent = ledger.find('payment_intent', id);
    return intent?.status === 'requires_capture' && cancelIntent(ledger, intent, 'automatic');
  },
  'uncaptured-charge': expireCharge,
  upcoming,
};

/** Steps of due work in one transaction. */
const maxSteps = 25;

/** Work about objects that are gone is dropped, so that it cannot block the sandbox. */
function carryOut(ledger: Ledger, { what, id }: Due): void {
  try {
    works[what]?.(ledger, id);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

/** Does due work in the order of time; returns whether there may be more. */
export function doDueWork(ledger: Ledger): boolean {
  const { now } = ledger;
  for (let step = 0; step < maxSteps; step++) {
    const due: Due | undefined = ledger.takeDue();
    if (due === undefined) {
      ledger.now = now;
      return false;
    }
    ledger.now = Math.min(now, due.at);
    carryOut(ledger, due);
  }
  ledger.now = now;
  return true;
}

const yearSeconds = 366 * 24 * 60 * 60;

/** Returns the clock with the time to which the sandbox must move. */
function move(ledger: Ledger, clock: Stored, time: number): Stored {
  if (Math.abs(time - ledger.now) > 10 * yearSeconds) {
    throw invalidRequest('A test clock moves at most ten years at once.', { param: 'frozen_time' });
  }
  return { ...clock, _moveTo: time };
}

export const clockOperations: Operations = {
  [`${clockType}.create`]: ({ ledger, params }) => {
    if (ledger.facts.isShared) {
      throw invalidRequest(
        'The shared sandbox keeps the real time. Use the key sk_test_{sandbox} with a name of your choice.',
      );
    }
    if (ledger.all(clockType).length > 0) {
      throw invalidRequest(
        'This sandbox has a test clock, and has one at most: its own clock. Advance that clock, or delete it.',
      );
    }
    const clock = ledger.create(clockType, {
      ...{ frozen_time: params.frozen_time, name: params.name ?? null },
      deletes_after: ledger.now + 30 * 24 * 60 * 60,
    });
    ledger.emit(`${clockType}.created`, clock);
    return move(ledger, clock, params.frozen_time);
  },
  [`${clockType}.retrieve`]: ({ ledger, id }) => visible(ledger.get(clockType, id)),
  [`${clockType}.del`]: ({ ledger, id }) => {
    const clock = ledger.get(clockType, id);
    ledger.emit(`${clockType}.deleted`, clock);
    return ledger.remove(clock);
  },
  [`${clockType}.list`]: (call) => list(call, clockType),
  [`${clockType}.advance`]: ({ ledger, params, id }) => {
    const clock = ledger.get(clockType, id);
    const { frozen_time: time } = params;
    if (time <= clock.frozen_time || time <= ledger.now) {
      return new ApiError(
        'A test clock only moves forward: frozen_time must be later than its time.',
        {
          param: 'frozen_time',
        },
      );
    }
    const moved = ledger.save(clock, { frozen_time: time, status: 'ready' });
    const advancing = {
      ...moved,
      status: 'advancing',
      status_details: { advancing: { target_frozen_time: time } },
    };
    ledger.emit(`${clockType}.advancing`, advancing);
    return move(ledger, advancing, time);
  },
};

/** Publishes that the clock has arrived. */
export function clockIsReady(ledger: Ledger, id: string): void {
  const clock = ledger.find(clockType, id);
  if (clock !== undefined) ledger.emit(`${clockType}.ready`, clock);
}
