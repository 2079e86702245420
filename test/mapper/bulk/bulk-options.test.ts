import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { bulkTable, rows } from './bulk-account.ts'

describe('the truth of a bulk writer', () => {
  it('accepts the largest number in each option that shall not limit the write', async () => {
    const { table, stored } = await bulkTable()
    const most = Number.MAX_SAFE_INTEGER
    const unlimited = { attempts: most, buffer: most, concurrency: most }
    await table.bulk({ ...unlimited, total: 3_000_000_000 }).insert(rows('p', 3))
    const log = table.buffered({ ...unlimited, maxAge: most, maxBytes: most, maxOperations: most })
    await log.insert(new DynamicEntity('q', '1'))
    await log.close()
    expect(Object.keys(await stored())).toHaveLength(4)
  })
})
