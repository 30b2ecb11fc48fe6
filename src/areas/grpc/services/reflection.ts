/** Server reflection, in both versions, which differ only in their names. */

import { createRegistry, type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  ServerReflection,
  type ServerReflectionRequest,
} from '../generated/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as AlphaReflection } from '../generated/grpc/reflection/v1alpha/reflection_pb.js';
import { codeOf } from '../messages/codes.js';
import { serve } from '../model/method.js';

export interface Reflected {
  readonly files: readonly DescFile[];
  readonly services: readonly string[];
}

const notFound = (what: string) => ({
  case: 'errorResponse' as const,
  value: { errorCode: codeOf('NOT_FOUND'), errorMessage: `There is no ${what.slice(0, 200)}.` },
});

/** Returns a file with all files that it imports, itself first. */
function withImports(file: DescFile): DescFile[] {
  const found = new Set([file]);
  // A set also visits what is added meanwhile.
  for (const each of found) for (const imported of each.dependencies) found.add(imported);
  return [...found];
}

const fileResponse = (file: DescFile) => ({
  case: 'fileDescriptorResponse' as const,
  value: {
    fileDescriptorProto: withImports(file).map(({ proto }) =>
      toBinary(FileDescriptorProtoSchema, proto),
    ),
  },
});

/** Finds the file of a message, an enum, a service or a method. */
function fileOf(registry: ReturnType<typeof createRegistry>, symbol: string): DescFile | undefined {
  const direct = registry.get(symbol);
  if (direct !== undefined) return direct.file;
  const parent = registry.getService(symbol.slice(0, symbol.lastIndexOf('.')));
  const isMethod = parent?.methods.some(({ name }) => symbol === `${parent.typeName}.${name}`);
  return isMethod ? parent?.file : undefined;
}

function responderOf({ files, services }: Reflected) {
  const all = new Set(files.flatMap(withImports));
  const registry = createRegistry(...all);
  const respondTo = ({ messageRequest: { case: kind, value } }: ServerReflectionRequest) => {
    if (kind === 'listServices') {
      const service = services.map((name) => ({ name }));
      return { case: 'listServicesResponse' as const, value: { service } };
    }
    if (kind === 'fileByFilename') {
      const file = [...all].find(({ proto }) => proto.name === value);
      return file ? fileResponse(file) : notFound(`file ${value}`);
    }
    if (kind === 'fileContainingSymbol') {
      const file = fileOf(registry, value);
      return file ? fileResponse(file) : notFound(`symbol ${value}`);
    }
    if (kind === 'allExtensionNumbersOfType' && registry.getMessage(value)) {
      return { case: 'allExtensionNumbersResponse' as const, value: { baseTypeName: value } };
    }
    return notFound('such extension or request');
  };
  return async function* respond(requests: AsyncIterable<ServerReflectionRequest>) {
    for await (const request of requests) {
      const { host: validHost } = request;
      yield { validHost, originalRequest: request, messageResponse: respondTo(request) };
    }
  };
}

export function reflectionOf(reflected: () => Reflected) {
  let made: ReturnType<typeof responderOf> | undefined;
  const serverReflectionInfo = (requests: AsyncIterable<ServerReflectionRequest>) => {
    made ??= responderOf(reflected());
    return made(requests);
  };
  return [
    ...serve(ServerReflection, { serverReflectionInfo }),
    ...serve(AlphaReflection, { serverReflectionInfo: serverReflectionInfo as never }),
  ];
}
