/** HTTP/1.1 responses with a wrong head or end (RFC 9112), and the right body. */

import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { headFormOf } from '#wire/measured-response.js';
import { endConnectionOf, writeToConnectionOf } from '#wire/request.js';
import type { HeadFault } from '../plan/fault-plan.js';
import {
  isBodiless,
  isDone,
  loseByReset,
  type Outgoing,
  readWhole,
  withHeaders,
} from './outgoing.js';

interface Form {
  readonly version?: string;
  readonly lineEnd?: string;
  /** Lengths in the head for a body of this size; one by default. */
  readonly lengths?: (size: number) => readonly number[];
  /** Bytes after the body. */
  readonly extra?: string;
  /** Whether every client must reject it. */
  readonly isUnacceptable?: true;
}

const forms: Readonly<Record<HeadFault, Form>> = {
  lf: { lineEnd: '\n' },
  http10: { version: 'HTTP/1.0' },
  'until-close': { lengths: () => [] },
  'extra-bytes': { extra: 'These bytes are beyond the Content-Length.\r\n' },
  'two-lengths': { lengths: (size) => [size, size + 10], isUnacceptable: true },
};

/** Sends the response with a malformed head, and closes the connection. */
export async function breakHead(outgoing: Outgoing): Promise<void> {
  const { response, diverted, head, fault, note } = outgoing;
  const { isUnacceptable, extra = '', ...form } = forms[fault.head ?? 'lf'];
  const { req } = response;
  if (req.httpVersionMajor === 2) return breakLength(outgoing);
  // An upgrade has no such variants.
  if (head.status < 200) return loseByReset(outgoing);
  const isEmpty = isBodiless(outgoing);
  const announced = head.headers['content-length'];
  const isWhole = !isEmpty && announced === undefined;
  const whole = isWhole ? await readWhole(outgoing) : undefined;
  const size =
    isEmpty && announced === undefined ? undefined : (whole?.length ?? Number(announced));
  await note(isUnacceptable !== true && isDone(head));
  if (diverted.isGone) return;
  await writeToConnectionOf(req, Buffer.from(headText(outgoing, size, form), 'latin1'));
  if (whole !== undefined) await writeToConnectionOf(req, whole);
  else if (!isEmpty) await writeBody(outgoing);
  if (extra !== '') await writeToConnectionOf(req, Buffer.from(extra));
  endConnectionOf(req);
}

async function writeBody({ response, diverted }: Outgoing): Promise<void> {
  for (let piece = await diverted.next(); piece !== undefined; piece = await diverted.next()) {
    await writeToConnectionOf(response.req, piece);
  }
}

/** Headers that are removed, or written here. */
const framing = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
]);

function headText(
  { response, head: { status, headers } }: Outgoing,
  size: number | undefined,
  { version = 'HTTP/1.1', lineEnd = '\r\n', lengths = (only) => [only] }: Form,
): string {
  const form = headFormOf(response);
  const given = Object.entries({ date: new Date().toUTCString(), ...headers });
  const lines = given.flatMap(([name, values = []]) => {
    if (framing.has(name)) return [];
    return [values].flat().map((value) => headerLine(form?.nameOf(name) ?? name, String(value)));
  });
  const lengthLines =
    size === undefined ? [] : lengths(size).map((each) => `content-length: ${each}`);
  const first = `${version} ${status} ${STATUS_CODES[status] ?? ''}`;
  return [first, ...lines, ...lengthLines, '', ''].join(lineEnd);
}

/** Writes a header without Node, which would reject it. */
function headerLine(name: string, value: string): string {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return `${name}: ${value}`;
}

/**
 * Handles HTTP/2, which has only one variant, a body longer than announced; resets the stream for
 * others.
 */
async function breakLength(outgoing: Outgoing): Promise<void> {
  const { diverted, head, fault, note } = outgoing;
  const size = isBodiless(outgoing) ? 0 : Number(head.headers['content-length'] ?? 0);
  if (fault.head !== 'extra-bytes' || size === 0) return loseByReset(outgoing);
  await note(false);
  if (diverted.isGone) return;
  diverted.begin(withHeaders(head, { 'content-length': String(size - 1) }));
  for (let piece = await diverted.next(); piece !== undefined; piece = await diverted.next()) {
    await diverted.send(piece);
  }
  diverted.finish();
}
