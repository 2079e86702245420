import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { expect, it } from 'vitest'
import { webTwin } from '../../../../scripts/build/web-twin.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

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
async function bundled(contents: string) {
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

const isEmbedded = (path: string) => path.startsWith('packages/local/')

it('a bundle contains the embedded service only with rowkey/embedded', async () => {
  const without = await bundled("export { connect } from 'rowkey'")
  expect(without.modules).toContain('packages/rowkey/src/connect.ts')
  expect(without.modules.filter(isEmbedded)).toEqual([])
  const program = "import 'rowkey/embedded'; export { connect } from 'rowkey'"
  expect((await bundled(program)).modules.some(isEmbedded)).toBe(true)
})

it('a bundle over rowkey/fetch contains no undici', async () => {
  const { modules } = await bundled("export { connect } from 'rowkey/fetch'")
  expect(
    modules.filter((path) => isEmbedded(path) || path.startsWith('node_modules/undici/')),
  ).toEqual([])
})

it.each([
  ["import 'rowkey/embedded';", 'true'],
  ['', "PartNotLoaded Add import 'rowkey/embedded' beside the import of connect."],
])('memory: in a bundle with %j gives %s', async (imported, result) => {
  const program = `${imported}
    import { connect } from 'rowkey'
    const account = connect('memory:')
    const done = account.createTable('people').then(() => account.table('people').exists())
    globalThis.report(done.then(String, ({ code, message }) => code + ' ' + message.split('. ').at(-1)))`
  const { text } = await bundled(program)
  const reported = await new Promise((report) => {
    const run = new Function('require', 'globalThis', text)
    run(process.getBuiltinModule('node:module').createRequire(import.meta.url), { report })
  })
  expect(reported).toBe(result)
})
