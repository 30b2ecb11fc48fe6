/**
 * Health check of a container without a shell or other programs. Exits with 0 if the service of the
 * same environment responds, else with 1.
 */

import { get } from 'node:http';
import { readCommand } from '#config/config.js';
import { settings } from '#config/settings.js';

const patienceMs = 2000;
/** Addresses to listen on that clients cannot connect to. */
const anyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const command = readCommand(settings, [], process.env);
if (command.kind === 'start') {
  const { host, port } = command.config;
  const options = { host: anyAddress[host] ?? host, port, path: '/health', timeout: patienceMs };
  const request = get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
  request.on('timeout', () => request.destroy(new Error(`no response within ${patienceMs} ms`)));
  request.on('error', ({ message }) => {
    console.error(`The service does not respond: ${message}.`);
    process.exit(1);
  });
}
