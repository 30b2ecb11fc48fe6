/** All data of one's own at once: putting it, giving it back, emptying it. */

import { runInTurns } from '../../../base/run-steps.js';
import {
  bodyText,
  isJsonType,
  readBody,
  rejectContentEncoding,
  reserveUntilResponse,
  typeNotAccepted,
} from '../../../http/body/request-body.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import { type Sandbox, sharedSandboxName } from '../../../state/state.js';
import { dataRejected, OwnDataError } from './load/own-data-error.js';
import { loadInSteps, type OwnModel } from './load/own-model.js';
import { maxDataBytes } from './load/read-own-data.js';
import type { OwnStore } from './own-store.js';

/** What is made of a body while it is read, beside the body itself. */
const workFactor = 4;

export function dataHandlers(store: OwnStore, { sandboxOf, config }: Services) {
  const inOrder = new LargeFirstComeFirstServed();

  function ownSandboxOf(request: Request): Sandbox {
    const sandbox = sandboxOf(request);
    if (sandbox.name === sharedSandboxName) throw sharedByAll();
    return sandbox;
  }

  return {
    async read(request: Request, reply: Reply) {
      const text = await store.snapshot(sandboxOf(request));
      return reply.header('content-type', jsonContentType).send(text);
    },

    async put(request: Request, reply: Reply) {
      const sandbox = ownSandboxOf(request);
      const text = await readText(request, reply);
      return inOrder.run(text.length, async () => {
        const model = await load(text, config.schemaParts);
        await store.put(sandbox, model);
        return summaryOf(model);
      });
    },

    async empty(request: Request, reply: Reply) {
      await store.put(ownSandboxOf(request), await load('{}'));
      return reply.code(204).send(null);
    },
  };
}

/** Data of less than that takes no memory to speak of while it is read. */
const largeText = 64 * 1024;

/** Reads large data one after the other: each takes many times its text in memory, and pauses for other requests. */
class LargeFirstComeFirstServed {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(length: number, work: () => Promise<Result>): Promise<Result> {
    if (length < largeText) return work();
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

async function readText(request: Request, reply: Reply): Promise<string> {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const { bytes } = await readBody(request, maxDataBytes, maxDataBytes);
  if (bytes.length === 0) {
    throw new HttpError(400, 'The request has no body. Send a JSON object of collections.');
  }
  if (!isJsonType(contentType))
    throw typeNotAccepted(contentType, 'Content-Type: application/json');
  rejectContentEncoding(contentEncoding);
  reserveUntilResponse(request, reply, workFactor * bytes.length);
  return bodyText(bytes);
}

async function load(text: string, maxSchemaParts?: number): Promise<OwnModel> {
  try {
    return await runInTurns(loadInSteps(text, { maxSchemaParts }));
  } catch (error) {
    if (error instanceof OwnDataError) throw dataRejected(error);
    throw error;
  }
}

function summaryOf({ data, relations }: OwnModel) {
  const members = [...data.members];
  const collections = members.filter(([, { isSingle }]) => !isSingle);
  return {
    collections: Object.fromEntries(
      collections.map(([name, { records }]) => [name, records.length]),
    ),
    singles: members.filter(([, { isSingle }]) => isSingle).map(([name]) => name),
    relations: relations().map(({ children, field, parents }) => ({ children, field, parents })),
  };
}

function sharedByAll(): HttpError {
  return new HttpError(
    403,
    'Data of your own needs a sandbox of your own: name one with X-Sandbox, or send the request below /s/{sandbox}. The shared one belongs to everybody.',
  );
}
