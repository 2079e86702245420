import { expect, it } from 'vitest'
import { openPeople } from './open.ts'

it('creates, lists and deletes tables; twice is fine', async () => {
  const { service } = await openPeople()
  await service.createTable('orders')
  await service.createTable('orders')
  const names: (string | undefined)[] = []
  for await (const { name } of service.listTables()) names.push(name)
  expect(names).toEqual(['orders', 'people'])
  await service.deleteTable('orders')
  await service.deleteTable('orders')
  const filter = "TableName eq 'orders'"
  expect((await service.listTables({ queryOptions: { filter } }).next()).done).toBe(true)
})

it('lists tables from the token of the official client: the next name as the service gave it', async () => {
  const { service } = await openPeople()
  for (const name of ['one', 'two']) await service.createTable(name)
  const { value } = await service.listTables().byPage({ maxPageSize: 1 }).next()
  const { continuationToken } = value
  expect(continuationToken).not.toMatch(/^W/)
  const names: (string | undefined)[] = []
  for await (const page of service.listTables().byPage({ continuationToken })) {
    names.push(...page.map(({ name }) => name))
  }
  expect(names).toEqual(['people', 'two'])
})
