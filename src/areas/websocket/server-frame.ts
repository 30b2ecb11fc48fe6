/** Writes server frames of a WebSocket, valid and invalid: RFC 6455 section 5.2. */

interface FrameOptions {
  /** RSV1 to RSV3 as bits. */
  readonly reserved?: number;
  /** Written as a length of eight bytes instead of the real length. */
  readonly announcedLength?: bigint;
  /** Masks the frame with four zero bytes, which only clients may do. */
  readonly isMasked?: boolean;
}

/** Returns the content of a close frame (section 5.5.1). */
export function closePayload(code: number, reason: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from([code >> 8, code & 255]), reason]);
}

export function serverFrame(
  opcode: number,
  payload: Buffer,
  { reserved = 0, announcedLength, isMasked = false }: FrameOptions = {},
): Buffer {
  const first = Buffer.from([0x80 | (reserved << 4) | opcode]);
  const length = lengthOf(payload, announcedLength);
  if (!isMasked) return Buffer.concat([first, length, payload]);
  length.writeUInt8(length.readUInt8(0) | 0x80, 0);
  return Buffer.concat([first, length, Buffer.alloc(4), payload]);
}

function lengthOf({ length }: Buffer, announced: bigint | undefined): Buffer {
  if (announced === undefined && length < 126) return Buffer.from([length]);
  if (announced === undefined && length < 2 ** 16)
    return Buffer.from([126, length >> 8, length & 255]);
  const bytes = Buffer.alloc(9, 127);
  bytes.writeBigUInt64BE(announced ?? BigInt(length), 1);
  return bytes;
}
