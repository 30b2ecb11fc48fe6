/** A caller's own copy of everything that changes: what it is, its reset, and its clock. */

import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Area, Services } from '../../kit/area.js';
import { maxCreatedRows } from '../../state/rows/dataset.js';
import { givenNameOf, ownerOf, type Sandbox, sharedSandboxName } from '../../state/state.js';
import { addAddressRoutes } from './address-routes.js';
import { sandboxCollection } from './collection.js';
import { sandboxExamples } from './examples.js';
import { faultHandlers } from './fault-handlers.js';
import * as schemas from './schemas.js';

const path = '/api/sandbox';

/** A plan of as many rules and faults as there may be, with much to say of each. */
const maxPlanValues = 12_000;

export const sandboxArea: Area = {
  name: 'sandbox',
  title: 'Sandboxes',
  guide: 'sandboxes',
  front: {
    start: path,
    examples: () => sandboxExamples,
  },
  summary:
    'Your own copy of all data and state, by the header X-Sandbox or the path /s/{sandbox}; its clock and its faults.',
  defaults: {
    isBeyondPlans: true,
  },
  postman: [sandboxCollection],
  addRoutes(app, services) {
    const handle = createHandlers(services);
    app.get(path, { schema: schemas.describeSandbox }, handle.describe);
    app.delete(path, { schema: schemas.resetSandbox }, handle.reset);
    app.get(`${path}/clock`, { schema: schemas.readClock }, handle.readClock);
    app.put(`${path}/clock`, { schema: schemas.setClock }, (request) =>
      handle.setClock(request, request.body.offsetSeconds),
    );
    addAddressRoutes(app, services);
    const faults = faultHandlers(services);
    app.get(`${path}/faults`, { schema: schemas.readFaults }, faults.read);
    app.put(
      `${path}/faults`,
      { schema: schemas.planFaults, config: { maxJsonValues: maxPlanValues } },
      (request) => faults.plan(request, request.body),
    );
    app.delete(`${path}/faults`, { schema: schemas.endFaults }, faults.end);
    app.get(`${path}/faults/log`, { schema: schemas.readFaultLog }, (request, reply) =>
      faults.readLog(request, reply, request.query),
    );
  },
};

function createHandlers({ sandboxLimits: limits, sandboxOf }: Services) {
  return {
    async describe(request: Request) {
      const sandbox = sandboxOf(request);
      const isShared = sandbox.name === sharedSandboxName;
      const status = await sandbox.status();
      const expiresAtMs = status && !isShared ? status.lastUsedAtMs + limits.idleMs : undefined;
      return {
        name: givenNameOf(sandbox.name) || (isShared ? 'shared' : 'default'),
        isShared,
        isPristine: status === undefined,
        createdAt: isoTime(status?.createdAtMs),
        lastUsedAt: isoTime(status?.lastUsedAtMs),
        expiresAt: isoTime(expiresAtMs),
        clock: await describeClock(sandbox),
        limits: {
          sandboxes:
            ownerOf(sandbox.name) === undefined ? limits.maxSandboxes : limits.maxSandboxesPerOwner,
          idleSeconds: limits.idleMs / 1000,
          createdRecordsPerCollection: maxCreatedRows,
        },
      };
    },

    async reset(request: Request, reply: Reply) {
      await sandboxOf(request).reset();
      return reply.code(204).send(null);
    },

    async readClock(request: Request) {
      return describeClock(sandboxOf(request));
    },

    async setClock(request: Request, offsetSeconds: number) {
      const sandbox = sandboxOf(request);
      if (sandbox.name === sharedSandboxName) {
        const message = 'The shared sandbox keeps the real time. Name your own with X-Sandbox.';
        throw new HttpError(400, message);
      }
      await sandbox.setClockOffset(Math.round(offsetSeconds * 1000));
      return describeClock(sandbox);
    },
  };
}

async function describeClock(sandbox: Sandbox) {
  const status = await sandbox.status();
  const now = new Date(await sandbox.now()).toISOString();
  return { now, offsetSeconds: (status?.clockOffsetMs ?? 0) / 1000 };
}

function isoTime(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : new Date(timeMs).toISOString();
}
