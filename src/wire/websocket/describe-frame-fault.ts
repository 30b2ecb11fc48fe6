/** Explains protocol faults in close frames: RFC 6455 sections 5 and 7.4. */

interface FrameError extends Error {
  readonly code?: string;
}

/** A reason has at most 123 bytes (RFC 6455 section 5.5). */
const faults: Readonly<Record<string, string | ((detail: string, maxBytes: number) => string)>> = {
  WS_ERR_UNEXPECTED_RSV_2_3: 'The reserved bits RSV2 and RSV3 of a frame must be 0.',
  WS_ERR_UNEXPECTED_RSV_1: 'RSV1 must be 0, except on the first frame of a compressed message.',
  WS_ERR_INVALID_OPCODE: (detail) => opcodeFaults[detail] ?? `The opcode ${detail} is reserved.`,
  WS_ERR_EXPECTED_FIN: 'A control frame must not be fragmented: FIN must be 1.',
  WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH: (detail) =>
    detail === '1'
      ? 'A close frame must have no body, or a code of two bytes and a reason; got 1 byte.'
      : 'A control frame must have at most 125 bytes.',
  WS_ERR_EXPECTED_MASK: 'Frames of a client must be masked.',
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: (_, maxBytes) => tooLarge(maxBytes),
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: (_, maxBytes) => tooLarge(maxBytes),
  LENGTH_OF_64_BITS: 'The highest bit of a 64-bit length must be 0.',
  WS_ERR_INVALID_UTF8: 'A text must be valid UTF-8.',
  WS_ERR_INVALID_CLOSE_CODE: (detail) => `The close code ${detail} must not be sent.`,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'The message has too many fragments.',
};

const opcodeFaults: Readonly<Record<string, string>> = {
  0: 'There is no message to continue.',
  1: 'A text began before the last fragment of the previous message.',
  2: 'A binary message began before the last fragment of the previous message.',
};

const tooLarge = (maxBytes: number) => `A message may have at most ${maxBytes} bytes.`;

export function describeFault({ code = '', message }: FrameError, maxBytes: number): string {
  const fault = faults[code];
  if (typeof fault === 'string') return fault;
  const detail = /\d+$/.exec(message)?.[0] ?? '';
  if (fault !== undefined) return fault(detail, maxBytes);
  return code.startsWith('Z_')
    ? 'The compressed message is not valid DEFLATE data.'
    : 'The frame violates the protocol.';
}
