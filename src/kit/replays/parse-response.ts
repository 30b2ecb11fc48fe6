/** Parses the bytes of a response over HTTP/1.1 that this service has written. */

export interface ReplayedResponse {
  readonly status: number;
  /** By lower-case name, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export function parseResponse(bytes: Buffer): ReplayedResponse {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', start);
    const [statusLine = '', ...lines] = bytes.toString('latin1', start, end).split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    start = end + 4;
    if (status < 200) continue;
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    });
    const isChunked = headers.some(([name]) => name === 'transfer-encoding');
    const body = bytes.subarray(start);
    return { status, headers, body: isChunked ? joinChunks(body) : body };
  }
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let index = 0; index < bytes.length; ) {
    const end = bytes.indexOf('\r\n', index);
    const size = Number.parseInt(bytes.toString('latin1', index, end), 16);
    if (!(size > 0)) break;
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    index = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
