/** Reads server-sent events (WHATWG HTML, section 9.2). */

export interface ReadEvent {
  readonly event: string;
  readonly data: string;
}

/** Parses a whole stream. An event without its empty line is incomplete, and is not returned. */
export function readEvents(text: string): readonly ReadEvent[] {
  const reader = new EventReader();
  return [...reader.read(text)];
}

/** Parses a stream whose chunks can end anywhere. */
export class EventReader {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #isBegun = false;

  *read(chunk: string): Generator<ReadEvent> {
    let text = this.#rest + chunk;
    if (!this.#isBegun && text !== '') {
      text = text.replace(/^\uFEFF/, '');
      this.#isBegun = true;
    }
    // A CR at the end may be the first half of a CRLF.
    const isHalf = text.endsWith('\r');
    const lines = (isHalf ? text.slice(0, -1) : text).split(/\r\n|\r|\n/);
    this.#rest = (lines.pop() ?? '') + (isHalf ? '\r' : '');
    for (const line of lines) yield* this.#readLine(line);
  }

  /** Ends the last line, which a CR at the end of the stream ends. */
  *end(): Generator<ReadEvent> {
    if (!this.#rest.endsWith('\r')) return;
    yield* this.read('\n');
  }

  *#readLine(line: string): Generator<ReadEvent> {
    if (line === '') {
      if (this.#data.length > 0) {
        yield { event: this.#event || 'message', data: this.#data.join('\n') };
      }
      this.#event = '';
      this.#data = [];
      return;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
  }
}

/** Reads JSON lines, without blank ones; each is an event. */
export class LineReader {
  #rest = '';
  #isBegun = false;

  *read(chunk: string): Generator<ReadEvent> {
    const text = this.#rest + (this.#isBegun ? chunk : chunk.replace(/^\uFEFF/, ''));
    this.#isBegun = true;
    const lines = text.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const data of lines) if (data.trim() !== '') yield { event: 'message', data };
  }

  *end(): Generator<ReadEvent> {
    if (this.#rest !== '') yield* this.read('\n');
  }
}
