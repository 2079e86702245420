import {
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
  mergeEntity,
  perform,
} from '@rowkey/rest'
import { expect, it } from 'vitest'
import { exactService, personOf } from './exact-service.ts'

const change = { operation: insertEntity, input: personOf('Jeff') }
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }

it.each([
  ...[{}, { table: 'people' }, { table: 'people', key: null }, { table: 'people', key: {} }],
  ...[{ key }, { key, body: '{}', etag: '*' }, { table: 'people', key: 'Smith', etag: '*' }],
  ...[{ changes: [] }, { changes: [change] }, { table: 'my-table', changes: [change] }],
  ...[
    { table: 'people', changes: 5 },
    { table: 'people', changes: [{}] },
  ],
])('an exact write rejects the input %j like any other write', async (input) => {
  const service = await exactService()
  for (const operation of [insertEntity, mergeEntity, deleteEntity, entityGroupTransaction]) {
    const errorOf = (exactWrites: boolean) =>
      perform(service.client(), operation as typeof insertEntity, input as never, {
        exactWrites,
      }).catch(({ name, code, message }) => ({ name, code, message }))
    const usual = await errorOf(false)
    expect(usual).toMatchObject({ name: 'InputError' })
    expect(await errorOf(true)).toEqual(usual)
  }
  expect(service.requests).toEqual([])
})
