import { createTable, perform, queryTables, tableService } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { embeddedAddress } from '../../../../packages/rowkey/src/web/targets/embedded-address.ts'

it('browsers and workers use the credential of a service in memory', async () => {
  const options = embeddedAddress('memory:', { now: Date.now })
  expect(options.connectionString).toBeUndefined()
  const service = tableService(options)
  await perform(service, createTable, { table: 'people' })
  expect((await perform(service, queryTables, {})).tables).toEqual(['people'])
  await service.close()
})

it('browsers and workers reject a folder and name the alternative', () => {
  expect(() => embeddedAddress('file:./data', { now: Date.now })).toThrow(
    expect.objectContaining({
      code: 'InvalidTarget',
      message: expect.stringMatching(/file system.*'memory:'.*rowkey serve --data/),
    }),
  )
})
