import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { loadEngine } from '../../../packages/local/src/durable/engine.ts'
import { ENGINE } from '../../support/engine-writes.ts'
import { Conversation } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

it('a folder without its engine says which package to install', () => {
  const cause = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const load = (): never => {
    throw cause
  }
  expect(() => loadEngine('/data', load)).toThrow(
    expect.objectContaining({
      name: 'StoreError',
      code: 'StoreEngineMissing',
      folder: '/data',
      message: expect.stringContaining('with --global if Rowkey was'),
      cause,
    }),
  )
})

it('a program in one CommonJS file finds the engine from its working directory', async () => {
  const packages = fileURLToPath(new URL('../../../packages/', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [`${packages}local/src/durable/engine.ts`],
    alias: { '@rowkey/odata': `${packages}odata/src/index.ts` },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
    logLevel: 'error',
  })
  const module = { exports: {} as { loadEngine: typeof loadEngine } }
  const run = new Function('require', 'module', outputFiles[0]?.text ?? '')
  run(createRequire(import.meta.url), module)
  expect(module.exports.loadEngine('/data').prototype).toBe(ENGINE)
})

it('finds the row of each key, however many bytes its characters have', async () => {
  const service = new Conversation({ data: await temporaryFolder() })
  await service.send('POST', '/Tables', { body: { TableName: 'people' } })
  const keys = ['é', '漢', '🙂'].flatMap((character) =>
    Array.from({ length: 20 }, (_, n) => character.repeat(2 * n + 1)),
  )
  // Short and long ones by turns, so that a key is longer than the one before.
  const mixed = keys.map((_, at) => keys[(at * 37) % keys.length] as string)
  const insert = (RowKey: string) =>
    service.send('POST', '/people', { body: { PartitionKey: 'p', RowKey } })
  for (const key of mixed) expect([key, (await insert(key)).status]).toEqual([key, 201])
  for (const key of mixed) expect([key, (await insert(key)).status]).toEqual([key, 409])
  for (const key of mixed) {
    const path = `/people(PartitionKey='p',RowKey='${encodeURIComponent(key)}')`
    const { status, body } = await service.send('GET', path)
    expect([status, JSON.parse(body).RowKey]).toEqual([200, key])
  }
  await service.local.close()
})
