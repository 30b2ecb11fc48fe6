/** Plays a case on a connection, and reads what the client did. */

import type { Case, Expected, Move, Script } from '../cases/case.js';
import { headOf } from '../cases/parts.js';
import { endData, headers, nameOfCode, ping, rstStream, type Settings } from '../frames/frames.js';
import { block, defaultTableBytes, tableSize } from '../frames/hpack.js';
import type { LabConnection, LabRequest, Seen } from './lab-connection.js';

export interface Reading {
  readonly outcome: 'handled' | 'mishandled' | 'either' | 'unclear' | 'not-reached';
  /** In words. */
  readonly evidence: string;
  /** No right client can cause it, or the wire shows it. */
  readonly isCertain?: true;
}

/** Time for an acknowledgement of PING. */
const pongMs = 3000;
/** Time in which an error follows an acknowledgement, if it is found later. */
const errorMs = 1000;
/** The same for a right response, where an error follows at once or never. */
const soonMs = 50;
/** A turn of the event loop. */
const turnMs = 1;

/**
 * Its user has left, our acknowledgement takes too long, or what we do costs too much: RFC 9113 sections 5.4.2, 6.5.3, 10.5.
 */
const excused: readonly string[] = ['CANCEL', 'SETTINGS_TIMEOUT', 'ENHANCE_YOUR_CALM'];

const texts = ['probe-01', 'probe-02'] as const;

const movesOf = (script: Script, stream: number, settings: Settings): readonly Move[] =>
  typeof script === 'function' ? script(stream, settings) : script;

/** A case that a client meets. */
class Play {
  readonly #connection: LabConnection;
  readonly #case: Case;
  readonly #stream: number;
  readonly #seen: Seen;
  #pings = 0;
  #isCompleted = false;
  /** Requests when the client had read what must stop it. */
  #requestsBefore = 1;

  constructor(connection: LabConnection, played: Case, { stream }: LabRequest) {
    this.#connection = connection;
    this.#case = played;
    this.#stream = stream;
    this.#seen = connection.seen;
  }

  async play(): Promise<Reading> {
    const connection = this.#connection;
    const { preface, send, withholds } = this.#case;
    connection.withholds = withholds;
    const hasWaited = connection.isBegun && preface !== undefined;
    if (preface === undefined) connection.begin();
    const lacking = hasWaited
      ? 'The client waited for the SETTINGS before its request.'
      : await this.#lack();
    if (lacking !== undefined) {
      connection.begin();
      this.#finish();
      return this.#pass(lacking);
    }
    if (preface !== undefined) {
      // The acknowledgement of the client's SETTINGS follows the preface.
      await this.#perform(preface, true);
      connection.isBegun = true;
      connection.acknowledge();
    }
    if (!this.#case.sendsNoSize) this.#announceTable();
    if (send !== undefined) await this.#perform(send);
    const reading = await this.#read();
    this.#finish();
    return reading;
  }

  /** Waits for the request, and returns why it does not meet the case. */
  async #lack(): Promise<string | undefined> {
    const { method, bodyBytes, lacks } = this.#case;
    const { settings, requests, ended } = this.#seen;
    const hasLeft = () => this.#hasLeft();
    const isRead = () => ended.has(this.#stream) || this.#hasBody() || hasLeft();
    await this.#connection.until(isRead, soonMs);
    // The end of the connection may have come with the request.
    if (await this.#connection.until(hasLeft, turnMs)) return 'The client left before the case.';
    const lacking = lacks?.(settings);
    if (lacking !== undefined) return lacking;
    const sent = requests[0]?.fields.find(([name]) => name === ':method')?.[1];
    if (method !== undefined && sent !== method) return `The request is not a ${method}.`;
    return bodyBytes !== undefined && ended.has(this.#stream)
      ? `The request has a body of less than ${bodyBytes} octets.`
      : undefined;
  }

  /** Whether the client has ended the connection, or its request. */
  #hasLeft(): boolean {
    const { goaway: code, resets } = this.#seen;
    const isEnded = this.#connection.socket.writableEnded;
    return isEnded || code !== undefined || resets.has(this.#stream);
  }

  #hasBody(): boolean {
    return (this.#seen.received.get(this.#stream) ?? 0) > 0;
  }

  /** A client with a smaller table must get its size at the beginning of the next field block. */
  #announceTable(): void {
    const { headerTableSize: size = defaultTableBytes } = this.#seen.settings;
    if (size >= defaultTableBytes) return;
    const interim = Buffer.concat([tableSize(size), block([[':status', '103']])]);
    this.#connection.write(headers(this.#stream, interim));
  }

  async #perform(script: Script, isPreface = false): Promise<void> {
    for (const move of movesOf(script, this.#stream, this.#seen.settings)) {
      if (this.#isOver('connection-error')) return;
      if (move === 'end') this.#connection.socket.end();
      else if (move === 'ping') {
        await this.#ping();
        this.#requestsBefore = this.#seen.requests.length;
      } else if (typeof move === 'number') await this.#wait(move);
      else {
        this.#connection.write(move);
        if (this.#case.expected !== 'connection-error' || isPreface) this.#connection.note(move);
      }
    }
  }

  #wait(ms: number): Promise<boolean> {
    return this.#connection.until(() => this.#isOver('connection-error'), ms);
  }

  /** Returns whether the client has acknowledged another PING; if so, it has read what precedes it. */
  async #ping(text: string = `ping-${String(++this.#pings).padStart(3, '0')}`): Promise<boolean> {
    this.#connection.write(ping(text));
    const isAcknowledged = () => this.#seen.pongs.includes(text);
    await this.#connection.until(
      () => isAcknowledged() || this.#isOver(this.#case.expected),
      pongMs,
    );
    return isAcknowledged();
  }

  /** Whether the client has reacted with an error. */
  #isOver(expected: Expected): boolean {
    const { isClosed, goaway: code, resets } = this.#seen;
    const isReset =
      resets.has(this.#stream) && !['connection-error', 'no-reset'].includes(expected);
    return (
      isClosed || (code ?? 0) > 0 || (expected === 'connection-error' && code === 0) || isReset
    );
  }

  #read(): Promise<Reading> {
    const { expected, isUnprobed } = this.#case;
    if (isUnprobed || expected === 'anything') return this.#readAnything();
    if (expected === 'connection-error' || expected === 'stream-error') return this.#readError();
    if (expected === 'accepted') return this.#readAccepted();
    return this.#readNext(expected);
  }

  async #readAnything(): Promise<Reading> {
    const { expected, isUnprobed } = this.#case;
    if (!isUnprobed) await this.#ping(texts[0]);
    await this.#wait(isUnprobed ? errorMs : soonMs);
    if (expected === 'anything') return this.#be('either');
    return this.#isOver(expected) ? this.#be('handled', true) : this.#be('unclear');
  }

  /** Two acknowledgements, a second apart, show that the client continues. */
  async #readError(): Promise<Reading> {
    const isDone = () => this.#isOver(this.#case.expected);
    for (const text of texts) {
      const isAcknowledged = await this.#ping(text);
      await this.#connection.until(isDone, text === texts[0] ? errorMs : soonMs);
      if (isDone()) return this.#be('handled', true);
      if (!isAcknowledged) return this.#be('unclear');
    }
    return this.#be('mishandled', true);
  }

  async #readAccepted(): Promise<Reading> {
    const isWhole = this.#case.sent === 'all';
    const isAcknowledged = await this.#ping(texts[0]);
    await this.#connection.until(() => this.#isOver('accepted'), soonMs);
    const rejection = this.#rejection();
    if (rejection !== undefined) return rejection;
    if (!isAcknowledged && !isWhole) return this.#be('unclear');
    this.#complete();
    await this.#ping(texts[1]);
    return this.#rejection() ?? this.#be('handled', true);
  }

  /** An error code says that the client rejects the response, unless a right client may send it. */
  #rejection(): Reading | undefined {
    const { goaway: code = 0, resets } = this.#seen;
    const codes = [code, resets.get(this.#stream) ?? 0].map(nameOfCode);
    const errors = codes.filter((each) => each !== 'NO_ERROR');
    if (errors.some((each) => !excused.includes(each))) return this.#be('mishandled', true);
    return errors.length > 0 ? this.#be('unclear') : undefined;
  }

  async #readNext(expected: Expected): Promise<Reading> {
    const seen = this.#seen;
    const earlier = seen.requests.length;
    const isAcknowledged = expected === 'not-repeated' || (await this.#ping(texts[0]));
    if (expected === 'within-window') {
      return this.#be(seen.isOverWindow ? 'mishandled' : 'handled', true);
    }
    if (expected === 'same-ping') {
      if (seen.pongs.includes('question')) return this.#be('handled', true);
      return seen.pongs.length > 0 ? this.#be('mishandled', true) : this.#be('unclear');
    }
    if (expected === 'no-reset') {
      const code = seen.resets.get(this.#stream);
      if (code === undefined) return this.#be('handled');
      return isAcknowledged && !excused.includes(nameOfCode(code))
        ? this.#be('mishandled', true)
        : this.#be('unclear');
    }
    if (expected === 'no-new-stream' && earlier > this.#requestsBefore) {
      return this.#be('mishandled', true);
    }
    if (expected === 'no-new-stream' || expected === 'next-request') {
      this.#complete();
      const isNext = () => seen.requests.length > earlier || seen.blockFault !== undefined;
      await this.#connection.until(isNext, errorMs);
      if (seen.blockFault !== undefined) return this.#be('mishandled', true);
      return isNext() ? this.#be('handled', true) : this.#pass('There was no further request.');
    }
    const isRejected = this.#rejection()?.outcome === 'mishandled';
    return this.#be(expected === 'report' && !isRejected ? 'unclear' : 'handled');
  }

  #pass(evidence: string): Reading {
    return { outcome: 'not-reached', evidence };
  }

  #be(outcome: Reading['outcome'], isCertain = false): Reading {
    return { outcome, evidence: this.#evidence(), ...(isCertain && { isCertain }) };
  }

  #evidence(): string {
    const { goaway: code, resets, isClosed, pongs, blockFault } = this.#seen;
    const reset = resets.get(this.#stream);
    const acts = [
      reset !== undefined && `It sent RST_STREAM with ${nameOfCode(reset)}.`,
      code !== undefined && `It sent GOAWAY with ${nameOfCode(code)}.`,
      blockFault !== undefined && `It sent a wrong field block: ${blockFault}`,
      isClosed && 'It closed the connection.',
      !isClosed && code === undefined && pongs.length > 0 && 'It continued, and acknowledged PING.',
    ].filter((act) => act !== false);
    return acts.join(' ') || 'It did nothing.';
  }

  /** Sends the rest of the response. */
  #complete(): void {
    const { sent } = this.#case;
    const isOpen = !this.#seen.resets.has(this.#stream);
    if (sent === 'all' || this.#isCompleted || !isOpen) return;
    this.#isCompleted = true;
    if (sent === undefined) this.#connection.write(headOf(this.#stream));
    this.#connection.write(endData(this.#stream, 'The case is over.\n'));
    const isRequestOpen = !this.#seen.ended.has(this.#stream);
    if (isRequestOpen) this.#connection.write(rstStream(this.#stream, 'NO_ERROR'));
  }

  /** Ends the connection, so that the next case has another one. */
  #finish(): void {
    if (this.#case.isUnprobed && this.#case.preface === undefined) {
      this.#connection.socket.end();
      return;
    }
    this.#complete();
    for (const { stream } of this.#seen.requests.slice(1)) {
      this.#connection.write(Buffer.concat([headOf(stream), endData(stream)]));
    }
    this.#connection.end('NO_ERROR');
  }
}

export function play(
  connection: LabConnection,
  played: Case,
  request: LabRequest,
): Promise<Reading> {
  return new Play(connection, played, request).play();
}
