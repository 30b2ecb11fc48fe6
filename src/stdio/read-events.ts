/** Reads the events of a response (WHATWG HTML, section 9.2.6). */

export interface EventReader {
  /** The data of each event that has some. */
  readonly events: AsyncIterable<string>;
  /** The id of the last event. */
  readonly lastId: string | undefined;
  /** The name of the last event. */
  readonly lastName: string;
  /** Time after which a client reconnects. */
  readonly retryMs: number;
}

export const usualRetryMs = 1000;

/** Reads until the end of the response, or until `signal`, with which it was requested, is aborted. */
export function readEvents({ body }: Response, signal: AbortSignal): EventReader {
  let lastId: string | undefined;
  let lastName = 'message';
  let retryMs = usualRetryMs;
  async function* events(): AsyncGenerator<string> {
    let data: string[] = [];
    let name = 'message';
    for await (const line of linesOf(body, signal)) {
      const [field = '', value = ''] = splitLine(line);
      if (line === '') {
        const text = data.join('\n');
        data = [];
        [lastName, name] = [name, 'message'];
        if (text !== '') yield text;
      } else if (field === 'data') data.push(value);
      else if (field === 'event') name = value;
      else if (field === 'id') lastId = value;
      else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
    }
  }
  return {
    events: events(),
    get lastId() {
      return lastId;
    },
    get lastName() {
      return lastName;
    },
    get retryMs() {
      return retryMs;
    },
  };
}

function splitLine(line: string): readonly [field: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
}

async function* linesOf(body: Response['body'], signal: AbortSignal): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  // Node 20 and 22 may forget the signal of a request once garbage is collected.
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      rest += decoder.decode(next.value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
