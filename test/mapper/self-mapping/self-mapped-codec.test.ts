import {
  decorate,
  Encrypted,
  Entity,
  ETag,
  encryptionKeys,
  Ignore,
  ModelError,
  PartitionKey,
  RowKey,
  readMembers,
  type SelfMapped,
  StoreAs,
  Text,
  writeMembers,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { ownMapping } from '../../../packages/mapper/src/self-mapping/self-mapped-codec.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'

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
  it('R-93: maps its entities itself', async () => {
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

  it('keeps properties that the class does not declare through a replace', async () => {
    const { table, account } = await freshTable(Place)
    await account.table('places').insert(new DynamicEntity(...key, { other: 5n, x: 1 }))
    const read = await table.get(key)
    await table.replace(Object.assign(read, { title: 'New' }))
    const stored = await account.table('places').get(key)
    expect(stored.get('other')).toMatchObject({ type: 'Int64', value: 5n })
    expect(stored.get('t')?.value).toBe('New')
  })

  it('keeps properties that the class does not declare in an insertOrMerge', async () => {
    const { table, account, sent } = await freshTable(Place)
    await account.table('places').insert(new DynamicEntity(...key, { other: 5n, x: 1 }))
    const read = await table.get(key)
    await table.insertOrMerge(Object.assign(read, { title: 'New' }))
    expect(sent.at(-1)?.body).toContain('"t":"New"')
    expect(sent.at(-1)?.body).not.toContain('other')
  })

  it('is queried and projected by the names of its members', async () => {
    const { table } = await freshTable(Place)
    await table.insert(place())
    const query = table.query().where({ region: 'r', title: 'Top' }).select('title')
    const [row] = await query.toArray()
    expect(row).toMatchObject({ region: 'r', title: 'Top' })
  })

  it('merges a part that was selected without touching the rest', async () => {
    const { table, account } = await freshTable(Place)
    await table.insert(place())
    const [part] = await table.query().where({ region: 'r' }).select('title').toArray()
    if (part !== undefined) await table.merge(Object.assign(part, { title: 'New' }))
    const stored = await account.table('places').get(key)
    expect([stored.get('t')?.value, stored.get('x')?.value, stored.get('y')?.value]).toEqual([
      'New',
      1,
      2,
    ])
  })

  it('does not merge its default for a missing property', async () => {
    const { table, account } = await freshTable(Place)
    await account.table('places').insert(new DynamicEntity(...key, { y: 2 }))
    const read = await table.get(key)
    await table.merge(Object.assign(read, { title: 'New' }))
    expect((await account.table('places').get(key)).has('x')).toBe(false)
    read.position.x = 4
    await table.merge(read)
    read.position.x = 0 // as it would be by itself, but now it is stored
    await table.merge(read)
    expect((await account.table('places').get(key)).get('x')?.value).toBe(0)
  })

  it('reloads everything, including what only the class maps', async () => {
    const { table, account } = await freshTable(Place)
    await table.insert(place())
    const read = await table.get(key)
    await table.modify(key, (each) => {
      each.position.x = 50
    })
    expect(await table.reload(read)).toBe(true)
    expect(read.position.x).toBe(50)
    await table.merge(Object.assign(read, { title: 'New' }))
    expect((await account.table('places').get(key)).get('x')?.value).toBe(50)
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

@Entity('notes')
class Note implements SelfMapped {
  @PartitionKey() region = ''
  @RowKey() name = ''
  @Ignore() text: string | undefined = undefined

  writeEntity(stored: DynamicEntity): void {
    if (this.text !== undefined) stored.set('text', `${this.text}.`)
  }

  readEntity(stored: DynamicEntity): void {
    this.text = stored.get('text')?.as('String').replace(/\.*$/, '')
  }
}

describe('a class that maps nothing by its decorators', () => {
  async function storedNote(text: string) {
    const fresh = await freshTable(Note)
    const rows = fresh.account.table('notes')
    await rows.insert(new DynamicEntity(...key, { text, other: 'o' }))
    return { ...fresh, rows }
  }

  it('keeps what it does not store through a replace', async () => {
    const { table, rows } = await storedNote('a.')
    await table.replace(Object.assign(await table.get(key), { text: 'b' }))
    const stored = await rows.get(key)
    expect([stored.get('text')?.value, stored.get('other')?.value]).toEqual(['b.', 'o'])
  })

  it('keeps the stored text of an unchanged value', async () => {
    const { table, rows, sent } = await storedNote('a...')
    const read = await table.get(key)
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
    await table.replace(read)
    expect((await rows.get(key)).get('text')?.value).toBe('a...')
  })

  it('cannot remove a property by merge; modify removes it by replace', async () => {
    const { table, rows } = await storedNote('a.')
    const read = Object.assign(await table.get(key), { text: undefined })
    await expect(table.merge(read)).rejects.toThrow(
      'Note.text is stored, but writeEntity no longer sets it: a merge cannot remove a property.',
    )
    await table.modify(key, (note) => {
      note.text = undefined
    })
    const stored = await rows.get(key)
    expect([...stored.properties.keys()]).toEqual(['other'])
  })

  it('cannot remove by merge what it has just inserted either', async () => {
    const { table } = await freshTable(Note)
    const note: Note = Object.assign(new Note(), { region: 'r', name: 'n', text: 'a' })
    await table.insert(note)
    note.text = undefined
    const forced = table.merge(note, { etag: '*' })
    await expect(forced).rejects.toThrow('a merge cannot remove a property')
  })

  it('is readable when it cannot be written, and then a part of it is not merged', async () => {
    class Strict extends Note {
      override writeEntity(stored: DynamicEntity): void {
        if (this.text === undefined) throw new TypeError('no text')
        super.writeEntity(stored)
      }
    }
    const { table, account } = await freshTable(Strict, 'notes')
    await account.table('notes').insert(new DynamicEntity(...key, { other: 'o' }))
    const [part] = await table.query().where({ region: 'r' }).select('name').toArray()
    const merged = table.merge(Object.assign(part ?? {}, { text: 'b' }) as Strict)
    await expect(merged).rejects.toThrow('was read with select')
    const read = await table.get(key)
    await table.merge(Object.assign(read, { text: 'b' }))
    expect((await account.table('notes').get(key)).get('text')?.value).toBe('b.')
  })
})

describe('a class that maps itself and has a type and a version', () => {
  @Entity({ name: 'letters', version: 1, discriminator: { Kind: 'letter' } })
  class Letter implements SelfMapped {
    @PartitionKey() region = ''
    @RowKey() name = ''
    body = ''

    writeEntity(stored: DynamicEntity): void {
      writeMembers(this, stored)
    }

    readEntity(stored: DynamicEntity): void {
      readMembers(this, stored)
    }
  }

  it('keeps both through a merge and a replace', async () => {
    const { table, account } = await freshTable(Letter)
    await table.insert(Object.assign(new Letter(), { region: 'r', name: 'n', body: 'long' }))
    await table.merge(Object.assign(await table.get(key), { body: 'short' }))
    await table.replace(await table.get(key))
    const stored = await account.table('letters').get(key)
    expect([...stored.properties.keys()].sort()).toEqual(['Kind', 'Version', 'body'])
  })
})

describe('a class that maps itself', () => {
  const keys = encryptionKeys({ current: 'a', keys: { a: new Uint8Array(32).fill(2) } })

  it.each([
    ['@Encrypted', Encrypted(keys)],
    ['@Text', Text()],
  ])('rejects a member with %s', (_, member) => {
    class Patient extends Note {
      illness = 'none' as Secret<string>
    }
    decorate(Patient, Entity('patients'), { illness: member as never })
    expect(() => freshAccount().account.table(Patient)).toThrow(
      /^Patient\.illness: A class with writeEntity cannot have members/,
    )
  })
})

describe('the mapping of one object', () => {
  const row = (properties: Record<string, string | number>) =>
    new DynamicEntity('p', 'r', properties)

  describe('what a class stores of an entity that was just read', () => {
    it('lists what it would add or change, and what it does not store', () => {
      const mapping = ownMapping(
        () => row({ same: 1, other: 2, added: 'x' }),
        row({ same: 1, other: 3, foreign: 'f' }),
      )
      expect(mapping).toEqual({
        foreign: new Set(['foreign']),
        initial: new Map([
          ['other', ',"other":2'],
          ['added', ',"added":"x"'],
        ]),
      })
    })

    it('is unknown when the class cannot store it', () => {
      const fail = () => {
        throw new TypeError('no')
      }
      expect(ownMapping(fail, row({ a: 1 }))).toEqual({
        foreign: new Set(['a']),
        initial: new Map(),
      })
      expect(ownMapping(fail, row({ a: 1 }), true)).toEqual({})
    })
  })
})
