/** Tools about time: the clock of the sandbox, progress and cancellation. */

import { sharedSandboxName } from '#state/state.js';
import { reportProgress, wait, writeLog } from '../model/call.js';
import { argumentsOf, errorResult, readOnly, structured, type Tool, textResult } from './tool.js';

const maxSeconds = 60;
const seconds = (standard: number) => ({
  type: 'integer',
  minimum: 0,
  maximum: maxSeconds,
  default: standard,
});

const clockOutput = {
  type: 'object',
  properties: { now: { type: 'string', format: 'date-time' }, offsetSeconds: { type: 'number' } },
  required: ['now', 'offsetSeconds'],
};

const maxOffsetSeconds = 10 * 366 * 24 * 3600;

export const timeTools: readonly Tool[] = [
  {
    name: 'get_clock',
    title: 'Read the clock',
    description: 'Returns the time in this sandbox.',
    inputSchema: argumentsOf(),
    outputSchema: clockOutput,
    annotations: readOnly,
    async run(_args, { sandbox }) {
      const status = await sandbox.status();
      const now = new Date(await sandbox.now()).toISOString();
      return structured({ now, offsetSeconds: (status?.clockOffsetMs ?? 0) / 1000 });
    },
  },
  {
    name: 'move_clock',
    title: 'Move the clock',
    description: 'Moves the clock of a named sandbox; 0 resets it to the real time.',
    inputSchema: argumentsOf({
      offsetSeconds: { type: 'number', minimum: -maxOffsetSeconds, maximum: maxOffsetSeconds },
    }),
    outputSchema: clockOutput,
    annotations: { idempotentHint: true, openWorldHint: false },
    isWriting: true,
    async run({ offsetSeconds }, { sandbox }) {
      if (sandbox.name === sharedSandboxName) {
        return errorResult('The shared sandbox keeps the real time. Use /s/{sandbox}/mcp.');
      }
      await sandbox.setClockOffset(Math.round(Number(offsetSeconds) * 1000));
      const now = new Date(await sandbox.now()).toISOString();
      return structured({ now, offsetSeconds: Number(offsetSeconds) });
    },
  },
  {
    name: 'countdown',
    title: 'Count down',
    description: 'Reports progress and a log message each second, and then ends.',
    inputSchema: argumentsOf({ seconds: seconds(3) }, []),
    annotations: readOnly,
    async run({ seconds: given = 3 }, call) {
      const total = Number(given);
      for (let passed = 0; passed < total; passed++) {
        await reportProgress(call, passed, total, `${total - passed} s left`);
        await writeLog(call, 'debug', { left: total - passed });
        await wait(call, 1000);
      }
      await reportProgress(call, total, total, 'Done');
      return textResult(`Counted down from ${total}.`);
    },
  },
  {
    name: 'slow',
    title: 'Respond slowly',
    description: 'Waits without progress, so that a client can cancel it.',
    inputSchema: argumentsOf({ seconds: seconds(10) }, []),
    annotations: readOnly,
    async run({ seconds: given = 10 }, call) {
      await wait(call, Number(given) * 1000);
      return textResult(`Waited for ${given} s.`);
    },
  },
];
