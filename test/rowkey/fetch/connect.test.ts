import 'rowkey/embedded'
import { startLocalService } from '@rowkey/local'
import { DynamicEntity } from 'rowkey'
import { connect } from 'rowkey/fetch'
import { expect, it } from 'vitest'

it('connect of rowkey/fetch signs with the account key and sends with fetch', async () => {
  const service = await startLocalService({ port: 0 })
  const account = connect(service.connectionString)
  const people = account.table('people')
  await people.create()
  await people.insert(new DynamicEntity('Smith', 'Jeff', { points: 5n }))
  expect((await people.get(['Smith', 'Jeff'])).get('points')?.value).toBe(5n)
  await account.close()
  await service.close()
})

it('connect of rowkey/fetch opens memory: with the embedded service that was imported', async () => {
  await using account = connect('memory:')
  await account.createTable('people')
  expect(await account.table('people').exists()).toBe(true)
})
