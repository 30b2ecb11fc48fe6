/** The command `practice-api mcp`: the standard streams are the transport. */

import { createInterface } from 'node:readline';
import { createService } from '#index.js';
import { bridge } from '#stdio/stdio-bridge.js';

const usage = `Usage: practice-api mcp [--url http://localhost:3000/s/name/mcp]

Connects the standard streams to the MCP server at the URL, or to a service in this process.`;

const wrongUsage = 2;

/** Runs until the input ends. Writes only messages to the standard output. */
export async function runStdio(args: readonly string[]): Promise<void> {
  const [flag, given, ...others] = args;
  if (flag === '--help' || flag === '-h') return console.log(usage);
  const isRight = flag === undefined || (flag === '--url' && given !== undefined);
  if (!isRight || others.length > 0 || (given !== undefined && !URL.canParse(given))) {
    console.error(usage);
    process.exit(wrongUsage);
  }
  const service = given === undefined ? await createService() : undefined;
  const url = given ?? `${service?.url}/mcp`;
  console.error(`The MCP server is ${url}`);
  const write = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
  await bridge({ url, lines: createInterface({ input: process.stdin }), write });
  await service?.close();
}
