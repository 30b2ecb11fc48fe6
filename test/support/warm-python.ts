/**
 * HTTPie and Python programs without their start-up time: a process with their libraries loaded
 * forks for each. Programs and their isolation are unchanged.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { lazily } from '../../src/base/lazily.js';

/** Passes its arguments and its standard files to the warm process, and exits with its status. */
const client = (python: string, name: string, path: string) => `#!${python} -ISE
import json, os, socket, sys
warm = socket.socket(socket.AF_UNIX)
warm.connect(${JSON.stringify(path)})
request = {"argv": [${JSON.stringify(name)}, *sys.argv[1:]], "folder": os.getcwd()}
message = json.dumps(request).encode() + b"\\n"
sent = socket.send_fds(warm, [message], [0, 1, 2])
warm.sendall(message[sent:])
sys.exit(warm.recv(1)[0])
`;

/**
 * A folder with the commands `http` and `run-python`, which accepts a program's text; for the
 * `PATH` of a shell. HTTPie reads its configuration from `configFolder`.
 */
export function warmCommands(python: string, configFolder: string): () => Promise<string> {
  return lazily(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'practice-api-warm-'));
    const path = join(folder, 'socket');
    const script = fileURLToPath(new URL('warm-python.py', import.meta.url));
    const warm = spawn(python, [script, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, HTTPIE_CONFIG_DIR: configFolder },
    });
    process.once('exit', () => {
      warm.kill();
      rmSync(folder, { recursive: true });
    });
    for (const name of ['http', 'run-python']) {
      writeFileSync(join(folder, name), client(python, name, path));
      chmodSync(join(folder, name), 0o755);
    }
    await once(createInterface(warm.stdout), 'line');
    warm.unref();
    (warm.stdin as unknown as { unref(): void }).unref();
    (warm.stdout as unknown as { unref(): void }).unref();
    return folder;
  });
}
