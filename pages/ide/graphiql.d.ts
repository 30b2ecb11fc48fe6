/** What this page uses of GraphiQL's ready-made file: its own types name packages that are not installed. */

declare module 'graphiql' {
  import type { FunctionComponent, ReactNode } from 'react';

  export type Fetcher = (
    parameters: { readonly query: string },
    options?: { readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<unknown>;

  interface Properties {
    readonly fetcher: Fetcher;
    readonly storage: Storage;
    readonly defaultQuery: string;
    readonly defaultTheme: 'light' | 'dark';
    readonly defaultEditorToolsVisibility: 'variables' | 'headers';
    readonly children?: ReactNode;
  }

  const GraphiQL: FunctionComponent<Properties> & {
    readonly Logo: FunctionComponent;
    readonly createLocalStorage: (options: { readonly namespace: string }) => Storage;
  };
  export default GraphiQL;
}
