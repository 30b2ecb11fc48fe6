/** Unary calls of gRPC, beside a bare server of grpc-js. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram, startService } from '../../harness/start-program.js';

const calls = 20_000;
const turns = 7;

export const about = `addsvc.Add/Sum by h2load, ${calls.toLocaleString('en')} calls a turn on 8 connections with 10 streams each, ${turns} turns in alternation; calls per second of processor time, the median`;

const path = '/addsvc.Add/Sum';
const bare = fileURLToPath(new URL('../grpc-js-server.js', import.meta.url));

/** grpc-js ends a connection that does not begin with HTTP/2, after its settings. */
const startBare = () =>
  startProgram(process.execPath, [bare], { probe: 'no HTTP/2, but as long as its preface' });

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-grpc-'));
  const body = join(folder, 'sum');
  writeFileSync(body, Buffer.from([0, 0, 0, 0, 4, 8, 3, 16, 4]));
  const servers = { 'practice-api': await startService(), 'grpc-js': await startBare() };
  /** @type {Record<string, number[]>} */
  const rates = { 'practice-api': [], 'grpc-js': [] };
  try {
    for (let turn = -1; turn < turns; turn++) {
      for (const [name, server] of Object.entries(servers)) {
        const before = server.processorMs();
        load(server.url, body);
        // The first turn is for the compiler of the engine.
        if (turn >= 0) rates[name]?.push(calls / ((server.processorMs() - before) / 1000));
      }
    }
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    rmSync(folder, { recursive: true });
  }
  const [ours = 0, theirs = 1] = Object.values(rates).map(medianOf);
  return [
    ['practice-api', `${Math.round(ours).toLocaleString('en')} calls`],
    ['grpc-js', `${Math.round(theirs).toLocaleString('en')} calls`],
    ['practice-api / grpc-js', (ours / theirs).toFixed(2)],
  ];
}

/**
 * @param {string} url
 * @param {string} body
 */
function load(url, body) {
  const headers = ['-H', 'content-type: application/grpc', '-H', 'te: trailers'];
  const args = ['-n', String(calls), '-c', '8', '-m', '10', '-d', body, ...headers, url + path];
  const { stdout, error } = spawnSync('h2load', args, { encoding: 'utf8' });
  if (error) throw new Error('The measurement needs the Debian package nghttp2-client.');
  if (!stdout.includes(`${calls} succeeded`)) throw new Error(`Some calls failed:\n${stdout}`);
}

/** @param {readonly number[]} values */
const medianOf = (values) => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
