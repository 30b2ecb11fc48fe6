/** A case without an effect does not compile, and with one it does: the compiler checks these expectations. */

import { expectTypeOf, test } from 'vitest';
import type { Case as Http2Case } from '../../src/areas/http2/cases/case.js';
import type { BrokenStream } from '../../src/areas/llm/streams/broken-stream.js';
import type { Case } from '../../src/areas/mcp/misbehaviour/case.js';
import type { IssuerCase } from '../../src/areas/oidc/misbehaviour/case.js';
import type { Defect } from '../../src/defects/defect.js';

type Texts = 'what' | 'rightClient' | 'section';

test('a stream needs an effect', () => {
  type Empty = Pick<BrokenStream, 'what' | 'nature' | 'at' | 'kinds'>;
  expectTypeOf<Empty>().not.toExtend<BrokenStream>();
  expectTypeOf<Empty & { arguments: (text: string) => string }>().toExtend<BrokenStream>();
});

test('a misbehaviour of the MCP server needs an effect', () => {
  type Empty = Pick<Case, Texts | 'methods' | 'acceptedBy'>;
  expectTypeOf<Empty>().not.toExtend<Case>();
  expectTypeOf<Empty & { listen: () => Error }>().toExtend<Case>();
});

test('a misbehaviour of the issuer needs an effect', () => {
  type Empty = Pick<IssuerCase, Texts | 'expected' | 'level' | 'metBy' | 'acceptedBy'>;
  expectTypeOf<Empty>().not.toExtend<IssuerCase>();
  expectTypeOf<Empty & { delayMs: number }>().toExtend<IssuerCase>();
});

test('a defect needs an effect', () => {
  type Texts = 'id' | 'level' | 'kind' | 'area' | 'endpoints' | 'wrong' | 'right';
  type Empty = Pick<Defect, Texts>;
  expectTypeOf<Empty>().not.toExtend<Defect>();
  expectTypeOf<Empty & { before: () => void }>().toExtend<Defect>();
});

test('a case of the HTTP/2 lab needs an effect', () => {
  type Empty = Pick<Http2Case, Texts | 'level' | 'expected'>;
  expectTypeOf<Empty>().not.toExtend<Http2Case>();
  expectTypeOf<Empty & { send: [] }>().not.toExtend<Http2Case>();
  expectTypeOf<Empty & { send: [Buffer] }>().toExtend<Http2Case>();
});
