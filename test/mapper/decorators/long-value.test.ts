import {
  Blob,
  Encrypted,
  Entity,
  encryptionKeys,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  StoreAs,
  Text,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidValue } from '../../support/rejections.ts'
import { freshTable } from '../fresh-account.ts'
import { objectsOf } from '../object-codec.ts'
import { changesOf } from '../object-writes.ts'

const keys = encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } })

@Entity('letters')
class Letter {
  @PartitionKey() sender = ''
  @RowKey() id = ''
  @Text() notes = ''
  @Text() @Encrypted(keys) secret?: Secret<string>
}

const letter = (values: Partial<Letter>) =>
  Object.assign(new Letter(), { sender: 'a', id: 'b' }, values)
const key = ['a', 'b'] as const

describe('@Text', () => {
  it('R-127: holds far more text than one property does', async () => {
    const { table } = await freshTable(Letter)
    const notes = 'Zeile 😀\n'.repeat(50_000)
    await table.insert(letter({ notes }))
    expect((await table.get(key)).notes === notes).toBe(true)
  })

  it('stores short text in one String property', async () => {
    const { table, account } = await freshTable(Letter)
    await table.insert(letter({ notes: 'short' }))
    const stored = await account.table('letters').get(key)
    expect([...stored.properties.keys()]).toEqual(['notes'])
    expect(stored.get('notes')).toMatchObject({ type: 'String', value: 'short' })
  })

  it('reads the new text after a merge of shorter text over longer text', async () => {
    const { table, account } = await freshTable(Letter)
    const written = await table.insert(letter({ notes: 'x'.repeat(100_000) }))
    await table.merge(Object.assign(written, { notes: 'y'.repeat(33_000) }))
    expect((await table.get(key)).notes).toBe('y'.repeat(33_000))
    await table.insertOrMerge(letter({ notes: 'short' }))
    const jeff = await table.get(key)
    expect(jeff.notes).toBe('short')
    expect((await account.table('letters').get(key)).has('notes_3')).toBe(true)
    await table.replace(jeff)
    expect([...(await account.table('letters').get(key)).properties.keys()]).toEqual(['notes'])
  })

  it('is read whole by a projection and by a resolver', async () => {
    const { table } = await freshTable(Letter)
    const notes = 'x'.repeat(70_000)
    await table.insert(letter({ notes }))
    expect((await table.get(key, { select: ['notes'] })).notes).toBe(notes)
    const resolve = (
      _a: string,
      _b: string,
      _c: unknown,
      properties: ReadonlyMap<string, unknown>,
    ) => [...properties.keys()]
    expect(await table.get(key, { resolve })).toEqual(['notes'])
  })

  it('R-126: is cut after encryption', async () => {
    const { table, account } = await freshTable(Letter)
    const secret = 'very secret '.repeat(20_000)
    await table.insert(letter({ secret }))
    expect((await table.get(key)).secret).toBe(secret)
    const stored = await account.table('letters').get(key)
    expect(['secret', 'secret_4'].map((name) => stored.get(name)?.type)).toEqual([
      'Binary',
      'Binary',
    ])
  })

  it('is encrypted in place of a longer text in the clear, and a replace leaves no piece of that text', async () => {
    @Entity('letters')
    class Clear {
      @PartitionKey() sender = ''
      @RowKey() id = ''
      @Text() secret = ''
    }
    const ring = { current: 'k', keys: { k: Buffer.alloc(32, 1) } }
    @Entity('letters')
    class Migrating {
      @PartitionKey() sender = ''
      @RowKey() id = ''
      @Text() @Encrypted(encryptionKeys({ ...ring, plaintext: 'read' })) secret?: Secret<string>
    }
    const { table, account } = await freshTable(Letter)
    const text = 'clear'.repeat(20_000)
    const typesNow = async () =>
      [...(await account.table('letters').get(key)).properties.values()].map(({ type }) => type)
    for (const isMergedFirst of [false, true]) {
      const clear = Object.assign(new Clear(), { sender: 'a', id: 'b', secret: text })
      await account.table(Clear).insertOrReplace(clear)
      const migrating = account.table(Migrating)
      const read = await migrating.get(key)
      if (isMergedFirst) await migrating.merge(Object.assign(read, { secret: 'short' }))
      await migrating.replace(isMergedFirst ? await migrating.get(key) : read)
      expect(new Set(await typesNow())).toEqual(new Set(['Binary']))
      expect((await table.get(key)).secret).toBe(isMergedFirst ? 'short' : text)
    }
  })

  it('cannot be compared by a query, which would see only its beginning', async () => {
    const { table } = await freshTable(Letter)
    expect(() => table.query().where({ notes: 'x' })).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
    expect(() => table.query().where({ notes: 'x' })).toThrow(/Letter\.notes.*cut into several/)
  })
})

@Entity('photos')
class Photo {
  @PartitionKey() album = 'a'
  @RowKey() id = 'b'
  @Blob() @StoreAs('p') pixels?: Uint8Array
}

describe('@Blob', () => {
  it.each([0, 65_535, 65_536, 300_000])('R-127: holds %i bytes', async (length) => {
    const { table } = await freshTable(Photo)
    const pixels = new Uint8Array(length).map((_, at) => at * 7)
    await table.insert(Object.assign(new Photo(), { pixels }))
    const read = await table.get(['a', 'b'])
    expect(Buffer.from(read.pixels ?? []).equals(pixels)).toBe(true)
    expect(changesOf(objectsOf(modelOf(Photo)), read)).toBeUndefined()
  })

  it('names all pieces after the stored name', async () => {
    const { table, account } = await freshTable(Photo)
    await table.insert(Object.assign(new Photo(), { pixels: new Uint8Array(70_000) }))
    const stored = await account.table('photos').get(['a', 'b'])
    expect([...stored.properties.keys()]).toEqual(['p', 'p_2'])
  })

  it('rejects values that are not bytes', () => {
    const wrong = Object.assign(new Photo(), { pixels: 'AQ==' as never })
    expect(() => objectsOf(modelOf(Photo)).write(wrong)).toThrow(invalidValue)
  })

  it('rejects a member whose name a piece may need', () => {
    class Album {
      @PartitionKey() a = ''
      @RowKey() b = ''
      @Blob() photo?: Uint8Array
      photo_2 = ''
    }
    expect(() => modelOf(Album)).toThrow(ModelError)
    expect(() => modelOf(Album)).toThrow(/stored as 'photo_2', and so is/)
  })
})
