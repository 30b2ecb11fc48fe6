/** Tools that steer the sandbox: its reset and its faults. */

import { plainTextPattern } from '#base/text/text-patterns.js';
import { maxRules } from '#faults/plan/fault-plan.js';
import { endPlan, readAttempts, viewPlan } from '#faults/plan/plans-in-state.js';
import { resetByCaller } from '#kit/sandbox/reset-sandbox.js';
import { sharedSandboxName } from '#state/state.js';
import {
  argumentsOf,
  errorResult,
  explained,
  readOnly,
  structured,
  type Tool,
  textResult,
  toolWith,
} from './tool.js';

const needsName = () => errorResult('This tool needs a named sandbox. Use /s/{sandbox}/mcp.');

export const steeringTools: readonly Tool[] = [
  {
    name: 'reset_sandbox',
    title: 'Reset the sandbox',
    description: 'Deletes everything that was written to this sandbox, also its sessions.',
    inputSchema: argumentsOf(),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriting: true,
    async run(_args, { sandbox }) {
      await resetByCaller(sandbox);
      return textResult('The sandbox has its initial data and the real time again.');
    },
  },
  {
    name: 'read_fault_plan',
    title: 'Read the fault plan',
    description: 'Returns the planned faults, and how often each applied.',
    inputSchema: argumentsOf(),
    annotations: readOnly,
    async run(_args, { sandbox }) {
      if (sandbox.name === sharedSandboxName) return needsName();
      return structured({ ...(await viewPlan(sandbox)) });
    },
  },
  toolWith('planFaults', {
    name: 'plan_faults',
    title: 'Plan faults',
    description:
      'Replaces the fault plan of this sandbox. It accepts the body of PUT /api/sandbox/faults, such as {"rules": [{"match": {"path": "/api/Books"}, "sequence": [{"status": 503}]}]}.',
    inputSchema: argumentsOf({
      rules: { type: 'array', maxItems: maxRules, items: { type: 'object' } },
    }),
    annotations: { destructiveHint: true, openWorldHint: false },
    isWriting: true,
    async run(plan, { sandbox }, planFaults) {
      if (sandbox.name === sharedSandboxName) return needsName();
      return explained(async () => structured(await planFaults(sandbox, plan)));
    },
  }),
  {
    name: 'end_faults',
    title: 'End the fault plan',
    description: 'Deletes the fault plan of this sandbox.',
    inputSchema: argumentsOf(),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriting: true,
    async run(_args, { sandbox }) {
      if (sandbox.name === sharedSandboxName) return needsName();
      await endPlan(sandbox);
      return textResult('There are no planned faults.');
    },
  },
  {
    name: 'read_fault_log',
    title: 'Read the fault log',
    description: 'Returns the requests that the fault plan matched.',
    inputSchema: argumentsOf(),
    annotations: readOnly,
    async run(_args, { sandbox }) {
      if (sandbox.name === sharedSandboxName) return needsName();
      const attempts = await readAttempts(sandbox);
      return structured({ attempts: attempts.slice(-100) });
    },
  },
  toolWith('bins', {
    name: 'create_bin',
    title: 'Create a bin',
    description: 'Creates a URL that captures each request to it.',
    inputSchema: argumentsOf(
      { name: { type: 'string', maxLength: 100, pattern: plainTextPattern } },
      [],
    ),
    annotations: { destructiveHint: false, openWorldHint: false },
    isWriting: true,
    async run({ name = null }, { sandbox, baseUrl }, { createBin }) {
      return structured(await createBin(sandbox, baseUrl, name as string | null));
    },
  }),
  toolWith('bins', {
    name: 'read_bin',
    title: 'Read a bin',
    description: 'Returns the newest requests that a bin has captured.',
    inputSchema: argumentsOf({ id: { type: 'string', maxLength: 100 } }),
    annotations: readOnly,
    async run({ id }, { sandbox }, { readBin }) {
      return explained(async () => structured({ requests: await readBin(sandbox, String(id)) }));
    },
  }),
];
