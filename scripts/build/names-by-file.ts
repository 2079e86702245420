import type { TsdownPlugin } from 'tsdown'
import { exportedFrom } from './deep-imports.ts'
import { twinsOf } from './web-twin.ts'

/**
 * Makes the index of a package for bundlers: it exports the names of each file with `export *`, over a file of `names`.
 *
 * esbuild keeps an index that imports a name and exports it. Then it loads at the start of a program whatever the index imports
 * and the program loads on demand. It looks through `export *`. But when it puts a program into one file, a name that comes
 * by `export *` alone is never initialized if a part that is loaded on demand imports it, too: so the files of `names` name it.
 *
 * @param name - the folder of the package
 */
export function namesByFile(name: string): TsdownPlugin {
  return {
    name: 'names-by-file',
    generateBundle(_, bundle) {
      const index = bundle['index.mjs']
      if (index?.type !== 'chunk') throw new Error(`The modules of ${name} have no index.`)
      const twins = new Set(twinsOf(name))
      const lines = [...exportedFrom(name)].map(([file, names]) => {
        if (bundle[`${file}.mjs`]?.type !== 'chunk')
          throw new Error(`The modules of ${name} have no ${file}.`)
        const from = twins.has(file) ? `@rowkey/${name}/platform/${file}` : pathTo(file)
        const source = `export { ${names.join(', ')} } from "${from}";\n`
        this.emitFile({ type: 'asset', fileName: `names/${file}.mjs`, source })
        return `export * from "./names/${file}.mjs";\n`
      })
      index.code = lines.join('')
    },
  }
}

/** The path of a file, from the file with its names. */
function pathTo(file: string): string {
  return `${'../'.repeat(file.split('/').length)}${file}.mjs`
}
