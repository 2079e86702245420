import { TableTransaction } from '@rowkey/data-tables'
import { expect, it } from 'vitest'
import { openPeople } from './open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

it('collects actions in the form that submitTransaction takes', () => {
  const transaction = new TableTransaction([['create', row]])
  transaction.updateEntity(row, { etag: 'W/"1"' })
  transaction.updateEntity(row, 'Replace')
  transaction.upsertEntity(row)
  transaction.deleteEntity('p', 'r')
  expect(transaction.actions).toEqual([
    ['create', row],
    ['update', row, 'Merge', { etag: 'W/"1"' }],
    ['update', row, 'Replace', {}],
    ['upsert', row, 'Merge'],
    ['delete', row],
  ])
})

it.each([
  [['rename', row], /action "rename" is unknown/],
  [['update', row, 'merge'], /mode "merge" is unknown/],
])('rejects %j before anything is sent', async (action, message) => {
  const { people, sent } = await openPeople()
  await expect(people.submitTransaction([action as never])).rejects.toThrow(message)
  expect(sent).toEqual([])
})
