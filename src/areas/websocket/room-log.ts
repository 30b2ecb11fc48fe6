/** What a room keeps: a log of the sandbox, which replicas share. */

import type { Log, LogSpace, Sandbox } from '../../state/state.js';

export const maxKept = 1000;

type EventType = 'message' | 'join' | 'leave';

interface RoomEvent {
  readonly type: EventType;
  readonly from: string;
  readonly at: string;
}

interface RoomValue {
  readonly openedAtMs: number;
}

const roomsSpace: LogSpace<RoomValue, RoomEvent> = {
  name: 'web-socket-rooms',
  maxKeys: 100,
  maxEntries: maxKept,
};

/** How many are read at once. */
const readAtOnce = 16;

export class Room {
  readonly #sandbox: Sandbox;
  readonly #name: string;
  readonly #log: Log<RoomEvent>;

  constructor(sandbox: Sandbox, name: string) {
    this.#sandbox = sandbox;
    this.#name = name;
    this.#log = sandbox.log(roomsSpace, name);
  }

  /** Adds an event, for all to see, and returns its id. */
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
   * Hands over what came after a place as JSON, for as long as `take` says to go on, and returns the new place. Of a
   * room that began anew, by a reset of its sandbox, that is its beginning.
   */
  async catchUp(since: number, take: (event: string) => Promise<boolean>): Promise<number> {
    let place = since;
    for (;;) {
      const status = await this.#log.status();
      if (status === undefined) await this.#open();
      if ((status?.lastSequence ?? 0) < place) place = 0;
      const entries = await this.#log.after(place, readAtOnce);
      if (entries.length === 0) return place;
      for (const { sequence: id, item, bytes } of entries) {
        const { type, from, at } = item;
        place = id;
        if (!(await take(JSON.stringify({ id, type, from, text: bytes.toString('utf8'), at })))) {
          return place;
        }
      }
    }
  }

  /** Resolves when something has come after a place, or the signal is aborted. */
  news(place: number, signal: AbortSignal): Promise<void> {
    return this.#log.waitPast(place, signal);
  }

  async #open(): Promise<void> {
    await this.#sandbox.update(roomsSpace, this.#name, (current, nowMs) => ({
      value: current ?? { openedAtMs: nowMs },
      result: undefined,
    }));
  }
}
