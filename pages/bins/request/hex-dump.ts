/** Shows bytes as offset, hexadecimal, and printable ASCII characters. */

/** Writes 16, 8 or 4 bytes per line, as many as fit into `columns` characters. */
export function hexDump(bytes: Uint8Array, columns = Number.POSITIVE_INFINITY): string {
  const perLine = [16, 8].find((count) => lineLength(count) <= columns) ?? 4;
  const half = perLine / 2;
  const width = half * 3 - 1;
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += perLine) {
    const line = bytes.subarray(offset, offset + perLine);
    const hex = Array.from(line, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, half).join(' ');
    const right = hex.slice(half).join(' ');
    const characters = Array.from(line, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('');
    const place = offset.toString(16).padStart(digits(perLine), '0');
    lines.push(`${place}  ${left.padEnd(width)}  ${right.padEnd(width)}  ${characters}`);
  }
  return lines.join('\n');
}

/**
 * Returns the number of offset digits; narrow lines have few, which is enough for the shown bytes.
 */
function digits(perLine: number): number {
  return perLine === 16 ? 8 : 4;
}

function lineLength(perLine: number): number {
  return digits(perLine) + 2 + (perLine * 3 - 1) + 1 + 2 + perLine;
}
