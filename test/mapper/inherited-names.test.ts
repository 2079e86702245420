import {
  decorate,
  Entity,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
  signingKeys,
} from '@rowkey/mapper'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { freshAccount, freshTable } from './fresh-account.ts'

const signing = signingKeys({ current: 's', keys: { s: Buffer.alloc(32, 1) } })
const key = ['p', 'r'] as const

@Entity('notes')
class Old {
  @PartitionKey() user = 'p'
  @RowKey() id = 'r'
  @Property('Int32') size = 7
}

it('a member called __proto__ is rejected, because a read cannot assign it', () => {
  class Note {
    user = 'p'
    id = 'r'
  }
  const decorators = { user: PartitionKey(), id: RowKey(), ['__proto__']: Property('String') }
  decorate(Note, Entity('notes'), decorators as object)
  expect(() => freshAccount().account.table(Note)).toThrow('Note.__proto__: A member of this name')
})

// Every JavaScript object inherits a member of these names, and the service accepts each as a property name.
describe.each(['constructor', '__proto__', 'toString'])('a property stored as %s', (stored) => {
  @Entity('notes')
  class Note {
    @PartitionKey() user = 'p'
    @RowKey() id = 'r'
    @StoreAs(stored) @Property() text?: string
    @Property('Int32') size = 7
  }

  it('is not taken for a stored value when the row lacks it', async () => {
    const { table, sent } = await freshTable(Note)
    await table.insert(new Note())
    sent.length = 0
    await table.modify(key, () => {})
    await table.modify(key, (note) => {
      note.size = 8
    })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH'])
  })

  it('is kept by merges and by a replace', async () => {
    const { table, account } = await freshTable(Note)
    await table.insert(new Note())
    const note = await table.get(key)
    note.text = 'one'
    await table.merge(note)
    note.size = 8
    await table.replace(note)
    expect((await account.table('notes').get(key)).get(stored)?.value).toBe('one')
  })

  it('R-128: is signed when a merge adds it', async () => {
    @Entity({ name: 'notes', signing })
    class Signed extends Note {}
    const { table } = await freshTable(Signed)
    await table.insert(new Signed())
    const note = await table.get(key)
    note.text = 'one'
    await table.merge(note)
    expect((await table.get(key)).text).toBe('one')
  })

  it('R-129: is a version property like any other', async () => {
    @Entity({
      name: 'notes',
      version: 2,
      versionProperty: stored,
      previous: Old,
      migrate: ({ size }) => Object.assign(new New(), { bytes: size }),
    })
    class New {
      @PartitionKey() user = 'p'
      @RowKey() id = 'r'
      @Property('Int32') bytes = 0
    }
    const { table, account } = await freshTable(New)
    await account.table('notes').insert(new DynamicEntity('p', 'r').set('size', 7))
    const read = await table.get(key)
    expect(read.bytes).toBe(7)
    await table.merge(read)
    expect((await account.table('notes').get(key)).get(stored)?.value).toBe(2)
    expect((await table.get(key)).bytes).toBe(7)
  })

  it('R-129: stays when no version declares it and the row is migrated', async () => {
    @Entity({
      name: 'notes',
      version: 2,
      previous: Old,
      migrate: ({ size }) => Object.assign(new Second(), { bytes: size }),
    })
    class Second {
      @PartitionKey() user = 'p'
      @RowKey() id = 'r'
      @Property('Int32') bytes = 0
    }
    const { table, account } = await freshTable(Second)
    const rows = account.table('notes')
    await rows.insert(
      new DynamicEntity('p', 'r').set('size', 7).set(stored, EntityProperty.int64(3n)),
    )
    const second = await table.get(key)
    second.bytes = 8
    await table.merge(second)
    expect((await rows.get(key)).get(stored)).toEqual(EntityProperty.int64(3n))
  })
})
