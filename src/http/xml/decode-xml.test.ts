import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeXml } from './decode-xml.js';
import { XmlError } from './text.js';

test.each([
  ['at once', [0xff], 1],
  ['after letters', [0x61, 0x62, 0xc3], 3],
  ['after characters of several bytes', [...Buffer.from('é€😀'), 0x80], 10],
  ['after a replacement character that was sent', [...Buffer.from('\ufffd'), 0xfe], 4],
  ['in the middle of a character', [0x61, 0xe2, 0x82, 0x61], 2],
])('malformed UTF-8 %s: the fault has the position of the byte', (_name, bytes, index) => {
  expect(() => decodeXml(Buffer.from(bytes), undefined)).toThrow(
    `The body is not valid UTF-8: byte ${index} is not the start of a character.`,
  );
});

test('text is unchanged by every encoding that can represent it', () => {
  const text = fc.string({ unit: 'grapheme' }).map((content) => `<${content}`);
  fc.assert(
    fc.property(text, (sent) => {
      const little = Buffer.from(sent, 'utf16le');
      const big = Buffer.from(little).swap16();
      expect(decodeXml(Buffer.from(sent), undefined)).toBe(sent);
      expect(decodeXml(Buffer.from(`\ufeff${sent}`), 'utf-8')).toBe(sent);
      expect(decodeXml(little, undefined)).toBe(sent);
      expect(decodeXml(big, undefined)).toBe(sent);
      expect(decodeXml(little, 'UTF-16')).toBe(sent);
      expect(decodeXml(big, 'utf-16')).toBe(sent);
    }),
  );
});

test('any bytes are either decoded or rejected', () => {
  const charset = fc.constantFrom(undefined, 'utf-8', 'utf-16', 'us-ascii', 'latin1', 'other');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), charset, (bytes, name) => {
      try {
        expect(typeof decodeXml(Buffer.from(bytes), name)).toBe('string');
      } catch (error) {
        expect(error).toBeInstanceOf(XmlError);
      }
    }),
  );
});
