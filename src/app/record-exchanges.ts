/** The step that records the requests of sandboxes that are watched. */

import { createHash, type Hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Awaitable } from '#base/awaitable.js';
import { whenKnown } from '#base/awaitable.js';
import type { Shown } from '#base/text/redact.js';
import { originForm } from '#http/address/target.js';
import { shortHash } from '#http/caching/content.js';
import type { ParsedMessage, Reply, Request } from '#http/exchange.js';
import type { AnySpec, Step } from '#kit/endpoint.js';
import {
  type Exchange,
  keepRequest,
  type Observer,
  type RequestEntry,
  type Watch,
  watchKey,
  watchSpace,
} from '#kit/recording/exchange-record.js';
import { entryOf, shownParameters } from '#kit/recording/shown-exchange.js';
import { ownSandboxReader } from '#kit/sandbox/own-sandbox.js';
import type { Runtime, Sandboxes } from '#kit/services.js';
import { CapacityError, type Sandbox, StateUnavailableError } from '#state/state.js';
import { guard } from '#wire/guard.js';
import { requestsOn } from '#wire/receive-request.js';
import type { WireRequest } from '#wire/request.js';

const maxPathLength = 500;

/** Bytes of a response that observers see. */
const maxResponseBytes = 16 * 1024;

/** Requests about the records themselves, which are not recorded. */
const unrecordedPath = /^\/api\/(?:sandbox\/(?:requests|recording)|challenges|classes)(?:[/?]|$)/i;

/** A class learns from these what its pupils work on. */
const startingPath = /^\/api\/challenges\/[^/?]+(?:\/(?:start|hint))?$/i;

interface Needed extends Pick<Runtime, 'clock' | 'reportFailure'> {
  /** They see each exchange of sandboxes that are observed. */
  readonly observers: readonly Observer[];
}

export function recordExchanges(
  { config, clock, reportFailure }: Runtime,
  sandboxes: Sandboxes,
  observers: readonly Observer[],
): Step {
  const services: Needed = { clock, reportFailure, observers };
  const sandboxOf = ownSandboxReader(config, sandboxes);
  return (request, reply) => {
    const sandbox = sandboxOf(request);
    if (sandbox === undefined) return;
    const { pupil } = request.raw.sandboxAddress ?? {};
    // Not a replay, which has its own sandbox.
    if (pupil?.sandbox === sandbox) {
      const isUnrecorded = unrecordedPath.test(request.url);
      if (isUnrecorded && (request.method === 'GET' || !startingPath.test(request.url))) return;
      const watch = { isRecording: !isUnrecorded, isObserved: !pupil.isFrozen };
      new Recording(services, sandbox, watch, request, reply);
      return;
    }
    const watch = sandbox.read(watchSpace, watchKey);
    if (watch === undefined || unrecordedPath.test(request.url)) {
      if (watch instanceof Promise) watch.catch(() => {});
      return;
    }
    new Recording(services, sandbox, watch, request, reply);
  };
}

class Recording {
  readonly #services: Needed;
  readonly #sandbox: Sandbox;
  readonly #watch: Awaitable<Watch | undefined>;
  readonly #request: Request;
  readonly #reply: Reply;
  readonly #atMs: number;
  readonly #isReused: boolean;
  #parsed: ParsedMessage = {};
  #bodyBytes = 0;
  #bodyHash: Hash | undefined;
  #isNoted = false;
  #isHeadWritten = false;

  constructor(
    services: Needed,
    sandbox: Sandbox,
    watch: Awaitable<Watch | undefined>,
    request: Request,
    reply: Reply,
  ) {
    this.#services = services;
    this.#sandbox = sandbox;
    this.#watch = watch instanceof Promise ? watch.catch(() => undefined) : watch;
    this.#request = request;
    this.#reply = reply;
    this.#atMs = services.clock();
    this.#isReused = requestsOn(request.raw.socket) > 1;
    (request.raw as WireRequest).watch((chunk) => {
      this.#bodyBytes += chunk.length;
      this.#bodyHash ??= createHash('sha256');
      this.#bodyHash.update(chunk);
    });
    request.onParsed = (message) => {
      this.#parsed = { ...this.#parsed, ...message };
    };
    reply.observe = (payload) => this.#note(payload);
    this.#noteHead(reply.raw);
    // Connections that end without a response.
    reply.raw.once(
      'close',
      guard(request.raw, () => this.#note(undefined)),
    );
  }

  /** Notes responses that do not pass `send`, such as event streams, before their head is written. */
  #noteHead(raw: ServerResponse): void {
    const writeHead = raw.writeHead.bind(raw) as (...head: unknown[]) => ServerResponse;
    raw.writeHead = (status: number, ...rest: unknown[]) => {
      raw.statusCode = status;
      this.#isHeadWritten = true;
      void this.#note(undefined);
      return writeHead(status, ...rest);
    };
  }

  /** Only the first call has an effect. */
  #note(payload: unknown): Promise<void> | undefined {
    if (this.#isNoted) return undefined;
    this.#isNoted = true;
    // A response may last, and holds no message meanwhile.
    this.#request.onParsed = undefined;
    return whenKnown(this.#watch, (watch) => this.#record(watch, payload)) as
      | Promise<void>
      | undefined;
  }

  #record(watch: Watch | undefined, payload: unknown): Promise<void> | undefined {
    if (watch === undefined) return undefined;
    try {
      const exchange = this.#exchange(payload);
      const kept = watch.isRecording
        ? keepRequest(this.#sandbox, this.#entry(exchange))
        : undefined;
      const seen = watch.isObserved ? this.#observe(exchange) : undefined;
      const pending = [kept, seen].filter((each) => each instanceof Promise);
      if (pending.length === 0) return undefined;
      return Promise.all(pending).then(
        () => undefined,
        (error) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #entry(exchange: Exchange): RequestEntry {
    return entryOf(exchange, this.#spec, this.#request.exchanges.showPath);
  }

  get #spec(): Partial<AnySpec> {
    return (this.#request.route?.spec ?? {}) as Partial<AnySpec>;
  }

  /** One observer after the other, since a later one may read what an earlier one wrote. */
  #observe(exchange: Exchange): Awaitable<void> {
    return this.#services.observers.reduce<Awaitable<void>>(
      (before, observe) => whenKnown(before, () => observe(this.#sandbox, exchange)),
      undefined,
    );
  }

  /** A response is never worse because it could not be recorded. */
  #fail(error: unknown): void {
    const isExpected = error instanceof StateUnavailableError || error instanceof CapacityError;
    if (!isExpected) this.#services.reportFailure(this.#request, error);
  }

  #exchange(payload: unknown): Exchange {
    const { method, url, headers, raw, route, id, exchanges } = this.#request;
    const { statusCode, headersSent } = this.#reply.raw;
    const target = originForm(url);
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const query = new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1, queryAt + 4096));
    const isBody = typeof payload === 'string' || Buffer.isBuffer(payload);
    return {
      requestId: id,
      method,
      route: route?.path ?? '',
      path,
      shownPath: exchanges.showPath(path).slice(0, maxPathLength) as Shown,
      query,
      shownQuery: shownParameters(query, this.#spec, exchanges.showPath),
      headers,
      rawHeaders: raw.rawHeaders,
      httpVersion: raw.httpVersion,
      isReused: this.#isReused,
      parsed: this.#parsed,
      bodyBytes: this.#bodyBytes,
      bodyHash: this.#bodyHash === undefined ? '' : shortHash(this.#bodyHash.copy()),
      status: this.#reply.isSent || headersSent || this.#isHeadWritten ? statusCode : 0,
      responseHeaders: this.#reply.getHeaders(),
      responseBody: isBody ? payload.slice(0, maxResponseBytes).toString() : '',
      responseBytes: isBody ? Buffer.byteLength(payload) : 0,
      fault: faultOf(this.#request, this.#reply),
      atMs: this.#atMs,
      endMs: this.#services.clock(),
    };
  }
}

function faultOf({ url }: Request, reply: Reply): string | null {
  const planned = reply.getHeader('x-fault');
  if (planned !== undefined) return String(planned).slice(0, 100);
  if (reply.getHeader('x-simulated') === undefined) return null;
  return /[?&](error=\d+|delay=[\d.]+)/.exec(url)?.[1] ?? 'simulated';
}
