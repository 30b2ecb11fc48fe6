/** A class with its teacher and pupils, on one or more replicas. */

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Pupil
 * @property {string} id
 * @property {string} base The address on the replica of this pupil
 * @property {number} counted Requests that the board must show
 * @property {number} failures
 * @property {number} sentAt When the newest response arrived
 */

const secondMs = 1000;

export class Classroom {
  /** @type {number[]} */
  latencies = [];
  requests = 0;
  /** @type {Pupil[]} */
  #pupils = [];
  /** @type {readonly string[]} */
  #urls;
  #path = '';
  /** @type {Record<string, string>} */
  #headers = {};

  /** @param {readonly string[]} urls */
  constructor(urls) {
    this.#urls = urls;
  }

  /** @param {number} count Pupils that join at the same time */
  async open(count) {
    const [url] = this.#urls;
    const made = await postJson(`${url}/api/classes`, { name: 'Simulated' });
    this.#path = `/api/classes/${made.id}`;
    this.#headers = { 'X-Teacher-Key': made.teacherKey };
    this.#pupils = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const name = `Pupil ${index}`;
        const replica = this.#urls[index % this.#urls.length];
        const { pupil, address } = await postJson(`${replica}/api/classes/join`, {
          joinCode: made.joinCode,
          name,
        });
        return { id: pupil, base: address, counted: 0, failures: 0, sentAt: 0 };
      }),
    );
  }

  /** Follows the board on the last replica until the class ends. */
  async follow() {
    const { body } = await fetch(`${this.#urls.at(-1)}${this.#path}/events`, {
      headers: this.#headers,
    });
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#see(block);
    }
  }

  /** @param {string} block */
  #see(block) {
    if (!block.includes('event: pupil')) return;
    const row = JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? '{}');
    const pupil = this.#pupils.find(({ id }) => id === row.pupil);
    // Rows of earlier requests do not tell how long the newest took.
    if (pupil === undefined || row.requests !== pupil.counted || pupil.sentAt === 0) return;
    this.latencies.push(performance.now() - pupil.sentAt);
    pupil.sentAt = 0;
  }

  /**
   * Every pupil sends a request a second: reads, writes, failures, and challenges.
   *
   * @param {number} forMs
   */
  async workFor(forMs) {
    /** @type {string[]} */
    const complaints = [];
    const until = performance.now() + forMs;
    await Promise.all(
      this.#pupils.map(async (pupil, index) => {
        await sleep((index / this.#pupils.length) * secondMs);
        for (let turn = 0; performance.now() < until; turn++) {
          const complaint = await this.#takeTurn(pupil, turn);
          if (complaint !== undefined) complaints.push(complaint);
          await sleep(secondMs);
        }
      }),
    );
    return complaints;
  }

  /** @param {Pupil} pupil @param {number} turn */
  async #takeTurn(pupil, turn) {
    if (turn % 5 === 0) await this.#send(pupil, 'POST', '/api/challenges/http-options/start', 200);
    const [method, path, status] = /** @type {readonly [string, string, number][]} */ ([
      ['GET', '/api/Books?limit=20', 200],
      ['GET', '/api/nowhere', 404],
      ['DELETE', `/api/Todos/${turn + 1}`, 204],
      ['GET', '/api/Movies/1', 200],
      ['OPTIONS', '/api/Books/1', 204],
    ])[turn % 5] ?? ['GET', '/', 200];
    return this.#send(pupil, method, path, status);
  }

  /** @param {Pupil} pupil @param {string} method @param {string} path @param {number} status */
  async #send(pupil, method, path, status) {
    const isCounted = !path.startsWith('/api/challenges');
    const response = await fetch(pupil.base + path, { method });
    await response.arrayBuffer();
    this.requests += 1;
    if (isCounted) {
      pupil.counted += 1;
      pupil.failures += response.status >= 400 ? 1 : 0;
      pupil.sentAt = performance.now();
    }
    const isRight = response.status === status || response.status === 200;
    return isRight ? undefined : `${method} ${path} → ${response.status}`;
  }

  /** One pupil solves a challenge, and then all others at the same moment. */
  async race() {
    /** @type {string[]} */
    const complaints = [];
    const start = '/api/challenges/http-head/start';
    await Promise.all(this.#pupils.map((each) => this.#send(each, 'POST', start, 200)));
    const [first, ...others] = this.#pupils.toReversed();
    if (first === undefined) return complaints;
    await this.#send(first, 'HEAD', '/api/Books/1', 200);
    await Promise.all(others.map((each) => this.#send(each, 'HEAD', '/api/Books/1', 200)));
    for (const url of this.#urls) {
      const { firsts } = await this.#board(url);
      const told = firsts.find((/** @type {any} */ each) => each.challenge === 'http-head');
      if (told?.pupil !== first.id) complaints.push(`${url} has another first: ${told?.pupil}`);
    }
    return complaints;
  }

  /** Compares the board of each replica with what the pupils did. */
  async checkBoard() {
    /** @type {string[]} */
    const complaints = [];
    for (const url of this.#urls) {
      const { pupils } = await this.#board(url);
      for (const { id, counted, failures } of this.#pupils) {
        const row = pupils.find((/** @type {any} */ each) => each.pupil === id);
        const isRight =
          row?.requests === counted &&
          row.failures === failures &&
          row.solved.includes('http-head') &&
          row.solved.includes('http-options');
        if (!isRight) complaints.push(`${url}: pupil ${id} ${counted} ${JSON.stringify(row)}`);
      }
    }
    return complaints;
  }

  async timeBoard() {
    const startedAt = performance.now();
    await this.#board(this.#urls[0]);
    return performance.now() - startedAt;
  }

  async end() {
    await fetch(`${this.#urls[0]}${this.#path}`, { method: 'DELETE', headers: this.#headers });
  }

  /** @param {string | undefined} url */
  async #board(url) {
    const response = await fetch(`${url}${this.#path}`, { headers: this.#headers });
    return /** @type {any} */ (await response.json());
  }
}

/** @param {string} url @param {object} json */
async function postJson(url, json) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(json) });
  if (response.status !== 201) throw new Error(`${url}: ${response.status}`);
  return /** @type {any} */ (await response.json());
}
