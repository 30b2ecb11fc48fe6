/** All services, and their descriptions for reflection. */

import type { DescFile } from '@bufbuild/protobuf';
import { file_google_rpc_error_details } from '../generated/google/rpc/error_details_pb.js';
import { file_google_rpc_status } from '../generated/google/rpc/status_pb.js';
import type { ServedMethod } from '../model/method.js';
import { adder, grpcbin, hello } from './bins.js';
import { echo } from './echo.js';
import { healthOf } from './health.js';
import { bookService, todoService } from './records.js';
import { reflectionOf } from './reflection.js';
import { status } from './status.js';

export function allMethods(): readonly ServedMethod[] {
  const methods: ServedMethod[] = [
    ...bookService,
    ...todoService,
    ...echo,
    ...status,
    ...grpcbin,
    ...hello,
    ...adder,
    ...healthOf(() => servicesOf(methods)),
  ];
  const files = () => [...filesOf(methods), file_google_rpc_error_details, file_google_rpc_status];
  methods.push(...reflectionOf(() => ({ files: files(), services: servicesOf(methods) })));
  return methods;
}

export const servicesOf = (methods: readonly ServedMethod[]): readonly string[] => [
  ...new Set(methods.map(({ desc }) => desc.parent.typeName)),
];

const filesOf = (methods: readonly ServedMethod[]): readonly DescFile[] => [
  ...new Set(methods.map(({ desc }) => desc.parent.file)),
];
