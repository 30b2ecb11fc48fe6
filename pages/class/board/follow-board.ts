/** Follows the events of a board. After a failure, the whole board comes again. */

import { EventSource } from 'eventsource';
import { attempt } from '../../shared/attempt.js';
import type { Board, ClassInfo, Message, Pupil, Summary, Teacher } from '../api.js';

type ClassNews = ClassInfo & { readonly messages: readonly Message[] };

export interface Follower {
  onBoard(board: Board): void;
  onPupil(pupil: Pupil): void;
  onRemoved(removed: { readonly pupil: string }): void;
  onSummary(summary: Summary): void;
  onClass(info: ClassNews): void;
  onEnded(): void;
  onLost(): void;
}

/** Time before a rejected stream is tried again. */
const retryMs = 5000;

/** Rejects with the service's reason if the board cannot be read. */
export async function followBoard(
  teacher: Teacher,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  follower.onBoard(await teacher.read());
  if (signal.aborted) return;
  const stream = teacher.follow();
  signal.addEventListener('abort', () => stream.close());
  const on = <Data>(name: string, act: (data: Data) => void) =>
    stream.addEventListener(name, ({ data }) => act(JSON.parse(data as string) as Data));
  on<Board>('board', (board) => follower.onBoard(board));
  on<Pupil>('pupil', (pupil) => follower.onPupil(pupil));
  on<{ pupil: string }>('removed', (removed) => follower.onRemoved(removed));
  on<Summary>('summary', (summary) => follower.onSummary(summary));
  on<ClassNews>('class', (info) => follower.onClass(info));
  on('ended', () => {
    stream.close();
    follower.onEnded();
  });
  stream.addEventListener('error', () => {
    follower.onLost();
    // An EventSource does not retry a rejected stream.
    if (stream.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      if (!signal.aborted) void attempt(() => followBoard(teacher, follower, signal));
    }, retryMs);
  });
}
