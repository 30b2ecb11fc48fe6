/**
 * Parses Server-Sent Events as they arrive: WHATWG HTML, section 9.2.6, as far as this service uses
 * it.
 */

import { request } from 'node:http';

export interface TestStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The next event, without comments; `undefined` at the end. JSON data is parsed. */
  next(): Promise<TestEvent | undefined>;
  /** All received text of the body. */
  text(): string;
  close(): void;
}

export interface TestEvent {
  readonly event: string;
  readonly id?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the data
  readonly data: any;
}

interface StreamOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** Resolves when the response has begun. */
export function openStream(
  baseUrl: string,
  path: string,
  { method = 'POST', headers = {}, json }: StreamOptions = {},
): Promise<TestStream> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, baseUrl), {
      method,
      agent: false,
      headers: {
        Accept: 'text/event-stream',
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: string[] = [];
      const blocks = blocksOf(response.setEncoding('utf8'), (chunk) => chunks.push(chunk));
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        next: async () => {
          for (;;) {
            const { value, done } = await blocks.next();
            if (done) return undefined;
            const event = parseEvent(value);
            if (event !== undefined) return event;
          }
        },
        text: () => chunks.join(''),
        close: () => outgoing.destroy(),
      });
    });
    outgoing.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

async function* blocksOf(body: AsyncIterable<string>, onChunk: (chunk: string) => void) {
  let rest = '';
  for await (const chunk of body) {
    onChunk(chunk);
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

function parseEvent(block: string): TestEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
  const event = fields.get('event');
  if (event === undefined) return undefined;
  const data = fields.get('data') ?? '';
  return { event, id: fields.get('id'), data: data === '' ? undefined : JSON.parse(data) };
}
