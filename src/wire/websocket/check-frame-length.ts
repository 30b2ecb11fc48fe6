/** What `ws` leaves open of a frame's length: the highest bit of one of 64 bits must be 0 (RFC 6455 section 5.2). */

/** Of the receiver of `ws`, version 8. */
export interface LengthReceiver {
  readonly _buffers: readonly Buffer[];
  readonly _bufferedBytes: number;
  getPayloadLength64(callback: (error?: Error) => void): void;
  createError(
    kind: ErrorConstructor,
    message: string,
    isPrefixed: boolean,
    closeCode: number,
    code: string,
  ): Error;
}

const lengthBytes = 8;
const highestBit = 0x80;

/** Without it, such a length is but too large, and closes with 1009 in place of 1002. */
export function checkFrameLength(receiver: LengthReceiver): void {
  const { getPayloadLength64: readLength } = receiver;
  receiver.getPayloadLength64 = (callback) => {
    const isThere = receiver._bufferedBytes >= lengthBytes;
    if (isThere && (receiver._buffers[0]?.[0] ?? 0) >= highestBit) {
      const fault = 'the highest bit of a length is set';
      callback(receiver.createError(RangeError, fault, true, 1002, 'LENGTH_OF_64_BITS'));
      return;
    }
    readLength.call(receiver, callback);
  };
}
