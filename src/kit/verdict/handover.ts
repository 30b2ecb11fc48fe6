/** Lets judges note a response when it is handed to the socket, because a fault may hold it back. */

import type { Request } from '#http/exchange.js';

/** `isSent` is false if the client left before. */
type Note = (isSent: boolean) => Promise<void>;

const heldNotes = new WeakMap<Request, Note[]>();

/** Delays the notes on the response to a request until {@link handOver}. */
export function holdNotes(request: Request): void {
  heldNotes.set(request, []);
}

/** Whether the response to a request is held back. */
export const isHeldBack = (request: Request): boolean => heldNotes.has(request);

/** Runs `note` when the response is handed to the socket: at once, unless it is held back. */
export async function noteWhenSent(request: Request, note: Note): Promise<void> {
  const notes = heldNotes.get(request);
  if (notes === undefined) return note(true);
  notes.push(note);
}

/** Runs the delayed notes on a response. Only the first call has an effect. */
export async function handOver(request: Request, isSent: boolean): Promise<void> {
  const notes = heldNotes.get(request) ?? [];
  heldNotes.delete(request);
  for (const note of notes) await note(isSent);
}
