/** Replaces the state in memory by a state that responds later, in the tests of the project `later`. */

import {
  createMemoryState as createImmediateState,
  type MemoryStateOptions,
} from '../../src/state/memory/memory-state.js';
import type { State } from '../../src/state/state.js';
import { respondingLater } from './responding-later.js';

export function createMemoryState(options: MemoryStateOptions): State {
  return respondingLater(createImmediateState(options));
}
