/** Writes a call for curl, which also shows the response headers. */

import type { Call } from './call.js';
import { formatJson } from './format-json.js';
import { quoteShell, shellCommand, shellLoop } from './quote-shell.js';

export function writeCurl(call: Call): string {
  const { method, url, headers, user, json, body, times } = call;
  const data = json === undefined ? body : formatJson(json);
  const usual = data === undefined ? 'GET' : 'POST';
  const methodPart = method === 'HEAD' ? ' --head' : method === usual ? ' -i' : ` -i -X ${method}`;
  const groups = [
    ...(user ? [`-u ${quoteShell(`${user.username}:${user.password}`)}`] : []),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...headers.map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    // Other options would read a file if the text begins with @.
    ...(data === undefined
      ? []
      : [`${data.startsWith('@') ? '--data-raw' : '-d'} ${quoteShell(data)}`]),
  ];
  const command = shellCommand(`curl${methodPart} ${quoteShell(url)}`, groups);
  // Without a line break, the next response headers would follow the body directly.
  return times === 1 ? command : shellLoop(times, `${command}; echo`);
}
