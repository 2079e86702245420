import {
  Blob,
  codecOf,
  Entity,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import { PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { freshTable } from '../fresh-account.ts'
import { changesOf } from '../object-writes.ts'

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
    expect(changesOf(codecOf(modelOf(Photo)), read)).toBeUndefined()
  })

  it('uses the stored name for all pieces', async () => {
    const { table, account } = await freshTable(Photo)
    await table.insert(Object.assign(new Photo(), { pixels: new Uint8Array(70_000) }))
    const stored = await account.table('photos').get(['a', 'b'])
    expect([...stored.properties.keys()]).toEqual(['p', 'p_2'])
  })

  it('takes bytes only', () => {
    const wrong = Object.assign(new Photo(), { pixels: 'AQ==' as never })
    expect(() => codecOf(modelOf(Photo)).write(wrong)).toThrow(PropertyValueError)
  })

  it('needs the names that it may come to use', () => {
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
