import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { webTwins } from '../../scripts/web-twins.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const source = (path: string) => `${root}packages/${path}.ts`

/** Bundles the sources of the packages that a program imports. */
const sources: Plugin = {
  name: 'sources',
  setup({ onResolve }) {
    onResolve({ filter: /^@?rowkey/ }, ({ path }) => {
      if (path === 'rowkey/embedded') return { path: source('rowkey/src/entries/embedded') }
      return { path: source(`${path.replace('@rowkey/', '')}/src/index`), sideEffects: false }
    })
  },
}

/** Bundles a program for browsers as its author's bundler does. */
export async function bundled(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [webTwins, sources],
  })
  const [output] = Object.values(metafile.outputs)
  const modules = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
  return { text: outputFiles[0]?.text ?? '', modules }
}

/**
 * Runs a bundled program that calls `report` with its result.
 *
 * @param program - the source
 */
export async function reported(program: string): Promise<unknown> {
  const { text } = await bundled(program)
  return runBundle(text)
}

/**
 * Runs what {@link bundled} made of a program that calls `report` with its result.
 *
 * @param text - the bundle
 */
export function runBundle(text: string): Promise<unknown> {
  return new Promise((report) => {
    new Function('report', text)(report)
  })
}
