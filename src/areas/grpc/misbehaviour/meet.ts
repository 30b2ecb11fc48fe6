/** Lets a call meet its case: a misbehaviour changes its response, and a play has a second call. */

import { create, type DescMessage, type Message } from '@bufbuild/protobuf';
import { randomText } from '#http/credentials/secret-text.js';
import type { Reply } from '#http/exchange.js';
import { isCancelCase, plays } from '../judge/plays.js';
import { changeStep, type RunCase, type Step } from '../judge/runs.js';
import type { CallWatch } from '../judge/watch.js';
import { encode } from '../messages/codec.js';
import { codeOf } from '../messages/codes.js';
import type { Call } from '../model/call.js';
import { misbehaviours, streamOf } from './cases.js';
import type { Chosen } from './choose.js';

const waitMs = 30_000;

/** Notes the first call of a case, and what a second one shows. May throw the failure of the call. */
export async function play(call: Call, { name, run }: Chosen): Promise<void> {
  if (run === undefined) return;
  const at: RunCase = { run, name };
  const { id } = call.request;
  const known = plays.get(name);
  if (known === undefined) {
    await changeStep(call, at, (step) => ({ metBy: id, ...step }));
    return;
  }
  const secret = randomText('value');
  const before = await changeStep(call, at, (step) => step);
  if (before?.metBy === undefined) {
    const note = known.first(call, secret);
    await changeStep(call, at, (step) => ({ ...step, metBy: id, note }));
    if (isCancelCase(at)) await waitForLeaving(call, at);
    else if (note.waitMs !== undefined) await call.pause(note.waitMs);
    return;
  }
  const observed = known.second(call, before.note ?? {});
  if (observed === undefined) return;
  await changeStep(call, at, (step): Step => ({ ...step, observed }));
}

async function waitForLeaving(call: Call, at: RunCase): Promise<void> {
  call.hold();
  await call.pause(waitMs);
  if (call.failure?.code !== codeOf('CANCELLED')) return;
  const observed = { outcome: 'handled', evidence: 'The client has cancelled the call.' } as const;
  await changeStep(call, at, (step) => ({ ...step, observed }));
}

/** Sends the response of a misbehaviour; `undefined` if the case has none. */
export async function misbehave(
  call: Call,
  { name }: Chosen,
  { desc, message }: { readonly desc: DescMessage; readonly message: unknown },
  watch: CallWatch | undefined,
): Promise<Reply | undefined> {
  const found = misbehaviours.get(name);
  if (found === undefined) return undefined;
  const stream = streamOf(call);
  const bytes = encode(desc, create(desc, message as Message), call.form.codec);
  call.reply.header('x-simulated', 'true').hijack();
  const pushback = /^pushback-(\w+)$/.exec(name)?.[1] as keyof typeof pushbacks | undefined;
  if (watch !== undefined) {
    watch.hadHead = !/^(?:trailers-only|pushback|reset|goaway-before|html|no-ping)/.test(name);
    await watch.failed(codeOf('UNAVAILABLE'), pushback && pushbacks[pushback]);
  }
  await found.act({ call, stream, message: bytes });
  return call.reply;
}

const pushbacks = { positive: '1500', negative: '-1', unparsable: 'soon' };
