/**
 * Generates the messages of gRPC from `data/proto/`. Needs `protoc` of Debian's protobuf-compiler.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const from = 'data/proto';
export const generatedFolder = 'src/areas/grpc/generated';

/** @param {string} to An empty or absent folder */
export function generate(to) {
  mkdirSync(to, { recursive: true });
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' });
  const protos = files.filter((file) => file.endsWith('.proto')).sort();
  const plugin = join('node_modules', '.bin', 'protoc-gen-es');
  const options = 'target=js+dts,import_extension=js';
  execFileSync(
    'protoc',
    [`--plugin=${plugin}`, `-I${from}`, `--es_out=${to}`, `--es_opt=${options}`, ...protos],
    { stdio: 'inherit' },
  );
}

if (import.meta.filename === process.argv[1]) {
  rmSync(generatedFolder, { recursive: true, force: true });
  generate(generatedFolder);
}
