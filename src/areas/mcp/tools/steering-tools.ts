/** Tools that steer the sandbox: its reset and its faults. */

import { endPlan, readAttempts, viewPlan } from '../../../faults/plan/plans-in-state.js';
import { sharedSandboxName } from '../../../state/state.js';
import { argumentsOf, errorResult, readOnly, structured, type Tool, textResult } from './tool.js';

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
      await sandbox.reset();
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
];
