/** Sends a completion as JSON or as a stream, right or wrong. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { amend, judgeSilence, noteStreamEnd } from '../judge/watch.js';
import type { Completion } from '../messages/conversation.js';
import type { Generation, LlmParts, ProviderEvent, Reading, Stamp } from '../messages/provider.js';
import { countCancelled } from '../script/script.js';
import { breakEvents, endsInSilence } from '../streams/break-stream.js';
import type { Piece } from '../streams/broken-stream.js';
import { brokenStream, type Misbehaviour } from '../streams/cases.js';
import { isTerminator } from '../streams/kind-events.js';
import { sendStream } from '../streams/send-stream.js';
import { writeIn } from '../streams/stream-form.js';

export interface Sending {
  readonly request: Request;
  readonly reply: Reply;
  readonly parts: LlmParts;
  readonly kind: Generation['kind'];
  /** Present for a stream. */
  readonly heldRequest?: HeldRequest | undefined;
  readonly reading: Reading;
  readonly completion: Completion;
  readonly stamp: Stamp;
  /** Absent if the response is an ordinary one. */
  readonly misbehaviour?: Misbehaviour | undefined;
  readonly chunkMs?: number | undefined;
}

export async function respond(sending: Sending): Promise<void> {
  const { reply, reading, misbehaviour } = sending;
  if (misbehaviour !== undefined) reply.header('x-simulated', 'true');
  const { respond: misrespond } = misbehaviour ? brokenStream(misbehaviour.name) : {};
  const writeJson = () => write(sending);
  if (misrespond) {
    if (reading.isStream) await noteStreamEnd(sending.request);
    const form = formOf(reading);
    await misrespond({ reply, form, writeJson, writeEvents: () => writeEvents(sending) });
  } else if (!reading.isStream) reply.send(await writeJson());
  else if (misbehaviour === undefined) stream(sending, ordinary(sending));
  else await misbehave(sending, misbehaviour);
}

const formOf = ({ form = 'events' }: Reading) => form;

async function write(sending: Sending): Promise<JsonObject> {
  const { reading, stamp } = sending;
  const response = reading.respond(completionsOf(sending), stamp);
  await store(reading);
  return response;
}

async function writeEvents(sending: Sending): Promise<string> {
  const form = formOf(sending.reading);
  const written = [...eventsOf(sending)].map((event, index) => writeIn(form, event, index));
  await store(sending.reading);
  return written.join('');
}

const eventsOf = (sending: Sending) =>
  sending.reading.events(completionsOf(sending), sending.stamp);

const completionsOf = ({ reading: { count = 1 }, completion }: Sending) =>
  Array.from({ length: count }, () => completion);

/** Without a pace, several events are written at once. */
const joinedLength = 16 * 1024;

async function* ordinary(sending: Sending): AsyncGenerator<Piece> {
  const { reading, chunkMs = 0 } = sending;
  const enough = chunkMs > 0 ? 0 : joinedLength;
  let text = '';
  let place = 0;
  for (const event of eventsOf(sending)) {
    // The client's next request may need it.
    if (isTerminator(event)) await store(reading);
    text += writeIn(formOf(reading), event, place++);
    if (text.length <= enough) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** A completion that cannot be stored is sent nevertheless. */
async function store(reading: Reading): Promise<void> {
  await ignoringOutages(() => reading.store?.());
}

async function misbehave(sending: Sending, misbehaviour: Misbehaviour): Promise<void> {
  const { request, kind, reading } = sending;
  const events = [...eventsOf(sending)];
  const form = formOf(reading);
  const { pieces, isWhole, isShown } = breakEvents({ kind, form }, events, misbehaviour);
  if (isWhole) await store(reading);
  else await amend(request, { responseId: responseIdIn(events[0]) });
  stream(sending, pieces, isShown);
}

function responseIdIn(first: ProviderEvent | undefined): string {
  const { response } = isObject(first?.data) ? first.data : {};
  return isObject(response) ? String(response.id) : '';
}

function stream(
  sending: Sending,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  isShown?: () => boolean,
): void {
  const { request, reply, parts, heldRequest, kind, reading, chunkMs, misbehaviour } = sending;
  if (heldRequest === undefined) throw new Error('A stream needs a held request.');
  const isSilent = misbehaviour !== undefined && endsInSilence(misbehaviour);
  let wasPatient = false;
  sendStream({ request, reply, heldRequest, parts }, pieces, {
    kind,
    form: formOf(reading),
    chunkMs,
    isShown,
    async onPatience() {
      wasPatient = true;
      if (isSilent) await judgeSilence(request, 'mishandled');
    },
    onLast: () => noteStreamEnd(request),
    async onEnd({ isComplete, hasContent, isEndedHere, sentAtMs, isCutShort }) {
      const more = hasContent && !isComplete && !misbehaviour ? { hasContent } : {};
      if (isCutShort) await noteStreamEnd(request, performance.now() - sentAtMs, more);
      else if (more.hasContent) await amend(request, more);
      if (isComplete || isEndedHere || reply.raw.writableFinished) return;
      await ignoringOutages(() => countCancelled(request.sandbox));
      if (isSilent && !wasPatient) await judgeSilence(request, 'handled');
    },
  });
}
