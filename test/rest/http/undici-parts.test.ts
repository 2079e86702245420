import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { root } from '../../layout/source-files.ts'

it('a bundle contains the connections of undici, and not its fetch, web sockets, caches and mocks', async () => {
  const { metafile } = await build({
    entryPoints: [`${root}packages/rest/src/http/undici-parts.ts`],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    metafile: true,
    outfile: 'parts.cjs',
  })
  const files = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/undici/'))
  const folders = new Set(files.map((path) => /undici\/(lib\/\w+|\w+)/.exec(path)?.[1]))
  expect(folders).toContain('lib/dispatcher')
  expect(
    files.filter((path) => /undici\/index\.js$|websocket|eventsource|mock|cachestorage/.test(path)),
  ).toEqual([])
  expect([...folders].filter((folder) => /cache|mock|interceptor/.test(folder ?? ''))).toEqual([])
})
