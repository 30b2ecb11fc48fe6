/** Frames that come together are read a few at a time, so that others are served in between. */

import { turns } from '../../base/work-in-turns.js';

/** Of the receiver of `ws`, version 8. */
export interface FrameReceiver {
  _buffers: Buffer[];
  _bufferedBytes: number;
  _state: number;
  getInfo(callback: (error?: Error) => void): void;
  startLoop(callback: (error?: Error) => void): void;
  decompress(data: Buffer, callback: (error?: Error) => void): void;
}

/** How many are read before the clock is looked at. */
const framesAtOnce = 32;

/** States of the receiver: a frame is to begin, and reading goes on later. */
const atFrame = 0;
const later = 6;

/** `isGone` asks whether anybody is left to answer: a connection that is not read from does not say so by itself. */
export function readInTurns(receiver: FrameReceiver, isGone: () => boolean): void {
  const { getInfo: beginFrame, decompress: inflate } = receiver;
  let frames = 0;
  receiver.getInfo = (callback) => {
    frames++;
    const mayGoOn = frames % framesAtOnce !== 0 || receiver._bufferedBytes === 0;
    if (mayGoOn || turns.hasTime()) {
      beginFrame.call(receiver, callback);
      return;
    }
    receiver._state = later;
    turns.add({
      takeTurn() {
        if (isGone()) forgetUnread(receiver);
        receiver._state = atFrame;
        receiver.startLoop(callback);
      },
    });
  };
  receiver.decompress = (data, callback) => {
    if (!isGone()) {
      inflate.call(receiver, data, callback);
      return;
    }
    forgetUnread(receiver);
    // The loop that called goes on from here, and finds nothing.
    receiver._state = atFrame;
  };
}

/** What has come of a client that is gone is not looked at: it could be hours of inflating. */
export function forgetUnread(receiver: FrameReceiver): void {
  receiver._buffers.length = 0;
  receiver._bufferedBytes = 0;
}
