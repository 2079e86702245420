/** Lowers the decorators of one module, and removes its types. */
export type Compile = (code: string, file: string) => Promise<{ code: string; map: string }>

/** A compiler that the plugin can use. */
export type CompilerName = 'esbuild' | 'typescript'

/** Loads each compiler; `undefined` when it is not installed, or has no API. */
export const COMPILERS: Readonly<Record<CompilerName, () => Promise<Compile | undefined>>> = {
  async esbuild() {
    const { transform } = await import('esbuild').catch(absent)
    if (transform === undefined) return undefined
    return async (code, sourcefile) => {
      const loader = /x$/.test(sourcefile) ? 'tsx' : 'ts'
      const options = { loader, sourcefile, target: 'es2022', jsx: 'preserve' } as const
      return transform(code, { ...options, sourcemap: true, tsconfigRaw: '{}' })
    }
  },

  async typescript() {
    const { default: ts } = await import('typescript').catch(absent)
    // TypeScript 7 is a program without this API.
    if (ts?.transpileModule === undefined) return undefined
    const compilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.Preserve,
      sourceMap: true,
      isolatedModules: true,
    }
    return async (code, fileName) => {
      const output = ts.transpileModule(code, { fileName, compilerOptions })
      const text = output.outputText.replace(/\n\/\/# sourceMappingURL=\S*\s?$/, '\n')
      return { code: text, map: output.sourceMapText ?? '' }
    }
  },
}

/** The exports of a missing module. */
function absent(): { readonly transform?: undefined; readonly default?: undefined } {
  return {}
}
