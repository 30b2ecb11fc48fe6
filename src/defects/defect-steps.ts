/** The steps in which requests to an endpoint meet the defects of their sandbox. */

import type { Reply, Request } from '#http/exchange.js';
import type { Step } from '#kit/endpoint.js';
import type { Hunt } from '#kit/sandbox/hunts-space.js';
import { ownSandboxReader } from '#kit/sandbox/own-sandbox.js';
import type { Runtime, Sandboxes } from '#kit/services.js';
import { ChangedSandbox } from '#state/copy/changed-sandbox.js';
import { allDefects } from './catalogue/all-defects.js';
import type { Defect } from './defect.js';
import { readHunt } from './hunts-in-state.js';
import { SentResponse } from './sent-response.js';
import { watchStoring } from './watch-defect.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** The defects of the sandbox, while they are read. */
    hunt?: Hunt | Promise<Hunt | undefined> | undefined;
    /** The defects that this request meets. */
    defects?: readonly Defect[];
  }
}

interface DefectSteps {
  /** Begins to read, together with the fault plan. */
  readonly look: Step;
  readonly begin: Step;
  readonly changeInput: Step;
}

/** Returns `undefined` for endpoints that no defect changes, so that they cost nothing. */
export function defectSteps(
  path: string,
  { config }: Runtime,
  sandboxes: Sandboxes,
): DefectSteps | undefined {
  const known = allDefects.filter(({ endpoints }) =>
    endpoints.some((each) => each.slice(each.indexOf(' ') + 1) === path),
  );
  if (known.length === 0) return undefined;
  const sandboxOf = ownSandboxReader(config, sandboxes);

  function begin(hunt: Hunt | undefined, request: Request, reply: Reply): void {
    if (hunt === undefined || hunt.bugs.length === 0) return;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const met = known.filter(
      ({ id, endpoints }) => hunt.bugs.includes(id) && endpoints.includes(`${method} ${path}`),
    );
    if (met.length === 0) return;
    const watched = watchStoring(sandboxes.sandboxOf(request), met, reply);
    meet(watched, request, reply, sandboxes.sandboxOf);
  }

  return {
    look(request) {
      const sandbox = sandboxOf(request);
      if (sandbox === undefined) return;
      const hunt = readHunt(sandbox);
      if (hunt === undefined) return;
      // While the state is away, requests fail for that reason.
      request.raw.hunt = hunt instanceof Promise ? hunt.catch(() => undefined) : hunt;
    },
    begin(request, reply) {
      const { hunt } = request.raw;
      if (hunt === undefined) return undefined;
      if (hunt instanceof Promise) return hunt.then((read) => begin(read, request, reply));
      return begin(hunt, request, reply);
    },
    changeInput(request) {
      const { defects } = request.raw;
      return defects === undefined ? undefined : changeInput(request, defects);
    },
  };
}

function changeInput(request: Request, defects: readonly Defect[]): Promise<void> | undefined {
  const waits = defects.map(({ input }) => input?.(request)).filter((each) => each !== undefined);
  return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
}

function alterBody({ raw }: Request, change: (bytes: Buffer) => Buffer): void {
  const earlier = raw.alterBody;
  raw.alterBody = (bytes) => change(earlier === undefined ? bytes : earlier(bytes));
}

function meet(
  defects: readonly Defect[],
  request: Request,
  reply: Reply,
  sandboxOf: Sandboxes['sandboxOf'],
): void {
  request.raw.defects = defects;
  for (const { before, body, state } of defects) {
    before?.(request);
    if (body !== undefined) alterBody(request, (bytes) => body(bytes, request));
    if (state === undefined) continue;
    request.raw.actingSandbox = new ChangedSandbox(sandboxOf(request), state(request));
  }
  const changes = defects.flatMap(({ after }) => after ?? []);
  if (changes.length === 0) return;
  reply.alter = (payload) => {
    const response = new SentResponse(reply, payload);
    for (const change of changes) change(response, request);
    return response.payload;
  };
}
