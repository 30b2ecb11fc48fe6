/** The services of the public server grpcbin, by its names. */

import type { MessageInitShape } from '@bufbuild/protobuf';
import { Add } from '../generated/addsvc_pb.js';
import { GRPCBin, type HeadersMessageSchema } from '../generated/grpcbin_pb.js';
import { HelloService } from '../generated/hello_pb.js';
import { codeNames } from '../messages/codes.js';
import { fieldFault } from '../messages/details.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { serve } from '../model/method.js';
import { metadataOf } from './metadata-of.js';

const times = 10;
const usualIntervalMs = 1000;
const maxIntervalMs = 10_000;

/** The pause between messages. */
function intervalOf({ request }: Call): number {
  const sent = Number(request.headers['x-interval-ms'] ?? usualIntervalMs);
  if (sent >= 0 && sent <= maxIntervalMs) return sent;
  throw fieldFault('x-interval-ms', `x-interval-ms must be from 0 to ${maxIntervalMs}.`);
}

const greetingOf = ({ greeting }: { readonly greeting?: string }): string => greeting || 'noname';

/** Longer texts are cut, because a client stream has no end. */
const maxJoinedLength = 64 * 1024;

export const grpcbin = serve(GRPCBin, {
  index: () => ({
    description: 'A gRPC server for tests of clients.',
    endpoints: GRPCBin.methods.map(({ name, parent }) => ({
      path: name,
      description: `/${parent.typeName}/${name}`,
    })),
  }),
  empty: () => ({}),
  dummyUnary: (message) => message,
  async *dummyServerStream(message, call) {
    const intervalMs = intervalOf(call);
    for (let count = 0; count < times; count++) {
      if (count > 0) await call.pause(intervalMs);
      yield message;
    }
  },
  async dummyClientStream(messages) {
    let last = {};
    let count = 0;
    for await (const message of messages) {
      last = message;
      if (++count === times) break;
    }
    return last;
  },
  async *dummyBidirectionalStreamStream(messages) {
    yield* messages;
  },
  specificError({ code, reason }) {
    if (code === 0) return {};
    throw new RpcError(code, reason || (codeNames[code] ?? `code ${code}`));
  },
  randomError() {
    const code = 1 + Math.floor(Math.random() * (codeNames.length - 1));
    throw new RpcError(code, codeNames[code] ?? '');
  },
  headersUnary(_message, call) {
    const metadata: Record<string, { values: string[] }> = {};
    for (const { name, values } of metadataOf(call)) metadata[name] = { values };
    return { Metadata: metadata } as MessageInitShape<typeof HeadersMessageSchema>;
  },
  noResponseUnary() {
    throw new RpcError('INTERNAL', 'The method has no response.');
  },
});

export const hello = serve(HelloService, {
  sayHello: (request) => ({ reply: `hello ${greetingOf(request)}` }),
  async *lotsOfReplies(request) {
    for (let count = 0; count < times; count++) yield { reply: `hello ${greetingOf(request)}` };
  },
  async lotsOfGreetings(requests) {
    let joined = '';
    for await (const request of requests) {
      const next = joined === '' ? greetingOf(request) : `, ${greetingOf(request)}`;
      joined = (joined + next).slice(0, maxJoinedLength);
    }
    return { reply: `hello ${joined}` };
  },
  async *bidiHello(requests) {
    for await (const request of requests) yield { reply: `hello ${greetingOf(request)}` };
  },
});

export const adder = serve(Add, {
  sum: ({ a, b }) => ({ v: BigInt.asIntN(64, a + b) }),
  concat: ({ a, b }) => ({ v: a + b }),
});
