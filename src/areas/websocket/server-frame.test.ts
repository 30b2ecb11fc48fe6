import { expect, test } from 'vitest';
import { serverFrame } from './server-frame.js';

test.each([
  ['nothing', 1, 0, {}, '8100'],
  ['a text', 1, 2, {}, '81026161'],
  ['reserved bits', 1, 0, { reserved: 0b011 }, 'b100'],
  ['126 bytes', 9, 126, {}, '897e007e'],
  ['64 KiB', 2, 65536, {}, '827f0000000000010000'],
  ['a masked text', 1, 2, { isMasked: true }, '8182000000006161'],
  ['another length than it has', 1, 0, { announcedLength: 1n << 63n }, '817f8000000000000000'],
])('%s', (_name, opcode, length, options, start) => {
  const frame = serverFrame(opcode, Buffer.alloc(length, 'a'), options);
  expect(frame.toString('hex').slice(0, start.length)).toBe(start);
});
