/** Methods: their descriptions, which are generated, and the functions that serve them. */

import type {
  DescMethod,
  DescMethodBiDiStreaming,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { Awaitable } from '#base/awaitable.js';
import type { Call } from './call.js';

type Run<Method extends DescMethod> =
  Method extends DescMethodUnary<infer Input, infer Output>
    ? (input: MessageShape<Input>, call: Call) => Awaitable<MessageInitShape<Output>>
    : Method extends DescMethodServerStreaming<infer Input, infer Output>
      ? (input: MessageShape<Input>, call: Call) => AsyncIterable<MessageInitShape<Output>>
      : Method extends DescMethodClientStreaming<infer Input, infer Output>
        ? (
            inputs: AsyncIterable<MessageShape<Input>>,
            call: Call,
          ) => Promise<MessageInitShape<Output>>
        : Method extends DescMethodBiDiStreaming<infer Input, infer Output>
          ? (
              inputs: AsyncIterable<MessageShape<Input>>,
              call: Call,
            ) => AsyncIterable<MessageInitShape<Output>>
          : never;

export type Runs<Service extends DescService> = {
  readonly [Name in keyof Service['method']]: Run<Service['method'][Name]>;
};

/** Gets one message or several, and returns one or several. */
export type AnyRun = (input: never, call: Call) => unknown;

export interface ServedMethod {
  readonly desc: DescMethod;
  /** Such as `/hello.HelloService/SayHello`. */
  readonly path: string;
  readonly run: AnyRun;
  readonly isInputStream: boolean;
  readonly isOutputStream: boolean;
  /** Whether Connect may call it by GET. */
  readonly isSafe: boolean;
}

/** Values of `idempotency_level`. */
const noSideEffects = 1;

/** Returns the methods of a service with their functions. */
export function serve<Service extends DescService>(
  service: Service,
  runs: Runs<Service>,
): readonly ServedMethod[] {
  return service.methods.map((desc) => {
    const kind = desc.methodKind;
    return {
      desc,
      path: pathOf(desc),
      run: runs[desc.localName as keyof typeof runs] as unknown as AnyRun,
      isInputStream: kind === 'client_streaming' || kind === 'bidi_streaming',
      isOutputStream: kind === 'server_streaming' || kind === 'bidi_streaming',
      isSafe: desc.idempotency === noSideEffects,
    };
  });
}

export const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;
