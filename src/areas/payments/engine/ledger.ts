/** The objects of a sandbox during one request, which is one transaction. */

import { hash } from 'node:crypto';
import { watchKey, watchSpace } from '#kit/recording/exchange-record.js';
import { publishEvent, subscriptionsKey, subscriptionsSpace } from '#state/events/publish-event.js';
import type { Space, Transaction } from '#state/state.js';
import { noSuch } from '../wire/errors.js';
import { declarationOf } from './declarations.js';
import { type Stored, type Value, visible } from './objects.js';

export const apiVersion = '2026-02-25.clover';

/** Objects of one type in a sandbox; the oldest are dropped, so that no caller can fill the shared one. */
const maxObjects = 5000;

/** Older events are dropped. */
const maxEvents = 1000;

const spaces = new Map<string, Space<Stored>>();

export function spaceOf(type: string): Space<Stored> {
  const known = spaces.get(type);
  if (known !== undefined) return known;
  const name = `payments-${type.replace(/[._]/g, '-')}`;
  const made: Space<Stored> = { name, maxKeys: type === 'event' ? maxEvents : maxObjects };
  spaces.set(type, made);
  return made;
}

/** Work that the sandbox's clock begins. */
export interface Due {
  readonly at: number;
  readonly what: string;
  readonly id: string;
}

const dueSpace: Space<Due> = { name: 'payments-due', maxKeys: maxObjects };

/** A page that a customer opens. Its key is random, and is the only credential. */
export interface OpenPage {
  readonly type: string;
  readonly id: string;
}

export const pageSpace: Space<OpenPage> = {
  name: 'payments-pages',
  maxKeys: maxObjects,
  isFindable: true,
};

/** Further consequences of a payment, such as for its invoice. */
export interface Reactions {
  readonly paid: (ledger: Ledger, intent: Stored) => void;
  readonly failed: (ledger: Ledger, intent: Stored) => void;
}

export interface CallFacts {
  /** Random; ids follow from it, because a shared store may run a transaction again. */
  readonly seed: string;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  readonly baseUrl: string;
  /** The URL of the guide about error codes. */
  readonly guide: string;
  /** Whether all callers without a sandbox share it. */
  readonly isShared: boolean;
}

export class Ledger {
  readonly facts: CallFacts;
  readonly reactions: Reactions;
  readonly view: Transaction;
  /** The time in seconds; during due work, its own time. */
  now: number;
  #ids = 0;

  constructor(view: Transaction, facts: CallFacts, reactions: Reactions) {
    this.view = view;
    this.reactions = reactions;
    this.facts = facts;
    this.now = Math.floor(view.nowMs / 1000);
  }

  /** Returns letters and digits. */
  random(length: number): string {
    this.#ids += 1;
    const text = hash('sha512', `${this.facts.seed} ${this.#ids}`, 'base64url');
    return text.replace(/[-_]/g, 'x').slice(0, length);
  }

  newId(prefix: string): string {
    return `${prefix}_${this.random(24)}`;
  }

  create(type: string, members: Readonly<Record<string, Value>>): Stored {
    const object = this.draft(type, members);
    this.view.write(spaceOf(type), object.id, object);
    return object;
  }

  /** Makes an object that is not stored, such as a line of an invoice. */
  draft(type: string, members: Readonly<Record<string, Value>>): Stored {
    const { prefix, template } = declarationOf(type);
    const id = members.id ?? this.newId(prefix ?? type);
    const created = 'created' in template ? { created: this.now } : {};
    return { id, ...template, ...created, ...members };
  }

  find(type: string, id: string): Stored | undefined {
    return this.view.read(spaceOf(type), id);
  }

  /** Throws 404 without such an object, or 400 that names the parameter. */
  get(type: string, id: string, param = 'id'): Stored {
    const found = this.find(type, id);
    if (found === undefined || found._gone) throw noSuch(type.replace(/^.*\./, ''), id, param);
    return found;
  }

  /** Returns the objects of a type, the oldest first. */
  all(type: string): readonly Stored[] {
    return this.view.entries(spaceOf(type)).map(([, object]) => object);
  }

  save(object: Stored, changes: Readonly<Record<string, Value>>): Stored {
    const saved = { ...object, ...changes };
    this.view.write(spaceOf(object.object), object.id, saved);
    return saved;
  }

  /** Saves changes, and publishes the event with the earlier values. */
  change(object: Stored, changes: Readonly<Record<string, Value>>, event?: string): Stored {
    const saved = this.save(object, changes);
    const names = Object.keys(changes).filter(
      (name) => !name.startsWith('_') && !isSame(object[name], changes[name]),
    );
    if (names.length > 0 && event !== undefined) {
      const before = Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
      this.emit(event, saved, before);
    }
    return saved;
  }

  /** Stores another object in place of one with its id. */
  replace(object: Stored): void {
    this.view.write(spaceOf(object.object), object.id, object);
  }

  remove(object: Stored): object {
    this.view.write(spaceOf(object.object), object.id, undefined);
    return { id: object.id, object: object.object, deleted: true };
  }

  emit(type: string, object: Stored, previous?: Readonly<Record<string, Value>>): void {
    const { requestId, idempotencyKey } = this.facts;
    const event = this.create('event', {
      api_version: apiVersion,
      data: { object: visible(object), ...(previous && { previous_attributes: previous }) },
      request: { id: requestId, idempotency_key: idempotencyKey },
      pending_webhooks: 0,
      type,
    });
    this.#observeReceiver();
    publishEvent(this.view, {
      ...{ source: 'payments', id: event.id, type },
      object: `payments/${object.id ?? object.object}`,
      json: JSON.stringify(event),
    });
  }

  /** The judge sees the records that a receiver of events writes in the sandbox. */
  #observeReceiver(): void {
    if (this.view.read(subscriptionsSpace, subscriptionsKey) === undefined) return;
    const watch = this.view.read(watchSpace, watchKey);
    if (watch?.isObserved) return;
    this.view.write(watchSpace, watchKey, { isRecording: false, ...watch, isObserved: true });
  }

  /** Returns the URL of a new page about an object. */
  openPage(kind: string, { object, id }: Stored): string {
    const key = this.random(40);
    this.view.write(pageSpace, key, { type: object, id });
    return `${this.facts.baseUrl}/payments/${kind}/${key}`;
  }

  schedule(at: number, what: string, id: string): void {
    this.view.write(dueSpace, `${what} ${id}`, { at, what, id });
  }

  unschedule(what: string, id: string): void {
    this.view.write(dueSpace, `${what} ${id}`, undefined);
  }

  /** Returns the next work that is due, and removes it. */
  takeDue(): Due | undefined {
    const now = Math.floor(this.view.nowMs / 1000);
    let next: Due | undefined;
    for (const [, due] of this.view.entries(dueSpace)) {
      if (due.at <= now && (next === undefined || due.at < next.at)) next = due;
    }
    if (next !== undefined) this.unschedule(next.what, next.id);
    return next;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
