/** Queues bytes that arrive on a connection before their request is due. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turns, type WorkPiece } from '#base/work-in-turns.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import { guard } from '../guard.js';
import { currentResponse, isParserPaused } from '../internals/current-response.js';
import type { Parse } from '../internals/http-parser.js';
import type { WireRequest } from '../request.js';
import { RequestBytes } from './request-bytes.js';

/** Beyond one of these limits, the socket is not read. */
const maxWaitingRequests = 64;
const maxWaitingBytes = 64 * 1024;

/**
 * Limit of bytes that are parsed at once if they may be chunks, because a chunk of one byte costs
 * as much as a large one.
 */
const maxPieceBytes = 4 * 1024;

/** Time between probes of a connection that is not read. */
const probeMs = 1_000;

/** Most bodies are no larger, and arrive together with the head. */
const smallBodyBytes = 1280;

/** End of a head. Bytes with one blank line cannot begin two requests. */
const blankLine = Buffer.from('\r\n\r\n');
const noBytes: Buffer = Buffer.alloc(0);

/** A head in several pieces is kept up to this size, for endpoints that show its bytes. */
const maxHeadBytes = 16 * 1024;

export class RequestQueue implements WorkPiece {
  /** Times of `performance`. Absent after a TLS handshake, because the client connected before. */
  readonly acceptedAt: number | undefined;
  /** Whether bytes of the current request arrived before the service could handle it. */
  isEarly = false;
  /** Arrival of the first byte of the current request, if it is early. */
  beganAt = 0;
  #id: string | undefined;
  /** Arrival of the first byte that waits. */
  #waitingSince = 0;
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #bodies: BodiesInFlight;
  readonly #receive: (bytes: Buffer) => void;
  /** Parses bytes that waited for a turn of the event loop. */
  readonly takeTurn: () => void;
  #waiting: Buffer = noBytes;
  #bodyLeft = 0;
  #isListening = false;
  isWaiting = false;
  #probe: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The bytes that the parser currently has. */
  #piece: Buffer = noBytes;
  /** The beginning of an incomplete head. */
  #head: Buffer = noBytes;
  #isUpgraded = false;
  #keeper: { readonly request: IncomingMessage; readonly bytes: RequestBytes } | undefined;

  constructor(socket: Socket, parse: Parse, bodies: BodiesInFlight, acceptedAt?: number) {
    this.acceptedAt = acceptedAt;
    this.#socket = socket;
    this.#parse = parse;
    this.#bodies = bodies;
    socket.once(
      'close',
      guard(socket, () => this.end()),
    );
    this.#receive = guard(socket, (bytes: Buffer) => this.#receiveBytes(bytes));
    this.takeTurn = guard(socket, () => this.#goOn(true));
  }

  /** Reads the socket from now on, after the bytes that were already read. */
  start(seen?: Buffer): void {
    this.#socket.on('data', this.#receive);
    if (seen !== undefined) this.#receive(seen);
    if (!this.#isUpgraded || this.#socket.listenerCount('data') > 0) this.#socket.resume();
    else resumeForReader(this.#socket);
  }

  #receiveBytes(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#waiting.length > 0) {
      this.#wait(Buffer.concat([this.#waiting, bytes]));
      return;
    }
    const isFree = currentResponse(this.#socket) === undefined;
    const headLength = isFree && this.#bodyLeft === 0 ? lengthOfHead(bytes) : 0;
    const isOnePiece =
      headLength > 0 &&
      (headLength === bytes.length || lengthOfPiece(bytes, headLength) === bytes.length);
    if (isFree && this.#bodyLeft === 0 && this.#head.length === 0) this.isEarly = false;
    if (isOnePiece && this.#isNextWelcome()) {
      this.#feed(bytes);
      if (this.#head.length > 0) this.#keepHead(noBytes);
      this.#bodyLeft = this.#bodyAfter(bytes, headLength);
      return;
    }
    const rest = this.#parseInTurn(bytes, isFree);
    if (rest.length > 0) this.#wait(Buffer.from(rest));
  }

  /** Identifies the connection in all processes. */
  get id(): string {
    this.#id ??= randomUUID().slice(0, 13);
    return this.#id;
  }

  /** Drops waiting bytes, and ignores further ones. */
  end(): void {
    this.#isOver = true;
    this.#keep(noBytes);
    this.#keepHead(noBytes);
    turns.remove(this);
    this.#mayReadAgain();
  }

  /** Leaves all further bytes to the readers of the socket, after `head`. */
  handOver(head: Buffer): void {
    this.end();
    this.#isUpgraded = true;
    this.#socket.removeAllListeners('data').push(head);
  }

  /** See {@link keepBytes}. */
  keepBytes(request: IncomingMessage, response: ServerResponse, sentTarget: string): void {
    const bytes = new RequestBytes(request, sentTarget, this.#bodies);
    bytes.add(this.#head);
    bytes.add(this.#piece);
    response.once(
      'close',
      guard(request, () => bytes.release()),
    );
    this.#keeper = { request, bytes };
  }

  /**
   * Parses until a request would begin before the previous response, or this turn of the event loop
   * has no time left; the first piece in any case if `isItsTurn`. Returns the rest.
   */
  #parseInTurn(bytes: Buffer, isItsTurn: boolean): Buffer {
    let rest = bytes;
    let mayGoOn = isItsTurn;
    while (rest.length > 0 && this.#isNextWelcome()) {
      const isBody = this.#bodyLeft > 0;
      if (!mayGoOn && !isBody && !turns.hasTime()) {
        turns.add(this);
        break;
      }
      mayGoOn = false;
      const headLength = isBody ? 0 : lengthOfHead(rest);
      const piece = rest.subarray(0, isBody ? this.#bodyLeft : lengthOfPiece(rest, headLength));
      const endsHead = headLength > 0 && headLength <= piece.length;
      rest = rest.subarray(piece.length);
      const isNew = !isBody && currentResponse(this.#socket) === undefined;
      this.#feed(piece);
      if (isNew) this.#noteHead(piece, endsHead);
      if (isBody) this.#bodyLeft -= piece.length;
      else if (endsHead) this.#bodyLeft = this.#bodyAfter(piece, headLength);
    }
    if (!this.#isOver) return rest;
    if (this.#isUpgraded && rest.length > 0) this.#socket.push(rest);
    return noBytes;
  }

  #feed(piece: Buffer): void {
    this.#keeper?.bytes.add(piece);
    this.#piece = piece;
    this.#parse(piece);
    this.#piece = noBytes;
    if (this.#keeper?.request.complete) this.#keeper = undefined;
  }

  /** Keeps the pieces of a head until it is complete. */
  #noteHead(piece: Buffer, isEnd: boolean): void {
    const head = isEnd ? noBytes : Buffer.concat([this.#head, piece]);
    const isOver = isEnd || head.length > maxHeadBytes || head.includes(blankLine);
    if (!isOver) this.#begin(performance.now());
    this.#keepHead(isOver ? noBytes : head);
  }

  /** If there is no room, only the raw bytes of the request are missing. */
  #keepHead(head: Buffer): void {
    if (this.#bodies.reserve(head.length - this.#head.length)) this.#head = head;
    else this.#keepHead(noBytes);
  }

  /**
   * Returns the remaining length of a body of known length, which is not searched for blank lines.
   */
  #bodyAfter(piece: Buffer, headLength: number): number {
    // The head was cut in its last line, so the apparent end is part of the body.
    if (piece[0] === 0x0d || piece[0] === 0x0a) return 0;
    const request = currentResponse(this.#socket)?.req;
    if (request === undefined || request.complete) return 0;
    const announced = Number(request.headers['content-length'] ?? 0);
    return Math.max(0, announced - (piece.length - headLength));
  }

  /** Returns whether the next bytes belong to the current request, or there is none. */
  #isNextWelcome(): boolean {
    if (this.#isOver || this.#socket.destroyed || isParserPaused(this.#socket)) return false;
    const response = currentResponse(this.#socket);
    return response === undefined || isBodyWelcome(response.req);
  }

  /** Notes that a request begins before it can be handled. */
  #begin(atMs: number): void {
    if (!this.isEarly) this.beganAt = atMs;
    this.isEarly = true;
  }

  #wait(bytes: Buffer): void {
    if (this.#waiting.length === 0) this.#waitingSince = performance.now();
    if (!this.#keep(bytes)) {
      this.#socket.destroy();
      return;
    }
    this.#listen();
    if (bytes.length >= maxWaitingBytes || countBlankLines(bytes) >= maxWaitingRequests) {
      this.#stopReading();
    }
  }

  /** Returns whether the budget has room for waiting bytes. */
  #keep(bytes: Buffer): boolean {
    if (!this.#bodies.reserve(bytes.length - this.#waiting.length)) return false;
    this.#waiting = bytes;
    return true;
  }

  /** Continues after the response was sent, or the body is read. */
  #listen(): void {
    if (this.#isListening || this.isWaiting) return;
    this.#isListening = true;
    const response = currentResponse(this.#socket);
    const goOn = guard(this.#socket, () => {
      response?.off('finish', goOn).req.off('resume', goOn);
      this.#isListening = false;
      this.#goOn(false);
    });
    if (response === undefined) this.#socket.once('drain', goOn);
    else response.once('finish', goOn).req.once('resume', goOn);
  }

  #goOn(isItsTurn: boolean): void {
    // The response may have been the last of this connection.
    if (this.#socket.writableEnded) this.end();
    if (this.#waiting.length === 0) return;
    if (currentResponse(this.#socket) === undefined && this.#head.length === 0) {
      this.isEarly = false;
      this.#begin(this.#waitingSince);
    }
    this.#keep(this.#parseInTurn(this.#waiting, isItsTurn));
    if (this.#waiting.length > 0) this.#listen();
    else this.#readOn();
  }

  /** Without reads, only a write detects that a client has left, even an empty write. */
  #stopReading(): void {
    this.#socket.pause();
    // Node resumes the socket when a reader of the body wants more, which must wait here.
    this.#socket.resume = () => this.#socket;
    const probe = guard(this.#socket, () => this.#socket.write(noBytes));
    this.#probe ??= setInterval(probe, probeMs).unref();
  }

  #readOn(): void {
    if (this.#mayReadAgain()) this.#socket.resume();
  }

  #mayReadAgain(): boolean {
    if (this.#probe === undefined) return false;
    clearInterval(this.#probe);
    this.#probe = undefined;
    Reflect.deleteProperty(this.#socket, 'resume');
    return true;
  }
}

/** Returns the length up to the first blank line, or 0 without one. */
function lengthOfHead(bytes: Buffer): number {
  const blank = bytes.indexOf(blankLine);
  return blank < 0 ? 0 : blank + blankLine.length;
}

/** Resumes a paused socket when it gets a reader; before that, its bytes would be lost. */
function resumeForReader(socket: Socket): void {
  const resume = guard(socket, () => socket.resume());
  const onListener = guard(socket, (name: string | symbol) => {
    if (name !== 'data') return;
    socket.off('newListener', onListener);
    process.nextTick(resume);
  });
  socket.on('newListener', onListener);
}

/**
 * Returns how much may be parsed at once without beginning two requests, or parsing much of an
 * unread body.
 */
function lengthOfPiece(bytes: Buffer, headLength: number): number {
  if (headLength === 0) return Math.min(bytes.length, maxPieceBytes);
  const isBodySmall = bytes.length - headLength <= smallBodyBytes;
  const isOneRequest = isBodySmall && bytes.indexOf(blankLine, headLength) < 0;
  return Math.min(isOneRequest ? bytes.length : headLength, maxPieceBytes);
}

/**
 * Returns whether to parse more of a request: it is incomplete, and its body is small or being
 * read. Node keeps parsed bytes uncounted, with an object for each chunk.
 */
function isBodyWelcome(request: IncomingMessage): boolean {
  const { complete, isBeingRead, readableLength, headers } = request as WireRequest;
  if (complete) return false;
  if (isBeingRead) return true;
  const isOnePiece = readableLength === 0 && headers['transfer-encoding'] === undefined;
  return isOnePiece && Number(headers['content-length'] ?? 0) <= smallBodyBytes;
}

function countBlankLines(bytes: Buffer): number {
  let count = 0;
  let index = bytes.indexOf(blankLine);
  while (index >= 0 && count < maxWaitingRequests) {
    count++;
    index = bytes.indexOf(blankLine, index + blankLine.length);
  }
  return count;
}
