/** What the inspector shows, as all of its parts see it. */

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
  /** Grows with every change of what is open, so that late answers can tell they are late. */
  turn: number;
}

export const page: PageState = { bins: [], open: undefined, shownRequestId: undefined, turn: 0 };
