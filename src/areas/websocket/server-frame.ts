/** Frames of a WebSocket's server as bytes, right ones and wrong: RFC 6455 section 5.2. */

interface FrameOptions {
  /** RSV1 to RSV3 as bits. */
  readonly reserved?: number;
  /** In place of the payload's, in eight bytes. */
  readonly announcedLength?: bigint;
}

export function serverFrame(
  opcode: number,
  payload: Buffer,
  { reserved = 0, announcedLength }: FrameOptions = {},
): Buffer {
  const first = Buffer.from([0x80 | (reserved << 4) | opcode]);
  return Buffer.concat([first, lengthOf(payload, announcedLength), payload]);
}

function lengthOf({ length }: Buffer, announced: bigint | undefined): Buffer {
  if (announced === undefined && length < 126) return Buffer.from([length]);
  if (announced === undefined && length < 2 ** 16)
    return Buffer.from([126, length >> 8, length & 255]);
  const bytes = Buffer.alloc(9, 127);
  bytes.writeBigUInt64BE(announced ?? BigInt(length), 1);
  return bytes;
}
