/** Starts json-server itself, from the folder that PRACTICE_JSON_SERVER names. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { File } from './json-server-files.js';

const program = fileURLToPath(new URL('json-server.mjs', import.meta.url));

export interface JsonServers {
  /** The URL of each file, in order. */
  readonly urls: readonly string[];
  readonly stop: () => void;
}

export async function serveByJsonServer(
  files: readonly File[],
  version: 0 | 1,
  isFake = false,
): Promise<JsonServers> {
  const folder = process.env.PRACTICE_JSON_SERVER ?? '';
  const child = spawn('node', [program, folder, String(version)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.write(`${JSON.stringify(files.map((data) => ({ data, isFake })))}\n`);
  let ports: readonly number[] = [];
  for await (const line of createInterface(child.stdout)) {
    ports = JSON.parse(line);
    break;
  }
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    stop: () => child.stdin.end(),
  };
}
