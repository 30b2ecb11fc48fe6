/** Limits of what the state holds. They are filled through its own interface, without requests. */

import { AccountAddresses } from '../../../src/accounts/account-addresses.js';
import { boardEvents } from '../../../src/areas/classes/board-events.js';
import { noteChange } from '../../../src/areas/classes/class-record.js';
import { boardOf } from '../../../src/areas/classes/class-sandboxes.js';
import { createClass, findClass } from '../../../src/areas/classes/manage-class.js';
import { Jobs } from '../../../src/areas/data/jobs/jobs.js';
import { Room } from '../../../src/areas/websocket/room-log.js';
import { createMemoryState } from '../../../src/state/memory/memory-state.js';
import { OwnedSandboxes } from '../../../src/state/owned-sandboxes.js';
import { StateFullError, serviceSandboxName } from '../../../src/state/state.js';
import { isWithout, type Rule } from './rule.js';

const newState = () => createMemoryState({ clock: () => 1_000_000 });

/** Returns whether none of these is rejected because the state is full. */
async function fits(count: number, add: (number: number) => unknown): Promise<boolean> {
  try {
    for (let number = 0; number < count; number++) await add(number);
    return true;
  } catch (error) {
    if (error instanceof StateFullError) return false;
    throw error;
  }
}

/** Returns what a reader of the board of a class receives after this number of changes. */
async function eventsAfter(changes: number): Promise<readonly string[]> {
  const owned = new OwnedSandboxes(newState());
  const { record } = await createClass(owned, 'a', 'class', 1_000_000);
  const board = boardOf(owned, record);
  const note = () => board.transact((view) => noteChange(view, null));
  await note();
  const stop = new AbortController();
  const needs = {
    owned,
    challenges: undefined,
    huntsOf: undefined,
    clock: Date.now,
    addresses: [],
  };
  const events = boardEvents({ board, record }, needs, stop.signal);
  // The pause for retries, and the whole board.
  for (let count = 0; count < 2; count++) await events.next();
  for (let number = 0; number < changes; number++) {
    await note();
  }
  const { value } = await events.next();
  stop.abort();
  return String(value).split('\n');
}

export const stateRules: readonly Rule[] = [
  {
    limit: 'accounts/account-addresses.ts#maxAddresses',
    value: 20_000,
    accepts(size) {
      const addresses = new AccountAddresses(newState().sandbox(serviceSandboxName));
      return fits(size, (number) => {
        const accountId = `a${Math.floor(number / 100)}`;
        return addresses.make({ accountId, hash: accountId } as never, '', 2_000_000);
      });
    },
  },
  {
    limit: 'areas/classes/board-events.ts#maxChanges',
    value: 1000,
    accepts: async (size) => !(await eventsAfter(size)).includes('event: board'),
  },
  {
    limit: 'areas/classes/manage-class.ts#maxClasses',
    value: 200,
    // Beyond it, the oldest class ends.
    async accepts(size) {
      const owned = new OwnedSandboxes(newState());
      const { record } = await createClass(owned, 'owner', 'class', 1_000_000);
      for (let number = 1; number < size; number++) {
        await createClass(owned, `owner${number}`, 'class', 1_000_000);
      }
      return (await findClass(owned, record.id, 1_000_000)) !== undefined;
    },
  },
  {
    limit: 'areas/data/jobs/jobs.ts#maxJobCharacters',
    value: 4 * 1024 * 1024,
    accepts(size) {
      const jobs = new Jobs({ dueWork: { bring: () => {} }, onClose: () => {} } as never);
      const task = 'x'.repeat(size - '""'.length);
      return isWithout(/more than 4194304 characters/, () =>
        jobs.makeRoom(newState().sandbox('s'), task as never),
      );
    },
  },
  {
    limit: 'areas/websocket/room-log.ts#maxKept',
    value: 1000,
    async accepts(size) {
      const room = new Room(newState().sandbox('s'), 'a');
      const first = await room.add('message', 'a', 'x');
      for (let number = 1; number < size; number++) await room.add('message', 'a', 'x');
      const stop = new AbortController();
      const { value } = await room.eventsAfter(0, stop.signal).next();
      stop.abort();
      return JSON.parse(value ?? '').id === first;
    },
  },
  {
    limit: 'state/state.ts#maxClassSandboxes',
    value: 201,
    async accepts(size) {
      const state = newState();
      const owned = new OwnedSandboxes(state);
      const space = { name: 'a', maxKeys: 1 };
      const put = (name: string) =>
        owned
          .sandbox('class-a', name, 'owner')
          .update(space, 'a', () => ({ value: true, result: undefined }));
      for (let number = 0; number < size; number++) await put(`pupil-${number}`);
      return (await owned.sandbox('class-a', 'pupil-0', 'owner').read(space, 'a')) === true;
    },
  },
];
