import {
  Entity,
  ETag,
  Ignore,
  ModelError,
  PartitionKey,
  RowKey,
  readMembers,
  type SelfMapped,
  StoreAs,
  writeMembers,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { freshTable } from '../fresh-account.ts'

@Entity('places')
class Place implements SelfMapped {
  @PartitionKey() region = ''
  @RowKey() name = ''
  @ETag() etag?: string
  @StoreAs('t') title = ''
  @Ignore() position = { x: 0, y: 0 }

  writeEntity(stored: DynamicEntity): void {
    writeMembers(this, stored)
    stored.set('x', this.position.x).set('y', this.position.y)
  }

  readEntity(stored: DynamicEntity): void {
    readMembers(this, stored)
    const at = (name: string) => stored.get(name)?.as('Int32') ?? 0
    this.position = { x: at('x'), y: at('y') }
  }
}

const place = () =>
  Object.assign(new Place(), { region: 'r', name: 'n', title: 'Top', position: { x: 1, y: 2 } })
const key = ['r', 'n'] as const

describe('a class with writeEntity and readEntity', () => {
  it('R-93: says itself how its entities are stored', async () => {
    const { table, account } = await freshTable(Place)
    await table.insert(place())
    const stored = await account.table('places').get(key)
    expect([...stored.properties].map(([name, { value }]) => [name, value])).toEqual([
      ['t', 'Top'],
      ['x', 1],
      ['y', 2],
    ])
    const read = await table.get(key)
    expect(read).toBeInstanceOf(Place)
    expect(read).toEqual(Object.assign(place(), { etag: stored.etag }))
  })

  it('R-101: merges what changed, and nothing when nothing did', async () => {
    const { table, sent } = await freshTable(Place)
    await table.insert(place())
    const read = await table.get(key)
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
    read.position.y = 3
    await table.merge(read)
    expect(sent.map(({ body }) => body)).toEqual(['{"PartitionKey":"r","RowKey":"n","y":3}'])
  })

  it('keeps what nobody declared through a replace', async () => {
    const { table, account } = await freshTable(Place)
    await account.table('places').insert(new DynamicEntity(...key, { other: 5n, x: 1 }))
    const read = await table.get(key)
    await table.replace(Object.assign(read, { title: 'New' }))
    const stored = await account.table('places').get(key)
    expect(stored.get('other')).toMatchObject({ type: 'Int64', value: 5n })
    expect(stored.get('t')?.value).toBe('New')
  })

  it('is asked and projected by the names of its members', async () => {
    const { table } = await freshTable(Place)
    await table.insert(place())
    const query = table.query().where({ region: 'r', title: 'Top' }).select('title')
    const [row] = await query.toArray()
    expect(row).toMatchObject({ region: 'r', title: 'Top' })
  })

  it('may not change the key, nor be asynchronous', async () => {
    class Moving extends Place {
      override writeEntity(stored: DynamicEntity): void {
        stored.rowKey = 'other'
      }
    }
    class Late extends Place {
      override async writeEntity(): Promise<void> {}
    }
    for (const Wrong of [Moving, Late]) {
      const { table } = await freshTable(Wrong)
      const refused = table.insert(Object.assign(new Wrong(), { region: 'r', name: 'n' }))
      await expect(refused).rejects.toThrow(ModelError)
    }
  })
})
