import { localTableService } from '@rowkey/local'
import { connect } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { seedTables } from '../../../packages/local/src/seed/seed-tables.ts'
import { ServiceClock } from '../../../packages/local/src/service/service.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

const manyProperties = Object.fromEntries(Array.from({ length: 253 }, (_, n) => [`n${n}`, n]))

const KEY = '"PartitionKey": "a", "RowKey": "b"'

describe('the first rows of a service', () => {
  it('are stored with their types, in tables that do not exist yet', async () => {
    const local = localTableService()
    const account = connect(local.connectionString(), { transport: local.transport })
    await account.createTable('old')
    await local.seed(
      `{ "people": [{ ${KEY}, "n@odata.type": "Edm.Int64", "n": "5", "half": 2.0, "none": null }], "empty": [], "old": [{ ${KEY} }] }`,
    )
    const row = await account.table('people').get(['a', 'b'])
    expect(Array.from(row.properties, ([name, { type }]) => [name, type])).toEqual([
      ['n', 'Int64'],
      ['half', 'Double'],
    ])
    expect(await account.table('empty').exists()).toBe(true)
    expect(await account.table('old').find(['a', 'b'])).toBeUndefined()
    await account.close()
    await local.close()
  })

  it.each([
    ['', /is not JSON: Unexpected end/],
    ['{ "people": [], }', /is not JSON: .* position 30/],
    [`{ "people": [{ ${KEY} }],\n"people": [] }`, /line 2: "people" has two values\./],
    [`{ "people": [{ ${KEY},\n"n": 1, "n": 2 }] }`, /line 2: "n" has two values\./],
    [`{ "people": [\n\n{ ${KEY}, "n": 9007199254740993 }] }`, /line 3: "n" has a number that/],
    ['[]', /an object with a list for each table/],
    ['{ "people": {} }', /'people' must be a list/],
    ['{ "people": [{ "RowKey": "b" }] }', /row 0 of 'people' must be an object with PartitionKey/],
    ['{ "a-b": [] }', /'a-b': /],
    ['{ "people": [], "People": [] }', /'people' and 'People' are one table/],
    [`{ "people": [{ ${KEY} }, { ${KEY} }] }`, /row 1 of 'people' has the key of row 0/],
    ['{ "people": [{ "PartitionKey": "a/b", "RowKey": "b" }] }', /row 0 of 'people': /],
    [`{ "people": [{ ${KEY}, "n": [] }] }`, /'n' in row 0 of 'people': /],
    [`{ "people": [{ ${KEY}, "n": 1e400 }] }`, /'n' in row 0 of 'people': /],
    [`{ "people": [{ ${KEY}, "a-b": 1 }] }`, /'a-b' in row 0 of 'people': .*a-b/],
    [
      `{ "people": [{ ${KEY}, "m": 1, "n@odata.type": "Edm.Int16", "n": 1 }] }`,
      /'n' in row 0 of 'people': .* does not match its type/,
    ],
    ['{ "people": [null] }', /row 0 of 'people' must be an object with PartitionKey/],
    ['{ "people": [{ "PartitionKey": "a" }] }', /row 0 of 'people' must be an object with/],
    [
      JSON.stringify({ people: [{ PartitionKey: 'a', RowKey: 'b', ...manyProperties }] }),
      /row 0 of 'people': .*252 properties/,
    ],
  ])('are rejected before one is stored, case %#', async (text, message) => {
    const local = localTableService()
    const account = connect(local.connectionString(), { transport: local.transport })
    const more = text.startsWith('{') ? `{ "first": [], ${text.slice(1)}` : text
    await expect(local.seed(more)).rejects.toMatchObject({
      code: 'InvalidSeed',
      message: expect.stringMatching(message),
    })
    expect(await account.table('first').exists()).toBe(false)
    await account.close()
    await local.close()
  })

  it('are stored by the next start when the store could not keep them', async () => {
    let isFull = true
    class FullStore extends MemoryStore {
      override async findTable(...args: Parameters<MemoryStore['findTable']>) {
        if (isFull) throw new Error('the disk is full')
        return super.findTable(...args)
      }
    }
    const service = {
      store: new FullStore(),
      flavour: 'storage' as const,
      clock: new ServiceClock(Date.now),
    }
    const seed = () => seedTables(service, 'contoso', `{ "people": [{ ${KEY} }] }`)
    await expect(seed()).rejects.toThrow('the disk is full')
    isFull = false
    await seed()
    const table = await service.store.findTable('contoso', 'people')
    const rows = await table?.change([{ partitionKey: 'a', rowKey: 'b' }], (found) => found)
    expect(rows).toEqual([expect.anything()])
  })
})
