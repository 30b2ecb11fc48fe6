/** Bytes as people read them: offset, hexadecimal, and the characters that are printable ASCII. */

const bytesPerLine = 16;

export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += bytesPerLine) {
    const line = bytes.subarray(offset, offset + bytesPerLine);
    const hex = Array.from(line, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ');
    const right = hex.slice(8).join(' ');
    const characters = Array.from(line, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('');
    const place = offset.toString(16).padStart(8, '0');
    lines.push(`${place}  ${left.padEnd(23)}  ${right.padEnd(23)}  ${characters}`);
  }
  return lines.join('\n');
}
