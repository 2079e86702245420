import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { webTwin } from '../../scripts/build/web-twin.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const source = (path: string) => `${root}packages/${path}.ts`

/** What `package.json` names for bundlers, as sources: all entries but `rowkey/embedded` use the twins. */
const twins: Plugin = {
  name: 'bundled-twins',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const twin = webTwin(path, importer, 'bundled')
      return twin === undefined ? undefined : { path: twin, sideEffects: false }
    })
    onResolve({ filter: /^@?rowkey/ }, ({ path }) => {
      if (path === 'rowkey/embedded') return { path: source('rowkey/src/entries/embedded') }
      if (path === 'rowkey/fetch') {
        return { path: source('rowkey/src/fetch/connect'), sideEffects: false }
      }
      return { path: source(`${path.replace('@rowkey/', '')}/src/index`), sideEffects: false }
    })
  },
}

/** Bundles a program as its author's bundler does. */
export async function bundled(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [twins],
  })
  const [output] = Object.values(metafile.outputs)
  const modules = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
  return { text: outputFiles[0]?.text ?? '', modules }
}

/**
 * Runs a bundled program that calls `globalThis.report` with its result.
 *
 * @param program - the source
 */
export async function reported(program: string): Promise<unknown> {
  const { text } = await bundled(program)
  return new Promise((report) => {
    const run = new Function('require', 'globalThis', text)
    run(process.getBuiltinModule('node:module').createRequire(import.meta.url), { report })
  })
}
