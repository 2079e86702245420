import { declareOptions, oneOf } from '@rowkey/odata'
import { rowkeyInputError } from '../errors/codes.ts'
import { COMPILERS, type Compile, type CompilerName } from './compilers.ts'

/** How {@link rowkey} compiles decorators. */
export interface RowkeyPluginOptions {
  /**
   * Which compiler lowers decorators.
   *
   * @defaultValue `'esbuild'` when it is installed, else `'typescript'`, version 5 or 6
   */
  readonly compiler?: CompilerName | undefined
}

/** A plugin for Vite, Vitest, Rolldown and Rollup. */
export interface RowkeyPlugin {
  /** The plugin's name in messages: `rowkey`. */
  readonly name: string
  /** Runs before the tool's own compiler, which leaves standard decorators as they are. */
  readonly enforce: 'pre'
  /** Lowers the decorators of one module; `undefined` for a module without decorators. */
  transform(code: string, id: string): Promise<{ code: string; map: string } | undefined>
}

const SOURCE = /\.[cm]?[jt]sx?$/

/** A decorator at its place; a line of a JSDoc comment, a package name or an e-mail address is not one. */
const DECORATOR = /^(?![ \t]*\*).*(?<!['"`\w/])@[A-Za-z_$(]/m

const compilers = ['esbuild', 'typescript'] as const

const pluginOptions = declareOptions<RowkeyPluginOptions>({ compiler: oneOf(...compilers) })

/**
 * Lowers standard decorators for Vite and Vitest, whose compiler leaves them in the output, where
 * they are a SyntaxError on every runtime. Modules without decorators are not touched.
 *
 * With `experimentalDecorators` in tsconfig.json this plugin is not needed: leave it out.
 *
 * @param options - which compiler to use
 * @throws InputError (`UnknownOption` or `InvalidOptionValue`) for other options
 * @throws InputError (`MissingDependency`) at the first decorated module, when neither compiler is installed
 *
 * @example
 * ```ts
 * // vitest.config.ts
 * import { rowkey } from 'rowkey/vite'
 * import { defineConfig } from 'vitest/config'
 *
 * export default defineConfig({ plugins: [rowkey()] })
 * ```
 */
export function rowkey(options: RowkeyPluginOptions = {}): RowkeyPlugin {
  pluginOptions.check(options, 'the plugin rowkey/vite')
  const names = options.compiler ? [options.compiler] : compilers
  let compile: Promise<Compile> | undefined
  return {
    name: 'rowkey',
    enforce: 'pre',
    async transform(code, id) {
      const [file = id] = id.split('?')
      if (!SOURCE.test(file) || file.includes('/node_modules/') || !DECORATOR.test(code)) return
      compile ??= firstOf(names)
      return (await compile)(code, file)
    },
  }
}

/** Loads the first compiler that is installed. */
async function firstOf(names: readonly CompilerName[]): Promise<Compile> {
  for (const name of names) {
    const compile = await COMPILERS[name]()
    if (compile !== undefined) return compile
  }
  throw rowkeyInputError({
    code: 'MissingDependency',
    message:
      `The plugin rowkey/vite found no compiler to lower decorators with (${names.join(', ')}). Run ` +
      '`npm install --save-dev esbuild`, or set experimentalDecorators in tsconfig.json and leave the ' +
      'plugin out.',
  })
}
