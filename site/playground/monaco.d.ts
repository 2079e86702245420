/** Monaco declares its TypeScript part for the whole editor alone. */
declare module 'monaco-editor/esm/vs/language/typescript/monaco.contribution.js' {
  import type { typescript } from 'monaco-editor'

  export const typescriptDefaults: typeof typescript.typescriptDefaults
  export const getTypeScriptWorker: typeof typescript.getTypeScriptWorker
  export const ModuleKind: typeof typescript.ModuleKind
  export const ModuleResolutionKind: typeof typescript.ModuleResolutionKind
}
