/** Reads the events of a response (WHATWG HTML, section 9.2.6). */

export interface EventReader {
  /** The data of each event that has some. */
  readonly events: AsyncIterable<string>;
  /** The id of the last event. */
  readonly lastId: string | undefined;
  /** Time after which a client reconnects. */
  readonly retryMs: number;
}

export const usualRetryMs = 1000;

export function readEvents({ body }: Response): EventReader {
  let lastId: string | undefined;
  let retryMs = usualRetryMs;
  async function* events(): AsyncGenerator<string> {
    let data: string[] = [];
    for await (const line of linesOf(body)) {
      const [field = '', value = ''] = splitLine(line);
      if (line === '') {
        const text = data.join('\n');
        data = [];
        if (text !== '') yield text;
      } else if (field === 'data') data.push(value);
      else if (field === 'id') lastId = value;
      else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
    }
  }
  return {
    events: events(),
    get lastId() {
      return lastId;
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

async function* linesOf(body: Response['body']): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
