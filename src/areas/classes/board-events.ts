/** Streams the board: the whole of it first, then what changes. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  heartbeat,
  isQuiet,
  usualHeartbeatMs,
  writeEvent,
  writeRetry,
} from '#http/sending/event-stream.js';
import { StateUnavailableError } from '#state/state.js';
import { classView, readBoard, readMessages, summaryOf } from './board.js';
import { changesOf, classKey, classSpace, pupilsSpace } from './class-record.js';
import type { OpenClass } from './manage-class.js';
import { type PupilView, pupilViewer, type RowNeeds, stuckAtMs, withHunts } from './pupil-row.js';

/** Changes within this time are sent together, so that a busy class costs its readers little. */
const gatherMs = 200;

const maxChanges = 1000;

interface Needs extends RowNeeds {
  readonly addresses: readonly string[];
}

/** Ends with the class. */
export async function* boardEvents(
  { board }: OpenClass,
  needs: Needs,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const view = new BoardView(board, needs);
  yield writeRetry();
  while (!signal.aborted && !view.isOver) {
    try {
      yield* await view.news();
    } catch (error) {
      // The stream survives an unavailable state.
      if (!(error instanceof StateUnavailableError)) throw error;
    }
    if (view.isOver) return;
    const isIdle = await isQuiet((until) => view.waitForNews(until), signal, view.quietMs);
    if (isIdle) yield heartbeat;
    else await sleep(gatherMs, undefined, { signal }).catch(() => {});
  }
}

/** The state of the board that one reader has seen. */
class BoardView {
  isOver = false;
  readonly #board: OpenClass['board'];
  readonly #needs: Needs;
  #place: number | undefined;
  #summary = '';
  #isFrozen: boolean | undefined;
  /** When pupils become stuck whose rows do not change before. */
  readonly #stuckAt = new Map<string, number>();

  constructor(board: OpenClass['board'], needs: Needs) {
    this.#board = board;
    this.#needs = needs;
  }

  waitForNews(signal: AbortSignal): Promise<void> {
    return changesOf(this.#board).waitPast(this.#place ?? 0, signal);
  }

  /** A pupil becomes stuck without any request, so the stream then looks again. */
  get quietMs(): number {
    const next = Math.min(...this.#stuckAt.values()) - this.#needs.clock();
    return Math.min(usualHeartbeatMs, Math.max(gatherMs, next + 1));
  }

  async news(): Promise<readonly string[]> {
    const record = await this.#board.read(classSpace, classKey);
    if (record === undefined) {
      this.isOver = true;
      return [writeEvent({ event: 'ended', data: '{}' })];
    }
    const { lastSequence = 0 } = (await changesOf(this.#board).status()) ?? {};
    const place = this.#place;
    this.#place = lastSequence;
    const stuck = this.#newlyStuck();
    if (place === lastSequence && stuck.length === 0) return [];
    const isOther = record.isFrozen !== this.#isFrozen;
    this.#isFrozen = record.isFrozen;
    if (place === undefined || isOther || lastSequence - place > maxChanges) {
      return this.#whole(record);
    }
    const entries = await changesOf(this.#board).after(place, maxChanges);
    return this.#changed(record, new Set([...entries.map(({ item }) => item.pupil), ...stuck]));
  }

  #newlyStuck(): readonly string[] {
    const nowMs = this.#needs.clock();
    return [...this.#stuckAt].filter(([, atMs]) => atMs < nowMs).map(([pupil]) => pupil);
  }

  #pupilEvent(view: PupilView, record: OpenClass['record']): string {
    this.#expect(view, record);
    return this.#event('pupil', JSON.stringify(view));
  }

  #expect({ pupil, current }: PupilView, record: OpenClass['record']): void {
    if (current === null || current.since === null || current.stuck) this.#stuckAt.delete(pupil);
    else this.#stuckAt.set(pupil, stuckAtMs(Date.parse(current.since), record));
  }

  async #whole(record: OpenClass['record']): Promise<readonly string[]> {
    const { addresses, ...needs } = this.#needs;
    const whole = await readBoard({ board: this.#board, record }, needs, addresses);
    this.#stuckAt.clear();
    for (const view of whole.pupils) this.#expect(view, record);
    this.#summary = JSON.stringify({ firsts: whole.firsts, stuck: whole.stuck });
    return [this.#event('board', JSON.stringify(whole))];
  }

  async #changed(record: OpenClass['record'], changed: ReadonlySet<string | null>) {
    const { challenges, addresses } = this.#needs;
    const rows = await this.#board.entries(pupilsSpace);
    const viewOf = pupilViewer(this.#needs, record);
    const shown = rows.filter(([pupil]) => changed.has(pupil));
    const events = (await withHunts(shown, { record }, this.#needs)).map((row) =>
      this.#pupilEvent(viewOf(row), record),
    );
    const present = new Set(rows.map(([pupil]) => pupil));
    for (const pupil of changed) {
      if (pupil !== null && !present.has(pupil)) {
        this.#stuckAt.delete(pupil);
        events.push(this.#event('removed', JSON.stringify({ pupil })));
      }
    }
    if (changed.has(null)) {
      const messages = await readMessages(this.#board);
      const data = { ...classView(record, addresses), messages };
      events.push(this.#event('class', JSON.stringify(data)));
    }
    const summary = JSON.stringify(summaryOf(rows, challenges));
    if (summary !== this.#summary) events.push(this.#event('summary', summary));
    this.#summary = summary;
    return events;
  }

  #event(event: string, data: string): string {
    return writeEvent({ id: this.#place ?? 0, event, data });
  }
}
