import type { TsdownPlugin } from 'tsdown'

/**
 * Declares the ES modules of a package by the declarations of their CommonJS copies. The names are the same, so one
 * declaration is enough: users install half as much, and a program that mixes both copies has one type for each class.
 */
export const oneDeclaration: TsdownPlugin = {
  name: 'one-declaration',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry || !chunk.fileName.endsWith('.mjs')) continue
      if (chunk.fileName.startsWith('platform/')) continue // imported by no program
      const name = chunk.fileName.replace(/\.mjs$/, '')
      this.emitFile({
        type: 'asset',
        fileName: `${name}.d.mts`,
        source: `export * from './${name}.cjs'\n`,
      })
    }
  },
}
