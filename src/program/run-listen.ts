/** The command `practice-api listen`: reads its options, and ends with its status. */

import { listen } from '#listen/listen.js';
import { parseOptions, UsageError, usage } from '#listen/options.js';

export async function runListen(args: readonly string[]): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const options = parseOptions(args, process.env);
    if (options === undefined) return console.log(usage);
    const output = { print: console.log, say: console.error };
    process.exitCode = await listen(options, stop.signal, output);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
