/** Sends cases from several sources to a running service, and notes every answer that is wrong. */

import { exchange, openConnection } from './connection.js';
import { judgeHead } from './judge-response.js';
import { randomSource } from './random-source.js';

/**
 * @typedef {import('./random-source.js').Random} Random
 * @typedef {import('./connection.js').WireAnswer} WireAnswer
 *
 * @typedef {object} RequestCase One request, sent over a connection that is used again
 * @property {string} kind What it is, for people
 * @property {string} method
 * @property {string} bytes Each a character
 * @property {(answer: WireAnswer) => string | undefined} judge What is wrong with the answer
 *
 * @typedef {object} ExchangeCase Bytes over a connection of their own
 * @property {string} kind
 * @property {readonly string[]} pieces
 * @property {readonly string[]} methods
 * @property {boolean} [endsAfter]
 * @property {number} [resetsAfterMs]
 * @property {number} [pausesMs]
 * @property {(exchange: import('./connection.js').Exchange) => string | undefined} judge
 *
 * @typedef {object} Source
 * @property {string} name
 * @property {(url: string) => Promise<void>} [prepare]
 * @property {(random: Random) => RequestCase | ExchangeCase} next
 *
 * @typedef {object} Finding
 * @property {string} source
 * @property {string} kind
 * @property {string} complaint
 * @property {number} index Which case of the run it was
 * @property {string} sent
 * @property {string} answered
 *
 * @typedef {object} FuzzReport
 * @property {number} sent
 * @property {ReadonlyMap<string, number>} bySource
 * @property {ReadonlyMap<string, number>} byStatus
 * @property {readonly Finding[]} findings The first of each kind of complaint
 * @property {number} findingCount
 */

/** Far more than any answer takes: a busy machine keeps a hundred pipelined requests waiting for a quarter of it. */
const patienceMs = 60_000;

/**
 * @param {string} url
 * @param {object} options
 * @param {readonly (readonly [Source, weight: number])[]} options.sources Weights of one to another
 * @param {number} options.requests
 * @param {number} options.seed
 * @param {number} [options.connections] How many at a time
 * @param {number} [options.only] Only the case of this index
 * @param {(sent: number) => void} [options.onProgress]
 * @returns {Promise<FuzzReport>}
 */
export async function runFuzz(
  url,
  { sources, requests, seed, connections = 16, only, onProgress },
) {
  for (const [source] of sources) await source.prepare?.(url);
  const totalWeight = sources.reduce((sum, [, weight]) => sum + weight, 0);
  /** @type {Map<string, number>} */
  const bySource = new Map();
  /** @type {Map<string, number>} */
  const byStatus = new Map();
  /** @type {Map<string, Finding>} */
  const findings = new Map();
  let findingCount = 0;
  let index = only ?? 0;
  const end = only === undefined ? requests : only + 1;

  /**
   * Each case has numbers of its own, so that it is the same whatever came before it.
   *
   * @param {number} at
   */
  function makeCase(at) {
    const random = randomSource(seed + at * 7919);
    let place = random.below(totalWeight);
    const [source] =
      sources.find(([, weight]) => {
        place -= weight;
        return place < 0;
      }) ??
      sources[0] ??
      [];
    if (source === undefined) throw new Error('There is no source to take cases from.');
    return { source: source.name, made: source.next(random) };
  }

  /** @param {Omit<Finding, 'sent' | 'answered'> & {sent: string, answered: string}} finding */
  function note(finding) {
    findingCount++;
    const key = `${finding.source} ${finding.kind} ${finding.complaint}`;
    if (!findings.has(key)) findings.set(key, finding);
  }

  /** @param {string} key @param {Map<string, number>} counts */
  const count = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);

  async function work() {
    /** @type {import('./connection.js').KeptConnection | undefined} */
    let connection;
    while (index < end) {
      const at = index++;
      const { source, made } = makeCase(at);
      count(bySource, source);
      const context = { source, kind: made.kind, index: at };
      if ('pieces' in made) {
        const { pieces, methods, endsAfter, resetsAfterMs, pausesMs } = made;
        // Ports of one address would run out.
        const localAddress = `127.0.0.${2 + (at % 200)}`;
        const result = await exchange(url, pieces, {
          patienceMs,
          methods,
          localAddress,
          ...(endsAfter && { endsAfter }),
          ...(resetsAfterMs !== undefined && { resetsAfterMs }),
          ...(pausesMs !== undefined && { pausesMs }),
        });
        for (const { status } of result.answers) count(byStatus, `${source} ${status}`);
        const complaint = made.judge(result);
        if (complaint !== undefined) {
          const answered = result.answers
            .map(({ head, body }) => `${head}\r\n\r\n${body}`)
            .join('');
          note({ ...context, complaint, sent: pieces.join(''), answered });
        }
        continue;
      }
      try {
        if (!connection?.isUsable()) connection = await openConnection(url, patienceMs);
        const response = await connection.send(made.bytes, made.method);
        count(byStatus, `${source} ${response.status}`);
        const complaint = judgeHead(response) ?? made.judge(response);
        if (complaint !== undefined) {
          const answered = `${response.head}\r\n\r\n${response.body}`;
          note({ ...context, complaint, sent: made.bytes, answered });
        }
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        note({ ...context, complaint: message, sent: made.bytes, answered: '' });
        connection?.close();
        connection = undefined;
      }
      if (at % 1000 === 0) onProgress?.(at);
    }
    connection?.close();
  }

  await Promise.all(Array.from({ length: connections }, work));
  return {
    sent: [...bySource.values()].reduce((sum, each) => sum + each, 0),
    bySource,
    byStatus,
    findings: [...findings.values()],
    findingCount,
  };
}

/** @param {Finding} finding */
export function describeFinding({ source, kind, complaint, index, sent, answered }) {
  const shorter = answered.replace(/\r\nx-request-id[\s\S]*?(?=\r\ncontent-type|\r\n\r\n)/gi, '');
  /** @param {string} text */
  const show = (text) => JSON.stringify(text.length > 1500 ? `${text.slice(0, 1500)}…` : text);
  return `case ${index}, ${source}, ${kind}: ${complaint}\n  sent ${show(sent)}\n  got  ${show(shorter)}`;
}
