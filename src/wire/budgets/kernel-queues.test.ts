import { expect, test } from 'vitest';
import { parseKernelQueues, unacknowledgedBytes } from './kernel-queues.js';

const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 267621 1
   6: 0100007F:0BB8 0100007F:A4AE 01 0027AC40:00000000 02:0000748F 00000000     0        0 269402 2
   7: 00000000000000000000000001000000:0BB8 00000000000000000000000001000000:0050 01 00000010:00000000 00:0
   8: 0000000000000000FFFF00000100007F:0BB8 0000000000000000FFFF00000200007F:0051 01 00000020:00000000 00:0
`;

test.each([
  ['an IPv4 client', '127.0.0.1', 0xa4ae, 0x27ac40],
  ['an IPv6 client', '::1', 0x50, 16],
  ['an IPv4 client of an IPv6 socket', '::ffff:127.0.0.2', 0x51, 32],
  ['a client that has taken all, or is not there', '127.0.0.1', 0xa4af, 0],
  ['a client that has gone', undefined, 0xa4ae, 0],
])('finds what the kernel holds of %s', (_what, remoteAddress, remotePort, expected) => {
  const queues = parseKernelQueues(text);
  const socket = { localPort: 3000, remotePort, remoteAddress };
  expect(unacknowledgedBytes(queues, socket)).toBe(expected);
});
