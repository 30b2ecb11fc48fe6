/** State of the inspector, shared by its parts. */

import type { EventSource } from 'eventsource';
import type { Bin, CapturedRequest } from './api.js';

export interface OpenBin {
  bin: Bin;
  /** The newest first. */
  requests: CapturedRequest[];
  stream: EventSource | undefined;
}

interface PageState {
  bins: Bin[];
  open: OpenBin | undefined;
  shownRequestId: string | undefined;
  /** Increases with every change of the open bin, so that late responses can be ignored. */
  turn: number;
}

export const page: PageState = { bins: [], open: undefined, shownRequestId: undefined, turn: 0 };
