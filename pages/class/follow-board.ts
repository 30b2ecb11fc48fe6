/** Follows the events of a board. Reconnects after a failure, and then gets the whole board again. */

import { ApiError } from '../shared/call.js';
import type { Board, ClassInfo, Message, Pupil, Summary, Teacher } from './api.js';

export interface Follower {
  readonly onBoard: (board: Board) => void;
  readonly onPupil: (pupil: Pupil) => void;
  readonly onRemoved: (pupil: string) => void;
  readonly onSummary: (summary: Summary) => void;
  readonly onClass: (info: ClassInfo & { readonly messages: readonly Message[] }) => void;
  readonly onEnded: () => void;
  readonly onLost: () => void;
}

const retryMs = 2000;

export async function followBoard(
  teacher: Teacher,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await teacher.follow(signal);
      if (body !== null) await readEvents(body, follower);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status < 500) throw error;
    }
    if (signal.aborted) return;
    follower.onLost();
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function readEvents(body: ReadableStream<Uint8Array>, follower: Follower): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) pass(block, follower);
  }
}

function pass(block: string, follower: Follower): void {
  const name = /^event: (.+)$/m.exec(block)?.[1];
  const data = /^data: (.+)$/m.exec(block)?.[1];
  if (name === undefined || data === undefined) return;
  const value = JSON.parse(data);
  if (name === 'board') follower.onBoard(value);
  if (name === 'pupil') follower.onPupil(value);
  if (name === 'removed') follower.onRemoved(value.pupil);
  if (name === 'summary') follower.onSummary(value);
  if (name === 'class') follower.onClass(value);
  if (name === 'ended') follower.onEnded();
}
