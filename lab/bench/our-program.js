/** This service as a contender: the built program, started as a person starts it. */

import { fileURLToPath } from 'node:url';

export const ourProgramFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/**
 * @param {string[]} [flags]
 * @param {(url: string) => Promise<string>} [prepare] Brings it into the state that is measured, and
 *   gives the address that is then asked
 * @returns {import('./harness.js').Program}
 */
export function ourProgram(flags = [], prepare = async (url) => url) {
  return {
    launch: async (port) => ({
      command: process.execPath,
      args: [ourProgramFile, '--port', String(port), '--host', '127.0.0.1', ...flags],
    }),
    prepare,
  };
}
