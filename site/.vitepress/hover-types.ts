/** Types on hover, for the code blocks that a page marks as `ts twoslash`. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  transformerTwoslash,
  type VitePressPluginTwoslashOptions,
} from '@shikijs/vitepress-twoslash'
import ts from 'typescript'
import type { MarkdownOptions } from 'vitepress'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

const root = join(import.meta.dirname, '../..')
const { paths } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile).config
  .compilerOptions as { paths: Record<string, readonly [string]> }

/** The built types: they are much smaller than the sources. */
const builtPaths = Object.fromEntries(
  Object.entries(paths).map(([specifier, [source]]) => [
    specifier,
    [join(root, source.replace('/src/', '/.tsc/').replace(/\.ts$/, '.d.ts'))],
  ]),
)

/** The transformer of code blocks. Its cache is valid for one state of the sources. */
export const hoverTypes: NonNullable<MarkdownOptions['codeTransformers']>[number] =
  transformerTwoslash({
    typesCache: shortTypes(join(root, 'site/.vitepress/cache/types', typesFingerprint())),
    // A popup shows the signature and the first sentences; the rest is in the reference.
    processHoverDocs: (text) => text.split('\n\n')[0] ?? '',

    twoslashOptions: {
      vfsRoot: root,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        paths: builtPaths,
      },
    },
  })

/** Keeps the types of a block in a folder, without the tags of the documentation. */
function shortTypes(folder: string): NonNullable<VitePressPluginTwoslashOptions['typesCache']> {
  const fileOf = (code: string) =>
    join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.json`)
  return {
    init: () => mkdirSync(folder, { recursive: true }),
    read(code) {
      const file = fileOf(code)
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
    },
    write(code, types) {
      for (const node of types.nodes) if (node.type === 'hover') delete node.tags
      writeFileSync(fileOf(code), JSON.stringify(types))
    },
  }
}

/** Changes with the built types of any package. */
export function typesFingerprint(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(join(root, 'packages'))) {
    hash.update(readFileSync(join(root, 'packages', name, 'tsconfig.tsbuildinfo')))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Makes each marked block continue the blocks before it, as the program of its page does. Only the block itself is shown. */
export function continueBlocks(md: MarkdownIt): void {
  md.core.ruler.push('rowkey-blocks', ({ tokens }) => {
    const earlier: string[] = []
    for (const token of tokens) {
      if (token.type !== 'fence' || !/^ts(?: twoslash)?$/.test(token.info.trim())) continue
      const code = token.content
      if (token.info.includes('twoslash') && earlier.length > 0) {
        token.content = `${earlier.join('\n')}\n// ---cut---\n${code}`
      }
      earlier.push(code)
    }
  })
}
