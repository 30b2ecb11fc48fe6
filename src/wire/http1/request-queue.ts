/** What has arrived on one connection, and is parsed when its turn comes. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turns, type WorkPiece } from '../../base/work-in-turns.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { LeanRequest } from './lean-request.js';
import { RequestBytes } from './request-bytes.js';
import { responseUnderWay } from './response-under-way.js';

/** What may wait on a connection; beyond either, nothing more is read from its socket. */
const maxWaitingRequests = 64;
const maxWaitingBytes = 64 * 1024;

/** How much is parsed at once of what can be chunks, each of which costs as much as a large one. */
const maxPieceBytes = 4 * 1024;

/** How often a connection that is not read from is asked whether it is still there. */
const probeMs = 1_000;

/** A body that arrived whole together with its head, as most do. */
const smallBodyBytes = 1280;

/** Ends a head; a piece of bytes with one blank line cannot begin two requests. */
const blankLine = Buffer.from('\r\n\r\n');
const noBytes: Buffer = Buffer.alloc(0);

/** A head that comes in several pieces is kept up to here, in case somebody wants its bytes. */
const maxHeadBytes = 16 * 1024;

export type Parse = (bytes: Buffer) => void;

/** What has arrived on one connection and may not be parsed yet. */
export class RequestQueue implements WorkPiece {
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #bodies: BodiesInFlight;
  #waiting: Buffer = noBytes;
  #bodyLeft = 0;
  #isListening = false;
  #isWaitingForTurn = false;
  #probe: NodeJS.Timeout | undefined;
  #isOver = false;
  /** What is being parsed now. */
  #piece: Buffer = noBytes;
  /** The beginning of a head whose end has not come. */
  #head: Buffer = noBytes;
  /** Takes what comes once the connection has left HTTP. */
  #successor: ((bytes: Buffer) => boolean) | undefined;
  #keeper: { readonly request: IncomingMessage; readonly bytes: RequestBytes } | undefined;

  constructor(socket: Socket, parse: Parse, bodies: BodiesInFlight) {
    this.#socket = socket;
    this.#parse = parse;
    this.#bodies = bodies;
    socket.once('close', () => this.end());
  }

  /** Takes bytes in memory that is used again afterwards, and says whether more may follow at once. */
  receive(bytes: Buffer): boolean {
    if (this.#successor !== undefined) return this.#successor(bytes);
    this.#receive(bytes);
    return true;
  }

  #receive(bytes: Buffer): void {
    if (this.#waiting.length > 0) {
      this.#wait(Buffer.concat([this.#waiting, bytes]));
      return;
    }
    const isFree = responseUnderWay(this.#socket) === undefined;
    const headLength = isFree && this.#bodyLeft === 0 ? lengthOfHead(bytes) : 0;
    if (isOnePiece(bytes, headLength) && this.#isNextWelcome()) {
      // As most reads are; the rest is for those that are not.
      this.#feed(bytes);
      if (this.#head.length > 0) this.#keepHead(noBytes);
      this.#bodyLeft = this.#bodyAfter(bytes, headLength);
      return;
    }
    // Whoever begins a request may do so at once.
    const rest = this.#parseInTurn(bytes, isFree);
    if (rest.length > 0) this.#wait(Buffer.from(rest));
  }

  /** Forgets what waits and takes no more. */
  end(): void {
    this.#isOver = true;
    this.#keep(noBytes);
    this.#keepHead(noBytes);
    turns.remove(this);
    this.#mayReadAgain();
  }

  /** Parses nothing any more: `take` gets what waits, and what comes from now on, in memory that is used again. */
  handOver(take: (bytes: Buffer) => boolean): void {
    this.#successor = take;
    this.end();
  }

  /** See {@link keepBytes}. */
  keepBytes(request: IncomingMessage, response: ServerResponse): void {
    const bytes = new RequestBytes(request, this.#bodies);
    bytes.add(this.#head);
    bytes.add(this.#piece);
    response.once('close', () => bytes.release());
    this.#keeper = { request, bytes };
  }

  /** Goes on with what has waited for a turn of the event loop. */
  takeTurn(): void {
    this.#isWaitingForTurn = false;
    this.#goOn(true);
  }

  /**
   * Parses as far as no request is begun before the one before it is answered, and as there is time in this
   * turn of the event loop; the first piece in any case if `isItsTurn`. Returns the rest.
   */
  #parseInTurn(bytes: Buffer, isItsTurn: boolean): Buffer {
    let rest = bytes;
    let mayGoOn = isItsTurn;
    while (rest.length > 0 && this.#isNextWelcome()) {
      const isBody = this.#bodyLeft > 0;
      if (!mayGoOn && !isBody && !turns.hasTime()) {
        this.#isWaitingForTurn = true;
        turns.add(this);
        break;
      }
      mayGoOn = false;
      const headLength = isBody ? 0 : lengthOfHead(rest);
      const piece = rest.subarray(0, isBody ? this.#bodyLeft : lengthOfPiece(rest, headLength));
      const endsHead = headLength > 0 && headLength <= piece.length;
      rest = rest.subarray(piece.length);
      const isNew = !isBody && responseUnderWay(this.#socket) === undefined;
      this.#feed(piece);
      if (isNew) this.#noteHead(piece, endsHead);
      if (isBody) this.#bodyLeft -= piece.length;
      else if (endsHead) this.#bodyLeft = this.#bodyAfter(piece, headLength);
    }
    if (!this.#isOver) return rest;
    if (rest.length > 0) this.#successor?.(rest);
    return noBytes;
  }

  #feed(piece: Buffer): void {
    this.#keeper?.bytes.add(piece);
    this.#piece = piece;
    this.#parse(piece);
    this.#piece = noBytes;
    if (this.#keeper?.request.complete) this.#keeper = undefined;
  }

  /** Keeps the pieces of a head until its last one has come. */
  #noteHead(piece: Buffer, isEnd: boolean): void {
    const head = isEnd ? noBytes : Buffer.concat([this.#head, piece]);
    const isOver = isEnd || head.length > maxHeadBytes || head.includes(blankLine);
    this.#keepHead(isOver ? noBytes : head);
  }

  /** Without room, the bytes of the request will be missing, and nothing else. */
  #keepHead(head: Buffer): void {
    const more = head.length - this.#head.length;
    if (more > 0 && !this.#bodies.reserve(more)) {
      this.#keepHead(noBytes);
      return;
    }
    if (more < 0) this.#bodies.release(-more);
    this.#head = head;
  }

  /** How much of a body of known length is to come, in which no blank lines need to be looked for. */
  #bodyAfter(piece: Buffer, headLength: number): number {
    // Of a head that was cut in its last line, what looks like the end is somewhere in the body.
    if (piece[0] === 0x0d || piece[0] === 0x0a) return 0;
    const request = responseUnderWay(this.#socket)?.req;
    if (request === undefined || request.complete) return 0;
    const announced = Number(request.headers['content-length'] ?? 0);
    return Math.max(0, announced - (piece.length - headLength));
  }

  /** Whether what comes next belongs to the request that has its turn, or none has. */
  #isNextWelcome(): boolean {
    if (this.#isOver || this.#socket.destroyed || isHeldBack(this.#socket)) return false;
    const response = responseUnderWay(this.#socket);
    return response === undefined || isBodyWelcome(response.req);
  }

  #wait(bytes: Buffer): void {
    if (!this.#keep(bytes)) {
      this.#socket.destroy();
      return;
    }
    this.#listen();
    if (bytes.length >= maxWaitingBytes || countBlankLines(bytes) >= maxWaitingRequests) {
      this.#stopReading();
    }
  }

  /** Says whether there is room for what is to wait now. */
  #keep(bytes: Buffer): boolean {
    const more = bytes.length - this.#waiting.length;
    if (more > 0 && !this.#bodies.reserve(more)) return false;
    if (more < 0) this.#bodies.release(-more);
    this.#waiting = bytes;
    return true;
  }

  /** Goes on when the answer has been sent, or somebody reads the body. */
  #listen(): void {
    if (this.#isListening || this.#isWaitingForTurn) return;
    this.#isListening = true;
    const response = responseUnderWay(this.#socket);
    const goOn = () => {
      response?.off('finish', goOn).req.off('resume', goOn);
      this.#isListening = false;
      this.#goOn(false);
    };
    if (response === undefined) this.#socket.once('drain', goOn);
    else response.once('finish', goOn).req.once('resume', goOn);
  }

  #goOn(isItsTurn: boolean): void {
    // The answer may have been the last of this connection.
    if (this.#socket.writableEnded) this.end();
    if (this.#waiting.length === 0) return;
    this.#keep(this.#parseInTurn(this.#waiting, isItsTurn));
    if (this.#waiting.length > 0) this.#listen();
    else this.#readOn();
  }

  /** A client that goes away is noticed by reading; without, only by sending, be it nothing. */
  #stopReading(): void {
    this.#socket.pause();
    // Node resumes the socket whenever a reader of the body asks for more, of which enough is here.
    this.#socket.resume = () => this.#socket;
    this.#probe ??= setInterval(() => this.#socket.write(noBytes), probeMs).unref();
  }

  #readOn(): void {
    if (this.#mayReadAgain()) this.#socket.resume();
  }

  /** Undoes what stopping did, and says whether it had been done. */
  #mayReadAgain(): boolean {
    if (this.#probe === undefined) return false;
    clearInterval(this.#probe);
    this.#probe = undefined;
    // What is left is the method of all sockets.
    Reflect.deleteProperty(this.#socket, 'resume');
    return true;
  }
}

/** The length up to the first blank line, or 0 without one. */
function lengthOfHead(bytes: Buffer): number {
  const blank = bytes.indexOf(blankLine);
  return blank < 0 ? 0 : blank + blankLine.length;
}

/** Whether bytes are a head and perhaps a small body after it, which begin no second request. */
function isOnePiece(bytes: Buffer, headLength: number): boolean {
  if (headLength === 0) return false;
  return headLength === bytes.length || lengthOfPiece(bytes, headLength) === bytes.length;
}

/** How much may be parsed at once without beginning two requests, or making much of a body nobody reads. */
function lengthOfPiece(bytes: Buffer, headLength: number): number {
  if (headLength === 0) return Math.min(bytes.length, maxPieceBytes);
  const isBodySmall = bytes.length - headLength <= smallBodyBytes;
  const isOneRequest = isBodySmall && bytes.indexOf(blankLine, headLength) < 0;
  return Math.min(isOneRequest ? bytes.length : headLength, maxPieceBytes);
}

/**
 * Whether more of a request should be parsed: it is not all there, and somebody reads its body or that is
 * small. What is parsed is held by Node, uncounted, and each chunk of it becomes an object of its own.
 */
function isBodyWelcome(request: IncomingMessage): boolean {
  const { complete, isBeingRead, readableLength, headers } = request as LeanRequest;
  if (complete) return false;
  if (isBeingRead) return true;
  const isOnePiece = readableLength === 0 && headers['transfer-encoding'] === undefined;
  return isOnePiece && Number(headers['content-length'] ?? 0) <= smallBodyBytes;
}

function countBlankLines(bytes: Buffer): number {
  let count = 0;
  let place = bytes.indexOf(blankLine);
  while (place >= 0 && count < maxWaitingRequests) {
    count++;
    place = bytes.indexOf(blankLine, place + blankLine.length);
  }
  return count;
}

/** Whether Node holds the parser back until the client has taken more; it fails when parsing then. */
function isHeldBack(socket: object): boolean {
  return (socket as { _paused?: boolean })._paused === true;
}
