/** Failures of calls: a code, a message, and perhaps details. */

import type { Any } from '@bufbuild/protobuf/wkt';
import { redact } from '#base/text/redact.js';
import { type CodeName, codeOf } from './codes.js';

/** Details of `google.rpc`, and how a whole status with them is encoded. */
export interface Details {
  readonly list: readonly Any[];
  readonly encodeStatus: (code: number, message: string) => Uint8Array;
}

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly details: Details | undefined;
  /** Metadata of the response, such as the encodings that the service accepts. */
  readonly metadata: Readonly<Record<string, string>>;

  constructor(
    code: CodeName | number,
    message: string,
    details?: Details,
    metadata: Readonly<Record<string, string>> = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(redact(message));
    Error.stackTraceLimit = stackTraceLimit;
    this.code = typeof code === 'number' ? code : codeOf(code);
    this.details = details;
    this.metadata = metadata;
  }
}
