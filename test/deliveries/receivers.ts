/** The receivers of `examples/receivers`, as programs. */

import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../examples/receivers', import.meta.url));
/** Programs of Node find the packages of the tests from here. */
const copies = fileURLToPath(new URL('../node_modules/.receivers', import.meta.url));

export interface Receiver {
  readonly url: string;
  readonly stop: () => void;
}

export interface ReceiverOptions {
  readonly secret: string;
  /** Base URL of the sandbox in which it writes records. */
  readonly api: string;
  readonly port?: number;
}

/** Returns the path of a receiver that finds its packages. */
export function receiverFile(file: string): string {
  cpSync(folder, copies, { recursive: true });
  return `${copies}/${file}`;
}

/** Starts a receiver, such as `careful-express.mjs` or `careless_flask.py`. */
export function startReceiver(
  file: string,
  { secret, api, port = 0 }: ReceiverOptions,
): Promise<Receiver> {
  const path = receiverFile(file);
  const command = file.endsWith('.py') ? 'python3' : process.execPath;
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, PRACTICE_API: api };
  const child = spawn(command, [path], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  return new Promise((resolve, reject) => {
    const stop = () => child.kill('SIGKILL');
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /Listening on (\d+)/.exec(output);
      if (found !== null) resolve({ url: `http://127.0.0.1:${found[1]}/hook`, stop });
    });
    child.on('exit', () => reject(new Error(`The receiver ended: ${output}`)));
  });
}
