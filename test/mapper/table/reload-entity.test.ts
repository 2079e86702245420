import { codecOf, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { reloadEntity } from '../../../packages/mapper/src/table/reload-entity.ts'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

describe('reloadEntity', () => {
  it('R-139: goes by the ETag, and not by what the entity holds', async () => {
    const { table, service } = await freshTable(Customer)
    const jeff = await table.insert(customer('Smith', 'Jeff', { age: 1 }))
    const codec = codecOf(modelOf(Customer))
    const reload = { service, codec, table: 'customers', entity: jeff }
    expect(await reloadEntity(reload, {})).toBe(false)
    await table.insertOrReplace(customer('Smith', 'Jeff', { age: 1 }))
    expect(await reloadEntity(reload, {})).toBe(true)
    expect(jeff.age).toBe(1)
  })
})
