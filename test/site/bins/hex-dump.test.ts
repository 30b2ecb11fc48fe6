import { expect, test } from 'vitest';
import { hexDump } from '../../../pages/bins/request/hex-dump.js';

test('bytes are shown in rows of sixteen, with the printable characters', () => {
  const bytes = Uint8Array.from([...Buffer.from('<b>Hi</b> ~\x7f\0'), 0xff, 0x80, 0x0a, 0x41]);
  expect(hexDump(bytes)).toBe(
    [
      '00000000  3c 62 3e 48 69 3c 2f 62  3e 20 7e 7f 00 ff 80 0a  <b>Hi</b> ~.....',
      '00000010  41                                                A',
    ].join('\n'),
  );
  expect(hexDump(new Uint8Array())).toBe('');
});
