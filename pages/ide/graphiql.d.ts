/**
 * Types for the parts of GraphiQL's bundle that this page uses; its own types import packages that
 * are not installed.
 */

declare module 'graphiql' {
  import type { DocumentNode } from 'graphql';
  import type { FunctionComponent, ReactNode } from 'react';

  export interface Parameters {
    readonly query: string;
    readonly operationName?: string | null;
    readonly variables?: Readonly<Record<string, unknown>> | null;
  }

  /** For a subscription, it returns a result for each event. */
  export type Fetcher = (
    parameters: Parameters,
    options?: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly documentAST?: DocumentNode;
    },
  ) => Promise<unknown> | AsyncIterable<unknown>;

  interface Properties {
    readonly fetcher: Fetcher;
    readonly storage: Storage;
    /** `null` if the schema must not be read. */
    readonly schema?: null;
    readonly defaultQuery: string;
    readonly forcedTheme: 'light' | 'dark';
    readonly defaultEditorToolsVisibility: 'variables' | 'headers';
    readonly children?: ReactNode;
  }

  const GraphiQL: FunctionComponent<Properties> & {
    readonly Logo: FunctionComponent;
    readonly createLocalStorage: (options: { readonly namespace: string }) => Storage;
  };
  export default GraphiQL;
}
