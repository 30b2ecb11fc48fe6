/** Pictures of one colour and any size, as PNG. */

import { crc32, deflateSync } from 'node:zlib';
import type { Call } from './call.js';
import { Outcome } from './outcome.js';

export const maxPictureSide = 4000;

const pictureType = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000' };

/** Reads `200` or `200x100`; `undefined` for anything else. */
export function sizeOf(text: string): readonly [width: number, height: number] | undefined {
  const [, width, height = width] = /^(\d{1,9})(?:x(\d{1,9}))?$/.exec(text) ?? [];
  return width === undefined ? undefined : [Number(width), Number(height)];
}

export function picture({ params }: Call): Outcome {
  const size = sizeOf(params.size ?? '') ?? [0, 0];
  const isRight = size.every((side) => side >= 1 && side <= maxPictureSide);
  if (isRight) return pictureOf(size, params.color ?? '');
  return new Outcome(400, { message: `Sides must be from 1 to ${maxPictureSide}.` });
}

export function pictureOf([width, height]: readonly [number, number], given: string): Outcome {
  const [, color = 'cccccc'] = /^#?([\da-f]{6})(?:\.png)?$/i.exec(given) ?? [];
  return new Outcome(200, png(width, height, color), pictureType);
}

/** Writes each row of a palette of one colour in one bit a pixel (PNG, RFC 2083). */
function png(width: number, height: number, color: string): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 3, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(color, 'hex')),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
