/** Making, listing, reading, changing and deleting bins. */

import { Readable } from 'node:stream';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError, jsonContentType } from '../../http/http-error.js';
import type { Services } from '../../kit/area.js';
import { sharedSandboxName } from '../../state/state.js';
import { checkBinResponse } from './bin-response.js';
import {
  type Bin,
  type BinResponse,
  type BinView,
  binBytes,
  binsSpace,
  describeBin,
  newBinId,
} from './bins.js';
import { type FoundBin, findBin, unknownBin } from './find-bin.js';
import { writeBin } from './write-captures.js';

interface BinSettings {
  readonly name?: string | null;
  readonly response?: BinResponse | null;
}

type OfBin = Request<{ Params: { id: string } }>;

export function binHandlers(services: Services) {
  const { sandboxOf, baseUrlOf } = services;

  async function view(request: Request, { bin, log }: Pick<FoundBin, 'bin' | 'log'>) {
    const status = await log.status();
    return describeBin(bin, status?.size ?? 0, baseUrlOf(request));
  }

  return {
    async make(request: Request<{ Body: BinSettings }>, reply: Reply) {
      const { name = null, response = null } = request.body;
      rejectFaultyResponse(response);
      const id = newBinId();
      const bin = await sandboxOf(request).update(binsSpace, id, (_absent, nowMs) => {
        const made: Bin = { id, name, createdAtMs: nowMs, response };
        return { value: made, bytes: binBytes(made), result: made };
      });
      const baseUrl = baseUrlOf(request);
      reply.code(201).header('location', `${baseUrl}/api/webhooks/bins/${id}`);
      return describeBin(bin, 0, baseUrl);
    },

    async list(request: Request): Promise<BinView[]> {
      const sandbox = sandboxOf(request);
      if (sandbox.name === sharedSandboxName) throw sharedByAll();
      const entries = await sandbox.entries(binsSpace);
      const views = entries.map(([id, bin]) =>
        view(request, { bin, log: sandbox.log(binsSpace, id) }),
      );
      return (await Promise.all(views)).reverse();
    },

    async show(request: OfBin, reply: Reply): Promise<Readable> {
      const found = await findBin(services, request, request.params.id);
      reply.header('content-type', jsonContentType);
      return Readable.from(writeBin(await view(request, found), found.log));
    },

    async change(
      request: Request<{ Params: { id: string }; Body: BinSettings }>,
    ): Promise<BinView> {
      const { id } = request.params;
      const { name, response } = request.body;
      rejectFaultyResponse(response);
      const found = await findBin(services, request, id);
      const bin = await found.sandbox.update(binsSpace, id, (current) => {
        const value = current && {
          ...current,
          ...(name !== undefined && { name }),
          ...(response !== undefined && { response }),
        };
        return { value, ...(value && { bytes: binBytes(value) }), result: value };
      });
      if (bin === undefined) throw unknownBin();
      return view(request, { ...found, bin });
    },

    async remove(request: OfBin, reply: Reply) {
      const { id } = request.params;
      const { sandbox } = await findBin(services, request, id);
      await sandbox.update(binsSpace, id, () => ({ value: undefined, result: undefined }));
      return reply.code(204).send(null);
    },
  };
}

function rejectFaultyResponse(response: BinResponse | null | undefined): void {
  const errors = response ? checkBinResponse(response) : [];
  if (errors.length === 0) return;
  throw new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}

/** Bins of strangers stay theirs: there, ids would be all that is needed to read and delete. */
function sharedByAll(): HttpError {
  return new HttpError(
    403,
    'Requests without X-Sandbox share one sandbox, whose bins are not listed. Send a header such as X-Sandbox: any-name to create and list bins in a sandbox of your own.',
  );
}
