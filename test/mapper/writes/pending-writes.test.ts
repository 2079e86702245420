import { expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

it('writes send what their objects held when they were called', async () => {
  const { table, sent } = await freshTable(Customer)
  const [jeff, ben] = [customer('Smith', 'Jeff', { age: 1 }), customer('Smith', 'Ben', { age: 1 })]
  const writes = [table.insert(jeff), table.insert(ben)]
  jeff.age = 2
  ben.lastName = 'Jones'
  await Promise.all(writes)
  expect(sent.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
    { PartitionKey: 'Smith', RowKey: 'Jeff', age: 1 },
    { PartitionKey: 'Smith', RowKey: 'Ben', age: 1 },
  ])
})

it('the first write is pending from its call on, so that a drain waits for it', async () => {
  const { table, account, sent } = await freshTable(Customer)
  const write = table.insert(customer('Smith', 'Jeff'))
  const closed = account.close({ drain: true })
  await expect(table.insert(customer('Smith', 'Ben'))).rejects.toThrow()
  await Promise.all([write, closed])
  expect(sent).toHaveLength(1)
})

it('a write whose signal has aborted is not sent', async () => {
  const { table, sent } = await freshTable(Customer)
  const write = table.insert(customer('Smith', 'Jeff'), { signal: AbortSignal.abort() })
  await expect(write).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
  expect(sent).toEqual([])
})
