/** Stores the events of a room in a log of the sandbox, which replicas share. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, type LogSpace, type Sandbox, StateUnavailableError } from '#state/state.js';

export const maxKept = 1000;

type EventType = 'message' | 'join' | 'leave';

interface RoomEvent {
  readonly type: EventType;
  readonly from: string;
  readonly at: string;
}

const roomsSpace: LogSpace<{ readonly openedAtMs: number }, RoomEvent> = {
  name: 'web-socket-rooms',
  maxKeys: 100,
  maxEntries: maxKept,
};

/** Number of events that are read at once. */
const readAtOnce = 16;

/** Time after which an unavailable state is asked again. */
const awayMs = 500;

export class Room {
  readonly #sandbox: Sandbox;
  readonly #name: string;
  readonly #log: Log<RoomEvent>;

  constructor(sandbox: Sandbox, name: string) {
    this.#sandbox = sandbox;
    this.#name = name;
    this.#log = sandbox.log(roomsSpace, name);
  }

  /** Adds an event for all members, and returns its id. */
  async add(type: EventType, from: string, text: string | Uint8Array): Promise<number> {
    const at = new Date(await this.#sandbox.now()).toISOString();
    const bytes = Buffer.from(text as string);
    for (;;) {
      const id = await this.#log.append({ type, from, at }, bytes);
      if (id !== undefined) return id;
      await this.#open();
    }
  }

  /**
   * Yields events after an id as JSON, until the signal is aborted; survives an unavailable state.
   */
  async *eventsAfter(since: number, signal: AbortSignal): AsyncGenerator<string> {
    let index = since;
    while (!signal.aborted) {
      try {
        const status = await this.#log.status();
        if (status === undefined) await this.#open();
        // After a reset of the sandbox, the room begins again.
        if ((status?.lastSequence ?? 0) < index) index = 0;
        const entries = await this.#log.after(index, readAtOnce);
        for (const { sequence: id, item, bytes } of entries) {
          const { type, from, at } = item;
          index = id;
          yield JSON.stringify({ id, type, from, text: bytes.toString('utf8'), at });
        }
        if (entries.length === 0) await this.#log.waitPast(index, signal);
      } catch (error) {
        if (!(error instanceof StateUnavailableError)) throw error;
        await sleep(awayMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #open(): Promise<void> {
    await this.#sandbox.update(roomsSpace, this.#name, (current, nowMs) => ({
      value: current ?? { openedAtMs: nowMs },
      result: undefined,
    }));
  }
}
