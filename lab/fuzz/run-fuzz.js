/** Sends cases from several sources to a running service, and records every wrong response. */

import { exchange, openConnection } from '../harness/raw-http.js';
import { judgeHead } from './judge-response.js';
import { randomSource } from './random-source.js';
import { declaredPaths } from './sources/declared-paths.js';
import { describedRequests } from './sources/described-requests.js';
import { echoRequests } from './sources/echoes.js';
import { graphqlRequests } from './sources/graphql-requests.js';
import { http2Frames } from './sources/http2-frames.js';
import { llmRequests } from './sources/llm-requests.js';
import { malformedHttp } from './sources/malformed-http.js';
import { mcpMessages } from './sources/mcp-messages.js';
import { misusedConnections } from './sources/misused-connections.js';
import { scriptedMessages } from './sources/scripted-messages.js';
import { signedRequests } from './sources/signed-requests.js';
import { soapMessages } from './sources/soap-messages.js';

/**
 * @typedef {import('./random-source.js').Random} Random
 * @typedef {import('../harness/raw-http.js').WireResponse} WireResponse
 *
 * @typedef {object} RequestCase One request, sent over a reused connection
 * @property {string} kind
 * @property {string} method
 * @property {string} bytes Each a character
 * @property {(response: WireResponse) => string | undefined} judge Returns what is wrong with the
 * response
 * @property {(response: WireResponse) => RequestCase} [follow] Makes the next request, which depends on the response, if that
 * is right
 *
 * @typedef {object} ExchangeCase Bytes over a separate connection
 * @property {string} kind
 * @property {string} [url] Default: the service
 * @property {readonly string[]} pieces
 * @property {readonly string[]} methods
 * @property {boolean} [endsAfter]
 * @property {number} [resetsAfterMs]
 * @property {number} [pausesMs]
 * @property {(exchange: import('../harness/raw-http.js').Exchange) => string | undefined} judge
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
 * @property {number} index Of the case in the run
 * @property {string} sent
 * @property {string} received
 *
 * @typedef {object} FuzzReport
 * @property {number} sent
 * @property {ReadonlyMap<string, number>} bySource
 * @property {ReadonlyMap<string, number>} byStatus
 * @property {readonly Finding[]} findings The first of each kind of complaint
 * @property {number} findingCount
 */

/**
 * Returns every source with its weight.
 *
 * @returns {[Source, number][]}
 */
export const allSources = () => [
  [describedRequests(), 55],
  [declaredPaths(), 10],
  [graphqlRequests(), 20],
  [soapMessages(), 15],
  [scriptedMessages(), 10],
  [mcpMessages(), 10],
  [llmRequests(), 10],
  [signedRequests(), 5],
  [malformedHttp(), 10],
  [misusedConnections(), 5],
  [http2Frames(), 10],
  [echoRequests(), 20],
];

/**
 * Much longer than any response needs: a busy machine delays a hundred pipelined requests for a
 * quarter of it.
 */
const usualPatienceMs = 60_000;

/**
 * @param {string} url
 * @param {object} options
 * @param {readonly (readonly [Source, weight: number])[]} options.sources Weights of one to another
 * @param {number} options.requests
 * @param {number} [options.seconds] Ends earlier, after so long
 * @param {number} options.seed
 * @param {number} [options.connections] How many at a time
 * @param {number} [options.patienceMs] How long a response may take
 * @param {number} [options.only] Only the case of this index
 * @param {(sent: number) => void} [options.onProgress]
 * @returns {Promise<FuzzReport>}
 */
export async function runFuzz(
  url,
  {
    sources,
    requests,
    seconds = Number.POSITIVE_INFINITY,
    seed,
    connections = 16,
    patienceMs = usualPatienceMs,
    only,
    onProgress,
  },
) {
  for (const [source] of sources) await source.prepare?.(url);
  /** @type {Map<string, number>} */
  const bySource = new Map();
  /** @type {Map<string, number>} */
  const byStatus = new Map();
  /** @type {Map<string, Finding>} */
  const findings = new Map();
  let findingCount = 0;
  let index = only ?? 0;
  const end = only === undefined ? requests : only + 1;
  const endsAt = performance.now() + seconds * 1000;

  const weighted = sources.flatMap(([source, weight]) => Array(weight).fill(source));

  /**
   * Makes a case with its own random numbers, so that it does not depend on earlier cases.
   *
   * @param {number} at
   */
  function makeCase(at) {
    const random = randomSource(seed + at * 7919);
    /** @type {Source} */
    const source = random.pick(weighted);
    return { source: source.name, made: source.next(random) };
  }

  /** @param {Map<string, number>} counts @param {string} key */
  const count = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);

  /**
   * @param {Pick<Finding, 'source' | 'kind' | 'index'>} context
   * @param {string} sent
   * @param {readonly WireResponse[]} responses
   * @param {string | undefined} complaint
   */
  function record(context, sent, responses, complaint) {
    for (const { status } of responses) count(byStatus, `${context.source} ${status}`);
    if (complaint === undefined) return;
    findingCount++;
    const received = responses.map(({ head, body }) => `${head}\r\n\r\n${body}`).join('');
    const key = `${context.source} ${context.kind} ${complaint}`;
    if (!findings.has(key)) findings.set(key, { ...context, complaint, sent, received });
  }

  async function work() {
    /** @type {import('../harness/raw-http.js').KeptConnection | undefined} */
    let connection;

    /**
     * Sends a request and judges its response.
     *
     * @param {RequestCase} request
     * @param {{source: string, index: number}} context
     * @returns {Promise<RequestCase | undefined>} the request that follows
     */
    async function send({ kind, method, bytes, judge, follow }, context) {
      try {
        if (!connection?.isUsable()) connection = await openConnection(url, patienceMs);
        const [response] = await connection.sendAll(bytes, [method]);
        if (response === undefined) return undefined;
        const complaint = judgeHead(response) ?? judge(response);
        record({ ...context, kind }, bytes, [response], complaint);
        return complaint === undefined ? follow?.(response) : undefined;
      } catch (error) {
        record({ ...context, kind }, bytes, [], /** @type {Error} */ (error).message);
        connection?.close();
        connection = undefined;
        return undefined;
      }
    }

    while (index < end && performance.now() < endsAt) {
      const at = index++;
      const { source, made } = makeCase(at);
      count(bySource, source);
      const context = { source, kind: made.kind, index: at };
      if ('pieces' in made) {
        // A single address has too few ports.
        const localAddress = `127.0.0.${2 + (at % 200)}`;
        const result = await exchange(made.url ?? url, made.pieces, {
          ...made,
          patienceMs,
          localAddress,
        });
        record(context, made.pieces.join(''), result.responses, made.judge(result));
        continue;
      }
      /** @type {RequestCase | undefined} */
      let next = made;
      while (next !== undefined) next = await send(next, context);
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
export function describeFinding({ source, kind, complaint, index, sent, received }) {
  const shorter = received.replace(/\r\nx-request-id[\s\S]*?(?=\r\ncontent-type|\r\n\r\n)/gi, '');
  /** @param {string} text */
  const show = (text) => JSON.stringify(text.length > 1500 ? `${text.slice(0, 1500)}…` : text);
  return `case ${index}, ${source}, ${kind}: ${complaint}\n  sent ${show(sent)}\n  got  ${show(shorter)}`;
}
