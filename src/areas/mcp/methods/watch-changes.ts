/** Watches the changes in a sandbox that notifications report. */

import { setMaxListeners } from 'node:events';
import type { JsonObject } from '#base/json-object.js';
import { turns } from '#base/work-in-turns.js';
import { type CollectionName, collectionNames } from '#data/records.js';
import { ChangeFeed } from '#state/rows/change-feed.js';
import type { Row } from '#state/rows/dataset.js';
import type { Log, Sandbox } from '#state/state.js';
import { notification } from '../messages/message.js';
import { changesKey, type ListChange, listChanges } from '../model/lists.js';
import { parseRecordUri, recordUri } from '../model/record-uri.js';

export interface Interest {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly uris: readonly string[];
}

type ChangeKind =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'updated'; readonly uri: string };

/** A change, and its position in a feed. */
export type Change = ChangeKind & { readonly feed: string; readonly sequence: number };

/** Makes the notification of a change. */
export function changeMessage(change: ChangeKind, params: JsonObject = {}): JsonObject {
  if (change.kind === 'updated') {
    return notification('notifications/resources/updated', { ...params, uri: change.uri });
  }
  return notification(`notifications/${change.kind}/list_changed`, params);
}

const perRead = 20;

const listsFeed = 'lists';

/** Shared, because Node creates an error with a stack for each abort without a reason. */
const isOver = new Error('The wait is over.');

/** Positions in the feeds of a sandbox, from the time of {@link ChangeWatch.begin} on. */
export class ChangeWatch {
  readonly #lists: Log<ListChange>;
  readonly #feeds: ReadonlyMap<CollectionName, ChangeFeed<Row>>;
  readonly #places = new Map<CollectionName, number>();
  #listPlace = 0;

  private constructor(sandbox: Sandbox, collections: readonly CollectionName[]) {
    this.#lists = sandbox.log(listChanges, changesKey);
    this.#feeds = new Map(collections.map((name) => [name, new ChangeFeed<Row>(sandbox, name)]));
  }

  static async begin(sandbox: Sandbox, { resources, uris }: Interest): Promise<ChangeWatch> {
    const named = uris.flatMap((uri) => parseRecordUri(uri)?.collection ?? []);
    const watch = new ChangeWatch(sandbox, resources ? collectionNames : [...new Set(named)]);
    watch.#listPlace = (await watch.#lists.status())?.lastSequence ?? 0;
    for (const [name, feed] of watch.#feeds) watch.#places.set(name, await feed.lastSequence());
    return watch;
  }

  /** Positions up to which changes were read. */
  get positions(): Readonly<Record<string, number>> {
    return { ...Object.fromEntries(this.#places), [listsFeed]: this.#listPlace };
  }

  /** Reads again what is after earlier positions. */
  returnTo(positions: Readonly<Record<string, number>>): void {
    const earlier = (feed: string, at: number) => Math.min(at, positions[feed] ?? at);
    for (const [name, at] of this.#places) this.#places.set(name, earlier(name, at));
    this.#listPlace = earlier(listsFeed, this.#listPlace);
  }

  /** Returns the changes since the last call that are of interest. */
  async read(interest: Interest): Promise<readonly Change[]> {
    const changes = await this.#readLists();
    for (const [name, feed] of this.#feeds) changes.push(...(await this.#readFeed(name, feed)));
    return changes.filter((change) =>
      change.kind === 'updated' ? interest.uris.includes(change.uri) : interest[change.kind],
    );
  }

  async #readLists(): Promise<Change[]> {
    // A reset of the sandbox begins a new log.
    const { lastSequence = 0 } = (await this.#lists.status()) ?? {};
    const entries = await this.#lists.after(this.#listPlace, perRead);
    this.#listPlace = entries.at(-1)?.sequence ?? lastSequence;
    return entries.map(({ item, sequence }) => ({
      ...(item.kind === 'resource' ? { kind: 'updated', uri: item.uri } : { kind: item.kind }),
      ...{ feed: listsFeed, sequence },
    }));
  }

  async #readFeed(name: CollectionName, feed: ChangeFeed<Row>): Promise<readonly Change[]> {
    const rows = await feed.after(this.#places.get(name) ?? 0, perRead);
    if (rows === undefined) {
      // Some changes were dropped: the list is different in any case.
      const sequence = await feed.lastSequence();
      this.#places.set(name, sequence);
      return [{ kind: 'resources', feed: name, sequence }];
    }
    const last = rows.at(-1);
    if (last !== undefined) this.#places.set(name, last.sequence);
    return rows.flatMap(({ kind, id, sequence }): readonly Change[] => {
      const at = { feed: name, sequence };
      const updated = { kind: 'updated', uri: recordUri(name, id), ...at } as const;
      return kind === 'updated' ? [updated] : [updated, { kind: 'resources', ...at }];
    });
  }

  /** Resolves once there may be changes, or another wait is over, or `signal` is aborted. */
  async wait(signal: AbortSignal, other?: (until: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    // One for each feed.
    setMaxListeners(0, stop.signal);
    // Thousands of clients may leave at once, and each has a wait for each feed.
    const onAbort = () => void turns.whenFree().then(() => stop.abort(isOver));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) stop.abort(isOver);
    const waits = [...this.#feeds].map(([name, feed]) =>
      feed.waitPast(this.#places.get(name) ?? 0, stop.signal),
    );
    waits.push(this.#lists.waitPast(this.#listPlace, stop.signal));
    if (other !== undefined) waits.push(other(stop.signal));
    await Promise.race(waits);
    stop.abort(isOver);
    signal.removeEventListener('abort', onAbort);
    await turns.whenFree();
  }
}
